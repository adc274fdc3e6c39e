"""The opening layout in a picture: it labels every disc's colour for nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.layouts import opening_position
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.discs_seen import DiscsSeen
from vision.palette import Palette

__all__ = ["Opening", "learned_from_opening", "opening_in", "opening_of"]

_LEAST = 0.85
"""Share of the layout's places that must hold a disc."""
_NEAR = 0.45
"""How far from its place a disc may lie, in radii."""
_TURNS = 90
_LOOSE = (1.0, 1.02, 1.04, 1.06)
"""Gaps between the discs of a pack, as a factor of the layout."""


@dataclass(frozen=True, slots=True)
class Opening:
    """``kinds``: by index of the discs given; ``rms_mm`` from their places; ``rotation_rad`` as in
    ``carrom.layouts``."""

    kinds: Mapping[int, PieceKind]
    rms_mm: float
    rotation_rad: float


def opening_in(
    spec: BoardSpec, points_mm: Array, radius_mm: float, lightness: Array, redness: Array
) -> Opening | None:
    """The opening layout among discs, or ``None``.

    ``points_mm``: (n, 2), board frame; ``radius_mm``: of this set's men; ``lightness``,
    ``redness``: (n,) tell the two colours apart where the layout looks the same turned by one
    place (Indian: white is lighter; Hikone: red is redder).
    """
    layout = opening_position(spec)
    kinds = [disc.kind for disc in layout]
    places = np.array([[disc.x_mm, disc.y_mm] for disc in layout])
    if spec.family is BoardFamily.ICF:
        places = places * (radius_mm / max(spec.radii_mm[kind] for kind in spec.pieces))
    if len(points_mm) < _LEAST * len(places):
        return None
    found = _best(places, points_mm, radius_mm)
    if found is None:
        return None
    turn, loose = found
    best: tuple[float, Opening] | None = None
    step = np.pi / 3 if spec.family is BoardFamily.ICF else np.pi / 12
    for extra in (0.0, step):
        match = _matched(_turned(places * loose, turn + extra), kinds, points_mm, radius_mm)
        contrast = _contrast(spec.family, match[0], lightness, redness)
        if best is None or contrast > best[0]:
            best = contrast, Opening(match[0], match[1], turn + extra)
    return None if best is None else best[1]


def learned_from_opening(
    seen: DiscsSeen, spec: BoardSpec, palette: Palette | None = None
) -> Palette | None:
    """The palette of a set that lies in its opening layout, or ``None`` when it does not.

    ``palette``: what was known before, of the striker for example. The kinds that the picture was
    given do not matter: the layout says what is what.
    """
    found = opening_of(seen, spec)
    if found is None:
        return None
    known = Palette(spec.family) if palette is None else palette
    radii = np.array([disc.radius_mm for disc in seen.discs])
    return known.learned(found.kinds, seen.features, radii)


def opening_of(seen: DiscsSeen, spec: BoardSpec) -> Opening | None:
    """The opening layout among the discs of a look (``kinds``: by index of ``seen.discs``)."""
    at = np.array([[disc.x_mm, disc.y_mm] for disc in seen.discs]).reshape(-1, 2)
    if len(at) == 0:
        return None
    radii = np.array([disc.radius_mm for disc in seen.discs])
    light, red = (seen.features[:, k::3].mean(axis=1) for k in (0, 1))
    return opening_in(spec, at, float(np.median(radii)), light, red)


def _turned(places: Array, turn: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    out: Array = places @ np.array([[c, s], [-s, c]])
    return out


def _best(places: Array, points: Array, radius_mm: float) -> tuple[float, float] | None:
    """Rotation and looseness with the most places taken, or ``None`` when too few are."""
    best = (0.0, 0.0, 1.0)
    for loose in _LOOSE:
        for turn in np.arange(_TURNS) * (2 * np.pi / 3 / _TURNS):
            at = _turned(places * loose, float(turn))
            apart = np.hypot(*(at[:, None] - points[None]).transpose(2, 0, 1)).min(axis=1)
            score = float(np.maximum(0.0, 1.0 - (apart / (radius_mm * _NEAR)) ** 2).sum())
            taken = float((apart < _NEAR * radius_mm).mean())
            if taken >= _LEAST and score > best[0]:
                best = (score, float(turn), loose)
    return None if best[0] == 0.0 else best[1:]


def _matched(
    at: Array, kinds: list[PieceKind], points: Array, radius_mm: float
) -> tuple[dict[int, PieceKind], float]:
    """Kinds by index of the points, and the root mean square distance."""
    apart = np.hypot(*(at[:, None] - points[None]).transpose(2, 0, 1))
    nearest = apart.argmin(axis=1)
    close = apart.min(axis=1)
    ok = close < _NEAR * radius_mm
    named = {int(nearest[k]): kinds[k] for k in np.flatnonzero(ok)}
    return named, float(np.sqrt((close[ok] ** 2).mean()))


def _contrast(
    family: BoardFamily, kinds: Mapping[int, PieceKind], lightness: Array, redness: Array
) -> float:
    """How well the two colours are told apart by a naming."""
    values, first, second = (
        (lightness, PieceKind.WHITE, PieceKind.BLACK)
        if family is BoardFamily.ICF
        else (redness, PieceKind.RED, PieceKind.GREEN)
    )
    one = [values[k] for k, kind in kinds.items() if kind is first]
    other = [values[k] for k, kind in kinds.items() if kind is second]
    if not one or not other:
        return 0.0
    spread = float(np.std(one) + np.std(other)) + 3.0
    return (float(np.mean(one)) - float(np.mean(other))) / spread
