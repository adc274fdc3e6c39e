"""What the striker touched first, by the closed forms of equal bodies.

A disc that is hit goes off along the line of centres: so at the touch the striker's centre lay
behind it on that line, one sum of radii away. The first contact is the disc whose such place is
reached first, on a way from the placement that nothing else bars.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from carrom.pieces import PieceKind
from vision.following.episode import Episode, Motion
from vision.following.rest import RestDisc
from vision.following.track import Fix

__all__ = ["Touch", "first_contact"]

_SLACK_MM = 3.0
_LEAST_MM = 1.5


@dataclass(frozen=True, slots=True)
class Touch:
    """``chances``: of discs of the rest before, the likeliest first; empty: nothing was touched."""

    chances: tuple[tuple[RestDisc, float], ...]


def first_contact(
    episode: Episode,
    radii_mm: Mapping[PieceKind, float],
    still_moved: Sequence[tuple[RestDisc, float]],
) -> Touch:
    """The likeliest first discs. ``still_moved``: discs that ended elsewhere, and by how much."""
    moved = {one.track for one, off in still_moved if off >= _LEAST_MM}
    moved |= {track for track, motion in episode.motions.items() if not motion.handled}
    candidates = [disc for disc in episode.before if disc.track in moved]
    if not candidates:
        return Touch(())
    striker_mm = radii_mm[PieceKind.STRIKER]
    heading = _heading(episode)
    scored: list[tuple[RestDisc, float]] = []
    for disc in candidates:
        reach = striker_mm + radii_mm[disc.kind]
        score = _score(episode, disc, reach, heading, radii_mm)
        scored.append((disc, score))
    total = sum(score for _, score in scored) or 1.0
    ranked = sorted(((disc, score / total) for disc, score in scored), key=lambda row: -row[1])
    return Touch(tuple(ranked))


def _heading(episode: Episode) -> tuple[float, float] | None:
    """Unit vector of the launch: from the placement to the first fix off it."""
    x0, y0 = episode.placement_mm
    for fix in episode.striker_path:
        dx, dy = fix.x_mm - x0, fix.y_mm - y0
        off = hypot(dx, dy)
        if off > 15.0:
            return dx / off, dy / off
    return None


def _score(
    episode: Episode,
    disc: RestDisc,
    reach_mm: float,
    heading: tuple[float, float] | None,
    radii_mm: Mapping[PieceKind, float],
) -> float:
    """Relative likelihood that a disc was the first."""
    x0, y0 = episode.placement_mm
    motion = episode.motions.get(disc.track)
    touch = _touch_place(disc, motion, reach_mm)
    ways: list[tuple[tuple[float, float], float]] = []
    if touch is not None:
        ways.append((touch, 1.0))
    if heading is not None:
        on_line = _on_line(x0, y0, heading, disc, reach_mm)
        if on_line is not None:
            ways.append((on_line, 1.0))
    if not ways:
        near = hypot(disc.x_mm - x0, disc.y_mm - y0) - reach_mm
        return 0.02 * _earliness(episode, motion) / (1.0 + near / 200.0)
    best = 0.0
    for (x, y), weight in ways:
        bars = _bars((x0, y0), (x, y), disc, episode.before, radii_mm)
        agree = _agreement(heading, (x0, y0), (x, y))
        best = max(best, weight * bars * agree)
    return best * _earliness(episode, motion) + 1e-6


def _earliness(episode: Episode, motion: Motion | None) -> float:
    """Who left first is the likelier; frames are too far apart to decide alone."""
    if motion is None:
        return 0.3
    first = min(m.from_s for m in episode.motions.values())
    return 1.0 / (1.0 + (motion.from_s - first) / 0.05)


def _touch_place(
    disc: RestDisc, motion: Motion | None, reach_mm: float
) -> tuple[float, float] | None:
    """Where the striker's centre was, from the way the disc went."""
    if motion is None or not motion.fixes:
        return None
    fix: Fix = motion.fixes[0]
    dx, dy = fix.x_mm - disc.x_mm, fix.y_mm - disc.y_mm
    off = hypot(dx, dy)
    if off < 6.0:
        return None
    return disc.x_mm - reach_mm * dx / off, disc.y_mm - reach_mm * dy / off


def _on_line(
    x0: float, y0: float, heading: tuple[float, float], disc: RestDisc, reach_mm: float
) -> tuple[float, float] | None:
    """Where a striker on its heading first touches the disc."""
    ux, uy = heading
    along = (disc.x_mm - x0) * ux + (disc.y_mm - y0) * uy
    beside = (disc.x_mm - x0) * -uy + (disc.y_mm - y0) * ux
    inside = (reach_mm + _SLACK_MM) ** 2 - beside * beside
    if along <= 0 or inside <= 0:
        return None
    way = along - inside**0.5
    return x0 + way * ux, y0 + way * uy


def _bars(
    start: tuple[float, float],
    end: tuple[float, float],
    goal: RestDisc,
    discs: Sequence[RestDisc],
    radii_mm: Mapping[PieceKind, float],
) -> float:
    """1 for a free way, less the more another disc bars it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length < 1.0:
        return 1.0
    ux, uy = dx / length, dy / length
    worst = 0.0
    for other in discs:
        if other.track == goal.track:
            continue
        along = (other.x_mm - start[0]) * ux + (other.y_mm - start[1]) * uy
        if not 0 < along < length:
            continue
        beside = abs((other.x_mm - start[0]) * uy - (other.y_mm - start[1]) * ux)
        reach = radii_mm[PieceKind.STRIKER] + radii_mm[other.kind]
        if beside >= reach:
            continue
        touch = along - (reach * reach - beside * beside) ** 0.5
        if touch < length - _SLACK_MM:
            worst = max(worst, reach - beside)
    return 1.0 / (1.0 + (worst / 2.0) ** 2)


def _agreement(
    heading: tuple[float, float] | None, start: tuple[float, float], end: tuple[float, float]
) -> float:
    """How well a way agrees with the heading that was seen, if one was."""
    if heading is None:
        return 0.7
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length < 20.0:
        return 1.0
    aside = abs(dx * heading[1] - dy * heading[0]) / length
    ahead = (dx * heading[0] + dy * heading[1]) / length
    return (1.0 / (1.0 + (aside / 0.06) ** 2)) if ahead > 0 else 0.05
