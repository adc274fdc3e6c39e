"""From one row of a batch to the facts that the referee judges, without simulating again.

The same facts as ``Trajectory.to_outcome`` gives, but for the order in which the striker touched
pieces and frame parts after its first piece, which no rule asks for, and the times of contacts.
"""

from collections.abc import Iterator
from dataclasses import replace

from carrom.board_markings import AreaLineMarkings
from carrom.board_spec import BoardSpec
from carrom.events import (
    BouncedBack,
    Contact,
    Event,
    FirstContact,
    FramePart,
    NoContact,
    NoPiecePocketed,
    OffBoard,
    Pocketed,
)
from carrom.evidence import OBSERVED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Seat, opposite
from sim.physics.arrays import POCKETS, SIDES, FloatArray, Table, position_of
from sim.physics.batch import Batch
from sim.physics.state import F_FIRST, F_FRAMES_BEFORE, F_RATTLED, F_STRUCK, OFF_BOARD, ON_BOARD

__all__ = ["frames_before", "outcome_of_row"]

_OWN_BAND = {Seat.SOUTH: 0, Seat.WEST: 0, Seat.EAST: 2, Seat.NORTH: 2}
"""The band of the side frames that lies behind the seat's own line (``frame_region``)."""


def outcome_of_row(
    table: Table,
    board: BoardSpec,
    batch: Batch,
    row: int,
    *,
    seat: Seat,
    placement_mm: tuple[float, float],
    men_mm: FloatArray | None = None,
) -> StrokeOutcome:
    """The facts of stroke ``row``. ``men_mm``: (n - 1, 2), where the men lay if not as in table."""
    men = table.men_mm if men_mm is None else men_mm
    before = position_of(table.kinds[:-1], men)
    striker = position_of((PieceKind.STRIKER,), batch.xy_mm[row, -1:])
    stays = [disc for disc in range(table.count) if batch.pocket[row, disc] == ON_BOARD]
    after = position_of(tuple(table.kinds[disc] for disc in stays), batch.xy_mm[row, stays])
    placed = (replace(striker.discs[0], x_mm=placement_mm[0], y_mm=placement_mm[1]),)
    events = [
        *_contacts(table, board, batch, row, seat, before),
        *_departures(table, batch, row),
    ]
    return StrokeOutcome(
        seat=seat,
        events=tuple(events),
        placement_mm=placement_mm,
        before=Position((*before.discs, *placed)),
        after=after,
        t_start_s=0.0,
        t_end_s=float(batch.duration_s[row]),
    )


def frames_before(bits: int, shooter: Seat) -> tuple[FramePart, ...]:
    """The parts of the frame in ``F_FRAMES_BEFORE``, as the shooter sees them; each once."""
    parts: list[FramePart] = []
    for region in range(12):
        if not bits >> region & 1:
            continue
        side, band = SIDES[region // 3], region % 3
        if side is shooter:
            part = FramePart.OWN_BACK
        elif side is opposite(shooter):
            part = FramePart.FRONT
        elif band == _OWN_BAND[shooter]:
            part = FramePart.SIDE_INSIDE
        else:
            part = FramePart.SIDE_OUTSIDE
        if part not in parts:
            parts.append(part)
    return tuple(parts)


def _contacts(
    table: Table, board: BoardSpec, batch: Batch, row: int, seat: Seat, before: Position
) -> Iterator[Event]:
    first, struck = int(batch.facts[row, F_FIRST]), int(batch.facts[row, F_STRUCK])
    contact: type[Contact] = FirstContact
    for part in frames_before(int(batch.facts[row, F_FRAMES_BEFORE]), seat):
        yield contact(frame=part)
        contact = Contact
    if first < 0:
        yield NoContact()
        return
    others = [disc for disc in range(table.count - 1) if struck >> disc & 1 and disc != first]
    for disc in (first, *others):
        zone = None
        if isinstance(board.markings, AreaLineMarkings):
            place = before.discs[disc]
            radius_mm = float(table.radius_mm[disc])
            zone = board.area_zone(seat, place.x_mm, place.y_mm, radius_mm=radius_mm)
        yield contact(piece=table.kinds[disc], zone=zone)
        contact = Contact


def _departures(table: Table, batch: Batch, row: int) -> Iterator[Event]:
    gone = [disc for disc in range(table.count) if batch.pocket[row, disc] != ON_BOARD]
    holes = {disc: int(batch.pocket[row, disc]) for disc in gone}
    for disc in sorted(gone, key=lambda disc: float(batch.t_gone_s[row, disc])):
        when_s = float(batch.t_gone_s[row, disc])
        known = replace(OBSERVED, t_start_s=when_s, t_end_s=when_s)
        kind = table.kinds[disc]
        if holes[disc] == OFF_BOARD:
            yield OffBoard(piece=kind, evidence=known)
        else:
            yield Pocketed(piece=kind, pocket=POCKETS[holes[disc]], evidence=known)
    rattled = int(batch.facts[row, F_RATTLED])
    for disc in range(table.count):
        if rattled >> disc & 1 and disc not in holes:
            yield BouncedBack(piece=table.kinds[disc])
    if all(hole == OFF_BOARD for hole in holes.values()):
        yield NoPiecePocketed()
