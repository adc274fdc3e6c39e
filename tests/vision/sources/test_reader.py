"""The thread that reads: newest only or all, losses, hangs, ends, errors. No test needs real time:
clock and waits are ours."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrom.errors import SourceError, SourceTimeoutError
from tests.vision.sources.clips import clip
from vision.frames import Frame, SourceInfo, SourceKind
from vision.sources.backoff import Backoff
from vision.sources.files import VideoFile
from vision.sources.frozen import FrozenWatch
from vision.sources.reader import FrameReader
from vision.sources.reader_state import ReaderState

Step = Frame | Exception | None


def _frame(seq: int, *, t_s: float | None = None, level: int | None = None) -> Frame:
    shade = seq % 256 if level is None else level
    return Frame(np.full((48, 64, 3), shade, np.uint8), float(seq) if t_s is None else t_s, seq)


class Scripted:
    """Gives what its script says; at its end it waits to be closed, as a silent camera would."""

    def __init__(self, steps: Sequence[Step], kind: SourceKind = SourceKind.USB) -> None:
        self.info = SourceInfo(kind, "usb:one", "one", 64, 48, live=kind is not SourceKind.FILE)
        self.steps = list(steps)
        self.closed = threading.Event()
        self.locked = 0

    def read(self, timeout_s: float = 3.0) -> Frame | None:
        if not self.steps:
            self.closed.wait(5.0)
            return None
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def lock(self) -> tuple[str, ...]:
        self.locked += 1
        return ("focus cannot be locked",)

    def close(self) -> None:
        self.closed.set()


def _opener(*sources: Scripted | Exception) -> Callable[[], Scripted]:
    left = list(sources)

    def opened() -> Scripted:
        source = left.pop(0)
        if isinstance(source, Exception):
            raise source
        return source

    return opened


def _no_wait(event: threading.Event, seconds: float) -> bool:
    return event.is_set()


def _until(condition: Callable[[], bool]) -> None:
    """Let the thread come to a point; far longer than it ever takes."""
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.002)
    raise AssertionError("the thread did not get there")


def test_live_gives_the_newest() -> None:
    """A slow consumer must see now, not what was."""
    reader = FrameReader(_opener(Scripted([_frame(k) for k in range(5)])), live=True)
    _until(lambda: reader.counters.frames == 5)
    frame = reader.read(0.5)
    reader.close()
    assert frame is not None
    assert frame.seq == 4
    assert (reader.counters.dropped, reader.counters.delivered) == (4, 1)


def test_file_gives_every_frame(tmp_path: Path) -> None:
    """More frames than the queue holds: the thread waits and nothing is lost."""
    path = clip(tmp_path / "a.mp4", frames=30)
    reader = FrameReader(lambda: VideoFile(path), live=False, queue=3)
    assert reader.info.kind is SourceKind.FILE
    seqs = []
    while (frame := reader.read(2.0)) is not None:
        seqs.append(frame.seq)
    assert seqs == list(range(30))
    assert reader.state is ReaderState.ENDED
    assert reader.read(0.1) is None
    reader.close()


def test_file_is_not_read_ahead_without_end() -> None:
    """Memory stays flat: a bounded queue."""
    reader = FrameReader(
        _opener(Scripted([_frame(k) for k in range(50)], SourceKind.FILE)), live=False, queue=4
    )
    _until(lambda: reader.counters.frames == 4)
    assert reader.read(0.5) is not None
    _until(lambda: reader.counters.frames == 5)
    reader.close()
    assert reader.counters.frames == 5


def test_errors_reach_the_consumer() -> None:
    """A thread that dies in silence leaves a picture that never changes."""
    for error in (SourceError("one", "broken"), ValueError("a bug")):
        reader = FrameReader(_opener(Scripted([_frame(0), error], SourceKind.FILE)), live=False)
        assert reader.read(1.0) is not None
        with pytest.raises(type(error)):
            reader.read(1.0)
        reader.close()


def test_source_that_never_opened() -> None:
    """A wrong name is told at once and not tried for ever."""
    reader = FrameReader(_opener(SourceError("one", "no such camera")), live=True)
    with pytest.raises(SourceError, match="no such camera"):
        reader.read(1.0)
    with pytest.raises(SourceError, match="no such camera"):
        _ = reader.info
    reader.close()


def test_lost_and_found() -> None:
    """Unplugged and back: the same count of time and frames goes on, the joint is marked."""
    waits: list[float] = []

    def wait(event: threading.Event, seconds: float) -> bool:
        waits.append(seconds)
        return event.is_set()

    second = Scripted([_frame(k, t_s=k * 0.1) for k in range(2)])
    first = Scripted([_frame(0), _frame(1), SourceError("one", "unplugged")])
    reader = FrameReader(
        _opener(first, SourceError("one", "gone"), SourceError("one", "gone"), second),
        live=True,
        wait=wait,
        backoff=Backoff(rng=random.Random(1)),
    )
    frames: list[Frame] = []

    def taken() -> bool:
        try:
            frame = reader.read(0.01)
        except SourceTimeoutError:
            return False
        assert frame is not None
        frames.append(frame)
        return frame.seq == 3

    _until(taken)
    reader.hold_picture()
    reader.close()
    assert reader.counters.reconnects == 1
    assert reader.counters.failed_openings == 2
    assert reader.counters.lost == 1
    assert len(waits) == 3
    assert 0.3 < waits[0] <= 0.5 < waits[1] <= 1.0 < waits[2] <= 2.0
    times = [frame.t_s for frame in frames]
    assert times == sorted(times)
    assert sum(frame.rejoined for frame in frames) == 1
    assert first.closed.is_set()


def test_silent_camera_is_opened_again() -> None:
    """Timeouts are borne for a while, then the camera is opened anew."""
    now = [0.0]

    class Silent(Scripted):
        def read(self, timeout_s: float = 3.0) -> Frame | None:
            now[0] += timeout_s
            raise SourceTimeoutError("one", "nothing")

    reader = FrameReader(
        _opener(Silent([]), Scripted([_frame(0)])), live=True, clock=lambda: now[0],
        wait=_no_wait, silent_s=5.0,
    )  # fmt: skip
    frame = reader.read(2.0)
    reader.close()
    assert frame is not None
    assert reader.counters.timeouts == 5
    assert reader.counters.reconnects == 1


def test_hanging_thread_is_abandoned() -> None:
    """A driver that never returns cannot be stopped; another thread takes over, the count tells."""
    now = [0.0]
    stuck = threading.Event()

    class Hanging(Scripted):
        def read(self, timeout_s: float = 3.0) -> Frame | None:
            now[0] += 20.0
            stuck.wait(5.0)
            return _frame(99)

        def close(self) -> None:
            return

    reader = FrameReader(
        _opener(Hanging([]), Scripted([_frame(0)])), live=True, clock=lambda: now[0], wait=_no_wait
    )
    frame = reader.read(3.0)
    stuck.set()
    assert frame is not None
    assert frame.seq == 0
    assert reader.counters.abandoned == 1
    with pytest.raises(SourceTimeoutError):
        reader.read(0.05)  # what the abandoned thread brings late is not wanted
    reader.close()


def test_close_is_quick_and_final() -> None:
    """Within a second even if the source does not care; after it nothing comes."""
    stuck = threading.Event()

    class Deaf(Scripted):
        def read(self, timeout_s: float = 3.0) -> Frame | None:
            stuck.wait(5.0)
            return None

        def close(self) -> None:
            return

    reader = FrameReader(_opener(Deaf([])), live=True)
    assert reader.info.id == "usb:one"
    reader.close()
    reader.close()
    assert reader.counters.abandoned == 1
    assert reader.read(0.1) is None
    stuck.set()


def test_waiting_reader_wakes_at_close() -> None:
    """Closing from another thread ends a read that waits."""
    reader = FrameReader(_opener(Scripted([])), live=True)
    got: list[Frame | None] = []
    waiting = threading.Thread(target=lambda: got.append(reader.read(5.0)))
    waiting.start()
    reader.close()
    waiting.join(2.0)
    assert got == [None]


def test_simulated_film_ends() -> None:
    """The simulated camera's film has an end; a network camera's end is a loss."""
    reader = FrameReader(_opener(Scripted([_frame(0), None], SourceKind.SIMULATED)), live=True)
    _until(lambda: reader.state is ReaderState.ENDED)
    assert reader.read(0.5) is not None
    assert reader.read(0.5) is None
    reader.close()


def test_picture_is_held_again_after_a_loss() -> None:
    """A camera forgets its exposure when it is plugged in again."""
    first = Scripted([_frame(0)])
    second = Scripted([_frame(1)])
    reader = FrameReader(_opener(first, second), live=True, wait=_no_wait)
    assert reader.read(1.0) is not None
    assert reader.hold_picture() == ("focus cannot be locked",)
    first.closed.set()  # its stream ends
    assert reader.read(2.0) is not None
    reader.close()
    assert (first.locked, second.locked) == (1, 1)


def test_frozen_picture() -> None:
    """Three seconds of the same picture are no picture; files and pictures may stand still."""
    same = [_frame(k, t_s=k * 0.5, level=7) for k in range(10)]
    watch = FrozenWatch(SourceKind.USB)
    assert [watch.of(frame) for frame in same] == [False] * 6 + [True] * 4
    assert not watch.of(_frame(11, t_s=6.0, level=8))
    assert not any(FrozenWatch(SourceKind.FILE).of(frame) for frame in same)
    moved = [_frame(k, t_s=k * 0.5, level=7) for k in range(10)]
    for k, frame in enumerate(moved):
        frame.image_bgr[5, 5] = k  # between the points of the coarse sample
    watch = FrozenWatch(SourceKind.USB)
    assert not any(watch.of(frame) for frame in moved)


@given(st.integers(0, 10**6))
def test_backoff(seed: int) -> None:
    """Longer and longer, never above half a minute, short again after success."""
    backoff = Backoff(rng=random.Random(seed))
    waits = [backoff.next_s() for _ in range(12)]
    assert 0.375 <= waits[0] <= 0.5
    assert all(22.5 <= wait <= 30.0 for wait in waits[6:])
    backoff.reset()
    assert backoff.next_s() <= 0.5
