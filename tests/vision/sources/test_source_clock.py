"""Time stamps of any kind become seconds that never go back."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vision.sources.source_clock import SourceClock


@given(st.lists(st.none() | st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_never_back(stamps: list[float | None]) -> None:
    """The contract of ``Frame.t_s``, whatever a file says."""
    clock = SourceClock(0.04)
    times = [clock.seconds(stamp) for stamp in stamps]
    assert times[0] == 0.0
    assert all(a < b for a, b in pairwise(times))


def test_wrapped_counter_goes_on() -> None:
    """MPEG-TS wraps after 26.5 hours: the match goes on."""
    clock = SourceClock(0.04)
    stamps = [95_443.60, 95_443.64, 0.0, 0.04]
    assert [round(clock.seconds(s), 2) for s in stamps] == [0.0, 0.04, 0.08, 0.12]
    assert clock.mended == 1


def test_missing_stamp_is_guessed() -> None:
    """A missing time is the frame before and its length; later ones keep their own."""
    clock = SourceClock(0.04)
    times = [clock.seconds(s, length_s=0.05) for s in (1.0, None, 1.1)]
    assert [round(t, 3) for t in times] == [0.0, 0.05, 0.1]
    assert clock.guessed == 1


def test_pause_of_a_recording_is_kept() -> None:
    """A gap of a minute is a gap, not an error."""
    clock = SourceClock()
    assert [clock.seconds(s) for s in (0.0, 60.0)] == [0.0, 60.0]
