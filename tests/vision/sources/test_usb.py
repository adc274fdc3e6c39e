"""USB cameras, with a capture handle of our own: no test machine has a camera."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from carrom.errors import SourceError, SourceTimeoutError
from vision.sources.usb import UsbCamera, short_device_timeouts
from vision.sources.usb_list import UsbCameraName, list_usb_cameras

CAMERA = UsbCameraName("usb-Acme_Cam_123-video-index0", "Acme Cam", "/dev/video2")
MJPG = float(cv2.VideoWriter.fourcc(*"MJPG"))


class FakeCapture:
    """Grants what it knows; ``frames`` run out as if it was unplugged."""

    def __init__(
        self, *, grants: Mapping[int, float] | None = None, frames: int = 99, opened: bool = True,
        refuses: frozenset[int] = frozenset(), grey: bool = False,
    ) -> None:  # fmt: skip
        self.asked: list[int] = []
        self.values: dict[int, float] = {}
        self.grants, self.frames, self.opened = dict(grants or {}), frames, opened
        self.refuses, self.grey, self.released = refuses, grey, 0

    def isOpened(self) -> bool:
        return self.opened

    def read(self) -> tuple[bool, Any]:
        if self.frames <= 0:
            return False, None
        self.frames -= 1
        width = int(self.get(cv2.CAP_PROP_FRAME_WIDTH))
        shape = (int(self.get(cv2.CAP_PROP_FRAME_HEIGHT)), width)
        return True, np.zeros(shape if self.grey else (*shape, 3), np.uint8)

    def get(self, prop: int, /) -> float:
        return self.grants.get(prop, self.values.get(prop, 0.0))

    def set(self, prop: int, value: float, /) -> bool:
        self.asked.append(prop)
        if prop in self.refuses:
            return False
        self.values[prop] = value
        return True

    def release(self) -> None:
        self.released += 1


def _camera(capture: FakeCapture, name: str = CAMERA.id, **more: Any) -> UsbCamera:
    return UsbCamera(
        name,
        size_px=(64, 48),
        open_capture=lambda device: capture,
        cameras=lambda: [CAMERA],
        **more,
    )


def test_order_of_wishes() -> None:
    """Compression before size before rate: the other way round drivers fall back to 5 fps."""
    capture = FakeCapture()
    camera = _camera(capture)
    order = [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    assert capture.asked[:4] == [*order, cv2.CAP_PROP_FPS]
    assert cv2.CAP_PROP_BUFFERSIZE in capture.asked
    assert camera.info.notes == ()
    assert (camera.info.id, camera.info.name) == (f"usb:{CAMERA.id}", "Acme Cam")
    assert camera.info.live


def test_what_was_not_granted_is_noted() -> None:
    """A camera that gives less must not look like one that gave all."""
    yuyv = float(cv2.VideoWriter.fourcc(*"YUYV"))
    capture = FakeCapture(
        grants={
            cv2.CAP_PROP_FOURCC: yuyv, cv2.CAP_PROP_FPS: 5.0, cv2.CAP_PROP_FRAME_WIDTH: 32,
            cv2.CAP_PROP_FRAME_HEIGHT: 24,
        }
    )  # fmt: skip
    info = _camera(capture).info
    assert len(info.notes) == 3
    assert "YUYV" in info.notes[0]
    assert "gives 5" in info.notes[1]
    assert "32 x 24" in info.notes[2]


def test_frames_and_unplugging() -> None:
    """Frames carry rising times; a camera that is gone raises and does not end quietly."""
    ticks = iter(np.arange(0.0, 10.0, 0.01))
    camera = _camera(FakeCapture(frames=3), clock=lambda: float(next(ticks)))
    frames = [camera.read() for _ in range(3)]
    assert [frame.seq for frame in frames if frame is not None] == [0, 1, 2]
    with pytest.raises(SourceError, match="unplugged"):
        camera.read()


def test_slow_driver_is_a_timeout() -> None:
    """No frame after the driver's own patience: there may be more later."""
    ticks = iter(np.arange(0.0, 100.0, 2.5))
    camera = _camera(FakeCapture(frames=1), clock=lambda: float(next(ticks)))
    camera.read()
    with pytest.raises(SourceTimeoutError):
        camera.read()


def test_lock_holds_what_it_can() -> None:
    """What the driver refuses is told, once, and nothing is left half done."""
    capture = FakeCapture(refuses=frozenset({cv2.CAP_PROP_AUTOFOCUS}))
    camera = _camera(capture)
    assert camera.lock() == ("focus cannot be locked",)
    camera.lock()
    assert camera.info.notes == ("focus cannot be locked",)
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] in (1.0, 0.25)


def test_exposure_that_cannot_be_held_stays_automatic() -> None:
    """Manual exposure without a value would leave the picture black."""
    capture = FakeCapture(refuses=frozenset({cv2.CAP_PROP_EXPOSURE}))
    assert "exposure cannot be locked" in _camera(capture).lock()
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] in (3.0, 0.75)


def test_closed_and_missing() -> None:
    """Closing twice is harmless; missing and busy cameras have different answers."""
    capture = FakeCapture()
    camera = _camera(capture)
    camera.close()
    camera.close()
    assert capture.released >= 1
    assert camera.read() is None
    with pytest.raises(SourceError, match="in use"):
        _camera(FakeCapture(opened=False))
    with pytest.raises(SourceError, match="no picture"):
        _camera(FakeCapture(frames=0))
    with pytest.raises(SourceError, match=f"not plugged in.*{CAMERA.id}"):
        _camera(FakeCapture(), "usb-Other")


def test_grey_camera() -> None:
    """Infrared cameras give one channel."""
    frame = _camera(FakeCapture(grey=True)).read()
    assert frame is not None
    assert frame.image_bgr.shape == (48, 64, 3)


def test_list_of_cameras(tmp_path: Path) -> None:
    """Names from the system, ids that stay; the node with metadata is no camera."""
    for node, name, index in (
        ("video0", "Acme", "0"),
        ("video1", "Acme", "1"),
        ("video2", "B", "0"),
    ):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / node).touch()
        facts = tmp_path / "sys/class/video4linux" / node
        facts.mkdir(parents=True)
        (facts / "name").write_text(name + "\n")
        (facts / "index").write_text(index + "\n")
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    (links / "usb-Acme-video-index0").symlink_to(tmp_path / "dev/video0")
    found = list_usb_cameras(tmp_path)
    assert [(camera.id, camera.name) for camera in found] == [
        ("usb-Acme-video-index0", "Acme"),
        ("video2", "B"),
    ]


def test_no_cameras(tmp_path: Path) -> None:
    """A machine without any lists none."""
    assert list_usb_cameras(tmp_path) == []


def test_timeouts_keep_what_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who set a timeout knows why."""
    monkeypatch.setenv("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "7")
    short_device_timeouts()
    assert os.environ["OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"] == "7"
