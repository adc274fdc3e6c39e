"""Pictures as a slow slide show."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from carrom.errors import SourceError
from vision.sources.pictures import PictureShow, pictures_in


def _write(path: Path, level: int, size: tuple[int, int] = (64, 48)) -> Path:
    cv2.imwrite(str(path), np.full((size[1], size[0], 3), level, np.uint8))
    return path


def test_each_picture_stays(tmp_path: Path) -> None:
    """Every picture for its seconds, on one clock, in the order of names."""
    for k in (2, 0, 1):
        _write(tmp_path / f"{k}.png", 50 * k)
    show = PictureShow(pictures_in(tmp_path), seconds=2.0, fps=2.0)
    frames = []
    while (frame := show.read()) is not None:
        frames.append(frame)
    assert [int(frame.image_bgr[0, 0, 0]) // 50 for frame in frames] == [0] * 4 + [1] * 4 + [2] * 4
    assert [frame.t_s for frame in frames] == [k / 2 for k in range(12)]
    assert not show.info.live
    assert show.info.duration_s == 6.0


def test_other_sizes_and_broken_ones(tmp_path: Path) -> None:
    """One size for all; what cannot be read is left out and told."""
    paths = [
        _write(tmp_path / "a.png", 200), _write(tmp_path / "b.png", 100, (48, 64)),
        tmp_path / "c.png",
    ]  # fmt: skip
    paths[2].write_bytes(b"nothing")
    show = PictureShow(paths, seconds=1.0, fps=1.0)
    first, second = show.read(), show.read()
    assert first is not None
    assert second is not None
    assert first.image_bgr.shape == second.image_bgr.shape == (48, 64, 3)
    assert int(second.image_bgr[24, 32, 0]) == 100
    assert int(second.image_bgr[24, 2, 0]) == 114
    assert show.read() is None
    assert len(show.info.notes) == 1


def test_frames_are_nobody_elses(tmp_path: Path) -> None:
    """Who draws on a frame must not draw on the next."""
    show = PictureShow([_write(tmp_path / "a.png", 10)], seconds=2.0, fps=1.0)
    first = show.read()
    assert first is not None
    first.image_bgr[:] = 0
    second = show.read()
    assert second is not None
    assert int(second.image_bgr[0, 0, 0]) == 10


def test_no_pictures(tmp_path: Path) -> None:
    """Empty folders and shows of nothing are errors at once."""
    with pytest.raises(SourceError, match="without pictures"):
        pictures_in(tmp_path)
    with pytest.raises(SourceError):
        PictureShow([])
    with pytest.raises(SourceError):
        PictureShow([tmp_path / "missing.png"])
    with pytest.raises(SourceError):
        PictureShow([_write(tmp_path / "a.png", 1)], seconds=-1)
