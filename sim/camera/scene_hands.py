"""The hands of a scene: its lamps in their words, their layers, and hands at random."""

from math import pi, tau

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.seats import Seat
from sim.camera.arrays import linear
from sim.camera.draw_of import Rng, chance, one_of, uniform, weighted
from sim.camera.hands import HandAction, HandLayer, HandLight, Lighting, render_hand, sample_pose
from sim.camera.hands import sample_look as sample_hand_look
from sim.camera.scene import DiscState, Scene, SceneDisc, SceneHand

__all__ = ["hand_layers", "hand_lighting", "sample_hands"]


def hand_lighting(scene: Scene) -> Lighting:
    """The light of a scene as hands take it: lamps far away."""
    lamps = []
    for lamp in scene.light.lamps:
        x, y, z = lamp.position_mm
        far = float(np.linalg.norm(lamp.position_mm))
        blue, green, red = (float(v) for v in linear(lamp.colour))
        strength = min(1.6, lamp.share * far / max(z, 0.3 * far))
        soft = float(np.arctan2(lamp.size_mm, far))
        lamps.append(HandLight((x, y, z), strength, (blue, green, red), soft))
    ambient = linear(scene.light.ambient_colour) * scene.light.ambient
    return Lighting(tuple(lamps), (float(ambient[0]), float(ambient[1]), float(ambient[2])))


def hand_layers(scene: Scene) -> tuple[HandLayer, ...]:
    """The hands of a scene as layers of its picture."""
    if not scene.hands:
        return ()
    light, camera = hand_lighting(scene), scene.camera
    size = (camera.width_px, camera.height_px)
    return tuple(render_hand(hand.look, hand.pose, camera, size, light) for hand in scene.hands)


def sample_hands(rng: Rng, board: BoardSpec, discs: tuple[SceneDisc, ...]) -> tuple[SceneHand, ...]:
    """No hand in most stills, else one or two, mostly at the striker."""
    count = weighted(rng, {0: 0.62, 1: 0.26, 2: 0.09, 3: 0.03})
    seats = list(rng.permutation(len(Seat)))[:count]
    return tuple(_hand(rng, board, discs, tuple(Seat)[k]) for k in seats)


def _hand(rng: Rng, board: BoardSpec, discs: tuple[SceneDisc, ...], seat: Seat) -> SceneHand:
    strikers = [disc for disc in discs if disc.kind is PieceKind.STRIKER]
    flat = [disc for disc in discs if disc.state is DiscState.FLAT]
    if strikers and chance(rng, 0.45):
        action = one_of(rng, (HandAction.AIMING, HandAction.FLICKING, HandAction.PLACING))
        place = strikers[0].x_mm, strikers[0].y_mm
        seat = _seat_of(*place)
        radius = board.radii_mm[PieceKind.STRIKER]
        aim = float(np.arctan2(-place[1], -place[0])) + uniform(rng, -0.6, 0.6)
        pose = sample_pose(rng, seat, action, place, aim_rad=aim, disc_radius_mm=radius)
        return SceneHand(sample_hand_look(rng), pose)
    if flat and chance(rng, 0.4):
        disc = one_of(rng, flat)
        pose = sample_pose(
            rng,
            seat,
            one_of(rng, (HandAction.TAKING, HandAction.PLACING, HandAction.POINTING)),
            (disc.x_mm, disc.y_mm),
            disc_radius_mm=board.radii_mm[disc.kind],
        )
        return SceneHand(sample_hand_look(rng), pose)
    action = one_of(rng, (HandAction.RESTING, HandAction.REACHING, HandAction.FLAT))
    out = {Seat.SOUTH: -pi / 2, Seat.EAST: 0.0, Seat.NORTH: pi / 2, Seat.WEST: pi}[seat]
    reach, side = uniform(rng, 0.2, 1.1) * board.half_mm, uniform(rng, -0.7, 0.7) * board.half_mm
    x_mm = reach * np.cos(out) - side * np.sin(out)
    y_mm = reach * np.sin(out) + side * np.cos(out)
    pose = sample_pose(rng, seat, action, (float(x_mm), float(y_mm)))
    return SceneHand(sample_hand_look(rng), pose)


def _seat_of(x_mm: float, y_mm: float) -> Seat:
    """The seat on whose side a place is."""
    quarter = int(np.floor(((np.arctan2(y_mm, x_mm) + pi / 4) % tau) / (pi / 2)))
    return (Seat.EAST, Seat.NORTH, Seat.WEST, Seat.SOUTH)[quarter]
