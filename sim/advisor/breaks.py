"""Break advice from the book of breaks: statistics, never a drawn path beyond the pack.

No rule for rigid discs can be trusted in a touching pack (``sim.physics.break_book``), so nothing
is simulated here.
"""

from __future__ import annotations

import math

from carrom.board_marks import Point, from_seat_frame, seat_rotation_rad
from carrom.pieces import PieceKind
from carrom.stroke import Stroke
from referee.laws import Ruleset
from referee.options import HikoneOptions
from sim.advisor.lawful import is_lawful_placement
from sim.advisor.situation import Situation, is_opening
from sim.advisor.suggestion import (
    Advice,
    Aim,
    Chance,
    Fullness,
    Hardness,
    Leave,
    PathLeg,
    ShotKind,
    Stage,
    Suggestion,
)
from sim.physics.break_book import BreakStatistics, Rack, load_break_book

__all__ = ["break_advice", "wants_break"]

_MOST = 3
_DIFFERENT_MM, _DIFFERENT_RAD = 30.0, 0.06
_SCRATCH = 1.5
"""A fallen striker costs about so many men: one goes back, the turn is lost."""


def wants_break(situation: Situation) -> bool:
    """Whether the pack lies untouched."""
    return is_opening(situation.position, situation.board, situation.laws)


def break_advice(situation: Situation) -> Advice | None:
    """Up to three different breaks, best first; ``None`` if the book has none that is legal here.

    Chances come from the number of pieces that fell in the book's breaks and the mean share of
    each kind among them: the book does not count own men break by break.
    """
    rack = _rack(situation)
    found: list[Suggestion] = []
    cells = [c for c in load_break_book().cells if c.cell.rack is rack]
    for cell in sorted(cells, key=lambda c: -_value(situation, c)):
        stroke = _stroke(situation, cell)
        if len(found) == _MOST or any(_alike(stroke, other.stroke) for other in found):
            continue
        if is_lawful_placement(situation, stroke.placement_mm):
            found.append(_suggestion(situation, cell, stroke))
    if not found:
        return None
    return Advice(seat=situation.seat, stage=Stage.FULL, suggestions=tuple(found))


def _rack(situation: Situation) -> Rack:
    options = situation.laws.options
    if isinstance(options, HikoneOptions):
        return Rack.CASTLE if options.initial_layout == "castle" else Rack.CIRCLE
    return Rack.RING


def _kinds(situation: Situation) -> tuple[frozenset[PieceKind], frozenset[PieceKind]]:
    """Kinds that let the player go on after a break, and kinds that cost him something."""
    ruleset = situation.laws.ruleset
    men = {k for k in situation.board.pieces if k not in (PieceKind.QUEEN, PieceKind.JACK)}
    if ruleset.three_players:
        return frozenset(men), frozenset()
    own = situation.side.piece
    bad = {PieceKind.JACK} if ruleset.hikone else set()
    if ruleset is Ruleset.GAMERULES:  # GR-19
        bad |= men - {own}
    return frozenset({own}), frozenset(bad)


def _chance_of(cell: BreakStatistics, kinds: frozenset[PieceKind]) -> float:
    """That at least one of these kinds falls."""
    fallen = sum(cell.by_kind.values())
    share = sum(cell.by_kind.get(k, 0) for k in kinds) / fallen if fallen else 0.0
    none = sum(count * (1.0 - share) ** k for k, count in enumerate(cell.pocketed))
    return 1.0 - none / cell.breaks


def _value(situation: Situation, cell: BreakStatistics) -> float:
    own, bad = _kinds(situation)
    others = [k for k in cell.by_kind if k not in own and k is not PieceKind.QUEEN]
    men = sum(cell.mean_of(k) for k in own) - 0.6 * sum(cell.mean_of(k) for k in others)
    return men - _SCRATCH * (cell.striker_chance + _chance_of(cell, bad))


def _stroke(situation: Situation, statistics: BreakStatistics) -> Stroke:
    cell, seat = statistics.cell, situation.seat
    place = from_seat_frame(seat, cell.x_mm, cell.y_mm)
    return Stroke(
        seat=seat,
        placement_mm=(place.x_mm, place.y_mm),
        angle_rad=cell.angle_rad + seat_rotation_rad(seat),
        speed_mm_s=cell.speed_mm_s,
    )


def _alike(one: Stroke, other: Stroke) -> bool:
    away = math.dist(one.placement_mm, other.placement_mm)
    turn = abs(math.remainder(one.angle_rad - other.angle_rad, math.tau))
    return away < _DIFFERENT_MM and turn < _DIFFERENT_RAD


def _suggestion(situation: Situation, cell: BreakStatistics, stroke: Stroke) -> Suggestion:
    own, bad = _kinds(situation)
    chance = _chance_of(cell, own) * (1.0 - cell.striker_chance)
    foul = 1.0 - (1.0 - cell.striker_chance) * (1.0 - _chance_of(cell, bad))
    middle, aim = _aim(situation, stroke)
    striker = PathLeg(PieceKind.STRIKER, (Point(*stroke.placement_mm), middle))
    return Suggestion(
        stroke=stroke,
        kind=ShotKind.BREAK,
        along_mm=cell.cell.x_mm,
        hardness=Hardness.of(stroke.speed_mm_s),
        aim=aim,
        target=None,
        target_piece=None,
        pocket=None,
        chance=_book_chance(chance, cell.breaks),
        foul=_book_chance(foul, cell.breaks),
        value=_value(situation, cell),
        leave=Leave(None, None),
        path=(striker,),
        from_book=True,
    )


def _book_chance(chance: float, breaks: int) -> Chance:
    return Chance(chance, Chance.counted(round(chance * breaks), breaks).error, breaks)


def _aim(situation: Situation, stroke: Stroke) -> tuple[Point, Aim]:
    """The first piece in the way, where it is met, and the striker's place then."""
    x, y = stroke.placement_mm
    ux, uy = math.cos(stroke.angle_rad), math.sin(stroke.angle_rad)
    best: tuple[float, float, Point, PieceKind] | None = None
    for disc in situation.position:
        reach = situation.board.radii_mm[disc.kind] + situation.board.radii_mm[PieceKind.STRIKER]
        dx, dy = disc.x_mm - x, disc.y_mm - y
        off = ux * dy - uy * dx
        if abs(off) >= reach:
            continue
        way = dx * ux + dy * uy - math.sqrt(reach * reach - off * off)
        if way > 0 and (best is None or way < best[0]):
            best = (way, off / reach, Point(disc.x_mm, disc.y_mm), disc.kind)
    if best is None:
        return Point(0.0, 0.0), Aim(point_mm=Point(0.0, 0.0))
    way, side, middle, kind = best
    fullness = (
        Fullness.FULL if abs(side) < 0.25 else (Fullness.RIGHT if side > 0 else Fullness.LEFT)
    )
    met = Point(x + ux * way, y + uy * way)
    return met, Aim(piece=kind, fullness=fullness, point_mm=middle)
