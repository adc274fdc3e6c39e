"""What the striker touched, from its way and from how the discs left."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin

import pytest

from carrom.board_spec import BoardSpec
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.doubts import Question
from carrom.events import FirstContact, FramePart, NoContact, Zone
from carrom.evidence import OBSERVED
from carrom.pieces import PieceKind
from carrom.seats import Seat
from vision.following.contact_facts import contact_facts
from vision.following.contacts import ContactChain, Touched, contact_chains, frame_part
from vision.following.episode import Episode, Motion
from vision.following.rest import RestDisc
from vision.following.track import Fix
from vision.seen import Place


def _disc(kind: PieceKind, x: float, y: float, track: int) -> RestDisc:
    return RestDisc(kind, x, y, Place.SURFACE, track)


def _episode(
    spec: BoardSpec, before: list[RestDisc], way: list[tuple[float, float]], *, hit: RestDisc | None
) -> Episode:
    """The striker goes through ``way``, 60 mm a frame; ``hit`` leaves along the line of centres."""
    episode = Episode(0.0, Seat.SOUTH, way[0], 99, tuple(before), 1)
    t_s = 0.0
    for a, b in pairwise(way):
        far = hypot(b[0] - a[0], b[1] - a[1])
        for k in range(1, int(far // 60) + 1):
            t_s += 1 / 30
            share = 60.0 * k / far
            x, y = (p + (q - p) * share for p, q in zip(a, b, strict=True))
            episode.striker_path.append(Fix(t_s, x, y, Place.SURFACE))
    if hit is not None:
        end = way[-1]
        turn = (hit.x_mm - end[0], hit.y_mm - end[1])
        size = hypot(*turn)
        at = hit.x_mm + 20 * turn[0] / size, hit.y_mm + 20 * turn[1] / size
        motion = Motion(hit, t_s + 1 / 30, handled=False)
        motion.fixes.append(Fix(t_s + 1 / 30, *at, Place.SURFACE))
        episode.motions[hit.track] = motion
    return episode


def _touch(spec: BoardSpec, disc: RestDisc, bearing_rad: float) -> tuple[float, float]:
    reach = spec.radii_mm[disc.kind] + spec.radii_mm[PieceKind.STRIKER]
    return disc.x_mm + reach * cos(bearing_rad), disc.y_mm + reach * sin(bearing_rad)


def test_the_disc_in_the_way_was_touched_first() -> None:
    """Two discs move; the one behind cannot have been met before the one in front."""
    front, behind = _disc(PieceKind.WHITE, 30, 0, 1), _disc(PieceKind.BLACK, 40, 120, 2)
    way = [(0.0, -250.0), _touch(ICF_BOARD, front, -pi / 2 - 0.2)]
    episode = _episode(ICF_BOARD, [front, behind], way, hit=front)
    (best, *_) = contact_chains(ICF_BOARD, episode, [front, behind])
    assert best.contacts == (Touched(front),)
    assert best.chance > 0.9


def test_a_bank_shot_touches_the_frame_first() -> None:
    """Hikone counts a hit off the far frame as indirect: it must be seen (HK-36)."""
    disc = _disc(PieceKind.RED, 120.0, -60.0, 1)
    room = HIKONE_BOARD.half_mm - HIKONE_BOARD.radii_mm[PieceKind.STRIKER]
    touch = _touch(HIKONE_BOARD, disc, pi / 2)
    wall = (60.0, room)
    episode = _episode(HIKONE_BOARD, [disc], [(0.0, -203.5), wall, touch], hit=disc)
    (best, *_) = contact_chains(HIKONE_BOARD, episode, [disc])
    assert [one.frame for one in best.contacts] == [FramePart.FRONT, None]
    assert best.first_disc == disc


def test_nothing_moved_is_no_contact() -> None:
    """A break that misses is an attempt of its own in every Indian ruleset (GR-06, ICF-18)."""
    found = contact_facts(ICF_BOARD, Seat.SOUTH, (), OBSERVED, at=0)
    assert found.events == (NoContact(evidence=OBSERVED),)


@pytest.mark.parametrize(
    ("y_mm", "zone"), [(-300.0, Zone.INSIDE), (-203.5, Zone.ON_LINE), (0.0, Zone.OUTSIDE)]
)
def test_the_zone_is_that_of_the_place_before(y_mm: float, zone: Zone) -> None:
    """HK-35 asks where the piece lay, not where it was driven to."""
    chain = ContactChain((Touched(_disc(PieceKind.GREEN, 0.0, y_mm, 1)),), 1.0)
    found = contact_facts(HIKONE_BOARD, Seat.SOUTH, (chain,), OBSERVED, at=0)
    assert found.events == (
        FirstContact(piece=PieceKind.GREEN, zone=zone, evidence=OBSERVED),
    )  # fmt: skip


def test_direct_or_not_is_asked_where_both_are_likely() -> None:
    """The two answers lead to different rulings in doubles, so a guess would be a call (HK-38)."""
    inside, outside = _disc(PieceKind.RED, 0, -300, 1), _disc(PieceKind.GREEN, 40, 0, 2)
    chains = (ContactChain((Touched(inside),), 0.6), ContactChain((Touched(outside),), 0.4))
    found = contact_facts(HIKONE_BOARD, Seat.SOUTH, chains, OBSERVED, at=0)
    assert found.events == ()
    assert found.doubt is not None
    assert found.doubt.question is Question.FIRST_CONTACT
    assert [answer.code for answer in found.doubt.ranked] == ["direct", "indirect"]


def test_a_disc_at_the_edge_of_the_line_is_asked() -> None:
    """A tenth of a millimetre decides between inside and on the line; no camera sees that."""
    reach = HIKONE_BOARD.radii_mm[PieceKind.RED]
    reach += HIKONE_BOARD.area_line_markings.area_line_width_mm.value / 2
    edge = _disc(PieceKind.RED, 0.0, HIKONE_BOARD.area_line_y_mm - reach - 0.1, 1)
    chain = ContactChain((Touched(edge),), 1.0)
    assert contact_facts(HIKONE_BOARD, Seat.SOUTH, (chain,), OBSERVED, at=0).doubt is not None


def test_frame_parts_turn_with_the_shooter() -> None:
    """The frame before one player is the back of another."""
    assert frame_part(ICF_BOARD, Seat.SOUTH, Seat.NORTH, 0, 350) is FramePart.FRONT
    assert frame_part(ICF_BOARD, Seat.NORTH, Seat.NORTH, 0, 350) is FramePart.OWN_BACK
    assert frame_part(ICF_BOARD, Seat.SOUTH, Seat.EAST, 350, 100) is FramePart.SIDE_OUTSIDE
    assert frame_part(ICF_BOARD, Seat.SOUTH, Seat.EAST, 350, -300) is FramePart.SIDE_INSIDE
