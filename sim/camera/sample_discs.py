"""Sets of discs at random, and where and how they lie."""

from math import cos, hypot, sin, tau

from carrom.board_spec import BoardFamily, BoardSpec
from carrom.layouts import castle_layout, opening_position
from carrom.pieces import PieceKind
from sim.camera.draw_of import Rng, chance, jitter, one_of, tone, uniform, weighted
from sim.camera.looks import DiscLook, DiscPattern, Rgb
from sim.camera.scene import SceneDisc

__all__ = ["free_place", "sample_disc_looks", "sample_discs"]

_PALES: tuple[Rgb, ...] = (
    (0.95, 0.92, 0.84),
    (0.93, 0.84, 0.66),
    (0.90, 0.74, 0.50),
    (0.84, 0.64, 0.40),
    (0.98, 0.97, 0.95),
)
_BROWNS: tuple[Rgb, ...] = ((0.56, 0.34, 0.22), (0.48, 0.26, 0.16), (0.62, 0.42, 0.27))
_BLACKS: tuple[Rgb, ...] = (
    (0.10, 0.10, 0.11),
    (0.17, 0.17, 0.19),
    (0.14, 0.16, 0.22),
    (0.20, 0.16, 0.15),
    (0.24, 0.25, 0.28),
)
_QUEENS: tuple[Rgb, ...] = (
    (0.80, 0.10, 0.14),
    (0.78, 0.16, 0.42),
    (0.88, 0.40, 0.52),
    (0.48, 0.06, 0.12),
    (0.90, 0.28, 0.16),
)
_REDS: tuple[Rgb, ...] = (
    (0.75, 0.10, 0.12),
    (0.82, 0.20, 0.16),
    (0.62, 0.10, 0.12),
    (0.85, 0.30, 0.32),
)
_GREENS: tuple[Rgb, ...] = (
    (0.10, 0.45, 0.22),
    (0.16, 0.55, 0.30),
    (0.08, 0.33, 0.20),
    (0.35, 0.60, 0.30),
)
_STRIKERS: tuple[Rgb, ...] = (
    (0.96, 0.95, 0.92),
    (0.90, 0.84, 0.70),
    (0.30, 0.75, 0.25),
    (0.20, 0.35, 0.75),
    (0.95, 0.80, 0.20),
    (0.85, 0.30, 0.55),
    (0.15, 0.15, 0.17),
    (0.80, 0.15, 0.15),
    (0.55, 0.75, 0.72),
)
_MAN_PATTERNS = {
    DiscPattern.RINGS: 0.36,
    DiscPattern.MANY_RINGS: 0.2,
    DiscPattern.PLAIN: 0.2,
    DiscPattern.DISH: 0.1,
    DiscPattern.DOT: 0.06,
    DiscPattern.TARGET: 0.05,
    DiscPattern.FLOWER: 0.03,
}
_STRIKER_PATTERNS = {
    DiscPattern.PLAIN: 0.24,
    DiscPattern.RINGS: 0.12,
    DiscPattern.FLOWER: 0.12,
    DiscPattern.STAR: 0.1,
    DiscPattern.COLOUR_RING: 0.14,
    DiscPattern.TEXT: 0.1,
    DiscPattern.SWIRL: 0.1,
    DiscPattern.TARGET: 0.08,
}


def sample_disc_looks(rng: Rng, family: BoardFamily) -> tuple[DiscLook, ...]:
    """The looks of a set and its striker."""
    pattern = weighted(rng, _MAN_PATTERNS)
    shared = {
        "bevel_mm": uniform(rng, 0.4, 3.0),
        "groove": uniform(rng, 0.15, 1.0),
        "gloss": uniform(rng, 0.05, 0.7),
        "wear": uniform(rng, 0.0, 0.8),
        "spread": uniform(rng, 0.05, 0.9),
    }
    if family is BoardFamily.HIKONE:
        return _hikone_looks(rng, shared)
    pales = _BROWNS if chance(rng, 0.22) else _PALES
    looks = []
    for kind, pool in (
        (PieceKind.WHITE, pales),
        (PieceKind.BLACK, _BLACKS),
        (PieceKind.QUEEN, _QUEENS),
    ):
        looks.append(_man(rng, kind, tone(rng, pool), pattern, shared))
    return (*looks, _striker(rng))


def _man(
    rng: Rng, kind: PieceKind, colour: Rgb, pattern: DiscPattern, shared: dict[str, float]
) -> DiscLook:
    r, g, b = colour
    darker = uniform(rng, 0.72, 1.0)
    second = jitter(
        rng, (r * 0.6, g * 0.6, b * 0.6) if max(colour) > 0.4 else (0.5, 0.45, 0.4), 0.1
    )
    return DiscLook(
        kind=kind,
        colour=colour,
        side=(r * darker, g * darker, b * darker),
        second=second,
        pattern=pattern,
        seed=int(rng.integers(1 << 30)),
        **shared,
    )


def _striker(rng: Rng) -> DiscLook:
    colour = tone(rng, _STRIKERS[:2] if chance(rng, 0.5) else _STRIKERS)
    second = tone(rng, _STRIKERS[2:])
    return DiscLook(
        kind=PieceKind.STRIKER,
        colour=colour,
        side=colour if chance(rng, 0.7) else second,
        second=second,
        pattern=weighted(rng, _STRIKER_PATTERNS),
        bevel_mm=uniform(rng, 0.5, 3.5),
        groove=uniform(rng, 0.1, 1.0),
        gloss=uniform(rng, 0.3, 1.0),
        wear=uniform(rng, 0.0, 0.5),
        spread=uniform(rng, 0.0, 0.3),
        alpha=uniform(rng, 0.55, 0.85) if chance(rng, 0.1) else 1.0,
        seed=int(rng.integers(1 << 30)),
    )


def _hikone_looks(rng: Rng, shared: dict[str, float]) -> tuple[DiscLook, ...]:
    red, green = tone(rng, _REDS), tone(rng, _GREENS)
    wood = tone(rng, (*_PALES, (0.75, 0.58, 0.38)))
    filled = weighted(rng, {DiscPattern.PLAIN: 0.6, DiscPattern.DISH: 0.2, DiscPattern.RINGS: 0.2})
    shared = {**shared, "bevel_mm": uniform(rng, 1.0, 4.0)}
    looks = []
    for kind, colour in ((PieceKind.RED, red), (PieceKind.GREEN, green)):
        side = wood if chance(rng, 0.4) else colour
        looks.append(
            DiscLook(kind, colour, side, jitter(rng, wood, 0.05), filled, seed=_seed(rng), **shared)
        )
    jack = weighted(
        rng, {DiscPattern.TWO_RINGS: 0.6, DiscPattern.CORE: 0.2, DiscPattern.HALVES: 0.2}
    )
    pair = (red, green) if chance(rng, 0.5) else (green, red)
    body = wood if jack is DiscPattern.TWO_RINGS else pair[0]
    looks.append(DiscLook(PieceKind.JACK, body, pair[0], pair[1], jack, seed=_seed(rng), **shared))
    ring = red if chance(rng, 0.5) else green
    kind = PieceKind.STRIKER
    looks.append(
        DiscLook(kind, wood, wood, ring, DiscPattern.COLOUR_RING, seed=_seed(rng), **shared)
    )
    return tuple(looks)


def _seed(rng: Rng) -> int:
    return int(rng.integers(1 << 30))


def sample_discs(rng: Rng, board: BoardSpec) -> tuple[SceneDisc, ...]:
    """The discs of a moment of play, sizes of a real set included."""
    kind = weighted(rng, {"empty": 0.2, "opening": 0.12, "play": 0.5, "late": 0.2, "pack": 0.08})
    if kind == "empty":
        flat: list[tuple[PieceKind, float, float]] = []
    elif kind == "opening":
        flat = _opening(rng, board)
    else:
        flat = _scattered(rng, board, kind)
    if chance(rng, 0.85 if flat else 0.25):
        _add_striker(rng, board, flat)
    return tuple(_disc(rng, board, *place) for place in flat)


def _disc(rng: Rng, board: BoardSpec, kind: PieceKind, x_mm: float, y_mm: float) -> SceneDisc:
    return SceneDisc(
        kind, round(x_mm, 3), round(y_mm, 3), spin_rad=uniform(rng, 0, tau), seed=_seed(rng)
    )


def _opening(rng: Rng, board: BoardSpec) -> list[tuple[PieceKind, float, float]]:
    position = opening_position(board, uniform(rng, 0, tau))
    if board.family is BoardFamily.HIKONE and chance(rng, 0.3):
        position = castle_layout(board, uniform(rng, 0, tau))
    loose = uniform(rng, 0.0, 0.06)
    return [(d.kind, d.x_mm * (1 + loose), d.y_mm * (1 + loose)) for d in position]


def _scattered(rng: Rng, board: BoardSpec, moment: str) -> list[tuple[PieceKind, float, float]]:
    kinds = [k for k, count in board.pieces.items() for _ in range(count)]
    left = {"play": (8, len(kinds)), "late": (1, 8), "pack": (14, len(kinds))}[moment]
    count = int(rng.integers(left[0], left[1] + 1))
    order = rng.permutation(len(kinds))[:count]
    spread_mm = uniform(rng, 40, 90) if moment == "pack" else uniform(rng, 90, 400)
    placed: list[tuple[PieceKind, float, float]] = []
    for index in order:
        place = free_place(rng, board, kinds[index], placed, spread_mm)
        if place is not None:
            placed.append((kinds[index], *place))
    return placed


def free_place(
    rng: Rng,
    board: BoardSpec,
    kind: PieceKind,
    placed: list[tuple[PieceKind, float, float]],
    spread_mm: float,
) -> tuple[float, float] | None:
    """Where a disc can lie flat: at random, at a frame, or touching another."""
    radius = board.radii_mm[kind]
    limit = board.half_mm - radius - 0.2
    for _ in range(60):
        if chance(rng, 0.15):
            x, y = uniform(rng, -limit, limit), limit * one_of(rng, (-1, 1))
            x, y = (x, y) if chance(rng, 0.5) else (y, x)
        elif placed and chance(rng, 0.18):
            other, ox, oy = one_of(rng, placed)
            gap = radius + board.radii_mm[other] + uniform(rng, 0, 1.0)
            turn = uniform(rng, 0, tau)
            x, y = ox + gap * cos(turn), oy + gap * sin(turn)
        else:
            x, y = (float(v) for v in rng.normal(0, spread_mm, 2))
        if abs(x) > limit or abs(y) > limit or _over_pocket(board, x, y, radius):
            continue
        near = (hypot(x - ox, y - oy) < radius + board.radii_mm[k] for k, ox, oy in placed)
        if not any(near):
            return x, y
    return None


def _over_pocket(board: BoardSpec, x_mm: float, y_mm: float, radius_mm: float) -> bool:
    for centre in board.pocket_centres.values():
        if hypot(x_mm - centre.x_mm, y_mm - centre.y_mm) < board.pocket_radius_mm + 0.4 * radius_mm:
            return True
    corner, x, y = board.corner_radius_mm, abs(x_mm), abs(y_mm)
    dx, dy = x - (board.half_mm - corner), y - (board.half_mm - corner)
    return dx > 0 and dy > 0 and hypot(dx, dy) + radius_mm > corner


def _add_striker(rng: Rng, board: BoardSpec, flat: list[tuple[PieceKind, float, float]]) -> None:
    """On a base line more often than anywhere."""
    kind = PieceKind.STRIKER
    if chance(rng, 0.6):
        if board.family is BoardFamily.ICF:
            y = board.base_lines_y.middle_mm
            x = uniform(rng, -1, 1) * board.base_line_markings.base_circle_x(board.half_mm)
        else:
            y, x = board.area_line_y_mm - uniform(rng, 10, 40), uniform(rng, -150, 150)
        turn = int(rng.integers(4))
        for _ in range(turn):
            x, y = -y, x
        radius = board.radii_mm[kind]
        near = (hypot(x - ox, y - oy) < radius + board.radii_mm[k] for k, ox, oy in flat)
        if not any(near):
            flat.append((kind, x, y))
            return
    place = free_place(rng, board, kind, flat, 250.0)
    if place is not None:
        flat.append((kind, *place))
