"""Visibility against a slow witness: rays through sub-pixels, the nearest body wins."""

from collections.abc import Callable
from math import pi

import numpy as np
import pytest

from carrom.pieces import PieceKind
from sim.camera import Camera, Cover, DiscState, Scene, SceneDisc, render
from sim.camera.arrays import Array
from sim.camera.cast import Body
from sim.camera.disc_layer import bodies_of

FINE = 4


def hit_depth(body: Body, eye: Array, rays: Array) -> Array:
    """(n,) distance along each ray to a solid cylinder by steps through its slab, inf = miss."""
    o = body.axes @ (eye - body.foot_mm)
    d = rays @ body.axes.T
    best = np.full(len(rays), np.inf)
    for z in (0.0, body.height_mm):
        t = (z - o[2]) / d[:, 2]
        flat = o[:2] + t[:, None] * d[:, :2]
        ok = (np.hypot(*flat.T) <= body.radius_mm) & (t > 0)
        best = np.where(ok & (t < best), t, best)
    a = d[:, 0] ** 2 + d[:, 1] ** 2
    b = o[0] * d[:, 0] + o[1] * d[:, 1]
    c = o[0] ** 2 + o[1] ** 2 - body.radius_mm**2
    root = b * b - a * c
    for sign in (-1.0, 1.0):
        t = (-b + sign * np.sqrt(np.maximum(root, 0))) / np.maximum(a, 1e-12)
        z = o[2] + t * d[:, 2]
        ok = (root >= 0) & (t > 0) & (z >= 0) & (z <= body.height_mm)
        best = np.where(ok & (t < best), t, best)
    return best


def brute_force(scene: Scene) -> list[float]:
    """Seen share of each disc among the discs, everything else left out."""
    camera, bodies = scene.camera, bodies_of(scene)
    offsets = (np.arange(FINE) + 0.5) / FINE - 0.5
    eye = np.array(camera.position_mm)
    out = []
    for body in bodies:
        px = camera.mm_to_px(np.concatenate([body.rim(0.0), body.rim(1.0)]))
        low, high = np.floor(px.min(axis=0)) - 2, np.ceil(px.max(axis=0)) + 2
        x = (np.arange(low[0], high[0])[:, None] + offsets).ravel()
        y = (np.arange(low[1], high[1])[:, None] + offsets).ravel()
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        rays = camera.px_to_rays(grid)
        mine = hit_depth(body, eye, rays)
        others = [hit_depth(other, eye, rays) for other in bodies if other is not body]
        nearest = np.min([*others, np.full(len(rays), np.inf)], axis=0)
        hit = np.isfinite(mine)
        inside = (np.abs(grid[:, 0] - (camera.width_px - 1) / 2) <= camera.width_px / 2) & (
            np.abs(grid[:, 1] - (camera.height_px - 1) / 2) <= camera.height_px / 2
        )
        out.append(float((hit & (mine < nearest) & inside).sum() / hit.sum()))
    return out


def tilted(seed: int) -> Camera:
    rng = np.random.default_rng(seed)
    return Camera.over(
        size_px=(960, 720),
        distance_mm=700,
        view_rad=1.3,
        tilt_rad=rng.uniform(0.1, 0.6),
        tilt_towards_rad=rng.uniform(-pi, pi),
        roll_rad=rng.uniform(-pi, pi),
        distortion=0.1,
    )


@pytest.mark.parametrize("seed", range(8))
def test_shares_agree_with_rays(seed: int, plain_scene: Callable[..., Scene]) -> None:
    rng = np.random.default_rng(seed)
    kind = PieceKind.WHITE
    turn = rng.uniform(0, 2 * pi)
    discs = (
        SceneDisc(kind, 0, 0),
        SceneDisc(kind, 31.5 * np.cos(turn), 31.5 * np.sin(turn)),
        SceneDisc(kind, 9.0, -6.0, z_mm=8.0, state=DiscState.STACKED),
        SceneDisc(kind, 15.0, -9.0, z_mm=16.0, state=DiscState.STACKED),
        SceneDisc(kind, 120, 0, z_mm=15.5, lean_rad=pi / 2, lean_towards_rad=turn),
        SceneDisc(kind, 118, 26),
        SceneDisc(kind, -100, 80, z_mm=5.0, lean_rad=0.33, lean_towards_rad=turn),
        SceneDisc(kind, 300, -240),
        SceneDisc(PieceKind.STRIKER, 0, 200),
    )
    scene = plain_scene(tilted(seed), discs=discs)
    seen = [disc.visible for disc in render(scene).truth.discs]
    assert seen == pytest.approx(brute_force(scene), abs=0.03)


def test_what_hides_is_named(plain_scene: Callable[..., Scene]) -> None:
    kind = PieceKind.WHITE
    discs = (SceneDisc(kind, 0, 0), SceneDisc(kind, 16, 0, z_mm=8.0, state=DiscState.STACKED))
    low, high = render(plain_scene(discs=discs)).truth.discs
    assert high.visible == pytest.approx(1.0, abs=0.01)
    assert low.hidden[0].by is Cover.DISC
    assert low.hidden[0].disc == 1
    assert low.visible + sum(part.share for part in low.hidden) == pytest.approx(1.0, abs=0.02)


def test_beyond_the_picture(plain_scene: Callable[..., Scene]) -> None:
    camera = Camera.over(size_px=(320, 240), distance_mm=500, view_rad=0.6)
    far = 500 * np.tan(0.3)
    discs = (SceneDisc(PieceKind.WHITE, far, 0), SceneDisc(PieceKind.WHITE, -340, 340))
    half, gone = render(plain_scene(camera, discs=discs)).truth.discs
    assert 0.4 < half.visible < 0.6
    assert half.hidden[0].by is Cover.PICTURE
    assert gone.visible == 0.0


def test_the_near_frame_hides_a_disc_behind_it(plain_scene: Callable[..., Scene]) -> None:
    camera = Camera.over(size_px=(1280, 720), distance_mm=1000, tilt_rad=0.6, view_rad=1.4)
    discs = (SceneDisc(PieceKind.WHITE, 0, -354), SceneDisc(PieceKind.WHITE, 0, 354))
    near, far = render(plain_scene(camera, discs=discs)).truth.discs
    assert near.visible < 0.95
    assert near.hidden[0].by is Cover.FRAME
    assert far.visible > 0.99


def test_in_a_pocket_only_the_hole_shows(plain_scene: Callable[..., Scene]) -> None:
    x_mm, y_mm = plain_scene().board.pocket_centres["NE"]  # type: ignore[index]
    disc = SceneDisc(PieceKind.WHITE, x_mm, y_mm, z_mm=-28.0, state=DiscState.IN_POCKET)
    seen = render(plain_scene(Camera.over(tilt_rad=0.5), discs=(disc,))).truth.discs[0]
    assert 0.1 < seen.visible < 0.9
    assert seen.hidden[0].by is Cover.SURFACE
