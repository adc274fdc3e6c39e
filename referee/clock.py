"""What the clocks say: pure readings of times that were given. Nothing here looks at a clock.

ICF and carrom.se: 15 s a stroke (ICF-23, SE-10). Hikone: 5 minutes a game, 10 s a stroke from one
minute before the end (HK-39, HK-40). All times are monotonic seconds.
"""

from __future__ import annotations

from dataclasses import replace

from carrom.events import TimeExceeded
from carrom.evidence import OBSERVED
from referee.hikone_turn import LAST_MINUTE_S
from referee.laws import Laws
from referee.options import GamerulesOptions, HikoneOptions, PointGamerulesOptions
from referee.state import ClockReading, State

__all__ = [
    "exceeded",
    "read_clock",
    "restart_stroke",
    "start_clock",
    "stop_clock",
    "stroke_limit_s",
]

LAST_MINUTE_LIMIT_S = 10.0  # HK-40


def start_clock(state: State, t_s: float) -> State:
    """The match clock runs from ``t_s`` on, and so does the time for the stroke."""
    clockwork = state.clockwork
    if clockwork.running_since_t_s is not None:
        return state
    return replace(state, clockwork=replace(clockwork, running_since_t_s=t_s, stroke_from_t_s=t_s))


def stop_clock(state: State, t_s: float) -> State:
    """The match clock stands (a dispute, a fallen piece) until it is started again."""
    clockwork = state.clockwork
    if clockwork.running_since_t_s is None:
        return state
    played_s = clockwork.played_s + max(0.0, t_s - clockwork.running_since_t_s)
    return replace(
        state,
        clockwork=replace(
            clockwork, played_s=played_s, running_since_t_s=None, stroke_from_t_s=None
        ),
    )


def restart_stroke(state: State, t_s: float) -> State:
    """The time for the next stroke begins: everything is at rest and put back (ICF-23, HK-40)."""
    if state.clockwork.stroke_from_t_s is None:
        return state
    return replace(state, clockwork=replace(state.clockwork, stroke_from_t_s=t_s))


def read_clock(state: State, laws: Laws, t_s: float) -> ClockReading | None:
    """What the clocks say at ``t_s``; ``None`` if none has been started."""
    clockwork = state.clockwork
    started = clockwork.played_s > 0 or clockwork.running_since_t_s is not None
    if not started:
        return None
    since = clockwork.running_since_t_s
    played_s = clockwork.played_s + (0.0 if since is None else max(0.0, t_s - since))
    total_s = _match_s(laws)
    stroke_from = clockwork.stroke_from_t_s
    return ClockReading(
        match_remaining_s=None if total_s is None else max(0.0, total_s - played_s),
        stroke_elapsed_s=None if stroke_from is None else max(0.0, t_s - stroke_from),
    )


def stroke_limit_s(state: State, laws: Laws, reading: ClockReading | None) -> float | None:
    """The time for the present stroke; ``None`` if there is no limit now."""
    if not isinstance(laws.options, HikoneOptions):
        return laws.numbers.stroke_limit_s
    if laws.options.match_stage == "final":
        return None
    if state.final_round:
        return LAST_MINUTE_LIMIT_S
    remaining = None if reading is None else reading.match_remaining_s
    return LAST_MINUTE_LIMIT_S if remaining is not None and remaining <= LAST_MINUTE_S else None


def exceeded(state: State, laws: Laws, t_s: float) -> TimeExceeded | None:
    """The event that the stroke's time has run out at ``t_s``, or ``None`` if it has not.

    In Hikone the last minute may begin in the middle of a stroke: its ten seconds then count from
    there, not from before.
    """
    reading = read_clock(state, laws, t_s)
    if reading is None or reading.stroke_elapsed_s is None:
        return None
    limit_s = stroke_limit_s(state, laws, reading)
    if limit_s is None:
        return None
    elapsed_s = reading.stroke_elapsed_s
    remaining_s = reading.match_remaining_s
    if isinstance(laws.options, HikoneOptions) and remaining_s and not state.final_round:
        elapsed_s = min(elapsed_s, LAST_MINUTE_S - remaining_s)
    if elapsed_s <= limit_s:
        return None
    return TimeExceeded(limit_s=limit_s, elapsed_s=elapsed_s, evidence=OBSERVED)


def _match_s(laws: Laws) -> float | None:
    """How long is played: a Hikone game, but for a final (HK-39); an agreed time in GameRules,
    after which ``TimeCalled`` decides (GR-38)."""
    options = laws.options
    if isinstance(options, GamerulesOptions | PointGamerulesOptions):
        return None if options.time_limit_min is None else options.time_limit_min * 60.0
    if not isinstance(options, HikoneOptions) or options.match_stage == "final":
        return None
    return options.match_minutes * 60.0
