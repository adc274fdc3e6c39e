"""Words of the hands: poses, looks' neighbours, lights, and the layer that a rendering returns.

All positions are board millimetres, heights above the playing surface; angles are radians.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BoundingBox",
    "Contact",
    "FingerPose",
    "Fingers",
    "FloatArray",
    "HandAction",
    "HandLayer",
    "HandLight",
    "HandPose",
    "Handedness",
    "Lighting",
    "Projection",
    "Vector",
]

FloatArray = NDArray[np.float32]
Vector = NDArray[np.float64]


class Projection(Protocol):
    """What a camera must do for a hand: send board points to the picture."""

    def project(self, points_mm: Vector) -> Vector:
        """(n, 3) board points, height above the surface last, to (n, 2) pixels, y down."""
        ...


class Handedness(StrEnum):
    """Which hand it is."""

    LEFT = "left"
    RIGHT = "right"


class HandAction(StrEnum):
    """What the hand is doing; every action has a `progress` from 0 to 1."""

    RESTING = "resting"
    """On the board or the frame, doing nothing; progress closes it from open to fist."""
    AIMING = "aiming"
    """A finger cocked behind the striker; progress draws it back no further: the tip touches."""
    FLICKING = "flicking"
    """Progress 0 is the cocked finger at the striker, 1 the finger fully extended."""
    TAKING = "taking"
    """Pinch on a disc; progress 0 on the board, 1 lifted clear of it."""
    PLACING = "placing"
    """Pinch on a disc; progress 0 holds it, 1 has let go and risen a little."""
    POINTING = "pointing"
    """The index finger at a spot; progress lifts it."""
    REACHING = "reaching"
    """An open hand on its way over the board; progress closes the fingers towards a pinch."""
    FLAT = "flat"
    """The palm flat on the board; progress spreads the fingers."""


class FingerPose(NamedTuple):
    """Joint angles of one finger in radians; positive `spread` leans to the thumb's side.

    For the thumb `spread` opens it from the forearm's line, `mcp` drops it below the palm, and
    `pip` bends it. `ground` (0..1) bends the knuckle until the tip rests on the board.
    """

    spread: float
    mcp: float
    pip: float
    dip: float
    ground: float = 0.0


Fingers = tuple[FingerPose, FingerPose, FingerPose, FingerPose, FingerPose]
"""Thumb, index, middle, ring, little."""


class Contact(NamedTuple):
    """Which point of the hand is put at the anchor; weights that sum to 1, so that poses blend."""

    index_strike: float = 0.0
    """The front of the index finger's tip."""
    middle_strike: float = 0.0
    """The front of the middle finger's tip."""
    pinch: float = 0.0
    """The middle between thumb and index finger."""
    palm: float = 0.0
    """The palm's middle, underside."""
    index_point: float = 0.0
    """The index finger's very tip."""


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand in space. Sizes of the hand itself belong to the look: the contact stays exact."""

    action: HandAction
    handedness: Handedness
    anchor_mm: tuple[float, float, float]
    """Where the contact point is (board frame, height last)."""
    contact: Contact
    yaw_rad: float
    """Where the fingers point, seen from above (0 = +x, counter-clockwise)."""
    pitch_rad: float
    """Fingers below the wrist are positive."""
    roll_rad: float
    """The thumb's side above the little finger's is positive."""
    aim_rad: float
    """Where a strike goes; the strike contact faces this way."""
    arm_from_rad: float
    """Bearing of the elbow as seen from the wrist."""
    arm_rise_rad: float
    """How steeply the forearm climbs from the wrist."""
    elbow_rad: float
    """Change of bearing at the elbow, counter-clockwise positive."""
    fingers: Fingers
    anchor_fingers: Fingers
    """Finger angles at which the contact point is measured: a flick leaves its wrist in place."""
    thumb_hold: float = 0.0
    """0: the thumb is free; 1: its tip is opposed to the index (or striking) finger."""
    grip_mm: float = 0.0
    """Free gap between thumb and finger along the grip (a disc's diameter when it holds one)."""
    grip_rad: float = 0.0
    """Direction of the thumb from the finger: 0 to the thumb's side, positive to the wrist."""
    thumb_up_mm: float = 0.0
    """How far the opposed thumb is above the finger's tip."""
    middle_share: float = 0.0
    """0: the index finger opposes the thumb and strikes; 1: the middle finger does."""
    progress: float = 0.0


@dataclass(frozen=True, slots=True)
class HandLight:
    """One lamp, far away."""

    toward: tuple[float, float, float]
    """Direction from the board to the lamp (board frame, z up), any length."""
    strength: float = 0.7
    """Irradiance on a surface that faces it; 1 shows white as white."""
    colour_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    softness_rad: float = 0.08
    """Half the lamp's apparent width: 0.01 a bare bulb, 0.3 a window."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """Lamps and the light from everywhere. Exposure is right when their sum upward is about 1."""

    lamps: tuple[HandLight, ...] = (HandLight((0.3, 0.4, 1.0)),)
    ambient_bgr: tuple[float, float, float] = (0.35, 0.35, 0.35)


class BoundingBox(NamedTuple):
    """Pixels: left and top inside, right and bottom outside."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class HandLayer:
    """A rendered hand, cropped to `bbox` in a picture; all arrays have the box's (h, w)."""

    bgr: NDArray[np.uint8]
    """(h, w, 3) display values, not premultiplied; 0 where alpha is 0."""
    alpha: FloatArray
    """(h, w) 0..1: hand, arm and sleeve."""
    hand: FloatArray
    """(h, w) 0..1: the hand alone up to the wrist, the label for a detector."""
    shadow: FloatArray
    """(h, w) 0..1: part of the light that it takes from the board plane."""
    bbox: BoundingBox
    tips_px: Vector
    """(5, 2) finger tips in the picture, thumb first."""
    tips_mm: Vector
    """(5, 3) the same on the board, centres of the tips."""

    @property
    def empty(self) -> bool:
        """True when nothing of the hand is inside the picture."""
        return self.bbox.right <= self.bbox.left or self.bbox.bottom <= self.bbox.top
