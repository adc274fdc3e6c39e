"""Measures of a hand: joints, lengths, radii of an adult with a 188 mm hand (size 1.0).

Local frame: origin at the wrist, (side, forward, up) with side positive towards the thumb, forward
towards the fingers, up out of the back of the hand, millimetres. Lengths are near the medians of
adult hand anthropometry (Greiner 1991, men and women pooled: hand length 187, breadth 85);
individuals differ by the look's `size`, `breadth` and `finger_length`.
"""

from __future__ import annotations

import numpy as np

from sim.camera.hands_types import Vector

__all__ = [
    "CARPAL_SIDE",
    "FINGER_LENGTHS",
    "FINGER_RADII",
    "FOREARM_MM",
    "KNUCKLES",
    "PALM_UNDERSIDE",
    "THUMB_BASE",
    "THUMB_LENGTHS",
    "THUMB_RADII",
]

KNUCKLES: Vector = np.array(
    [[25.0, 87.0, 1.0], [4.5, 91.0, 3.5], [-15.0, 85.5, 1.5], [-32.0, 75.0, -3.5]]
)
"""(4, 3) metacarpal heads, index to little."""
CARPAL_SIDE: Vector = np.array([13.0, 4.0, -6.0, -15.0])
"""(4,) side offset of each metacarpal's base."""
FINGER_LENGTHS: Vector = np.array(
    [[45.0, 27.0, 18.0], [50.0, 31.0, 19.0], [46.0, 29.0, 19.0], [36.0, 21.0, 16.0]]
)
"""(4, 3) phalanges; the last ends at the centre of the tip's sphere."""
FINGER_RADII: Vector = np.array(
    [[10.6, 9.3, 7.9, 6.9], [10.8, 9.5, 8.1, 7.1], [10.3, 8.9, 7.6, 6.6], [9.0, 7.7, 6.7, 5.8]]
)
"""(4, 4) at the knuckle, the middle joint, the end joint, the tip."""
THUMB_BASE: Vector = np.array([21.0, 23.0, -12.0])
THUMB_LENGTHS: Vector = np.array([46.0, 33.0, 23.0])
THUMB_RADII: Vector = np.array([15.0, 11.6, 10.2, 8.2])
PALM_UNDERSIDE: Vector = np.array([-3.0, 55.0, -14.0])
FOREARM_MM = 255.0
"""Wrist to elbow."""
