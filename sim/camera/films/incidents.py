"""What goes wrong in a film, and what the truth says about it."""

from dataclasses import dataclass
from enum import StrEnum

from carrom.seats import Seat

__all__ = ["Incident", "IncidentKind"]


class IncidentKind(StrEnum):
    """Something that a script can ask for, or that happens by chance."""

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

    @property
    def of_a_stroke(self) -> bool:
        """True if it decides how a stroke is made or ends; the others happen between strokes."""
        return self not in _BETWEEN


_BETWEEN = frozenset({IncidentKind.BOARD_NUDGE, IncidentKind.LAMP_SWITCH, IncidentKind.LEAN_IN})


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
