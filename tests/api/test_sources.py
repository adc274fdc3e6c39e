"""From what people write to a source of frames."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from api.sources import choose_source
from carrom.errors import SourceError
from vision.sources.pictures import PictureShow
from vision.sources.pushed import PushedFrames


@pytest.mark.parametrize(
    ("text", "shown", "live"),
    [
        ("0", "usb:0", True),
        ("usb:Acme_1", "usb:Acme_1", True),
        ("/dev/video0", "usb:/dev/video0", True),
        ("rtsp://u:secret@cam/live", "rtsp://cam/live", True),
        ("virtual", "virtual", True),
        ("virtual:hikone?seed=7&live=0", "virtual:hikone?seed=7&live=0", False),
    ],
)
def test_words(text: str, shown: str, live: bool) -> None:
    """Each kind is told apart before anything is opened."""
    choice = choose_source(text)
    assert (choice.shown, choice.live) == (shown, live)


def test_local_files(tmp_path: Path) -> None:
    """A folder, a picture and a video; what comes over the network may name none of them."""
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.zeros((48, 64, 3), np.uint8))
    for path in (tmp_path, picture):
        source = choose_source(str(path)).open()
        assert isinstance(source, PictureShow)
        source.close()
    video = tmp_path / "a.mp4"
    video.write_bytes(b"no video")
    with pytest.raises(SourceError, match="no video"):
        choose_source(str(video)).open()
    with pytest.raises(SourceError, match="command line"):
        choose_source(str(picture), files=False)


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "usb:", "missing.mp4", "phone", "file:///etc/passwd", "ftp://host/a.mp4",
        "virtual?seed=x", "virtual?sede=1", "virtual?size=9x9", "virtual?size=big", "rtsp://",
        "virtual?fps=nan",
    ],
)  # fmt: skip
def test_refused(text: str) -> None:
    """What cannot be meant is told at once."""
    with pytest.raises(SourceError):
        choose_source(text)


def test_phone() -> None:
    """The phone's frames, again after they were closed."""
    pushed = PushedFrames()
    choice = choose_source("phone", phone=pushed)
    pushed.close()
    assert choice.open() is pushed
    assert choice.live


@pytest.mark.slow
def test_virtual_camera_shows_a_match() -> None:
    """The simulated camera needs no hardware and ends with its film."""
    source = choose_source("virtual:icf?seed=3&seconds=1&fps=2&size=160x120&live=0").open()
    frames = [source.read() for _ in range(3)]
    assert all(frame is not None and frame.image_bgr.shape == (120, 160, 3) for frame in frames)
    source.close()
    assert source.read() is None
    with pytest.raises(SourceError, match="rules"):
        choose_source("virtual:nonsense").open()
