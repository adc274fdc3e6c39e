"""What cannot be advised on is said plainly; what cannot be is an error that names it."""

import pytest

from carrom.boards import HIKONE_BOARD, ICF_BOARD
from carrom.errors import BoardError, ContradictionError, FormatError, NotationError, PositionError
from carrom.notation import parse_position
from carrom.position import Position
from carrom.seats import Seat, Side
from referee.laws import Ruleset
from referee.ruleset_files import load_laws
from referee.state import Phase, check_state
from sim.advisor.situation import QueenSays, situation_of
from sim.advisor.skill import CLUB, Skill, skill_of
from sim.advisor.suggestion import Refusal


def test_an_empty_board_has_nothing_to_strike(ask, quick):
    """No stroke is made up."""
    assert quick(ask("-")).refusal is Refusal.NOTHING_TO_STRIKE


def test_a_moving_board_is_not_thought_about(ask, quick):
    """Suggestions are for a board at rest."""
    advice = quick(ask("w+0.0+0.0 q+50.0+0.0 b-60.0+0.0"), at_rest=False)
    assert advice.refusal is Refusal.NOT_AT_REST


def test_no_stroke_is_due_when_the_board_is_over(ask, quick):
    """Or while a person has to decide."""
    from dataclasses import replace

    situation = ask("w+0.0+0.0 q+50.0+0.0 b-60.0+0.0")
    for phase in (Phase.BOARD_OVER, Phase.NEEDS_HUMAN):
        over = replace(situation, state=replace(situation.state, phase=phase))
        assert quick(over).refusal is Refusal.NOT_IN_PLAY


def test_discs_that_lie_on_one_another_are_named(ask, quick):
    """Half a disc is repaired (eyes err), more is no position."""
    with pytest.raises(PositionError, match="white, black"):
        quick(ask("w+0.0+0.0 b+3.0+0.0 q+90.0+0.0"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("x+0.0+0.0", NotationError),
        (" ".join(["w"] * 3), NotationError),
        (" ".join(f"w{-300 + 40 * k:+d}+0" for k in range(10)), PositionError),
        ("w+0.0+0.0 r+60.0+0.0", PositionError),
        ("r+0.0+0.0 g+60.0+0.0", PositionError),
        ("q+0.0+0.0 q+60.0+0.0", PositionError),
    ],
)
def test_positions_that_no_icf_board_can_have(ask, text, error):
    """Unknown kinds, too many, the other game's pieces."""
    with pytest.raises(error):
        ask(text)


def test_a_hikone_board_without_its_jack_is_impossible(ask):
    """She is always on the board between strokes (HK-25)."""
    with pytest.raises(ContradictionError, match="jack"):
        ask("r+0.0+0.0 g+60.0+0.0", "hikone")


def test_a_disc_over_a_pocket_or_beyond_the_frame_is_refused(ask, quick):
    """Nothing can rest there."""
    for place in ("w+347.0+347.0", "w+372.0+0.0"):
        with pytest.raises(PositionError):
            quick(ask(f"{place} b+0.0+0.0 q+50.0+50.0"))


def test_words_that_contradict_the_laws_are_refused():
    """A seat nobody has, a colour of the other game, five players, the other board."""
    icf, hikone = load_laws("icf"), load_laws("hikone")
    position = parse_position("w+0.0+0.0 b+60.0+0.0 q+0.0+60.0")
    with pytest.raises(ContradictionError, match="side"):
        situation_of(position, icf, side=Side.RED)
    with pytest.raises(ContradictionError, match="players"):
        situation_of(position, icf, players=3)
    with pytest.raises(ContradictionError, match="seat"):
        situation_of(position, load_laws("point_gamerules"), seat=Seat.WEST)
    with pytest.raises(BoardError, match="hikone"):
        situation_of(position, icf, board=HIKONE_BOARD)
    with pytest.raises(BoardError, match="icf"):
        situation_of(Position(), hikone, board=ICF_BOARD)


def test_a_state_that_speaks_of_other_pieces_is_refused(ask):
    """The match and the camera must mean the same board."""
    situation = ask("w+0.0+0.0 w+60.0+0.0 b+0.0+60.0 q+60.0+60.0")
    with pytest.raises(ContradictionError, match="white on the board"):
        situation_of(
            parse_position("w+0.0+0.0 b+0.0+60.0 q+60.0+60.0"),
            situation.laws,
            state=situation.state,
        )


@pytest.mark.parametrize("ruleset", list(Ruleset))
@pytest.mark.parametrize("queen", list(QueenSays))
def test_what_is_assumed_is_a_possible_state(ruleset, queen):
    """Whatever is said about a queen that is not on the board."""
    laws = load_laws(ruleset.value)
    text = "r+0.0+0.0 g+60.0+0.0 j+0.0+60.0" if ruleset.hikone else "w+0.0+0.0 b+60.0+0.0"
    seats = (Seat.SOUTH, Seat.EAST) if ruleset.three_players else tuple(Seat)
    for seat in seats:
        situation = situation_of(parse_position(text), laws, seat=seat, queen=queen)
        check_state(situation.state, laws)
        assert situation.seat is seat


def test_a_colour_can_be_chosen():
    """South may be the one who did not open."""
    laws = load_laws("icf")
    position = parse_position("w+0.0+0.0 b+60.0+0.0 q+0.0+60.0")
    for players in (2, 4):
        for side in (Side.WHITE, Side.BLACK):
            assert situation_of(position, laws, side=side, players=players).side is side


def test_skills_that_nobody_has_are_refused():
    """Unknown names, negative spreads, spreads that are no aiming."""
    assert skill_of("club") == CLUB
    with pytest.raises(FormatError, match="expert"):
        skill_of("expert")
    with pytest.raises(FormatError, match="angle_rad"):
        Skill(angle_rad=-0.1, speed_share=0.1, place_mm=1.0)
    with pytest.raises(FormatError):
        Skill(angle_rad=1.0, speed_share=0.1, place_mm=1.0)
