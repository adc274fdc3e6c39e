"""Kept frames, the overlay, the clip of a stroke."""

from pathlib import Path

import av
import numpy as np
import pytest

from api.watch.clips import ClipWriter
from api.watch.overlay import StrokeOverlay
from api.watch.ring import Ring
from carrom.boards import ICF_BOARD
from carrom.errors import SourceError
from carrom.seats import Seat
from tests.api.watch.scripted import board_seen, stroke
from vision.frames import Frame


def _frame(k: int, size: tuple[int, int] = (160, 120)) -> Frame:
    image = np.full((size[1], size[0], 3), 40 + k % 100, np.uint8)
    return Frame(image, k * 0.1, k)


def _overlay() -> StrokeOverlay:
    return StrokeOverlay(stroke(1, Seat.SOUTH), board_seen(160, 120), ICF_BOARD, "1 Asha", "Foul.")


def test_memory_is_flat() -> None:
    """Half an hour or an hour: the same seconds are kept."""
    ring = Ring(seconds=2.0, width_px=80)
    sizes = []
    for k in range(600):
        ring.put(_frame(k))
        sizes.append(ring.size_bytes)
    assert max(sizes[300:]) < 1.5 * max(sizes[:100])
    kept = ring.between(0.0, 1e9)
    assert len(kept) == 21
    assert (kept[0].width_px, kept[0].height_px, kept[0].scale) == (80, 60, 0.5)
    nearest = ring.nearest(59.12)
    assert nearest is not None
    assert nearest.t_s == pytest.approx(59.1)


def test_overlay_draws_the_way_so_far() -> None:
    """Before the stroke only its title, later the path, after its end the call."""
    overlay = _overlay()
    blank = np.full((120, 160, 3), 90, np.uint8)
    changed = [
        int((overlay.draw(blank, t_s, 1.0) != blank).any(axis=2).sum()) for t_s in (0.5, 1.6, 2.5)
    ]
    assert 0 < changed[0] < changed[1] < changed[2]
    assert (blank == 90).all()
    middle = overlay.draw(blank, 1.6, 1.0)[30:100]
    assert (middle != 90).any()


def test_clip_of_a_stroke(tmp_path: Path) -> None:
    """A video that starts before the stroke, ends after it, keeps the times, plays in a browser."""
    ring = Ring(width_px=160)
    writer = ClipWriter(tmp_path, ring)
    for k in range(60):
        ring.put(_frame(k))
        if k == 24:
            writer.stroke(1, _overlay(), 2.4)
        writer.tick(k * 0.1)
    writer.close()
    path = tmp_path / "stroke_001.mp4"
    with av.open(str(path)) as clip:
        track = clip.streams.video[0]
        assert track.codec_context.name == "h264"
        assert track.codec_context.pix_fmt == "yuv420p"
        times = [frame.time for frame in clip.decode(track)]
    assert len(times) == 36
    assert np.diff(times) == pytest.approx([0.1] * 35, abs=1e-3)
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_clip_that_cannot_be_written(tmp_path: Path) -> None:
    """A full or missing folder is told, at the latest at the end."""
    ring = Ring(width_px=160)
    for k in range(40):
        ring.put(_frame(k))
    writer = ClipWriter(tmp_path / "missing", ring)
    writer.stroke(1, _overlay(), 2.4)
    with pytest.raises(SourceError, match="cannot be written"):
        writer.close()
