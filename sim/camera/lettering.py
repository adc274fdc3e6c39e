"""Words on boards, frames, discs and paper, drawn with OpenCV's stroke fonts."""

from functools import lru_cache

import cv2
import numpy as np

from sim.camera.arrays import Array

__all__ = ["FONTS", "paste_word", "word_mask"]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)


@lru_cache(maxsize=64)
def word_mask(text: str, font: int, *, bold: int = 4, slant: float = 0.0) -> Array:
    """(h, w) uint8: a word, 64 px high letters; shared, do not write."""
    face = FONTS[font % len(FONTS)]
    (width, height), base = cv2.getTextSize(text, face, 2.6, bold)
    image: Array = np.zeros((height + base + 24, width + 60), dtype=np.uint8)
    cv2.putText(image, text, (30, height + 12), face, 2.6, (255,), bold, cv2.LINE_AA)
    if slant:
        shear = np.array([[1.0, -slant, slant * height], [0.0, 1.0, 0.0]])
        image = cv2.warpAffine(image, shear, (image.shape[1], image.shape[0]))
    return image


def paste_word(
    mask: Array,
    text: str,
    *,
    centre_px: tuple[float, float],
    height_px: float,
    turn_rad: float = 0.0,
    font: int = 0,
    bold: int = 4,
    slant: float = 0.0,
    stretch: float = 1.0,
) -> None:
    """Draw a word into an 8 bit mask, in place; ``turn_rad`` counter-clockwise as seen."""
    word = word_mask(text, font, bold=bold, slant=slant)
    scale = height_px / word.shape[0]
    c, s = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
    middle = np.array([(word.shape[1] - 1) / 2, (word.shape[0] - 1) / 2])
    linear = np.array([[c * stretch, s], [-s * stretch, c]])
    matrix = np.concatenate([linear, (centre_px - linear @ middle)[:, None]], axis=1)
    corners = np.array([[0, 0], [word.shape[1], 0], [0, word.shape[0]], word.shape[::-1]])
    spots = corners @ linear.T + matrix[:, 2]
    low = np.maximum(np.floor(spots.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(spots.max(axis=0)).astype(int) + 2, mask.shape[1::-1])
    size = high - low
    if min(size) <= 0:
        return
    matrix[:, 2] -= low
    if scale < 0.6:
        factor = max(1, round(0.5 / scale))
        small = (max(1, word.shape[1] // factor), max(1, word.shape[0] // factor))
        ratio = np.array([word.shape[1] / small[0], word.shape[0] / small[1]])
        word = cv2.resize(word, small, interpolation=cv2.INTER_AREA)
        matrix[:, :2] *= ratio
    flat = cv2.warpAffine(word, matrix, (int(size[0]), int(size[1])), flags=cv2.INTER_LINEAR)
    window = mask[low[1] : high[1], low[0] : high[0]]
    np.maximum(window, flat, out=window)
