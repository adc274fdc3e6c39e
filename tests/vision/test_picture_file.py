"""Every file is a picture the eyes can use, or an error that names the file and says why."""

from __future__ import annotations

import base64
import contextlib
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from carrom.errors import PictureError
from vision import picture_file
from vision.arrays import Array
from vision.picture_file import PictureFile, decode_picture, read_picture

WIDTH, HEIGHT = 96, 64
FORMATS = [".jpg", ".png", ".webp", ".bmp", ".tiff", ".gif", ".jp2", ".avif", ".ppm"]

CMYK_JPEG = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2Rjcs"
    "LUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAAB"
    "AgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNi"
    "coIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SV"
    "lpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4E"
    "QwBNAFkASwAAPwD06vMK8wr06iiiivmKvp2iiiiiivp2ivp2vmKiiiiivmKvmKvp2iiiivmKvp2iiiiiivp2ivp2"
    "vmKiiiiivmKvmKvp2iiiivmKvp2iiiiiivp2ivp2vmKiiiiivmKvmKvp2iiiivmKvp2iiiiiivp2ivp2vmKiiiiv"
    "/9k="
)
"""48 x 32 px as a print shop saves them (Adobe, inverted): red, green, black stripes."""


def photo() -> Array:
    """A soft gradient with a red block in the upper left: which way is up can be seen."""
    across = np.linspace(40, 220, WIDTH, dtype=np.float32)[None, :, None]
    down = np.linspace(0.4, 1.0, HEIGHT, dtype=np.float32)[:, None, None]
    image = (across * down * np.array([0.6, 0.9, 0.8], dtype=np.float32)).astype(np.uint8)
    image[:24, :32] = (0, 0, 255)
    return image


UPRIGHT: dict[int, Callable[[Array], Array]] = {
    1: lambda image: image,
    2: lambda image: image[:, ::-1],
    3: lambda image: image[::-1, ::-1],
    4: lambda image: image[::-1],
    5: lambda image: image.transpose(1, 0, 2),
    6: lambda image: np.rot90(image, -1),
    7: lambda image: np.rot90(image, 2).transpose(1, 0, 2),
    8: lambda image: np.rot90(image),
}
"""What EXIF orientations ask for (TIFF 6.0, tag 274)."""


def encoded(suffix: str, image: Array, *options: int) -> bytes:
    done, buffer = cv2.imencode(suffix, image, list(options))
    assert done
    return buffer.tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def exif(orientation: int) -> bytes:
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)


def png_header(width: int, height: int) -> bytes:
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", body)


def bomb(width: int, height: int) -> bytes:
    """A few kilobytes that claim to be a huge picture."""
    body = zlib.compress(bytes(100_000))
    return png_header(width, height) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def reads(data: bytes) -> PictureFile:
    found = decode_picture(data, "here.x")
    assert found.image_bgr.dtype == np.uint8
    assert found.image_bgr.ndim == 3
    assert found.image_bgr.shape[2] == 3
    return found


def refused(data: bytes) -> str:
    with pytest.raises(PictureError) as caught:
        decode_picture(data, "here.x")
    assert caught.value.where == "here.x"
    return str(caught.value)


@pytest.mark.parametrize("suffix", FORMATS)
def test_formats_are_read(suffix: str, tmp_path: Path) -> None:
    """What phones, scanners and screenshots save; file names may be in any script."""
    path = tmp_path / f"カロム盤{suffix}"
    path.write_bytes(encoded(suffix, photo()))
    found = read_picture(path)
    assert (found.width_px, found.height_px) == (WIDTH, HEIGHT)
    assert found.image_bgr.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(found.image_bgr.astype(int) - photo()).mean() < 20  # a GIF has 256 colours
    assert found.scale == 1.0
    assert found.warnings == ()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation_is_applied_alike_in_jpeg_and_png(orientation: int) -> None:
    """A phone held upright stores a lying picture; corners must be those of the upright one."""
    jpeg, png = encoded(".jpg", photo(), cv2.IMWRITE_JPEG_QUALITY, 98), encoded(".png", photo())
    body = b"Exif\0\0" + exif(orientation)
    jpeg = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]
    png = png[:33] + chunk(b"eXIf", exif(orientation)) + png[33:]
    first, second = reads(jpeg), reads(png)
    wanted = (HEIGHT, WIDTH) if orientation >= 5 else (WIDTH, HEIGHT)
    assert (first.width_px, first.height_px) == wanted
    assert (second.width_px, second.height_px) == wanted
    assert np.abs(first.image_bgr.astype(int) - second.image_bgr).mean() < 4
    assert np.abs(second.image_bgr.astype(int) - UPRIGHT[orientation](photo())).max() == 0


def test_alpha_is_laid_on_grey_and_turned_with_the_picture() -> None:
    """OpenCV drops alpha, and what lies hidden under it is often black or garbage."""
    image = np.dstack([photo(), np.full((HEIGHT, WIDTH), 255, dtype=np.uint8)])
    image[:, -30:, :3], image[:, -30:, 3] = (0, 255, 0), 0
    png = encoded(".png", image)
    found = reads(png).image_bgr
    assert (found[:, -30:] == 114).all()
    assert tuple(found[5, 5]) == (0, 0, 255)
    upright = reads(png[:33] + chunk(b"eXIf", exif(6)) + png[33:]).image_bgr
    assert upright.shape == (WIDTH, HEIGHT, 3)
    assert (upright[-30:] == 114).all()
    assert tuple(upright[5, -5]) == (0, 0, 255)


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("bits", [10, 12, 14, 16])
def test_16_bit_files_keep_their_brightness(suffix: str, bits: int) -> None:
    """A sensor's 12 bits in a 16 bit file would otherwise come out nearly black."""
    found = reads(encoded(suffix, photo().astype(np.uint16) << (bits - 8))).image_bgr
    assert np.abs(found.astype(int) - photo()).max() <= 1


def test_grey_bilevel_palette_and_cmyk() -> None:
    grey = reads(encoded(".png", photo()[..., 1])).image_bgr
    assert (grey[..., 0] == grey[..., 2]).all()
    header = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 3, 0, 0, 0))
    rows = b"".join(b"\0" + bytes([y % 2] * 64) for y in range(64))
    palette = chunk(b"PLTE", bytes([255, 0, 0, 0, 0, 255]))
    png = header + palette + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    assert reads(png).image_bgr[:2, 0].tolist() == [[0, 0, 255], [255, 0, 0]]
    cmyk = reads(CMYK_JPEG).image_bgr.astype(int)
    for x, colour in ((8, (0, 0, 255)), (24, (0, 255, 0)), (40, (0, 0, 0))):
        assert np.abs(cmyk[16, x] - colour).max() < 12


@pytest.mark.parametrize("suffix", [".gif", ".png", ".webp"])
def test_of_an_animation_the_first_frame_is_used_and_said(suffix: str) -> None:
    animation = cv2.Animation()
    animation.frames, animation.durations = [photo(), 255 - photo()], [100, 100]
    done, buffer = cv2.imencodeanimation(suffix, animation)
    assert done
    found = reads(buffer.tobytes())
    assert np.abs(found.image_bgr.astype(int) - photo()).mean() < 20
    assert any("first" in line for line in found.warnings)


def test_pages_of_a_tiff(tmp_path: Path) -> None:
    path = tmp_path / "scan.tiff"
    assert cv2.imwritemulti(str(path), [photo(), 255 - photo()])
    found = read_picture(path)
    assert np.abs(found.image_bgr.astype(int) - photo()).max() <= 1
    assert any("first" in line for line in found.warnings)


def test_a_large_picture_is_looked_at_smaller_but_measured_in_its_own_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The 100 megapixels of a phone: corners come out in the pixels of the file."""
    monkeypatch.setattr(picture_file, "WORK_PIXELS", WIDTH * HEIGHT // 5)
    for suffix in (".jpg", ".png"):
        found = reads(encoded(suffix, photo()))
        assert (found.width_px, found.height_px) == (WIDTH, HEIGHT)
        assert found.image_bgr.shape[1] < WIDTH // 2
        assert any("smaller" in line or "more than needed" in line for line in found.warnings)
        x, y = found.to_file_px(found.image_bgr.shape[1] - 0.5, found.image_bgr.shape[0] - 0.5)
        assert x == pytest.approx(WIDTH - 0.5)
        assert y == pytest.approx(HEIGHT - 0.5, abs=1.5)
        assert found.to_image_px(x, y)[0] == pytest.approx(found.image_bgr.shape[1] - 0.5)


def test_a_panorama_is_made_short_enough_to_remap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_file, "_WORK_SIDE_PX", 400)
    found = reads(encoded(".png", np.zeros((40, 1000, 3), dtype=np.uint8)))
    assert found.image_bgr.shape[1] == 400
    assert found.width_px == 1000


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (2**31 - 1, 40), (11_000, 11_000)])
def test_decompression_bombs_are_refused_before_they_are_decoded(width: int, height: int) -> None:
    """A few kilobytes of PNG may unpack to 10 GB."""
    assert "megapixels" in refused(bomb(width, height))


def test_what_is_too_small_is_refused() -> None:
    assert "32 px" in refused(encoded(".png", np.zeros((8, 300, 3), dtype=np.uint8)))
    assert "size" in refused(bomb(0, 0))


@pytest.mark.parametrize("suffix", [s for s in FORMATS if s not in (".ppm", ".avif")])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_files_that_break_off_are_refused(
    suffix: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    """A copy that stopped half way must not become a half grey picture; and nothing on stderr."""
    noise = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    data = encoded(suffix, noise)
    refused(data[: int(len(data) * share)])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("suffix", FORMATS)
def test_garbled_files_raise_or_warn_but_never_crash(
    suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    good = encoded(suffix, rng.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8))
    for _ in range(25):
        bad = bytearray(good)
        for at in rng.integers(0, len(bad), 12):
            bad[at] = int(rng.integers(256))
        with contextlib.suppress(PictureError):
            reads(bytes(bad))
    assert capfd.readouterr().err == ""


def test_a_damaged_jpeg_that_still_opens_says_so() -> None:
    data = bytearray(encoded(".jpg", photo(), cv2.IMWRITE_JPEG_QUALITY, 95))
    middle = len(data) // 2
    data[middle : middle + 40] = b"\xff\xd0" * 20
    assert any("damaged" in line for line in reads(bytes(data)).warnings)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"hello, I am a letter\n" * 20, "text"),
        (b"%PDF-1.7\n" + bytes(200), "PDF"),
        (b"PK\x03\x04" + bytes(200), "ZIP"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\0\0\0\x18ftypheic" + bytes(200), "HEIC"),
        (b"\0\0\0\x18ftypisom" + bytes(200), "carrom watch"),
        (b"RIFF\x24\0\0\0AVI LIST" + bytes(200), "carrom watch"),
        (bytes(5000), "other data"),
        (b"\xff\xd8\xff", "breaks off"),
        (b"GIF89a", "breaks off"),
        (b"BM", "breaks off"),
        (b"II*\0\xff\xff\xff\x7f", "breaks off"),
        (b"RIFF\x24\0\0\0WEBP", "breaks off"),
    ],
)
def test_what_is_no_picture_is_named(data: bytes, word: str) -> None:
    assert word in refused(data)


def test_folders_missing_and_forbidden_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PictureError, match="a folder"):
        read_picture(tmp_path)
    with pytest.raises(PictureError, match="no such file"):
        read_picture(tmp_path / "none.png")
    with pytest.raises(PictureError, match="File name too long"):
        read_picture(tmp_path / ("x" * 5000))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(PictureError, match="a device or a pipe"):
            read_picture(tmp_path / "pipe")
    path = tmp_path / "mine.png"
    path.write_bytes(encoded(".png", photo()))

    def forbidden(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(PictureError, match="Permission denied"):
        read_picture(path)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "disk.img"
    with path.open("wb") as file:
        file.truncate(picture_file.MAX_FILE_BYTES + 1)
    with pytest.raises(PictureError, match="MiB"):
        read_picture(path)


def test_reading_works_without_a_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    """A windowed program may have none."""
    monkeypatch.setattr("sys.stderr", None)
    assert reads(encoded(".png", photo())).width_px == WIDTH
