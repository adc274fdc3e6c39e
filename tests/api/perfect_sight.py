"""What flawless eyes would report of a rendered scene, for tests of those who judge and draw."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from sim.camera import DiscState, Picture, Scene
from vision.board_camera import BoardCamera
from vision.eyes import Sight
from vision.seen import BoardSeen, CornerSeen, DiscSeen, Place

PLACES = {
    DiscState.STACKED: Place.ON_DISC,
    DiscState.HANGING: Place.HANGING,
    DiscState.ON_FRAME: Place.FRAME,
    DiscState.IN_POCKET: Place.POCKET,
    DiscState.OFF_BOARD: Place.OFF_BOARD,
}


def perfect_sight(scene: Scene, picture: Picture, *, turns: int = 0, scale: float = 1.0) -> Sight:
    """``turns``: quarter turns clockwise by which the eyes' north differs from the true one.

    ``scale``: how large the eyes think the board is, of its true size.
    """
    camera = _camera(scene, turns, scale)
    half = scene.board.half_mm * scale
    square = half * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    corners = tuple(
        CornerSeen(float(x), float(y), seen=True, confidence=0.99)
        for x, y in camera.board_to_px(square)
    )
    board = BoardSeen(scene.board.family, camera, half, corners, 0.99, 0.1)  # type: ignore[arg-type]
    discs = []
    for disc in picture.truth.discs:
        if disc.visible < 0.3:
            continue
        x, y = turned(disc.x_mm * scale, disc.y_mm * scale, turns)
        radius_px = float(np.sqrt(disc.rim.a_px * disc.rim.b_px))
        discs.append(
            DiscSeen(
                disc.kind, x, y, *disc.centre_px, radius_px, disc.radius_mm * scale,
                PLACES.get(disc.state, Place.SURFACE), disc.visible, 0.97,
            )
        )  # fmt: skip
    return Sight(board, tuple(discs))


def turned(x: float, y: float, turns: int) -> tuple[float, float]:
    for _ in range(turns % 4):
        x, y = y, -x
    return x, y


def _camera(scene: Scene, turns: int, scale: float) -> BoardCamera:
    """The scene's camera in a frame whose axes are turned against the true ones."""
    camera, angle = scene.camera, -turns * np.pi / 2
    spin = np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1.0]])
    position = spin @ np.array(camera.position_mm) * scale
    return BoardCamera(
        camera.width_px,
        camera.height_px,
        camera.focal_px,
        camera.middle_px,
        camera.distortion,
        tuple(map(float, position)),  # type: ignore[arg-type]
        tuple(map(float, (camera.axes @ spin.T).ravel())),
    )
