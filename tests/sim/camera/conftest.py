"""Scenes for tests: plain, without noise, small."""

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import pytest

from carrom.pieces import PieceKind
from sim.camera import (
    BoardLook,
    Camera,
    DiscLook,
    DiscPattern,
    FrameLook,
    Light,
    PrintLook,
    Scene,
    Table,
)

PLAIN: dict[str, Any] = {
    "pattern": DiscPattern.PLAIN,
    "bevel_mm": 0.01,
    "groove": 0.0,
    "gloss": 0.0,
    "wear": 0.0,
    "spread": 0.0,
}
WHITE, DARK = (0.95, 0.95, 0.95), (0.02, 0.02, 0.02)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.fixture
def looks() -> tuple[DiscLook, ...]:
    """White faces on dark sides: the rim of the face is an edge all round."""
    kinds = (PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN, PieceKind.STRIKER)
    return tuple(DiscLook(kind, WHITE, DARK, **PLAIN) for kind in kinds)


@pytest.fixture
def plain_scene(looks: tuple[DiscLook, ...]) -> Callable[..., Scene]:
    """A dark board in even light; no noise, no lens blur."""

    def make(camera: Camera | None = None, **changes: Any) -> Scene:
        if camera is None:
            camera = Camera.over(size_px=(640, 480), distance_mm=900, view_rad=1.2)
        look = BoardLook(
            light=DARK,
            dark=DARK,
            stain=0,
            scratches=0,
            gloss=0,
            marks=PrintLook(strength=0.0),
            frame=FrameLook(gloss=0, wear=0),
        )
        fields: dict[str, Any] = {
            "camera": camera,
            "board_look": look,
            "disc_looks": looks,
            "light": Light(lamps=(), ambient=1.0),
            "table": Table(colour=DARK, second=DARK),
        }
        return Scene(**{**fields, **changes})

    return make
