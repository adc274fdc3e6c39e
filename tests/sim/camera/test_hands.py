"""Hands touch what they should, repeat bit for bit, move smoothly and stay inside their mask."""

from __future__ import annotations

import math
from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest

from carrom.seats import Seat
from sim.camera.hands import (
    HandAction,
    Handedness,
    HandLayer,
    HandLight,
    HandLook,
    HandPose,
    Lighting,
    blend,
    build_skeleton,
    composite,
    occludes,
    render_hand,
    sample_look,
    sample_pose,
    seat_bearing,
    with_progress,
)
from sim.camera.hands_pose import MAN_RADIUS_MM, STRIKER_RADIUS_MM
from sim.camera.hands_types import Vector

SIZE = (640, 480)
TARGET = (40.0, -60.0)


class PinholeCamera:
    """Looks down at the board's middle from `height_mm`, leaning `tilt_rad` to the south."""

    def __init__(
        self,
        size: tuple[int, int] = SIZE,
        height_mm: float = 1300.0,
        tilt_rad: float = 0.25,
        focal: float = 1.3,
    ) -> None:
        sin, cos = math.sin(tilt_rad), math.cos(tilt_rad)
        self.size = size
        self.focal_px = focal * size[1]
        self.place = height_mm * np.array([0.0, -sin, cos])
        self.axes = np.array([[1.0, 0.0, 0.0], [0.0, -cos, -sin], [0.0, sin, -cos]])

    def project(self, points_mm: Vector) -> Vector:
        seen = (np.asarray(points_mm) - self.place) @ self.axes.T
        middle = np.array(self.size) / 2
        projected: Vector = middle + self.focal_px * seen[:, :2] / seen[:, 2:]
        return projected


CAMERA = PinholeCamera()


def sampled(seed: int, action: HandAction, seat: Seat = Seat.SOUTH) -> tuple[HandLook, HandPose]:
    rng = np.random.default_rng(seed)
    return sample_look(rng), sample_pose(rng, seat, action, TARGET)


def rendered(seed: int, action: HandAction, seat: Seat = Seat.SOUTH) -> HandLayer:
    look, pose = sampled(seed, action, seat)
    return render_hand(look, pose, CAMERA, SIZE)


def inside_alpha(layer: HandLayer, point_px: Vector) -> float:
    x, y = (int(v) for v in np.floor(point_px))
    return float(layer.alpha[y - layer.bbox.top, x - layer.bbox.left])


@pytest.mark.parametrize("action", list(HandAction))
@pytest.mark.parametrize("seat", list(Seat))
def test_every_action_renders_from_every_seat(action: HandAction, seat: Seat) -> None:
    layer = rendered(3, action, seat)
    assert layer.alpha.max() > 0.99
    assert layer.hand.sum() > 200
    assert layer.shadow.max() > 0.05
    assert 0 <= layer.bbox.left < layer.bbox.right <= SIZE[0]
    assert 0 <= layer.bbox.top < layer.bbox.bottom <= SIZE[1]
    assert layer.bgr.shape == (*layer.alpha.shape, 3)
    assert layer.alpha.shape == layer.hand.shape == layer.shadow.shape


@pytest.mark.parametrize("seat", list(Seat))
def test_the_arm_comes_from_its_seat(seat: Seat) -> None:
    """The arm leaves the board on the player's side: its far end is nearest to that side."""
    look, pose = sampled(8, HandAction.REACHING, seat)
    arm = build_skeleton(pose, look).arm.points_mm
    outward = np.array([math.cos(seat_bearing(seat)), math.sin(seat_bearing(seat))])
    assert float((arm[-1, :2] - arm[0, :2]) @ outward) > 500


@pytest.mark.parametrize("action", list(HandAction))
@pytest.mark.parametrize("seed", range(4))
def test_the_mask_covers_every_finger_tip(action: HandAction, seed: int) -> None:
    layer = rendered(seed, action)
    for tip in layer.tips_px:
        assert inside_alpha(layer, tip) > 0.9


@pytest.mark.parametrize("action", list(HandAction))
def test_the_same_look_and_pose_give_the_same_pixels(action: HandAction) -> None:
    first, second = rendered(11, action), rendered(11, action)
    assert first.bbox == second.bbox
    for name in ("bgr", "alpha", "hand", "shadow", "tips_px"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_other_seeds_give_other_hands() -> None:
    looks = {sampled(seed, HandAction.FLAT)[0] for seed in range(30)}
    assert len(looks) == 30
    assert any(look.sleeve is None for look in looks)
    assert any(look.sleeve is not None for look in looks)
    assert any(look.watch is not None for look in looks)
    assert any(look.bands for look in looks)
    assert min(look.size for look in looks) < 0.8 < 1.0 < max(look.size for look in looks)


@pytest.mark.parametrize("seed", range(12))
def test_the_aiming_finger_is_at_the_strikers_edge(seed: int) -> None:
    """Its front lies on the edge opposite to the stroke within 3 mm, for every size of hand."""
    look, pose = sampled(seed, HandAction.AIMING, list(Seat)[seed % 4])
    skeleton = build_skeleton(pose, look)
    finger = 2 if pose.middle_share > 0.5 else 1
    aim = np.array([math.cos(pose.aim_rad), math.sin(pose.aim_rad)])
    front = skeleton.joints_mm[finger, 3, :2] + skeleton.radii_mm[finger, 3] * aim
    edge = np.array(TARGET) - STRIKER_RADIUS_MM * aim
    assert float(np.hypot(*(front - edge))) < 3.0
    height = float(skeleton.joints_mm[finger, 3, 2] - skeleton.radii_mm[finger, 3])
    assert -1.0 < height < 9.0


@pytest.mark.parametrize("action", [HandAction.TAKING, HandAction.PLACING])
@pytest.mark.parametrize("seed", range(12))
def test_a_pinch_touches_the_disc_on_two_sides(action: HandAction, seed: int) -> None:
    rng = np.random.default_rng(seed)
    look = sample_look(rng)
    pose = sample_pose(rng, Seat.EAST, action, TARGET, progress=0.0)
    skeleton = build_skeleton(pose, look)
    for finger in (0, 1):
        tip, radius = skeleton.joints_mm[finger, 3], float(skeleton.radii_mm[finger, 3])
        gap = float(np.hypot(*(tip[:2] - np.array(TARGET)))) - radius - MAN_RADIUS_MM
        assert abs(gap) < 6.0 if finger == 0 else abs(gap) < 0.5
    thumb, index = skeleton.joints_mm[:2, 3, :2] - np.array(TARGET)
    assert float(thumb @ index) < 0


def test_a_flick_moves_the_finger_and_leaves_the_wrist() -> None:
    look, pose = sampled(5, HandAction.FLICKING)
    moments = [build_skeleton(with_progress(pose, t), look) for t in (0.0, 0.5, 1.0)]
    finger = 2 if pose.middle_share > 0.5 else 1
    aim = np.array([math.cos(pose.aim_rad), math.sin(pose.aim_rad)])
    ahead = [float(m.joints_mm[finger, 3, :2] @ aim) for m in moments]
    assert ahead[0] < ahead[1] < ahead[2]
    assert ahead[2] - ahead[0] > 15
    np.testing.assert_allclose(moments[0].wrist_mm, moments[2].wrist_mm)


def test_taking_lifts_and_placing_lets_go() -> None:
    look, pose = sampled(5, HandAction.TAKING)
    low, high = (build_skeleton(with_progress(pose, t), look) for t in (0.0, 1.0))
    assert high.joints_mm[1, 3, 2] - low.joints_mm[1, 3, 2] > 50
    look, pose = sampled(5, HandAction.PLACING)
    held, free = (with_progress(pose, t) for t in (0.0, 1.0))
    assert free.grip_mm - held.grip_mm > 20
    with pytest.raises(ValueError):
        with_progress(pose, 1.2)


@pytest.mark.parametrize("seed", range(6))
def test_blending_is_continuous(seed: int) -> None:
    """No joint jumps between neighbouring moments, and the ends are the poses themselves."""
    rng = np.random.default_rng(seed)
    look = sample_look(rng)
    actions = list(HandAction)
    first, second = (
        sample_pose(rng, Seat.WEST, actions[(seed + k) % 8], TARGET, handedness=Handedness.RIGHT)
        for k in (0, 3)
    )
    moments = [build_skeleton(blend(first, second, t), look) for t in np.linspace(0, 1, 201)]
    joints = np.array([m.joints_mm for m in moments])
    assert float(np.abs(np.diff(joints, axis=0)).max()) < 9.0
    np.testing.assert_allclose(joints[0], build_skeleton(first, look).joints_mm, atol=1e-6)
    np.testing.assert_allclose(joints[-1], build_skeleton(second, look).joints_mm, atol=1e-6)


def test_blending_turns_the_short_way() -> None:
    _, pose = sampled(1, HandAction.FLAT)
    near, far = replace(pose, yaw_rad=3.1), replace(pose, yaw_rad=-3.1)
    assert abs(math.remainder(blend(near, far, 0.5).yaw_rad - math.pi, math.tau)) < 0.01


def test_hands_of_two_sides_do_not_blend() -> None:
    _, pose = sampled(1, HandAction.FLAT)
    other = replace(
        pose,
        handedness=Handedness.LEFT if pose.handedness is Handedness.RIGHT else Handedness.RIGHT,
    )
    with pytest.raises(ValueError):
        blend(pose, other, 0.5)


def test_left_and_right_are_mirrored() -> None:
    look, _ = sampled(4, HandAction.FLAT)
    thumbs = []
    for hand in Handedness:
        rng = np.random.default_rng(2)
        pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 0.0), handedness=hand)
        joints = build_skeleton(pose, look).joints_mm
        thumbs.append(float(joints[0, 3, 0] - joints[4, 3, 0]))
    left, right = thumbs
    assert left > 30
    assert right < -30


@pytest.mark.parametrize("action", list(HandAction))
def test_nothing_is_drawn_outside_alpha(action: HandAction) -> None:
    layer = rendered(21, action)
    assert not layer.bgr[layer.alpha == 0].any()
    assert not layer.hand[layer.alpha == 0].any()
    assert float(layer.alpha.min()) >= 0.0
    assert float(layer.alpha.max()) <= 1.0
    assert float(layer.shadow.min()) >= 0.0
    assert float(layer.shadow.max()) <= 1.0
    picture = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    composite(picture, layer)
    box = layer.bbox
    patch = picture[box.top : box.bottom, box.left : box.right]
    untouched = (layer.alpha == 0) & (layer.shadow == 0)
    assert (patch[untouched] == 200).all()
    picture[box.top : box.bottom, box.left : box.right] = 200
    assert (picture == 200).all()


def test_the_shadow_fades_out_inside_its_box() -> None:
    """A shadow that ended at the box's edge would show as a straight line on the board."""
    rng = np.random.default_rng(6)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 0.0))
    lights = Lighting((HandLight((0.5, 0.2, 1.0), softness_rad=0.25),))
    layer = render_hand(HandLook(), pose, CAMERA, SIZE, lights)
    assert layer.bbox.top > 0
    assert float(layer.shadow[0].max()) < 0.02
    assert float(layer.shadow[:, 0].max()) < 0.02
    assert float(layer.shadow[:, -1].max()) < 0.02


def test_a_hand_outside_the_picture_is_empty() -> None:
    rng = np.random.default_rng(1)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, -9000.0))
    layer = render_hand(HandLook(), pose, CAMERA, SIZE)
    assert layer.empty
    assert occludes(layer, np.array([[10.0, 10.0]])) == 0.0
    picture = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    composite(picture, layer)
    assert (picture == 200).all()


@pytest.mark.parametrize("tilt_rad", [0.5, 0.9])
def test_an_arm_that_passes_behind_the_camera_is_cut(tilt_rad: float) -> None:
    """Points behind the lens project mirrored: they once threw limbs across the picture."""
    camera = PinholeCamera(height_mm=750.0, tilt_rad=tilt_rad, focal=1.0)
    rng = np.random.default_rng(4)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 100.0))
    layer = render_hand(HandLook(), pose, camera, SIZE)
    rows = np.flatnonzero(layer.alpha.any(axis=1)) + layer.bbox.top
    hand_top = camera.project(build_skeleton(pose, HandLook()).joints_mm[2, 3:])[0, 1]
    assert abs(rows[0] - hand_top) < 25
    assert 0.02 < layer.alpha.mean() * layer.alpha.size / (SIZE[0] * SIZE[1]) < 0.4


def test_occlusion_of_discs() -> None:
    """A disc under the palm is hidden, one across the board is free, one at the rim is between."""
    rng = np.random.default_rng(6)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 0.0), progress=0.0)
    look = HandLook()
    layer = render_hand(look, pose, CAMERA, SIZE)
    palm = CAMERA.project(build_skeleton(pose, look).at(np.array([[0.0, 55.0, 0.0]])))[0]
    assert occludes(layer, palm, (8.0, 7.0)) > 0.99
    far = CAMERA.project(np.array([[0.0, 330.0, 0.0]]))
    assert occludes(layer, far[0], (8.0, 7.0), 0.4) == 0.0
    assert occludes(layer, np.vstack([palm, far])) == pytest.approx(0.5, abs=0.01)


def test_the_hand_alone_ends_at_the_wrist() -> None:
    rng = np.random.default_rng(6)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 60.0))
    layer = render_hand(HandLook(), pose, CAMERA, SIZE)
    skeleton = build_skeleton(pose, HandLook())
    spots = CAMERA.project(np.vstack([skeleton.at(np.array([0.0, 60.0, 0.0])),
                                      skeleton.arm.points_mm[3]]))  # fmt: skip
    shown = [
        (layer.alpha[y - layer.bbox.top, x - layer.bbox.left],
         layer.hand[y - layer.bbox.top, x - layer.bbox.left])
        for x, y in np.floor(spots).astype(int)
    ]  # fmt: skip
    assert shown[0] == (1.0, 1.0)
    assert shown[1] == (1.0, 0.0)


def test_skin_tones_differ_in_the_picture() -> None:
    rng = np.random.default_rng(6)
    pose = sample_pose(rng, Seat.SOUTH, HandAction.FLAT, (0.0, 0.0))
    fair, dark = HandLook(), HandLook()
    dark = replace(dark, skin=replace(dark.skin, base_bgr=(0.15, 0.19, 0.29)))
    means = [
        float(layer.bgr[layer.hand > 0.9].mean())
        for layer in (render_hand(look, pose, CAMERA, SIZE) for look in (fair, dark))
    ]
    assert means[0] > 1.8 * means[1]


@pytest.mark.slow
def test_rendering_is_quick() -> None:
    """Guards against a slip by an order of magnitude; the figure itself is the benchmark's."""
    camera = PinholeCamera((1280, 720))
    look, pose = sampled(3, HandAction.AIMING)
    render_hand(look, pose, camera, (1280, 720))
    times = []
    for _ in range(5):
        start = perf_counter()
        render_hand(look, pose, camera, (1280, 720))
        times.append(perf_counter() - start)
    assert min(times) < 0.4
