"""The trial run counts in virtual time: nothing waits, and slowness drops frames."""

from __future__ import annotations

import time

import numpy as np
import pytest

from api.ops import bench as bench_module
from api.ops.bench import Bench, Timed, play, timed
from carrom.outcome import StrokeOutcome
from carrom.seats import Seat
from vision.frames import Frame
from vision.table_events import StrokeSeen, TableEvent

BLACK = np.zeros((2, 2, 3), np.uint8)


class Clock:
    """A clock that only work moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def perf_counter(self) -> float:
        return self.now_s


class Worker:
    """Takes ``takes_s`` a frame; reports a stroke at frame 5 that ended with frame 4."""

    def __init__(self, clock: Clock, takes_s: float) -> None:
        self.clock, self.takes_s, self.seen = clock, takes_s, list[int]()

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        self.clock.now_s += self.takes_s
        self.seen.append(frame.seq)
        if frame.seq < 5 or (len(self.seen) > 1 and self.seen[-2] >= 5):
            return ()
        outcome = StrokeOutcome(seat=Seat.SOUTH, events=(), t_start_s=0.1, t_end_s=0.4)
        return (StrokeSeen(t_s=frame.t_s, number=1, outcome=outcome),)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(bench_module, "time", made)
    return made


def frames(count: int) -> list[Frame]:
    return [Frame(BLACK, n / 10, n) for n in range(count)]


def test_a_quick_follower_sees_every_frame(clock: Clock) -> None:
    """And is late by its own work only."""
    bench, worker = Bench(), Worker(clock, 0.05)
    judged: list[TableEvent] = []
    play(frames(10), worker, bench, judge=judged.append)
    data = bench.to_data()
    assert worker.seen == list(range(10))
    assert data["kept_up"] == 1.0
    assert data["frame_ms"] == {"median": 50.0, "p95": 50.0}
    assert data["rest_to_call_ms"]["median"] == 150.0
    assert len(judged) == data["strokes"] == 1


def test_a_slow_one_always_takes_the_newest(clock: Clock) -> None:
    """As at the table: late by little, with gaps, never by more and more."""
    bench, worker = Bench(), Worker(clock, 0.25)
    play(frames(21), worker, bench)
    assert worker.seen == [0, 2, 5, 7, 10, 12, 15, 17, 20]
    assert bench.kept_up == pytest.approx(9 / 21)
    assert max(bench.late_s) < 0.25 + 0.1


def test_no_frames_give_no_figures(clock: Clock) -> None:
    """An empty clip is not a crash."""
    bench = Bench()
    play([], Worker(clock, 0.1), bench)
    assert bench.to_data()["kept_up"] == 0.0


def test_time_is_added_up_even_when_work_fails() -> None:
    """The share of a stage includes its failures."""
    work = Timed()

    def fails() -> None:
        time.sleep(0.001)
        raise ValueError

    with pytest.raises(ValueError):
        timed(fails, work)()
    assert work.calls == 1
    assert work.seconds > 0
