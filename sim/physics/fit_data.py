"""What a fit of a surface takes and gives: recorded strokes in, parameters with errors out."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from carrom.errors import PositionError
from carrom.pieces import PieceKind
from sim.physics.arrays import FloatArray
from sim.physics.surface import SurfaceParams

__all__ = ["FITTED_FIELDS", "FittedParameter", "FittedSurface", "RecordedStroke"]

FITTED_FIELDS = (
    "friction_men",
    "friction_queen",
    "friction_striker",
    "restitution_disc",
    "restitution_frame",
    "rim_friction",
    "frame_friction",
)
"""The fields of ``SurfaceParams`` that recordings can tell. The others stay as the prior has them:
a camera sees no capture speed without many strokes at the lips of pockets."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedStroke:
    """The places of all discs in the pictures of one stroke, best with some rest before it.

    ``kinds``: n discs, the striker last. ``t_s``: (k,) float64, s, rising, any origin; dropped
    pictures are simply missing. ``xy_mm``: (k, n, 2) float64, mm, board frame, NaN where a disc was
    not seen (hidden, blurred, pocketed). Arrays are not copied: do not write. Raises
    ``PositionError`` (field, expected, got).
    """

    kinds: tuple[PieceKind, ...]
    t_s: FloatArray
    xy_mm: FloatArray

    def __post_init__(self) -> None:
        count, discs = len(self.t_s), len(self.kinds)
        if discs == 0 or self.kinds[-1] is not PieceKind.STRIKER:
            raise PositionError(f"kinds: expected the striker last, got {self.kinds!r}")
        if self.t_s.shape != (count,) or self.xy_mm.shape != (count, discs, 2):
            got = (self.t_s.shape, self.xy_mm.shape)
            raise PositionError(f"t_s, xy_mm: expected (k,) and (k, {discs}, 2), got {got!r}")
        if not np.isfinite(self.t_s).all() or not (np.diff(self.t_s) > 0).all():
            raise PositionError("t_s: expected finite, rising times")
        if np.isinf(self.xy_mm).any():
            raise PositionError("xy_mm: expected numbers or NaN, got infinity")

    def seen(self, disc: int) -> tuple[FloatArray, FloatArray]:
        """Times (m,) and places (m, 2) at which one disc was seen; new arrays."""
        rows = np.isfinite(self.xy_mm[:, disc]).all(axis=1)
        return self.t_s[rows], self.xy_mm[rows, disc]


@dataclass(frozen=True, slots=True)
class FittedParameter:
    """One parameter: its value and standard error; ``is_from_data`` false: the recordings say
    nothing about it, so ``value`` is the prior's and ``standard_error`` half the prior's range."""

    value: float
    standard_error: float
    is_from_data: bool


@dataclass(frozen=True, slots=True)
class FittedSurface:
    """``parameters``: by name of the field, all of ``FITTED_FIELDS``.

    ``used``, ``given``: numbers of recordings; one is left out if its striker is not seen sliding
    or if no parameters explain it. ``rms_mm``: of a coordinate about the fitted paths.
    """

    surface: SurfaceParams
    parameters: Mapping[str, FittedParameter]
    used: int
    given: int
    rms_mm: float
