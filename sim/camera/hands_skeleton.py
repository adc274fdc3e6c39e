"""From a pose and a look to joints in board millimetres, the contact point at its anchor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sim.camera.hands_anatomy import (
    FINGER_LENGTHS,
    FINGER_RADII,
    FOREARM_MM,
    KNUCKLES,
    PALM_UNDERSIDE,
    THUMB_BASE,
    THUMB_LENGTHS,
    THUMB_RADII,
)
from sim.camera.hands_look import HandLook
from sim.camera.hands_types import FingerPose, Fingers, Handedness, HandPose, Vector

__all__ = ["Arm", "Skeleton", "build_skeleton"]

_FOREARM_KNOTS = np.array([0.0, 0.1, 0.35, 0.7, 0.87, 1.0])
"""Stations from wrist to elbow as parts of the forearm."""
_UPPER_ARM_MM = np.array([50.0, 110.0, 200.0, 330.0, 450.0, 620.0, 800.0, 1000.0])
"""Stations beyond the elbow."""
_SHOULDER_HIGH_MM = 260.0
"""Above the board; beyond the shoulder the arm stands for the body and stays level."""


@dataclass(frozen=True, slots=True)
class Arm:
    """Forearm and upper arm as a line of stations from the wrist outwards."""

    points_mm: Vector
    """(n, 3) middle of the arm."""
    radii_mm: Vector
    """(n,) radius of each of the two tubes that make the arm's oval."""
    offsets_mm: Vector
    """(n,) how far each tube lies beside the middle."""
    lateral: Vector
    """(3,) unit vector across the arm, level."""
    along_mm: Vector
    """(n,) distance from the wrist."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Everything that is drawn, in the board frame."""

    wrist_mm: Vector
    """(3,)"""
    basis: Vector
    """(3, 3) columns: side (to the thumb), forward, up."""
    joints_mm: Vector
    """(5, 4, 3) thumb first: base, knuckle, joint, tip centre."""
    radii_mm: Vector
    """(5, 4)"""
    dorsal: Vector
    """(5, 3, 3) unit vector out of the back of each phalanx."""
    arm: Arm
    size: float

    def at(self, local_mm: Vector) -> Vector:
        """Points of the palm's local frame at size 1, (..., 3), in board millimetres."""
        placed: Vector = self.wrist_mm + (np.asarray(local_mm) * self.size) @ self.basis.T
        return placed


@dataclass(frozen=True, slots=True)
class _Hand:
    """The hand relative to its wrist, turned into the board frame."""

    joints: Vector
    dorsal: Vector


def build_skeleton(pose: HandPose, look: HandLook) -> Skeleton:
    """Joints of `pose` for a hand of this look's size; the contact meets the anchor exactly."""
    basis = _basis(pose)
    radii = _radii(look)
    reference = _fingers(pose.anchor_fingers, pose, look, basis)
    wrist = np.array(pose.anchor_mm) - _contact(reference, pose, look, basis, radii)
    fingers = _grounded(pose.fingers, look, basis, float(wrist[2]), radii)
    hand = _fingers(fingers, pose, look, basis)
    hand = _opposed(hand, pose, look, basis, radii)
    joints = hand.joints + wrist
    joints[..., 2] = np.maximum(joints[..., 2], 0.92 * radii)
    arm = _arm(pose, look, wrist)
    return Skeleton(wrist, basis, joints, radii, hand.dorsal, arm, look.size)


def _basis(pose: HandPose) -> Vector:
    forward = np.array([math.cos(pose.yaw_rad), math.sin(pose.yaw_rad), 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    side = left if pose.handedness is Handedness.RIGHT else -left
    up = np.array([0.0, 0.0, 1.0])
    cos, sin = math.cos(pose.roll_rad), math.sin(pose.roll_rad)
    side, up = side * cos + up * sin, up * cos - side * sin
    cos, sin = math.cos(pose.pitch_rad), math.sin(pose.pitch_rad)
    forward, up = forward * cos - up * sin, up * cos + forward * sin
    return np.stack([side, forward, up], axis=1)


def _radii(look: HandLook) -> Vector:
    radii = np.vstack([THUMB_RADII[None], FINGER_RADII]) * (look.size * look.breadth)
    return np.asarray(radii, dtype=np.float64)


def _lengths(look: HandLook, finger: int) -> Vector:
    table = THUMB_LENGTHS if finger == 0 else FINGER_LENGTHS[finger - 1]
    return np.asarray(table * (look.size * look.finger_length), dtype=np.float64)


def _fingers(fingers: Fingers, pose: HandPose, look: HandLook, basis: Vector) -> _Hand:
    """Forward kinematics of the four fingers and the free thumb, wrist at the origin."""
    joints = np.zeros((5, 4, 3))
    dorsal = np.zeros((5, 3, 3))
    for i in range(1, 5):
        joints[i], dorsal[i] = _finger_chain(fingers[i], KNUCKLES[i - 1] * look.size, look, i)
    thumb = fingers[0]
    lengths = _lengths(look, 0)
    reach = _chain_reach(lengths, thumb.pip)
    cos = math.cos(thumb.mcp)
    direction = np.array(
        [math.sin(thumb.spread) * cos, math.cos(thumb.spread) * cos, -math.sin(thumb.mcp)]
    )
    base = THUMB_BASE * look.size
    joints[0], dorsal[0] = _thumb_chain(base, base + reach * direction, lengths)
    return _Hand(joints @ basis.T, dorsal @ basis.T)


def _finger_chain(
    finger: FingerPose, start: Vector, look: HandLook, index: int
) -> tuple[Vector, Vector]:
    lengths = _lengths(look, index)
    level = np.array([math.sin(finger.spread), math.cos(finger.spread), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    points, normals, bend = [start], [], 0.0
    for length, angle in zip(lengths, (finger.mcp, finger.pip, finger.dip), strict=True):
        bend += angle
        points.append(points[-1] + length * (level * math.cos(bend) - up * math.sin(bend)))
        normals.append(up * math.cos(bend) + level * math.sin(bend))
    return np.array(points), np.array(normals)


def _chain_reach(lengths: Vector, bend: float) -> float:
    """Base to tip of the thumb when its middle joint bends by `bend` and its end by 1.2 times."""
    x = lengths[0] + lengths[1] * math.cos(bend) + lengths[2] * math.cos(2.2 * bend)
    y = lengths[1] * math.sin(bend) + lengths[2] * math.sin(2.2 * bend)
    return math.hypot(x, y)


def _thumb_chain(base: Vector, target: Vector, lengths: Vector) -> tuple[Vector, Vector]:
    """A bent thumb from base to target: bends until the length fits, bulges outwards."""
    line = target - base
    distance = float(np.linalg.norm(line))
    low, high = 0.0, 1.25
    for _ in range(18):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _chain_reach(lengths, middle) > distance else (low, middle)
    bend = 0.5 * (low + high)
    along = line / max(distance, 1e-6)
    outward = np.array([0.75, -0.1, 0.66])
    outward = outward - along * float(outward @ along)
    outward /= max(float(np.linalg.norm(outward)), 1e-6)
    y = lengths[1] * math.sin(bend) + lengths[2] * math.sin(2.2 * bend)
    x = lengths[0] + lengths[1] * math.cos(bend) + lengths[2] * math.cos(2.2 * bend)
    tilt = math.atan2(y, x)
    points, normals = [base], []
    for length, angle in zip(lengths, (tilt, tilt - bend, tilt - 2.2 * bend), strict=True):
        points.append(points[-1] + length * (along * math.cos(angle) + outward * math.sin(angle)))
        normals.append(outward * math.cos(angle) - along * math.sin(angle))
    return np.array(points), np.array(normals)


def _grip_direction(pose: HandPose, basis: Vector) -> Vector:
    """Level unit vector from the gripping finger to the thumb."""
    forward = np.array([math.cos(pose.yaw_rad), math.sin(pose.yaw_rad), 0.0])
    side = basis[:, 0] * np.array([1.0, 1.0, 0.0])
    side = side - forward * float(side @ forward)
    side /= max(float(np.linalg.norm(side)), 1e-6)
    return np.asarray(side * math.cos(pose.grip_rad) - forward * math.sin(pose.grip_rad))


def _striking_tip(hand: _Hand, pose: HandPose) -> Vector:
    share = pose.middle_share
    return np.asarray((1 - share) * hand.joints[1, 3] + share * hand.joints[2, 3])


def _opposed(hand: _Hand, pose: HandPose, look: HandLook, basis: Vector, radii: Vector) -> _Hand:
    """The thumb brought to its finger by `thumb_hold`."""
    finger_radius = float(radii[1, 3] * (1 - pose.middle_share) + radii[2, 3] * pose.middle_share)
    gap = pose.grip_mm + finger_radius + float(radii[0, 3])
    opposite = _striking_tip(hand, pose) + gap * _grip_direction(pose, basis)
    opposite = opposite + np.array([0.0, 0.0, pose.thumb_up_mm * look.size])
    target = (1 - pose.thumb_hold) * hand.joints[0, 3] + pose.thumb_hold * opposite
    local_target = target @ basis
    points, normals = _thumb_chain(THUMB_BASE * look.size, local_target, _lengths(look, 0))
    joints, dorsal = hand.joints.copy(), hand.dorsal.copy()
    joints[0], dorsal[0] = points @ basis.T, normals @ basis.T
    return _Hand(joints, dorsal)


def _contact(hand: _Hand, pose: HandPose, look: HandLook, basis: Vector, radii: Vector) -> Vector:
    """The contact point relative to the wrist, board frame."""
    aim = np.array([math.cos(pose.aim_rad), math.sin(pose.aim_rad), 0.0])
    index, middle = hand.joints[1, 3], hand.joints[2, 3]
    pointing = index - hand.joints[1, 2]
    pointing /= max(float(np.linalg.norm(pointing)), 1e-6)
    finger_radius = float(radii[1, 3] * (1 - pose.middle_share) + radii[2, 3] * pose.middle_share)
    grip = 0.5 * pose.grip_mm + finger_radius
    points = (
        index + radii[1, 3] * aim,
        middle + radii[2, 3] * aim,
        _striking_tip(hand, pose) + grip * _grip_direction(pose, basis),
        basis @ (PALM_UNDERSIDE * look.size),
        index + radii[1, 3] * pointing,
    )
    weighted = [w * p for w, p in zip(pose.contact, points, strict=True)]
    return np.asarray(np.sum(weighted, axis=0), dtype=np.float64)


def _grounded(
    fingers: Fingers, look: HandLook, basis: Vector, wrist_z_mm: float, radii: Vector
) -> Fingers:
    """Knuckles bent until the tips of fingers with `ground` rest on the board."""
    done = [fingers[0]]
    for i in range(1, 5):
        finger = fingers[i]
        if finger.ground <= 0:
            done.append(finger)
            continue
        start = wrist_z_mm + float(basis[2] @ (KNUCKLES[i - 1] * look.size))
        level = float(math.cos(finger.spread) * basis[2, 1] + math.sin(finger.spread) * basis[2, 0])
        knuckle = _knuckle_to_board(
            finger, _lengths(look, i), float(radii[i, 3]) - start, level, float(basis[2, 2])
        )
        bent = finger.mcp + finger.ground * (knuckle - finger.mcp)
        done.append(finger._replace(mcp=bent))
    return done[0], done[1], done[2], done[3], done[4]


def _knuckle_to_board(
    finger: FingerPose, lengths: Vector, drop_mm: float, level: float, upright: float
) -> float:
    """Knuckle angle at which the tip is `drop_mm` (negative) from the knuckle's height.

    With the finger's own bends fixed, the height is R cos(angle + phase): solved, not searched, so
    that it never jumps between frames. A tip that cannot reach points down as far as it goes.
    """
    bends = (0.0, finger.pip, finger.pip + finger.dip)
    ahead = sum(n * math.cos(b) for n, b in zip(lengths, bends, strict=True))
    below = sum(n * math.sin(b) for n, b in zip(lengths, bends, strict=True))
    even, odd = level * ahead - upright * below, level * below + upright * ahead
    share = drop_mm / max(math.hypot(even, odd), 1e-6)
    angle = math.acos(min(max(share, -1.0), 1.0)) - math.atan2(odd, even)
    return min(max(angle, -0.45), 1.5)


def _arm(pose: HandPose, look: HandLook, wrist: Vector) -> Arm:
    """Stations every few centimetres from the wrist over the elbow to the shoulder and beyond."""
    elbow = FOREARM_MM * look.size
    along = np.concatenate([elbow * _FOREARM_KNOTS, elbow + _UPPER_ARM_MM])
    bearing = pose.arm_from_rad + pose.elbow_rad * np.clip((along - elbow + 50) / 130.0, 0, 1)
    climb = max(_SHOULDER_HIGH_MM - elbow * math.sin(pose.arm_rise_rad) - float(wrist[2]), 0.0)
    upper = math.atan2(climb, 330.0)
    turns = elbow + np.array([-70.0, 80.0, 330.0, 450.0])
    rise = np.interp(along, turns, [pose.arm_rise_rad, upper, upper, 0.0])
    direction = np.stack(
        [np.cos(bearing) * np.cos(rise), np.sin(bearing) * np.cos(rise), np.sin(rise)], axis=1
    )
    steps = np.diff(along, prepend=0.0)[:, None] * direction
    points = wrist + np.cumsum(steps, axis=0)
    share = np.append(_FOREARM_KNOTS, [1.6, 3.0])
    thick = np.interp(along / elbow, share, [18.0, 19.0, 25.0, 33.0, 36.0, 37.0, 40.0, 50.0])
    wide = np.interp(along / elbow, share, [10.5, 10.5, 12.0, 13.0, 12.5, 12.0, 8.0, 8.0])
    lateral = np.array([-math.sin(pose.arm_from_rad), math.cos(pose.arm_from_rad), 0.0])
    scale = look.size * look.breadth
    return Arm(points, thick * scale, wide * scale, lateral, along)
