"""Pictures of the simulated camera for judging: seeds that no training has seen.

Boards, woods, print, discs, lamps and hands are drawn from the same ranges as in training: only
the seeds are held apart, the asset families cannot be. What is unlike anything rendered must be
judged on photographs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, sin, tau

import numpy as np
from numpy.typing import NDArray

from api.average_precision import Array
from api.picture_judge import PictureTruth
from api.picture_row import Frame, Lie, Setting, TrueDisc
from carrom.board_spec import BoardFamily
from sim.camera import Cover, DiscState, DiscTruth, Picture, Scene, render, sample_scene
from sim.camera.hands_types import HandLayer
from sim.camera.scene_hands import hand_layers

__all__ = ["CORNER_TOLERANCE_MM", "FIRST_SEED", "RenderJob", "render_jobs", "rendered"]

FIRST_SEED = 9_000_000
"""From here on for judging only; training uses 1 000 000 to 1 999 999."""

CORNER_TOLERANCE_MM = 2.0
_SEEDS_A_GROUP = 50_000
_EMPTY_SHARE = 10
"""One picture in so many has no board in it."""

_LIES = {
    DiscState.FLAT: Lie.FLAT,
    DiscState.STACKED: Lie.STACKED,
    DiscState.LEANING: Lie.LEANING,
    DiscState.STANDING: Lie.STANDING,
    DiscState.HANGING: Lie.HANGING,
}


@dataclass(frozen=True, slots=True)
class RenderJob:
    """A picture to judge, by its seed. ``away``: the camera looks past the board."""

    seed: int
    family: BoardFamily
    size_px: tuple[int, int]
    away: bool = False

    @property
    def group(self) -> str:
        """Board and resolution."""
        kind = "no board" if self.away else self.family.value
        return f"{kind} {self.size_px[0]}x{self.size_px[1]}"

    @property
    def name(self) -> str:
        """One name for one picture."""
        return f"{self.group} {self.seed}"


def render_jobs(
    count: int,
    *,
    sizes_px: Sequence[tuple[int, int]],
    families: Sequence[BoardFamily] = tuple(BoardFamily),
    first_seed: int = FIRST_SEED,
) -> Iterator[RenderJob]:
    """``count`` pictures of each board and size, in turn, and a tenth as many without a board."""
    for k in range(count):
        for group, (family, size_px) in enumerate(
            (family, size_px) for family in families for size_px in sizes_px
        ):
            seed = first_seed + group * _SEEDS_A_GROUP + k
            yield RenderJob(seed, family, size_px)
            if k % _EMPTY_SHARE == _EMPTY_SHARE // 2:
                yield RenderJob(seed, family, size_px, away=True)


def rendered(job: RenderJob) -> tuple[Array, PictureTruth]:
    """(h, w, 3) uint8 BGR and its truth."""
    scene = sample_scene(job.seed, family=job.family, size_px=job.size_px)
    if job.away:
        scene = _looking_past(scene)
        setting = Setting(job.name, job.group, Frame.BOARD, board=False, rest=False)
        return render(scene, hands=()).image_bgr, PictureTruth(setting)
    layers = tuple(layer for layer in hand_layers(scene) if not layer.empty)
    picture = render(scene, hands=layers)
    return picture.image_bgr, _truth(job, scene, picture, layers)


def _looking_past(scene: Scene) -> Scene:
    """The same room with the camera over the table, the board out of sight."""
    rng = np.random.default_rng((scene.seed or 0, 91))
    turn, far_mm = float(rng.uniform(0, tau)), float(rng.uniform(2600, 3600))
    x_mm, y_mm = far_mm * cos(turn), far_mm * sin(turn)
    camera = scene.camera
    (px, py, pz), (lx, ly) = camera.position_mm, camera.look_at_mm
    moved = replace(
        camera, position_mm=(px + x_mm, py + y_mm, pz), look_at_mm=(lx + x_mm, ly + y_mm)
    )
    # Cups and knees stay with the board: from so far aside their shadows cost half a minute.
    return replace(scene, camera=moved, discs=(), hands=(), props=())


def _truth(
    job: RenderJob, scene: Scene, picture: Picture, layers: Sequence[HandLayer]
) -> PictureTruth:
    discs = tuple(_disc(disc) for disc in picture.truth.discs)
    half = scene.board.half_mm
    corners_px = np.array(picture.truth.corners_px)
    inside = bool(np.all(corners_px >= 0)) and bool(
        np.all(corners_px <= np.array(job.size_px) - 1.0)
    )
    on_board = [disc for disc in discs if disc.lie is not Lie.AWAY]
    setting = Setting(
        job.name,
        job.group,
        Frame.BOARD,
        rest=all(disc.due for disc in on_board),
        whole=inside,
        side=2 * half,
        tolerance=CORNER_TOLERANCE_MM,
    )
    return PictureTruth(
        setting,
        discs,
        corners=half * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]),
        family=job.family,
        hand_mask=_hand_mask(picture, layers),
        measure=scene.camera.px_to_board,
    )


def _disc(disc: DiscTruth) -> TrueDisc:
    lie = _LIES.get(disc.state, Lie.AWAY)
    if lie is not Lie.AWAY and hypot(*disc.velocity_mm_s) > 0:
        lie = Lie.MOVING
    under_hand = any(part.by is Cover.HAND for part in disc.hidden)
    return TrueDisc(
        (disc.kind,), disc.x_mm, disc.y_mm, disc.radius_mm, lie, disc.visible, under_hand
    )


def _hand_mask(picture: Picture, layers: Sequence[HandLayer]) -> NDArray[np.uint8]:
    """(h, w) uint8: hands, arms and sleeves."""
    mask = np.zeros(picture.image_bgr.shape[:2], dtype=np.uint8)
    for layer in layers:
        box = layer.bbox
        view = mask[box.top : box.bottom, box.left : box.right]
        np.maximum(view, (layer.alpha * 255).astype(np.uint8), out=view)
    return mask
