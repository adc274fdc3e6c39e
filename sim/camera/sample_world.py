"""Cameras, tables and clutter at random."""

from math import cos, pi, radians, sin, tau

from carrom.board_spec import BoardSpec
from sim.camera.camera import Camera
from sim.camera.draw_of import Rng, chance, jitter, one_of, tone, uniform, weighted
from sim.camera.looks import Rgb
from sim.camera.outline import outer_half_mm
from sim.camera.scene import Prop, PropKind, Table, TableKind

__all__ = ["sample_camera", "sample_props", "sample_table"]

_SIZES = {
    (1280, 720): 0.5,
    (1920, 1080): 0.2,
    (640, 480): 0.12,
    (800, 600): 0.06,
    (720, 1280): 0.08,
    (960, 960): 0.04,
}
_CLOTHS: tuple[Rgb, ...] = (
    (0.60, 0.20, 0.18),
    (0.22, 0.29, 0.46),
    (0.84, 0.82, 0.77),
    (0.30, 0.42, 0.36),
    (0.70, 0.54, 0.32),
    (0.36, 0.27, 0.34),
    (0.15, 0.15, 0.18),
    (0.55, 0.52, 0.48),
)
_TROUSERS: tuple[Rgb, ...] = (
    (0.85, 0.84, 0.82),
    (0.22, 0.26, 0.36),
    (0.30, 0.36, 0.48),
    (0.10, 0.10, 0.11),
    (0.42, 0.41, 0.40),
    (0.60, 0.52, 0.40),
    (0.34, 0.33, 0.24),
    (0.40, 0.16, 0.18),
)
_SKINS: tuple[Rgb, ...] = (
    (0.90, 0.72, 0.60),
    (0.72, 0.50, 0.36),
    (0.50, 0.33, 0.22),
    (0.33, 0.21, 0.15),
)


def sample_camera(rng: Rng, board: BoardSpec, size_px: tuple[int, int] | None) -> Camera:
    """Above the board, any way round; it fills 58 to 118 % of the picture, phones or webcams."""
    size = weighted(rng, _SIZES) if size_px is None else size_px
    wide = chance(rng, 0.55)
    view = radians(uniform(rng, 70, 105) if wide else uniform(rng, 50, 72))
    if size[0] <= size[1]:
        view *= 0.75
    distortion = uniform(rng, 0.02, 0.22) if wide else uniform(rng, -0.02, 0.04)
    tilt = radians(min(35.0, abs(float(rng.normal(0, 15)))))
    steep = Camera.over(size_px=size, view_rad=view, distortion=distortion)
    fill = uniform(rng, 0.78, 1.02) if chance(rng, 0.7) else uniform(rng, 0.58, 1.18)
    half_mm = outer_half_mm(board)
    distance = half_mm / (min(size) / 2 * fill / steep.focal_px)
    roll = int(rng.integers(4)) * pi / 2 + float(rng.normal(0, 0.12))
    if chance(rng, 0.15):
        roll = uniform(rng, 0, tau)
    off = half_mm * 0.09 * (1.1 - min(fill, 1.0) + 0.3)
    return Camera.over(
        size_px=size,
        view_rad=view,
        distance_mm=max(distance, 350.0) * (1 + 0.15 * sin(tilt)),
        tilt_rad=tilt,
        tilt_towards_rad=uniform(rng, 0, tau),
        roll_rad=roll,
        distortion=distortion,
        look_at_mm=(float(rng.normal(0, off)), float(rng.normal(0, off))),
    )


def sample_table(rng: Rng, board: BoardSpec) -> Table:
    """What the board stands on, and how far down it is."""
    kind = weighted(
        rng,
        {
            TableKind.WOOD: 0.2,
            TableKind.CLOTH: 0.17,
            TableKind.CHECK: 0.08,
            TableKind.PATCHWORK: 0.08,
            TableKind.GRASS: 0.06,
            TableKind.TILES: 0.16,
            TableKind.CARPET: 0.08,
            TableKind.PLAIN: 0.12,
        },
    )
    pools: dict[TableKind, tuple[Rgb, ...]] = {
        TableKind.WOOD: ((0.55, 0.36, 0.22), (0.75, 0.58, 0.40), (0.35, 0.22, 0.15)),
        TableKind.GRASS: ((0.16, 0.30, 0.12), (0.26, 0.36, 0.18)),
        TableKind.TILES: ((0.85, 0.83, 0.78), (0.70, 0.68, 0.66), (0.60, 0.50, 0.42)),
        TableKind.PLAIN: ((0.9, 0.9, 0.88), (0.12, 0.12, 0.14), (0.5, 0.47, 0.43)),
    }
    colour = tone(rng, pools.get(kind, _CLOTHS), 0.1)
    second = (
        tone(rng, _CLOTHS)
        if kind in (TableKind.CHECK, TableKind.PATCHWORK, TableKind.CLOTH)
        else (colour[0] * 0.65, colour[1] * 0.62, colour[2] * 0.6)
    )
    on_stand = chance(rng, 0.35)
    low = 9.0 if board.half_mm < 310 else 15.0
    return Table(
        kind=kind,
        colour=colour,
        second=second,
        drop_mm=uniform(rng, 300, 750) if on_stand else uniform(rng, low, 60),
        pattern_mm=uniform(rng, 40, 110),
        seed=int(rng.integers(1 << 20)),
    )


def sample_props(rng: Rng, board: BoardSpec, table: Table) -> tuple[Prop, ...]:
    """Knees and feet of the players, cups, phones, powder, paper; now and then a robot's beam."""
    props: list[Prop] = []
    if chance(rng, 0.33):
        kind = PropKind.KNEE if chance(rng, 0.85) else PropKind.FOOT
        for turn in (0.0, pi / 2, pi, 3 * pi / 2):
            if chance(rng, 0.5):
                props.append(_body_part(rng, board, table, kind, turn))
    for kind, share in _SHARES.items():
        if chance(rng, share):
            props.append(_thing(rng, board, table, kind))
    return tuple(props)


_SHARES = {
    PropKind.CUP: 0.16,
    PropKind.BOTTLE: 0.16,
    PropKind.LYING_BOTTLE: 0.08,
    PropKind.PHONE: 0.16,
    PropKind.PAPER: 0.12,
    PropKind.CABLE: 0.08,
    PropKind.GANTRY: 0.02,
    PropKind.CLOTH: 0.06,
}


def _body_part(rng: Rng, board: BoardSpec, table: Table, kind: PropKind, turn: float) -> Prop:
    """Beside one side of the board, pointing away from it."""
    reach = outer_half_mm(board) + (uniform(rng, 0, 160) if kind is PropKind.KNEE else 70)
    along = uniform(rng, -0.6, 0.6) * board.half_mm
    x = reach * cos(turn) - along * sin(turn)
    y = reach * sin(turn) + along * cos(turn)
    low = -min(table.drop_mm, 120.0)
    return Prop(
        kind,
        x,
        y,
        z_mm=low + (20 if kind is PropKind.KNEE else 0),
        turn_rad=turn + uniform(rng, -0.3, 0.3),
        scale=uniform(rng, 0.85, 1.15),
        colour=tone(rng, _SKINS if kind is PropKind.FOOT else _TROUSERS, 0.1),
        seed=int(rng.integers(1 << 20)),
    )


def _thing(rng: Rng, board: BoardSpec, table: Table, kind: PropKind) -> Prop:
    far = outer_half_mm(board)
    on_frame = kind in (PropKind.BOTTLE, PropKind.LYING_BOTTLE) and chance(rng, 0.3)
    turn = uniform(rng, 0, tau)
    if on_frame and board.frame.breadth_mm.value > 50:
        reach, z_mm = board.half_mm + board.frame.breadth_mm.value / 2, board.frame.height_mm.value
        along = uniform(rng, -0.6, 0.6) * board.half_mm
        x, y = reach, along
        for _ in range(int(rng.integers(4))):
            x, y = -y, x
    else:
        reach, z_mm = far * uniform(rng, 1.15, 1.6), -table.drop_mm
        side = int(rng.integers(4)) * pi / 2 + uniform(rng, -0.6, 0.6)
        x, y = reach * cos(side) * 1.1, reach * sin(side)
        if kind in (PropKind.GANTRY, PropKind.CABLE):
            x, y, z_mm = (
                uniform(rng, -1, 1) * far,
                -far * uniform(rng, 0.5, 1.1),
                uniform(rng, 30, 90),
            )
    colours: tuple[Rgb, ...] = (
        (0.92, 0.92, 0.9),
        (0.75, 0.2, 0.2),
        (0.2, 0.35, 0.6),
        (0.85, 0.75, 0.6),
    )
    return Prop(
        kind,
        x,
        y,
        z_mm,
        turn_rad=turn if kind is not PropKind.GANTRY else 0.0,
        scale=uniform(rng, 0.8, 1.15),
        colour=tone(
            rng, ((0.08, 0.08, 0.1), (0.5, 0.5, 0.52)) if kind is PropKind.CABLE else colours, 0.08
        ),
        second=jitter(
            rng, one_of(rng, ((0.30, 0.18, 0.10), (0.62, 0.42, 0.22), (0.1, 0.1, 0.11))), 0.08
        ),
        seed=int(rng.integers(1 << 20)),
    )
