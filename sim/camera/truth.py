"""What is true of a picture: corners, discs, how much of each is seen, and what hides the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from carrom.codec import Codec
from carrom.pieces import PieceKind
from carrom.seats import Pocket
from sim.camera.arrays import Array
from sim.camera.cast import Body
from sim.camera.pockets import pocket_body
from sim.camera.scene import DiscState, Scene

__all__ = [
    "Cover",
    "DiscTruth",
    "Ellipse",
    "Hidden",
    "Truth",
    "disc_truth",
    "ellipse_of",
    "pockets_truth",
]


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse in picture px: centre, half axes and the angle of the first (x to y, rad)."""

    x_px: float
    y_px: float
    a_px: float
    b_px: float
    angle_rad: float


class Cover(StrEnum):
    """What can hide a disc."""

    DISC = "disc"
    HAND = "hand"
    FRAME = "frame"
    PROP = "prop"
    SURFACE = "surface"  # the wood around the pocket it lies in
    PICTURE = "picture"  # it reaches beyond the edge of the picture


@dataclass(frozen=True, slots=True)
class Hidden:
    """A share of the disc (0 to 1) hidden by something; ``disc``: index of the disc that hides."""

    by: Cover
    share: float
    disc: int | None = None


@dataclass(frozen=True, slots=True)
class DiscTruth:
    """One disc. ``rim``: outline of its visible face; ``centre_px``: the middle of that face.

    ``foot_px``: the middle of the face it lies on. ``visible``: seen part of its outline's area.
    Places at the middle of the exposure of the disc's own rows.
    """

    kind: PieceKind
    state: DiscState
    x_mm: float
    y_mm: float
    z_mm: float
    lean_rad: float
    lean_towards_rad: float
    radius_mm: float
    thickness_mm: float
    centre_px: tuple[float, float]
    foot_px: tuple[float, float]
    rim: Ellipse
    box_px: tuple[float, float, float, float]
    visible: float
    hidden: tuple[Hidden, ...] = ()
    velocity_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything true of a picture; discs in the order of the scene.

    ``corners_px``: of the playing surface, in the board's own order NW NE SE SW. ``frame_px``:
    corners of the frame's top, same order. ``hand_boxes_px``: one of each hand in the picture;
    their masks are ``Picture.hand_masks``.
    """

    width_px: int
    height_px: int
    corners_px: tuple[tuple[float, float], ...]
    frame_px: tuple[tuple[float, float], ...]
    pockets: Mapping[Pocket, Ellipse]
    discs: tuple[DiscTruth, ...]
    hand_boxes_px: tuple[tuple[int, int, int, int], ...] = ()
    seed: int | None = field(default=None)

    def corners_as_seen(self) -> tuple[tuple[float, float], ...]:
        """The corners in the order NW NE SE SW of the picture, as ``carrom detect`` prints them."""
        corners = np.array(self.corners_px)
        middle = corners.mean(axis=0)
        turn = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
        ring = corners[np.argsort(turn)]
        first = int(np.argmin(ring.sum(axis=1)))
        return tuple((float(x), float(y)) for x, y in np.roll(ring, -first, axis=0))

    def to_json(self) -> str:
        """One line."""
        return Codec().dumps(self)

    @classmethod
    def from_json(cls, text: str) -> "Truth":
        """The truth of ``to_json``. Raises ``SchemaError``."""
        return Codec().loads(cls, text)


def ellipse_of(points_px: Array) -> Ellipse:
    """The ellipse through (n, 2) px, by algebraic least squares."""
    middle = points_px.mean(axis=0)
    x, y = (points_px - middle).T
    scale = max(1e-9, float(np.hypot(x, y).max()))
    x, y = x / scale, y / scale
    design = np.stack([x * x, x * y, y * y, x, y], axis=1)
    a, b, c, d, e = np.linalg.lstsq(design, np.ones(len(x)), rcond=None)[0]
    matrix = np.array([[a, b / 2], [b / 2, c]])
    centre = np.linalg.solve(-2 * matrix, np.array([d, e]))
    level = 1 + centre @ matrix @ centre
    values, vectors = np.linalg.eigh(matrix / level)
    axes = 1 / np.sqrt(np.maximum(values, 1e-12))
    angle = float(np.arctan2(vectors[1, 0], vectors[0, 0]))
    cx, cy = centre * scale + middle
    return Ellipse(float(cx), float(cy), float(axes[0] * scale), float(axes[1] * scale), angle)


def pockets_truth(scene: Scene) -> dict[Pocket, Ellipse]:
    """The rims of the four holes."""
    out = {}
    for pocket in Pocket:
        rim = scene.camera.mm_to_px(pocket_body(scene, pocket).rim(1.0, 32))
        if np.isfinite(rim).all():
            out[pocket] = ellipse_of(rim)
    return out


def disc_truth(
    scene: Scene, index: int, body: Body, *, visible: float, hidden: tuple[Hidden, ...]
) -> DiscTruth:
    """What is true of one disc; ``body`` as drawn."""
    disc, camera = scene.discs[index], scene.camera
    eye = body.axes @ (np.array(camera.position_mm) - body.foot_mm)
    seen = 0.0 if eye[2] < 0 else 1.0
    ends = body.foot_mm + np.array([[1 - seen], [seen]]) * body.axes[2] * body.height_mm
    rims = [body.rim(seen, 64), body.rim(1.0 - seen, 64), ends]
    px = camera.mm_to_px(np.concatenate(rims))
    rim, both, (foot, face) = px[:64], px[:128], px[128:]
    return DiscTruth(
        kind=disc.kind,
        state=disc.state,
        x_mm=float(body.foot_mm[0]),
        y_mm=float(body.foot_mm[1]),
        z_mm=disc.z_mm,
        lean_rad=disc.lean_rad,
        lean_towards_rad=disc.lean_towards_rad,
        radius_mm=body.radius_mm,
        thickness_mm=body.height_mm,
        centre_px=(float(face[0]), float(face[1])),
        foot_px=(float(foot[0]), float(foot[1])),
        rim=ellipse_of(rim),
        box_px=tuple(map(float, (*both.min(axis=0), *both.max(axis=0)))),  # type: ignore[arg-type]
        visible=visible,
        hidden=hidden,
        velocity_mm_s=disc.velocity_mm_s,
    )
