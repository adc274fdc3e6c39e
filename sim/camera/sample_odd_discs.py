"""Discs that do not lie flat and free: in pockets, on the frame, stacked, leaning, standing."""

from math import asin, cos, hypot, pi, sin, tau

from carrom.board_spec import BoardSpec
from carrom.pieces import PieceKind
from carrom.seats import Pocket
from sim.camera.draw_of import Rng, chance, one_of, uniform
from sim.camera.sample_discs import free_place
from sim.camera.scene import DiscState, SceneDisc

__all__ = ["odd_discs"]


def odd_discs(
    rng: Rng,
    board: BoardSpec,
    discs: tuple[SceneDisc, ...],
    *,
    net_depth_mm: float,
    drop_mm: float,
) -> tuple[SceneDisc, ...]:
    """Some discs that do not lie flat and free: in pockets, on the frame, stacked, leaning."""
    out = list(discs)
    kinds = tuple(board.pieces)
    if chance(rng, 0.35):
        for _ in range(int(rng.integers(1, 5))):
            out.append(_in_pocket(rng, board, one_of(rng, kinds), net_depth_mm))
    if chance(rng, 0.15):
        out += _on_frame(rng, board, kinds)
    if chance(rng, 0.06):
        out.append(_off_board(rng, board, one_of(rng, kinds), drop_mm))
    makers = {_stacked: 0.05, _leaning: 0.05, _standing: 0.05, _hanging: 0.08}
    for make, share in makers.items():
        if out and chance(rng, share):
            made = make(rng, board, one_of(rng, kinds), tuple(discs))
            if made is not None:
                out.append(made)
    return tuple(out)


def _in_pocket(rng: Rng, board: BoardSpec, kind: PieceKind, depth_mm: float) -> SceneDisc:
    centre = board.pocket_centres[one_of(rng, tuple(Pocket))]
    away, turn = uniform(rng, 0, 0.4) * board.pocket_radius_mm, uniform(rng, 0, tau)
    return SceneDisc(
        kind,
        centre.x_mm + away * cos(turn),
        centre.y_mm + away * sin(turn),
        z_mm=-depth_mm + uniform(rng, 2, 8),
        lean_rad=uniform(rng, 0, 0.5),
        lean_towards_rad=uniform(rng, 0, tau),
        spin_rad=uniform(rng, 0, tau),
        state=DiscState.IN_POCKET,
        seed=int(rng.integers(1 << 30)),
    )


def _on_frame(rng: Rng, board: BoardSpec, kinds: tuple[PieceKind, ...]) -> list[SceneDisc]:
    """Pocketed men that the players keep on the frame."""
    middle = board.half_mm + board.frame.breadth_mm.value / 2
    along, side = uniform(rng, -0.7, 0.4) * board.half_mm, int(rng.integers(4))
    out = []
    for _ in range(int(rng.integers(1, 6))):
        kind = one_of(rng, kinds)
        x, y = along, -middle + uniform(rng, -6, 6)
        for _ in range(side):
            x, y = -y, x
        z_mm, height = 0.0, board.disc(kind).thickness_mm.value
        for level in range(1 if chance(rng, 0.8) else int(rng.integers(2, 4))):
            z_mm = board.frame.height_mm.value + level * height
            spin = uniform(rng, 0, tau)
            out.append(
                SceneDisc(
                    kind,
                    x,
                    y,
                    z_mm,
                    spin_rad=spin,
                    state=DiscState.ON_FRAME,
                    seed=int(rng.integers(1 << 30)),
                )
            )
        along += 2 * board.radii_mm[kind] + uniform(rng, 0.5, 12)
    return out


def _off_board(rng: Rng, board: BoardSpec, kind: PieceKind, drop_mm: float) -> SceneDisc:
    """Knocked over the frame, beside the board."""
    x = board.half_mm + board.frame.breadth_mm.value + uniform(rng, 25, 160)
    y = uniform(rng, -1, 1) * board.half_mm
    for _ in range(int(rng.integers(4))):
        x, y = -y, x
    state, spin = DiscState.OFF_BOARD, uniform(rng, 0, tau)
    return SceneDisc(
        kind, x, y, -drop_mm, spin_rad=spin, state=state, seed=int(rng.integers(1 << 30))
    )


def _stacked(
    rng: Rng, board: BoardSpec, kind: PieceKind, discs: tuple[SceneDisc, ...]
) -> SceneDisc | None:
    if not discs:
        return None
    under = one_of(rng, discs)
    x = under.x_mm + uniform(rng, -7, 7)
    y = under.y_mm + uniform(rng, -7, 7)
    z_mm = board.disc(under.kind).thickness_mm.value
    return SceneDisc(
        kind,
        x,
        y,
        z_mm,
        spin_rad=uniform(rng, 0, tau),
        state=DiscState.STACKED,
        seed=int(rng.integers(1 << 30)),
    )


def _leaning(
    rng: Rng, board: BoardSpec, kind: PieceKind, discs: tuple[SceneDisc, ...]
) -> SceneDisc | None:
    """One edge on a neighbour, the other on the board."""
    if not discs:
        return None
    under = one_of(rng, discs)
    radius, turn = board.radii_mm[kind], uniform(rng, 0, tau)
    lean = asin(min(0.9, board.disc(under.kind).thickness_mm.value / (1.5 * radius)))
    away = board.radii_mm[under.kind] + 0.55 * radius
    x, y = under.x_mm + away * cos(turn), under.y_mm + away * sin(turn)
    taken = (d for d in discs if d is not under)
    if max(abs(x), abs(y)) > board.half_mm - radius or any(
        hypot(x - d.x_mm, y - d.y_mm) < radius + board.radii_mm[d.kind] for d in taken
    ):
        return None
    return SceneDisc(
        kind,
        x,
        y,
        z_mm=radius * sin(lean),
        lean_rad=lean,
        lean_towards_rad=turn,
        state=DiscState.LEANING,
        seed=int(rng.integers(1 << 30)),
    )


def _standing(
    rng: Rng, board: BoardSpec, kind: PieceKind, discs: tuple[SceneDisc, ...]
) -> SceneDisc | None:
    taken = [(d.kind, d.x_mm, d.y_mm) for d in discs]
    place = free_place(rng, board, kind, taken, 250.0)
    if place is None:
        return None
    return SceneDisc(
        kind,
        *place,
        z_mm=board.radii_mm[kind],
        lean_rad=pi / 2,
        lean_towards_rad=uniform(rng, 0, tau),
        state=DiscState.STANDING,
        seed=int(rng.integers(1 << 30)),
    )


def _hanging(
    rng: Rng, board: BoardSpec, kind: PieceKind, discs: tuple[SceneDisc, ...]
) -> SceneDisc | None:
    """Over the lip of a pocket, its centre just on the wood."""
    centre = board.pocket_centres[one_of(rng, tuple(Pocket))]
    reach = board.pocket_radius_mm + uniform(rng, 0.3, 6)
    back = (
        pi + (pi / 4 if centre.x_mm * centre.y_mm > 0 else -pi / 4) + (pi if centre.x_mm < 0 else 0)
    )
    turn = back + uniform(rng, -0.4, 0.4)
    x, y = centre.x_mm + reach * cos(turn), centre.y_mm + reach * sin(turn)
    radius = board.radii_mm[kind]
    near = (hypot(x - d.x_mm, y - d.y_mm) < radius + board.radii_mm[d.kind] for d in discs)
    if max(abs(x), abs(y)) > board.half_mm - radius or any(near):
        return None
    return SceneDisc(kind, x, y, state=DiscState.HANGING, seed=int(rng.integers(1 << 30)))
