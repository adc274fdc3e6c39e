"""A scene from a seed."""

from dataclasses import replace
from math import tau

import numpy as np

from carrom.board_spec import BoardFamily, BoardSpec
from sim.camera.draw_of import Rng, chance, uniform
from sim.camera.sample_board import sample_board, sample_board_look
from sim.camera.sample_discs import sample_disc_looks, sample_discs
from sim.camera.sample_light import sample_light, sample_sensor
from sim.camera.sample_odd_discs import odd_discs
from sim.camera.sample_world import sample_camera, sample_props, sample_table
from sim.camera.scene import DiscState, Scene, SceneDisc
from sim.camera.scene_hands import sample_hands

__all__ = ["sample_scene"]

_HIKONE_SHARE = 0.35
_KIT_STREAMS = {0, 1, 2, 4, 7}
"""Family, board, its look, looks of the discs, table."""


def sample_scene(
    seed: int,
    *,
    family: BoardFamily | None = None,
    size_px: tuple[int, int] | None = None,
    kit: int | None = None,
    board: BoardSpec | None = None,
) -> Scene:
    """Everything at random; the same arguments give the same scene.

    ``family`` and ``size_px`` (width, height) fix the game and the resolution; each part draws
    from its own stream, so that fixing one leaves the others as they were. ``kit``: the seed of
    board, set of discs and table; scenes of one kit share textures and are quicker to render.
    ``board`` is used instead of a random one.
    """
    own = [np.random.default_rng((seed, part)) for part in range(10)]
    shared = [np.random.default_rng((seed if kit is None else kit, part)) for part in range(10)]
    streams = [shared[k] if k in _KIT_STREAMS else own[k] for k in range(10)]
    if board is not None:
        family = board.family
    elif family is None:
        family = BoardFamily.HIKONE if chance(streams[0], _HIKONE_SHARE) else BoardFamily.ICF
    if board is None:
        board = sample_board(streams[1], family)
    look = sample_board_look(streams[2], family)
    discs = sample_discs(streams[3], board)
    light = sample_light(streams[5])
    camera = sample_camera(streams[6], board, size_px)
    table = sample_table(streams[7], board)
    depth_mm = look.nets.depth_mm
    discs = odd_discs(streams[3], board, discs, net_depth_mm=depth_mm, drop_mm=table.drop_mm)
    return Scene(
        camera=camera,
        board=board,
        board_look=look,
        discs=_moving(own[8], discs),
        disc_looks=sample_disc_looks(streams[4], family),
        light=light,
        table=table,
        props=sample_props(own[7] if kit is not None else streams[7], board, table),
        hands=sample_hands(streams[9], board, discs),
        sensor=sample_sensor(streams[8], light, camera.width_px),
        seed=seed,
    )


def _moving(rng: Rng, discs: tuple[SceneDisc, ...]) -> tuple[SceneDisc, ...]:
    """In one still of eight some discs are on the move."""
    if not chance(rng, 0.12):
        return discs
    out = []
    for disc in discs:
        if disc.state is DiscState.FLAT and chance(rng, 0.35):
            speed, turn = uniform(rng, 50, 1500), uniform(rng, 0, tau)
            way = (speed * float(np.cos(turn)), speed * float(np.sin(turn)))
            disc = replace(disc, velocity_mm_s=way)
        out.append(disc)
    return tuple(out)
