"""What play must know of the room: the board, how deep its nets are, how far off hands vanish."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, sin

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.boards import ICF_BOARD
from carrom.seats import Seat
from sim.camera.camera import Camera
from sim.camera.hands_pose import seat_bearing
from sim.camera.scene import Scene
from sim.physics.surface import SurfaceParams, surface_for

__all__ = ["World", "world_of"]

_NEAREST_MM, _FARTHEST_MM = 620.0, 1500.0


@dataclass(frozen=True, slots=True)
class World:
    """``away_mm``: from the centre of the board to where a seat's hand is out of the picture.

    ``drop_mm``: the table below the surface; ``net_depth_mm``: of the pockets' nets.
    """

    board: BoardSpec = ICF_BOARD
    surface: SurfaceParams | None = None
    drop_mm: float = 30.0
    net_depth_mm: float = 25.0
    away_mm: Mapping[Seat, float] = field(default_factory=lambda: dict.fromkeys(Seat, 800.0))

    @property
    def friction(self) -> SurfaceParams:
        """The surface that strokes are simulated on."""
        return surface_for(self.board) if self.surface is None else self.surface


def world_of(scene: Scene) -> World:
    """The room of a scene."""
    return World(
        board=scene.board,
        drop_mm=scene.table.drop_mm,
        net_depth_mm=scene.board_look.nets.depth_mm,
        away_mm={seat: _away(scene.camera, seat) for seat in Seat},
    )


def _away(camera: Camera, seat: Seat) -> float:
    """Beyond the edge of the picture by a hand's length, as far as an arm is not absurd."""
    bearing = seat_bearing(seat)
    out = np.array([cos(bearing), sin(bearing)])
    for reach in np.arange(_NEAREST_MM, _FARTHEST_MM, 40.0):
        x, y = camera.board_to_px(out * (reach - 230.0), 60.0)
        if not (0 <= x < camera.width_px and 0 <= y < camera.height_px):
            return float(reach)
    return _FARTHEST_MM
