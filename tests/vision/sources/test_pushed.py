"""Frames that a phone pushes."""

import cv2
import numpy as np
import pytest

from carrom.errors import PictureError, SourceTimeoutError
from vision.sources.pushed import MAX_PUSHED_BYTES, PushedFrames


def _jpeg(level: int = 100, size: tuple[int, int] = (64, 48)) -> bytes:
    image = np.full((size[1], size[0], 3), level, np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def test_newest_only() -> None:
    """A slow reader sees the newest; what was missed shows in the numbers."""
    pushed = PushedFrames()
    for level in (10, 90, 200):
        pushed.push(_jpeg(level))
    frame = pushed.read(0.1)
    assert frame is not None
    assert frame.seq == 2
    assert abs(int(frame.image_bgr[0, 0, 0]) - 200) < 3
    assert (pushed.info.width_px, pushed.info.height_px) == (64, 48)
    with pytest.raises(SourceTimeoutError):
        pushed.read(0.01)


def test_delays_on_the_air_do_not_bend_time() -> None:
    """Two frames taken 33 ms apart are 33 ms apart, even if the second came late."""
    now = [100.0]
    pushed = PushedFrames(clock=lambda: now[0])
    times = []
    for taken_ms, arrives_s in ((5000.0, 100.020), (5033.0, 100.300), (5066.0, 100.310)):
        now[0] = arrives_s
        pushed.push(_jpeg(), taken_ms=taken_ms)
        frame = pushed.read(0.0)
        assert frame is not None
        times.append(frame.t_s)
    assert np.diff(times) == pytest.approx([0.033, 0.033])


def test_clock_set_back() -> None:
    """A phone that sets its clock does not stop time here."""
    now = [100.0]
    pushed = PushedFrames(clock=lambda: now[0])
    times = []
    for taken_ms in (9_000_000.0, 1000.0, 2000.0):
        now[0] += 1.0
        pushed.push(_jpeg(), taken_ms=taken_ms)
        frame = pushed.read(0.0)
        assert frame is not None
        times.append(frame.t_s)
    assert times == [101.0, 102.0, 103.0]


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a" + bytes(20), bytes(MAX_PUSHED_BYTES + 1), _jpeg()[:20]],
    ids=["empty", "no_jpeg", "too_large", "cut_off"],
)
def test_refused(data: bytes) -> None:
    """Nothing is decoded before its header has been believed."""
    with pytest.raises(PictureError):
        PushedFrames().push(data)


def test_bomb_is_refused_by_its_header() -> None:
    """A few kilobytes that would become gigabytes."""
    data = bytearray(_jpeg())
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(PictureError, match="megapixels"):
        PushedFrames().push(bytes(data))


def test_half_a_jpeg_is_damaged() -> None:
    """A picture that lost its end on the air is shown and not judged by."""
    noise = np.random.default_rng(0).integers(0, 255, (48, 64, 3)).astype(np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    pushed = PushedFrames()
    for end in (-2, len(data) // 2):
        pushed.push(data[:end])
        frame = pushed.read(0.1)
        assert frame is not None
        assert frame.damaged
        assert frame.image_bgr.shape == (48, 64, 3)


def test_close_and_reopen() -> None:
    """Closed means closed; the same phone can be chosen again."""
    pushed = PushedFrames()
    pushed.close()
    pushed.push(_jpeg())
    assert pushed.read(0.0) is None
    pushed.reopen()
    pushed.push(_jpeg())
    assert pushed.read(0.1) is not None
