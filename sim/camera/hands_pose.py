"""Gestures of carrom players: sampled poses, and what lies between two of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from carrom.seats import Seat
from sim.camera.hands_types import (
    Contact,
    FingerPose,
    Fingers,
    HandAction,
    Handedness,
    HandPose,
)

__all__ = ["STRIKER_RADIUS_MM", "blend", "sample_pose", "seat_bearing", "with_progress"]

STRIKER_RADIUS_MM = 20.65
"""ICF law: a striker is at most 41.3 mm across."""
MAN_RADIUS_MM = 15.9
"""ICF law: a man is 30.2 to 31.8 mm across."""

_SHOULDER_OUT_MM = 680.0
"""Board's centre to the line of a seated player's shoulders."""
_SHOULDER_BESIDE_MM = 150.0

_BEARINGS = {
    Seat.SOUTH: -math.pi / 2,
    Seat.WEST: math.pi,
    Seat.NORTH: math.pi / 2,
    Seat.EAST: 0.0,
}

_RELAXED: Fingers = (
    FingerPose(0.72, 0.30, 0.30, 0.3),
    FingerPose(0.12, 0.30, 0.40, 0.15, 1.0),
    FingerPose(0.02, 0.32, 0.45, 0.20, 1.0),
    FingerPose(-0.10, 0.36, 0.50, 0.22, 1.0),
    FingerPose(-0.24, 0.36, 0.45, 0.22, 1.0),
)
_FIST: Fingers = (
    FingerPose(0.38, 0.55, 0.75, 0.6),
    FingerPose(0.05, 1.05, 1.55, 0.75),
    FingerPose(0.00, 1.15, 1.60, 0.80),
    FingerPose(-0.04, 1.20, 1.60, 0.80),
    FingerPose(-0.10, 1.20, 1.50, 0.75),
)
_FLAT: Fingers = (
    FingerPose(0.70, 0.12, 0.12, 0.1),
    FingerPose(0.06, 0.05, 0.10, 0.06, 1.0),
    FingerPose(0.00, 0.05, 0.10, 0.06, 1.0),
    FingerPose(-0.06, 0.05, 0.12, 0.06, 1.0),
    FingerPose(-0.14, 0.05, 0.12, 0.06, 1.0),
)
_FLAT_WIDE: Fingers = (
    FingerPose(1.02, 0.10, 0.08, 0.1),
    FingerPose(0.24, 0.05, 0.06, 0.04, 1.0),
    FingerPose(0.04, 0.05, 0.06, 0.04, 1.0),
    FingerPose(-0.18, 0.05, 0.08, 0.04, 1.0),
    FingerPose(-0.42, 0.05, 0.08, 0.04, 1.0),
)
_COCKED_INDEX: Fingers = (
    FingerPose(0.60, 0.50, 0.45, 0.4),
    FingerPose(0.14, 0.62, 1.12, 0.28),
    FingerPose(-0.02, 0.45, 0.45, 0.20, 1.0),
    FingerPose(-0.16, 0.50, 0.50, 0.25, 1.0),
    FingerPose(-0.36, 0.50, 0.45, 0.25, 1.0),
)
_COCKED_MIDDLE: Fingers = (
    FingerPose(0.60, 0.50, 0.45, 0.4),
    FingerPose(0.26, 0.25, 0.35, 0.15, 0.5),
    FingerPose(0.04, 0.66, 1.16, 0.28),
    FingerPose(-0.14, 0.45, 0.50, 0.25, 1.0),
    FingerPose(-0.34, 0.50, 0.45, 0.25, 1.0),
)
_STRAIGHT = FingerPose(0.08, 0.22, 0.12, 0.06)
_POINT: Fingers = (
    FingerPose(0.45, 0.45, 0.6, 0.5),
    FingerPose(0.04, 0.28, 0.14, 0.06),
    FingerPose(0.00, 1.00, 1.45, 0.70),
    FingerPose(-0.05, 1.10, 1.50, 0.70),
    FingerPose(-0.12, 1.10, 1.45, 0.70),
)
_PINCH: Fingers = (
    FingerPose(0.62, 0.55, 0.35, 0.3),
    FingerPose(0.08, 0.52, 0.66, 0.28),
    FingerPose(-0.03, 0.50, 0.66, 0.32),
    FingerPose(-0.13, 0.56, 0.80, 0.40),
    FingerPose(-0.28, 0.52, 0.75, 0.40),
)


def seat_bearing(seat: Seat) -> float:
    """Where a seat's player sits, as a bearing from the board's centre in radians."""
    return _BEARINGS[seat]


def sample_pose(
    rng: np.random.Generator,
    seat: Seat,
    action: HandAction,
    target_mm: tuple[float, float] | tuple[float, float, float],
    *,
    aim_rad: float | None = None,
    disc_radius_mm: float | None = None,
    progress: float | None = None,
    handedness: Handedness | None = None,
) -> HandPose:
    """A hand of the player at `seat` doing `action` at `target_mm`.

    The target is the striker's centre for aims and flicks, the disc's centre for taking and
    placing, the spot pointed at, or where the palm lies. `aim_rad` is where the stroke goes (by
    default across the board within 35° of straight ahead). A third coordinate lifts the target.
    """
    hand = handedness or (Handedness.RIGHT if rng.random() < 0.85 else Handedness.LEFT)
    done = float(rng.uniform()) if progress is None else progress
    height = float(target_mm[2]) if len(target_mm) == 3 else 0.0
    x_mm, y_mm = float(target_mm[0]), float(target_mm[1])
    ahead = _BEARINGS[seat] + math.pi
    aim = ahead + float(rng.uniform(-0.6, 0.6)) if aim_rad is None else aim_rad
    strikes = action in (HandAction.AIMING, HandAction.FLICKING)
    radius = disc_radius_mm or (STRIKER_RADIUS_MM if strikes else MAN_RADIUS_MM)
    inward = 1.0 if hand is Handedness.RIGHT else -1.0
    bearing = _shoulder_bearing(seat, hand, x_mm, y_mm) + float(rng.normal(0, 0.1))
    base = HandPose(
        action=action,
        handedness=hand,
        anchor_mm=(x_mm, y_mm, height),
        contact=Contact(palm=1.0),
        yaw_rad=bearing + math.pi + inward * float(rng.normal(0.12, 0.18)),
        pitch_rad=0.0,
        roll_rad=float(rng.normal(0.05, 0.06)),
        aim_rad=aim,
        arm_from_rad=bearing + inward * float(rng.uniform(-0.05, 0.45)),
        arm_rise_rad=float(rng.uniform(0.1, 0.26)),
        elbow_rad=inward * float(rng.uniform(-0.9, 0.1)),
        fingers=_RELAXED,
        anchor_fingers=_RELAXED,
        progress=done,
    )
    return _jittered(rng, _GESTURES[action](rng, base, radius))


def _shoulder_bearing(seat: Seat, hand: Handedness, x_mm: float, y_mm: float) -> float:
    """Direction from a point of the board to the player's shoulder."""
    out = _BEARINGS[seat]
    beside = _SHOULDER_BESIDE_MM if hand is Handedness.RIGHT else -_SHOULDER_BESIDE_MM
    shoulder_x = _SHOULDER_OUT_MM * math.cos(out) - beside * math.sin(out)
    shoulder_y = _SHOULDER_OUT_MM * math.sin(out) + beside * math.cos(out)
    return math.atan2(shoulder_y - y_mm, shoulder_x - x_mm)


def with_progress(pose: HandPose, progress: float) -> HandPose:
    """The same flick, taking or placing at another moment. Other actions only note the number.

    Raises ``ValueError`` outside 0..1.
    """
    if not 0.0 <= progress <= 1.0:
        raise ValueError(f"progress must be in 0..1, got {progress}")
    if pose.action is HandAction.FLICKING:
        return _flicked(replace(pose, progress=progress))
    if pose.action in (HandAction.TAKING, HandAction.PLACING):
        was, now = _pinch_state(pose), _pinch_state(replace(pose, progress=progress))
        x, y, z = pose.anchor_mm
        return replace(
            pose,
            anchor_mm=(x, y, z + now[0] - was[0]),
            grip_mm=pose.grip_mm + now[1] - was[1],
            progress=progress,
        )
    return replace(pose, progress=progress)


def blend(pose_a: HandPose, pose_b: HandPose, t: float) -> HandPose:
    """The pose between two of the same hand, `t` from 0 (a) to 1 (b); angles the short way round.

    Raises ``ValueError`` for a left and a right hand.
    """
    if pose_a.handedness is not pose_b.handedness:
        raise ValueError("a left hand never becomes a right one")

    def line(a: float, b: float) -> float:
        return a + (b - a) * t

    def turn(a: float, b: float) -> float:
        return a + (math.remainder(b - a, math.tau)) * t

    x, y, z = (line(a, b) for a, b in zip(pose_a.anchor_mm, pose_b.anchor_mm, strict=True))
    turned = {
        name: turn(getattr(pose_a, name), getattr(pose_b, name))
        for name in ("yaw_rad", "pitch_rad", "roll_rad", "aim_rad", "arm_from_rad", "grip_rad")
    }
    plain = {
        name: line(getattr(pose_a, name), getattr(pose_b, name))
        for name in (
            "arm_rise_rad", "elbow_rad", "thumb_hold", "grip_mm", "thumb_up_mm", "middle_share",
            "progress",
        )
    }  # fmt: skip
    return HandPose(
        action=pose_a.action if t < 0.5 else pose_b.action,
        handedness=pose_a.handedness,
        anchor_mm=(x, y, z),
        contact=Contact(*(line(a, b) for a, b in zip(pose_a.contact, pose_b.contact, strict=True))),
        fingers=_between(pose_a.fingers, pose_b.fingers, t),
        anchor_fingers=_between(pose_a.anchor_fingers, pose_b.anchor_fingers, t),
        **turned,
        **plain,
    )


def _between(a: Fingers, b: Fingers, t: float) -> Fingers:
    done = [
        FingerPose(*(p + (q - p) * t for p, q in zip(one, two, strict=True)))
        for one, two in zip(a, b, strict=True)
    ]
    return done[0], done[1], done[2], done[3], done[4]


def _jittered(rng: np.random.Generator, pose: HandPose) -> HandPose:
    """Nobody holds a hand twice the same way; flicks share their shift with their anchor."""
    shifts = rng.normal(0, 1, (5, 4)) * np.array([0.05, 0.06, 0.08, 0.05])

    def moved(fingers: Fingers) -> Fingers:
        done = [
            FingerPose(f[0] + d[0], f[1] + d[1], f[2] + d[2], max(f[3] + d[3], 0.0), f[4])
            for f, d in zip(fingers, shifts, strict=True)
        ]
        return done[0], done[1], done[2], done[3], done[4]

    return replace(pose, fingers=moved(pose.fingers), anchor_fingers=moved(pose.anchor_fingers))


def _resting(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    fist = max(0.0, (base.progress - 0.45) / 0.55)
    fingers = _between(_RELAXED, _FIST, fist)
    x, y, z = base.anchor_mm
    return replace(
        base,
        anchor_mm=(x, y, z + 8.0 + 10.0 * fist),
        pitch_rad=0.05 + float(rng.normal(0, 0.05)),
        fingers=fingers,
        anchor_fingers=fingers,
    )


def _flat(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    fingers = _between(_FLAT, _FLAT_WIDE, base.progress)
    x, y, z = base.anchor_mm
    return replace(
        base,
        anchor_mm=(x, y, z + 1.5),
        roll_rad=float(rng.normal(0, 0.03)),
        fingers=fingers,
        anchor_fingers=fingers,
    )


def _aiming(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    with_middle = bool(rng.random() < 0.4)
    inward = 1.0 if base.handedness is Handedness.RIGHT else -1.0
    cocked = _cocked(rng, with_middle)
    on_its_side = float(rng.random() < 0.4)
    x, y, z = base.anchor_mm
    aim = base.aim_rad
    ahead = base.arm_from_rad + math.pi
    turned = math.remainder(aim - ahead, math.tau)
    yaw = ahead + min(max(0.75 * turned, -0.75), 0.75) + inward * float(rng.normal(0.1, 0.08))
    return replace(
        base,
        anchor_mm=(
            x - radius_mm * math.cos(aim), y - radius_mm * math.sin(aim), z + 7.5,
        ),
        contact=Contact(middle_strike=1.0) if with_middle else Contact(index_strike=1.0),
        yaw_rad=yaw,
        pitch_rad=-0.22 + float(rng.normal(0, 0.05)),
        roll_rad=0.3 + 0.45 * on_its_side + float(rng.normal(0, 0.1)),
        fingers=cocked,
        anchor_fingers=cocked,
        thumb_hold=1.0,
        grip_rad=float(rng.uniform(0.45, 0.95)),
        thumb_up_mm=float(rng.uniform(4, 9)),
        middle_share=float(with_middle),
    )  # fmt: skip


def _cocked(rng: np.random.Generator, with_middle: bool) -> Fingers:
    """The striking finger drawn back; the idle ones stretched on the board or curled in."""
    fingers = list(_COCKED_MIDDLE if with_middle else _COCKED_INDEX)
    curled = float(rng.uniform(0.35, 1.0)) if rng.random() < 0.35 else 0.0
    for i in range(3 if with_middle else 2, 5):
        fingers[i] = FingerPose(
            *(a + (b - a) * curled for a, b in zip(fingers[i], _FIST[i], strict=True))
        )
    return fingers[0], fingers[1], fingers[2], fingers[3], fingers[4]


def _flicking(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    return _flicked(_aiming(rng, base, radius_mm))


def _flicked(pose: HandPose) -> HandPose:
    """The striking finger between cocked and straight, the thumb letting go first."""
    share = pose.progress
    striking = 2 if pose.middle_share > 0.5 else 1
    cocked = pose.anchor_fingers[striking]
    straight = _STRAIGHT._replace(spread=cocked.spread)
    fingers = list(pose.anchor_fingers)
    fingers[striking] = FingerPose(
        *(a + (b - a) * share for a, b in zip(cocked, straight, strict=True))
    )
    ease = min(share / 0.35, 1.0)
    return replace(
        pose,
        fingers=(fingers[0], fingers[1], fingers[2], fingers[3], fingers[4]),
        thumb_hold=1.0 - ease * ease * (3 - 2 * ease),
    )


def _pinch_state(pose: HandPose) -> tuple[float, float]:
    """Lift and opening in millimetres."""
    share = pose.progress
    if pose.action is HandAction.TAKING:
        return 60.0 * share * share, 0.0
    return 22.0 * share * share, 26.0 * min(2 * share, 1.0)


def _pinching(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    lift, opening = _pinch_state(base)
    x, y, z = base.anchor_mm
    return replace(
        base,
        anchor_mm=(x, y, z + 7.5 + lift),
        contact=Contact(pinch=1.0),
        pitch_rad=float(rng.uniform(0.0, 0.28)),
        roll_rad=float(rng.uniform(-0.12, 0.22)),
        arm_rise_rad=float(rng.uniform(0.12, 0.4)),
        fingers=_PINCH,
        anchor_fingers=_PINCH,
        thumb_hold=1.0,
        grip_mm=2 * radius_mm + opening,
        grip_rad=float(rng.uniform(0.55, 1.0)),
    )


def _pointing(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    x, y, z = base.anchor_mm
    return replace(
        base,
        anchor_mm=(x, y, z + 3.0 + 50.0 * base.progress),
        contact=Contact(index_point=1.0),
        pitch_rad=float(rng.uniform(0.0, 0.3)),
        roll_rad=float(rng.uniform(0.0, 0.5)),
        fingers=_POINT,
        anchor_fingers=_POINT,
    )


def _reaching(rng: np.random.Generator, base: HandPose, radius_mm: float) -> HandPose:
    aloft: Fingers = tuple(f._replace(ground=0.0) for f in _RELAXED)  # type: ignore[assignment]
    fingers = _between(aloft, _PINCH, base.progress)
    x, y, z = base.anchor_mm
    return replace(
        base,
        anchor_mm=(x, y, z + float(rng.uniform(35, 110))),
        pitch_rad=float(rng.uniform(-0.1, 0.35)),
        roll_rad=float(rng.uniform(0.0, 0.5)),
        fingers=fingers,
        anchor_fingers=fingers,
    )


_Gesture = Callable[[np.random.Generator, HandPose, float], HandPose]
_GESTURES: dict[HandAction, _Gesture] = {
    HandAction.RESTING: _resting,
    HandAction.AIMING: _aiming,
    HandAction.FLICKING: _flicking,
    HandAction.TAKING: _pinching,
    HandAction.PLACING: _pinching,
    HandAction.POINTING: _pointing,
    HandAction.REACHING: _reaching,
    HandAction.FLAT: _flat,
}
