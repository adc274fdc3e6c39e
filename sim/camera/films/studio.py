"""The room in which a match is filmed: one sampled scene, the people's looks, what changes."""

from dataclasses import dataclass, replace
from math import cos, sin, tau

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import HIKONE_BOARD, ICF_BOARD
from sim.camera.camera import Camera
from sim.camera.films.incidents import IncidentKind
from sim.camera.films.moves import ease
from sim.camera.films.script import FilmScript
from sim.camera.films.timeline import FilmDisc, Moment, Timeline
from sim.camera.hands_look import HandLook, sample_look
from sim.camera.sampling import sample_scene
from sim.camera.scene import Light, PropKind, Scene, SceneDisc, SceneHand

__all__ = ["Studio", "exposure_at", "studio_of"]

_GOLDEN = 2.399963
_SLEEVE = IncidentKind.SLEEVE_TOUCH
_ROOMS = 60
_LEAST_SHARE = 0.4
"""Of the square of the picture's shorter side: about 63 % of its height."""
_OVER_THE_BOARD = (PropKind.GANTRY, PropKind.CABLE)
"""Not in films: players could not reach past them, and discs are drawn over what lies still."""


@dataclass(frozen=True, slots=True)
class Studio:
    """``scene``: the room without discs and hands; ``looks``: of the people's hands."""

    scene: Scene
    looks: tuple[HandLook, ...]
    seed: int

    def scene_at(self, timeline: Timeline, moment: Moment, *, frame: int = 0) -> Scene:
        """The scene of a moment; ``frame`` seeds the noise of the sensor."""
        t_s = moment.t_s
        return replace(
            self.scene,
            camera=camera_at(self.scene.camera, timeline, t_s),
            light=light_at(self.scene.light, timeline, t_s),
            discs=self.discs(moment),
            hands=tuple(SceneHand(self.looks[h.who], h.pose) for h in moment.hands),
            sensor=replace(self.scene.sensor, seed=self.seed * 1009 + frame),
        )

    def discs(self, moment: Moment) -> tuple[SceneDisc, ...]:
        """The discs that are not out of sight, in the order of their ids."""
        return tuple(self.disc(disc) for disc in moment.discs if disc.place.state is not None)

    def disc(self, disc: FilmDisc) -> SceneDisc:
        """One disc as the renderer takes it."""
        place = disc.place
        assert place.state is not None
        return SceneDisc(
            disc.kind,
            place.x_mm,
            place.y_mm,
            place.z_mm,
            lean_rad=place.lean_rad,
            lean_towards_rad=place.lean_towards_rad,
            spin_rad=((self.seed + disc.id) * _GOLDEN) % tau,
            state=place.state,
            velocity_mm_s=disc.velocity_mm_s,
            seed=self.seed * 64 + disc.id,
        )


def studio_of(
    script: FilmScript, *, size_px: tuple[int, int] = (1280, 720), plain_board: bool = False
) -> Studio:
    """The room that a script's seed gives. ``plain_board``: the nominal board of the game.

    JPEG is left out: the film has artefacts of its own.
    """
    hikone = script.laws().ruleset.hikone
    family = BoardFamily.HIKONE if hikone else BoardFamily.ICF
    scene = _well_placed(script.seed, family, size_px)
    board = scene.board
    if plain_board:
        board = HIKONE_BOARD if hikone else ICF_BOARD
    sensor = replace(scene.sensor, jpeg_quality=0)
    props = tuple(prop for prop in scene.props if prop.kind not in _OVER_THE_BOARD)
    scene = replace(scene, board=board, discs=(), hands=(), sensor=sensor, props=props)
    dressed = script.incident_rate > 0 or any(w.kind is _SLEEVE for w in script.wishes)
    looks = tuple(_look(script.seed, who, dressed=dressed) for who in range(4))
    return Studio(scene, looks, script.seed % (1 << 24))


def _look(seed: int, who: int, *, dressed: bool) -> HandLook:
    """A person's hand; ``dressed``: with a sleeve, so that it can catch discs."""
    rng = np.random.default_rng((seed, 31, who))
    look = sample_look(rng)
    while dressed and look.sleeve is None:
        look = sample_look(rng)
    return look


def _well_placed(seed: int, family: BoardFamily, size_px: tuple[int, int]) -> Scene:
    """The first room from a seed on whose camera stands as an umpire's must."""
    scene = sample_scene(seed, family=family, size_px=size_px)
    for step in range(1, _ROOMS):
        if _sees_the_board(scene):
            break
        scene = sample_scene(seed + step * 1_000_003, family=family, size_px=size_px)
    return scene


def _sees_the_board(scene: Scene) -> bool:
    """All corners of the surface are in the picture, and it fills a good part of it."""
    camera, half = scene.camera, scene.board.half_mm + 6.0
    square = half * np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    x, y = camera.board_to_px(square).T
    inside = x.min() > 4 and y.min() > 4
    inside = inside and x.max() < camera.width_px - 4 and y.max() < camera.height_px - 4
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    least = _LEAST_SHARE * min(camera.width_px, camera.height_px) ** 2
    return bool(inside and area > least)


def camera_at(camera: Camera, timeline: Timeline, t_s: float) -> Camera:
    """The camera as the nudged board sees it: all moves of the board so far, taken back."""
    for nudge in timeline.nudges:
        share = ease((t_s - nudge.t0_s) / (nudge.t1_s - nudge.t0_s))
        if share > 0:
            camera = _seen_from(
                camera, nudge.x_mm * share, nudge.y_mm * share, nudge.turn_rad * share
            )
    return camera


def _seen_from(camera: Camera, x_mm: float, y_mm: float, turn_rad: float) -> Camera:
    """The same camera in the frame of a board that moved by (x, y) and turned."""
    c, s = cos(-turn_rad), sin(-turn_rad)

    def back(x: float, y: float) -> tuple[float, float]:
        dx, dy = x - x_mm, y - y_mm
        return c * dx - s * dy, s * dx + c * dy

    x, y, z = camera.position_mm
    moved = replace(
        camera, position_mm=(*back(x, y), z), look_at_mm=back(*camera.look_at_mm), roll_rad=0.0
    )
    right, down = camera.axes[0], moved.axes
    turned = np.array([c * right[0] - s * right[1], s * right[0] + c * right[1], right[2]])
    roll = float(np.arctan2(turned @ down[1], turned @ down[0]))
    return replace(moved, roll_rad=roll)


def light_at(light: Light, timeline: Timeline, t_s: float) -> Light:
    """The light of a time: lamps that were switched give a part of theirs."""
    changes = [change for change in timeline.lights if change.t_s <= t_s]
    if not changes or not light.lamps:
        return light
    last = changes[-1]
    first = light.lamps[0]
    lamps = (
        replace(first, share=first.share * last.lamp),
        *(replace(lamp, share=lamp.share * last.rest) for lamp in light.lamps[1:]),
    )
    return replace(light, lamps=lamps)


def exposure_at(timeline: Timeline, t_s: float) -> float:
    """The camera's automatic exposure: it drifts, and follows a switched lamp within seconds."""
    drift = 1.0 + 0.012 * sin(0.31 * t_s + timeline.script.seed) + 0.006 * sin(1.7 * t_s)
    level = 1.0
    for change in timeline.lights:
        if change.t_s <= t_s:
            goal = 1.0 + 0.55 * (1.0 - change.lamp)
            level += (goal - level) * ease((t_s - change.t_s) / 1.6)
    return drift * level
