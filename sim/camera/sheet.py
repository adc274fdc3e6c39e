"""A contact sheet: many small stills on one picture, to be looked at."""

from collections.abc import Sequence

import cv2
import numpy as np

from sim.camera.arrays import Array
from sim.camera.many import render_many

__all__ = ["contact_sheet"]


def contact_sheet(
    seeds: Sequence[int], *, columns: int = 8, cell_px: tuple[int, int] = (320, 240)
) -> Array:
    """(h, w, 3) uint8 BGR: a still of each seed, its number below; 48 seeds make a good sheet."""
    wide, tall = cell_px
    rows = -(-len(seeds) // columns)
    sheet = np.full((rows * (tall + 16), columns * wide, 3), 24, dtype=np.uint8)
    for index, picture in enumerate(render_many(seeds)):
        image = picture.image_bgr
        scale = min(wide / image.shape[1], tall / image.shape[0])
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        y, x = index // columns * (tall + 16), index % columns * wide
        sheet[y : y + size[1], x : x + size[0]] = small
        place = (x + 3, y + tall + 12)
        cv2.putText(
            sheet, str(seeds[index]), place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (200, 200, 200), 1
        )
    return sheet
