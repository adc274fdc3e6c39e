"""One case for each mistake that was mended, as small as it can be made."""

from __future__ import annotations

from math import hypot

from carrom.boards import ICF_BOARD
from carrom.events import Pocketed
from carrom.pieces import PieceKind
from carrom.seats import Pocket
from tests.vision.following.played_table import (
    BASE,
    QUEEN,
    STRIKER,
    WHITE,
    PlayedTable,
    Way,
    lies,
    resting,
    slides,
    sunk_white,
)
from vision.follower import Follower
from vision.following.striking_place import StrikingPlaces
from vision.seen import Place
from vision.table_events import Returned, StrikerPlaced, StrokeBegun, StrokeSeen, TableEvent

HOLE = ICF_BOARD.pocket_centres[Pocket.NORTH_EAST]


def _followed(table: PlayedTable) -> list[TableEvent]:
    follower = Follower(ICF_BOARD)
    out = [event for view in table.views() for event in follower.step(view)]
    return [*out, *follower.finish()]


def _index(table: PlayedTable, x_mm: float, y_mm: float) -> int:
    """The disc that lies here at first."""
    places = [way(0.0) for _, way in table.discs]
    return next(
        k for k, at in enumerate(places) if at and hypot(at[0] - x_mm, at[1] - y_mm) < 1.0
    )  # fmt: skip


def _then(first: Way, at_s: float, second: Way) -> Way:
    return lambda t: first(t) if t < at_s else second(t)


def test_a_man_over_a_lip_that_falls_later_is_pocketed() -> None:
    """It was told as nothing pocketed, and later as taken off by hand."""
    table = sunk_white()
    man = _index(table, 150.0, 150.0)
    lip = HOLE.x_mm - 17.0, HOLE.y_mm - 17.0
    hangs = slides((150.0, 150.0), lip, 1.9, then=Place.HANGING)
    table.discs[man] = (
        WHITE,
        _then(hangs, 4.5, slides(lip, (HOLE.x_mm, HOLE.y_mm), 4.5, then=None)),
    )
    table.duration_s = 8.0
    (stroke,) = [e for e in _followed(table) if isinstance(e, StrokeSeen)]
    fell = [e for e in stroke.outcome.events if isinstance(e, Pocketed)]
    assert [(e.piece, e.pocket) for e in fell] == [(WHITE, Pocket.NORTH_EAST)]


def test_a_queen_followed_from_the_net_to_the_middle_is_returned() -> None:
    """Her track had been seen in a pocket, so she was never believed to lie on the board."""
    in_net: Way = lambda t: (HOLE.x_mm, HOLE.y_mm, Place.POCKET)  # noqa: E731
    carried = slides((HOLE.x_mm, HOLE.y_mm), (0.0, 0.0), 2.0, then=Place.SURFACE)
    men = [row for row in resting() if row[0] is not QUEEN]
    table = PlayedTable([*men, (QUEEN, _then(in_net, 2.0, carried))], 6.0)
    table.hands = [(1.8, 3.2, HOLE.x_mm, HOLE.y_mm), (2.2, 3.4, 0.0, 0.0)]
    put = [e for e in _followed(table) if isinstance(e, Returned)]
    assert [e.disc.kind for e in put] == [QUEEN]


def test_a_striker_over_a_pocket_is_not_placed() -> None:
    """A hand that fetched it from the net was taken for a player who strikes from there."""
    places = StrikingPlaces(ICF_BOARD)
    hole = ICF_BOARD.pocket_centres[Pocket.SOUTH_EAST]
    assert places.seat_of(hole.x_mm, hole.y_mm) is None
    table = PlayedTable([*resting(), (STRIKER, lies(hole.x_mm, hole.y_mm))], 2.0)
    assert not [e for e in _followed(table) if isinstance(e, StrikerPlaced)]


def test_a_man_put_back_while_a_lost_one_is_waited_for_is_not_that_one() -> None:
    """A man flew over the frame; one that a hand put down for a due took its place."""
    table = sunk_white()
    flies = slides((-90.0, 220.0), (-110.0, 352.0), 1.95, then=None)
    man = _index(table, -90.0, 220.0)
    table.discs[man] = (WHITE, flies)
    table.discs.append((WHITE, lies(-30.0, -40.0, from_s=4.4)))
    table.hands = [(3.9, 5.0, -30.0, -40.0)]
    table.duration_s = 9.0
    events = _followed(table)
    (stroke,) = [e for e in events if isinstance(e, StrokeSeen)]
    after = stroke.outcome.after
    assert after is not None
    assert len(after.of_kind(PieceKind.WHITE)) == 0
    assert [e.disc.kind for e in events if isinstance(e, Returned)] == [WHITE]


def test_one_look_that_misses_a_man_near_a_pocket_pockets_nothing() -> None:
    """One look in fifty misses a disc; beside a pocket that was once enough to sink it."""
    table = sunk_white()
    table.discs.append((WHITE, lies(-320.0, 300.0)))
    table.missed = 0.04
    for seed in range(3):
        table.seed = seed
        (stroke,) = [e for e in _followed(table) if isinstance(e, StrokeSeen)]
        fell = [e for e in stroke.outcome.events if isinstance(e, Pocketed)]
        assert [e.pocket for e in fell] == [Pocket.NORTH_EAST]


def test_a_striker_that_a_hand_carries_off_the_board_is_not_struck() -> None:
    """Beyond the crop no hand is seen, and a carried striker looked as if it slid by itself."""
    x, y = BASE

    def carried(t: float) -> tuple[float, float, Place]:
        share = min(max((t - 2.0) / 0.8, 0.0), 1.0)
        return x, y - 350.0 * share * share * (3 - 2 * share), Place.SURFACE

    table = PlayedTable([*resting(), (STRIKER, carried)], 5.0)
    table.hands = [(1.7, 2.3, x, y - 40.0), (2.1, 2.7, x, y - 110.0)]
    assert not [e for e in _followed(table) if isinstance(e, StrokeBegun)]
