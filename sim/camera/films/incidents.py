"""What goes wrong in a film, and what the truth says about it."""

from dataclasses import dataclass
from enum import StrEnum

from carrom.seats import Seat
from referee.laws import Ruleset

__all__ = ["Incident", "IncidentKind"]


class IncidentKind(StrEnum):
    """Something that a script can ask for, or that happens by chance.

    The second half is named after the events of ``carrom.events`` that they bring about.
    """

    SLEEVE_TOUCH = "sleeve_touch"  # a sleeve drags a disc along
    EARLY_PICKUP = "early_pickup"  # the striker is taken before it is at rest
    WRONG_TURN = "wrong_turn"  # another player strikes
    OFF_LINE = "off_line"  # the striker does not lie where it must
    OVER_FRAME = "over_frame"  # a disc hops over the frame
    LIP_FALL = "lip_fall"  # a disc hangs on the lip of a pocket and falls later
    BOARD_NUDGE = "board_nudge"  # the board is pushed before the camera
    LAMP_SWITCH = "lamp_switch"  # the light changes at once
    LEAN_IN = "lean_in"  # a person leans over the board between strokes
    BREAK_MISSED = "break_missed"  # the striker touches no piece in a break
    COVER_MISSED = "cover_missed"  # the queen is pocketed, her cover is not
    STRIKER_POCKETED = "striker_pocketed"  # the striker falls into a pocket

    ON_FRAME = "on_frame"  # a disc comes to rest on top of the frame
    STANDING = "standing"  # a disc comes to rest on its edge
    RESTING_ON_STRIKER = "resting_on_striker"  # a disc comes to rest on the striker
    STRIKER_ON_PIECE = "striker_on_piece"  # the striker comes to rest on a disc
    FELL_IN_ON_REMOVAL = "fell_in_on_removal"  # taking the striker off it tips a disc in
    FELL_DURING_LIFT = "fell_during_lift"  # the disc lifted off the striker slips and falls in
    FELL_DURING_REPLACEMENT = "fell_during_replacement"  # what is put back falls in again
    JACK_TOPPLED = "jack_toppled_during_stacking"  # the jack falls off the stack
    MISFIRE = "misfire"  # the finger slips: the striker scuttles along its lines
    STRIKER_NUDGED = "striker_nudged"  # the hand that adjusts the striker pushes it
    IMPROPER_STROKE = "improper_stroke"  # a push: the hand travels with the striker
    SIMULTANEOUS_BREAK = "simultaneous_break"  # both players break at once
    TIME_EXCEEDED = "time_exceeded"  # the player lets his time run out
    OPTION_REMOVAL = "option_removal"  # a beginner takes one more own disc off
    BEFORE_PLAY_CALL = "before_play_call"  # the break comes before "Play"
    VIOLATION = "violation"  # a law broken that no overhead camera sees
    LEFT_SEAT = "left_seat"  # a player gets up
    STALEMATE = "stalemate"  # the umpire calls the position stuck
    DEBT_NOT_CLAIMED = "debt_not_claimed"  # an owed plikt is forgotten
    PENALTY_PIECE_CHOSEN = "penalty_piece_chosen"  # the offender says which piece he gives

    @property
    def of_a_stroke(self) -> bool:
        """True if it decides how a stroke is made or ends; the others happen between strokes."""
        return self not in _BETWEEN

    @property
    def declared(self) -> bool:
        """True if no picture shows it: the truth has it as declared."""
        return self in _DECLARED

    def in_rules(self, ruleset: Ruleset) -> bool:
        """True if it can happen, and means something, in this ruleset."""
        return self not in _ONLY_IN or ruleset in _ONLY_IN[self]


_K, _R = IncidentKind, Ruleset
_SWEDISH = frozenset({_R.CARROM_SE, _R.POINT_CARROM_SE})
_INDIAN = frozenset(_R) - {_R.HIKONE}
_TWO_SIDES = frozenset({_R.GAMERULES, _R.CARROM_SE, _R.ICF})

_BETWEEN = frozenset(
    {
        _K.BOARD_NUDGE,
        _K.LAMP_SWITCH,
        _K.LEAN_IN,
        _K.TIME_EXCEEDED,
        _K.VIOLATION,
        _K.LEFT_SEAT,
        _K.STALEMATE,
    }
)
_DECLARED = frozenset(
    {
        _K.BEFORE_PLAY_CALL,
        _K.VIOLATION,
        _K.LEFT_SEAT,
        _K.STALEMATE,
        _K.DEBT_NOT_CLAIMED,
        _K.PENALTY_PIECE_CHOSEN,
    }
)
_ONLY_IN = {
    _K.BREAK_MISSED: _INDIAN,
    _K.COVER_MISSED: _TWO_SIDES | {_R.POINT_GAMERULES},
    _K.FELL_IN_ON_REMOVAL: _INDIAN,  # ICF-42; Hikone says it of lifting alone (HK-32)
    _K.FELL_DURING_LIFT: frozenset({_R.HIKONE}),
    _K.FELL_DURING_REPLACEMENT: frozenset({_R.HIKONE}),
    _K.JACK_TOPPLED: frozenset({_R.HIKONE}),
    _K.MISFIRE: _SWEDISH,  # SE-12
    _K.STRIKER_NUDGED: frozenset({_R.HIKONE}),  # HK-10
    _K.SIMULTANEOUS_BREAK: frozenset({_R.HIKONE}),
    _K.OPTION_REMOVAL: frozenset({_R.CARROM_SE}),
    _K.BEFORE_PLAY_CALL: frozenset({_R.ICF}),
    _K.VIOLATION: _SWEDISH | {_R.ICF},  # elsewhere no clause says what follows
    _K.LEFT_SEAT: _SWEDISH | {_R.ICF},
    _K.STALEMATE: frozenset({_R.HIKONE}),
    _K.DEBT_NOT_CLAIMED: _SWEDISH,
    _K.PENALTY_PIECE_CHOSEN: frozenset({_R.POINT_GAMERULES}),
}
"""Where it is not possible everywhere: what only some rulesets know."""


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident as it was filmed; times in film seconds.

    ``stroke``: number of the stroke that it belongs to, from 1; for one between strokes that of
    the stroke before (0: before the first). ``discs``: ids of the discs concerned. ``amount``: how
    far a disc or the board moved (mm), or the new level of the light (1 = as before).
    """

    kind: IncidentKind
    t_start_s: float
    t_end_s: float
    stroke: int
    seat: Seat | None = None
    discs: tuple[int, ...] = ()
    amount: float | None = None
