"""Video files as people have them: uneven, turned, damaged, cut off, no video at all."""

from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from carrom.errors import SourceError
from tests.vision.sources.clips import HEIGHT, WIDTH, clip, picture, spoilt, turned
from vision.frames import Frame, SourceKind
from vision.sources.files import VideoFile


def _all(source: VideoFile) -> list[Frame]:
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    return frames


def _rising(frames: list[Frame]) -> bool:
    times = [frame.t_s for frame in frames]
    return all(a < b for a, b in pairwise(times))


def test_plain_file(tmp_path: Path) -> None:
    """Every frame comes, with its time, its colours and its number."""
    source = VideoFile(clip(tmp_path / "a.mp4"))
    info = source.info
    assert (info.kind, info.live, info.width_px, info.height_px) == (
        SourceKind.FILE, False, WIDTH, HEIGHT,
    )  # fmt: skip
    frames = _all(source)
    assert [frame.seq for frame in frames] == list(range(12))
    assert frames[3].t_s == pytest.approx(0.1, abs=0.002)
    assert np.abs(frames[5].image_bgr.astype(int) - picture(5)).mean() < 25
    assert not any(frame.damaged or frame.frozen for frame in frames)
    assert source.read() is None
    assert source.info.notes == ()


def test_uneven_times_are_kept(tmp_path: Path) -> None:
    """Phones film at a rate that varies: counting frames would be wrong."""
    times = [0, 33, 100, 133, 400, 410, 500]
    frames = _all(VideoFile(clip(tmp_path / "v.mkv", times=times)))
    assert [round(frame.t_s * 1000) for frame in frames] == times


def test_first_time_is_zero(tmp_path: Path) -> None:
    """A recording cut out of a longer one begins at its own start."""
    frames = _all(VideoFile(clip(tmp_path / "v.mkv", times=[90_000, 90_040, 90_080])))
    assert [round(frame.t_s, 3) for frame in frames] == [0.0, 0.04, 0.08]


def test_raw_stream_without_times(tmp_path: Path) -> None:
    """Raw H.264 has no time stamps: they are guessed, and that is said."""
    source = VideoFile(clip(tmp_path / "raw.h264"))
    frames = _all(source)
    assert len(frames) == 12
    assert _rising(frames)
    assert 0.2 < frames[-1].t_s < 0.6


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_rotation_flag(tmp_path: Path, degrees: int) -> None:
    """A phone held upright writes a flag and leaves the turning to the player."""
    upright = VideoFile(clip(tmp_path / "a.mp4", frames=3)).read()
    source = VideoFile(turned(clip(tmp_path / "r.mp4", frames=3), degrees))
    frame = source.read()
    source.close()
    assert frame is not None
    assert upright is not None
    expected = np.rot90(upright.image_bgr, degrees // 90)
    assert np.array_equal(frame.image_bgr, expected)
    assert (source.info.height_px, source.info.width_px) == expected.shape[:2]


@pytest.mark.parametrize(
    ("codec", "pixels", "name"),
    [
        ("libx264", "yuv420p10le", "ten_bits.mp4"),
        ("libx264", "gray", "grey.mp4"),
        ("libx264", "yuv444p", "full_colour.mp4"),
        ("libx265", "yuv420p", "hevc.mp4"),
        ("libvpx-vp9", "yuv420p", "vp9.webm"),
        ("mjpeg", "yuvj420p", "camera.avi"),
        ("ffv1", "bgr0", "lossless.mkv"),
    ],
)
def test_pixel_formats(tmp_path: Path, codec: str, pixels: str, name: str) -> None:
    """Whatever the camera writes, the eyes get 8 bit BGR that shows the same."""
    options = {"x265-params": "log-level=none"} if codec == "libx265" else {}
    frames = _all(VideoFile(clip(tmp_path / name, codec=codec, pixels=pixels, options=options)))
    assert len(frames) == 12
    image = frames[6].image_bgr
    assert (image.dtype, image.shape) == (np.uint8, (HEIGHT, WIDTH, 3))
    seen, true = image.astype(int).mean(axis=2), picture(6).astype(int).mean(axis=2)
    assert np.abs(seen - true).mean() < 25


def test_odd_size(tmp_path: Path) -> None:
    """Screen recordings have odd sizes; lines must not be padded."""
    frames = _all(VideoFile(clip(tmp_path / "o.mkv", codec="ffv1", pixels="bgr0", size=(67, 49))))
    assert frames[0].image_bgr.shape == (49, 67, 3)
    assert np.array_equal(frames[4].image_bgr, picture(4, (67, 49)))


def test_hdr_is_tone_mapped(tmp_path: Path) -> None:
    """A PQ picture shown as it is would be grey and dim: diffuse white must be bright."""
    path = tmp_path / "hdr.mkv"
    with av.open(str(path), "w") as out:
        track = out.add_stream("libx265", rate=30, options={"x265-params": "log-level=none"})
        track.width, track.height, track.pix_fmt = WIDTH, HEIGHT, "yuv420p10le"
        track.codec_context.color_trc = 16
        for _ in range(3):
            frame = av.VideoFrame.from_ndarray(
                np.full((HEIGHT, WIDTH, 3), 148, np.uint8), format="bgr24"
            )
            frame.color_trc = 16
            out.mux(track.encode(frame))
        out.mux(track.encode())
    frame_seen = VideoFile(path).read()
    assert frame_seen is not None
    assert 200 < frame_seen.image_bgr.mean() < 245


@pytest.mark.parametrize("name", ["bad.ts", "bad.mkv", "bad.mp4"])
def test_damaged_packets(tmp_path: Path, name: str) -> None:
    """Damage in the middle marks frames and stops nothing; a key frame ends it."""
    source = VideoFile(spoilt(clip(tmp_path / name, frames=60)))
    frames = _all(source)
    assert len(frames) >= 50
    assert _rising(frames)
    assert any(frame.damaged for frame in frames)
    assert not frames[0].damaged
    assert not frames[-1].damaged
    assert any("damaged frames" in note for note in source.info.notes)


@pytest.mark.parametrize("name", ["cut.mkv", "cut.ts"])
def test_cut_off_file_gives_what_it_has(tmp_path: Path, name: str) -> None:
    """The battery died while filming: what was filmed counts."""
    path = clip(tmp_path / name, frames=90)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    source = VideoFile(path)
    frames = _all(source)
    assert 20 <= len(frames) < 80
    assert source.read() is None


def test_cut_off_mp4_with_index_first(tmp_path: Path) -> None:
    """A download that broke off knows how long it should have been, and it is said."""
    path = clip(tmp_path / "cut.mp4", frames=90, options={"g": "6", "bf": "0"})
    fast = tmp_path / "fast.mp4"
    with (
        av.open(str(path)) as read,
        av.open(str(fast), "w", options={"movflags": "+faststart"}) as out,
    ):
        track = out.add_stream_from_template(read.streams.video[0])
        for packet in read.demux(video=0):
            if packet.dts is not None:
                packet.stream = track
                out.mux(packet)
    fast.write_bytes(fast.read_bytes()[: fast.stat().st_size // 2])
    source = VideoFile(fast)
    assert 10 < len(_all(source)) < 80
    assert any("breaks off" in note for note in source.info.notes)


def _sound(path: Path) -> Path:
    with av.open(str(path), "w") as out:
        track = out.add_stream("aac", rate=48_000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 48_000
        for k in range(20):
            frame.pts = k * 1024
            out.mux(track.encode(frame))
        out.mux(track.encode())
    return path


def test_what_is_no_video(tmp_path: Path) -> None:
    """Every wrong file has its own clear answer, with its name."""
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("no video at all\n" * 50)
    cut = clip(tmp_path / "no_index.mp4")
    cut.write_bytes(cut.read_bytes()[:600])
    _sound(tmp_path / "song.m4a")
    for name, words in (
        ("empty.mp4", "empty"),
        ("text.mp4", "no video"),
        ("no_index.mp4", "index"),
        ("song.m4a", "sound"),
        ("missing.mp4", "no such file"),
        (".", "folder"),
    ):
        with pytest.raises(SourceError, match=words):
            VideoFile(tmp_path / name)


def test_close_twice_and_read_after(tmp_path: Path) -> None:
    """Whoever closes need not know who else does."""
    source = VideoFile(clip(tmp_path / "a.mp4", frames=3))
    source.close()
    source.close()
    assert source.read() is None
