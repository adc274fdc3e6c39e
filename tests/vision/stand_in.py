"""A stand-in for the disc network: boxes from the truth of a render, with a network's errors."""

from collections.abc import Sequence

import cv2
import numpy as np

from carrom.pieces import PieceKind
from datasets.training_set import camera_of
from sim.camera import DiscTruth, Picture, Scene
from vision.board_crop import BoardCrop
from vision.seen import BoardSeen, Box, CornerSeen, Label

SIZE_PX, CELL_PX = 448, 28
CLASS_OF = {kind: Label(kind.value) for kind in PieceKind if kind is not PieceKind.QUEEN}
CLASS_OF[PieceKind.QUEEN] = Label.RED


def board_of(scene: Scene, picture: Picture) -> BoardSeen:
    """The board as a perfect calibration would see it."""
    corners = [CornerSeen(x, y, seen=True, confidence=1.0) for x, y in picture.truth.corners_px]
    return BoardSeen(
        scene.board.family, camera_of(scene.camera), scene.board.half_mm, tuple(corners), 1.0, 0.2
    )


class StandIn:
    """Looks at nothing and tells what is there. ``noise_mm``: of the centres, each axis."""

    size_px = SIZE_PX

    def __init__(
        self, scene: Scene, picture: Picture, *, seed: int = 0, noise_mm: float = 1.1
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self._camera = camera_of(scene.camera)
        self.crop = BoardCrop(scene.board.half_mm, SIZE_PX)
        self._noise_mm = noise_mm
        discs = [disc for disc in picture.truth.discs if disc.visible > 0.15]
        self.boxes = [self._box(disc) for disc in discs]
        self.boxes += self._cells(picture.hand_masks)

    def add(self, x_mm: float, y_mm: float, radius_mm: float, odds: dict[str, float]) -> None:
        """A box more, on the plane of the surface."""
        x, y = self.crop.mm_to_crop(np.array([x_mm, y_mm]))
        r = radius_mm * self.crop.px_per_mm
        label = max(odds, key=lambda name: odds[name])
        self.boxes.append(Box(label, x - r, y - r, x + r, y + r, odds[label], odds))

    def _box(self, disc: DiscTruth) -> Box:
        ring = np.arange(24) * (np.pi / 12)
        c, s = np.cos(disc.rim.angle_rad), np.sin(disc.rim.angle_rad)
        a, b = disc.rim.a_px * np.cos(ring), disc.rim.b_px * np.sin(ring)
        px = np.stack([disc.rim.x_px + c * a - s * b, disc.rim.y_px + s * a + c * b], axis=-1)
        at = self.crop.mm_to_crop(
            self._camera.px_to_board(px) + self._rng.normal(0, self._noise_mm, 2)
        )
        (left, top), (right, bottom) = at.min(axis=0), at.max(axis=0)
        label = CLASS_OF[disc.kind].value
        odds = {name.value: 0.02 for name in Label if name is not Label.HAND}
        odds[label] = float(np.clip(self._rng.normal(0.85, 0.05), 0.5, 0.97))
        return Box(label, left, top, right, bottom, odds[label], odds)

    def _cells(self, masks: Sequence[np.ndarray]) -> list[Box]:
        share = np.zeros((16, 16))
        maps = self.crop.pixels(self._camera)
        for mask in masks:
            seen = cv2.remap(mask, *maps, cv2.INTER_LINEAR).astype(float) / 255.0
            share = np.maximum(share, seen.reshape(16, CELL_PX, 16, CELL_PX).mean(axis=(1, 3)))
        out = []
        for row, column in np.argwhere(share >= 0.4) * CELL_PX:
            edges = (float(column), float(row), float(column + CELL_PX), float(row + CELL_PX))
            out.append(Box(Label.HAND.value, *edges, score=0.8))
        return out

    def look(
        self, square_bgr: np.ndarray, *, score: float = 0.25, overlap: float = 0.5
    ) -> tuple[Box, ...]:
        """The boxes, whatever the picture."""
        return tuple(box for box in self.boxes if box.score >= score)
