"""Rectangles of a picture."""

from dataclasses import dataclass

import numpy as np

from sim.camera.arrays import Array

__all__ = ["Window"]


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the picture, px; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def empty(self) -> bool:
        """Nothing inside."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width, px."""
        return self.bottom - self.top, self.right - self.left

    def overlap(self, other: "Window") -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Rows and columns of the common part, in this window and in the other."""
        left, right = max(self.left, other.left), min(self.right, other.right)
        top, bottom = max(self.top, other.top), min(self.bottom, other.bottom)
        right, bottom = max(left, right), max(top, bottom)

        def within(window: Window) -> tuple[slice, slice]:
            return (
                slice(top - window.top, bottom - window.top),
                slice(left - window.left, right - window.left),
            )

        return within(self), within(other)

    @classmethod
    def around(
        cls, points_px: Array, margin_px: float, shape: tuple[int, int], *, step_px: int = 1
    ) -> "Window":
        """The part of a picture (height, width) about (n, 2) px, edges on multiples of a step."""
        low = np.floor((points_px.min(axis=0) - margin_px) / step_px).astype(int) * step_px
        high = np.ceil((points_px.max(axis=0) + margin_px + 1) / step_px).astype(int) * step_px
        return cls(
            max(0, int(low[0])),
            max(0, int(low[1])),
            min(shape[1], int(high[0])),
            min(shape[0], int(high[1])),
        )
