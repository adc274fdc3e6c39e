"""Which stroke a player tries: a ghost disc behind an own man, or a blow at the crowd."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, remainder, sin, sqrt, tau

import numpy as np

from carrom.board_marks import Point, seat_rotation_rad, to_seat_frame
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.pieces import PieceKind
from carrom.position import Position
from carrom.seats import Pocket, Seat
from carrom.stroke import MAX_SPEED_MM_S, Stroke
from carrom.stroke_text import default_placement
from sim.camera.draw_of import Rng
from sim.physics.simulation import simulate
from sim.physics.surface import SurfaceParams
from sim.physics.trajectory import Trajectory

__all__ = [
    "Table",
    "along_places",
    "best_stroke",
    "ghost_shots",
    "miss",
    "noisy",
    "random_stroke",
    "search",
]

_TRIED = 14
_FASTEST_MM_S = 7000.0


@dataclass(frozen=True, slots=True)
class Table:
    """What a player sees: the pieces (no striker), whose turn, which kinds are good to pocket."""

    board: BoardSpec
    surface: SurfaceParams
    position: Position
    seat: Seat
    wanted: tuple[PieceKind, ...]
    tee: bool = False
    opening: bool = False

    def run(self, stroke: Stroke) -> Trajectory:
        """What the stroke would do."""
        return simulate(self.position, stroke, self.board, self.surface)

    def clear(self, x_mm: float, y_mm: float, radius_mm: float, slack_mm: float = 0.6) -> bool:
        """Nothing lies within a disc."""
        return all(
            hypot(x_mm - d.x_mm, y_mm - d.y_mm) > radius_mm + self.board.radii_mm[d.kind] + slack_mm
            for d in self.position
        )


def along_places(table: Table, count: int = 9) -> list[tuple[float, float]]:
    """Legal, free places for the striker, board frame; empty if all are blocked."""
    board, seat = table.board, table.seat
    radius = board.radii_mm[PieceKind.STRIKER]
    if table.tee:
        return [(x, y) for x, y in _tee_places(table, radius)]
    else:
        if board.family is BoardFamily.ICF:
            marks = board.base_line_markings
            clear = marks.base_circle_diameter_mm.value / 2 + radius + 1.0
            reach = marks.base_circle_x(board.half_mm) - clear
        else:
            reach = 0.62 * board.half_mm
        spots = [
            default_placement(board, seat, float(along))
            for along in np.linspace(-reach, reach, count)
        ]
    return [(x, y) for x, y in spots if table.clear(x, y, radius)]


def _tee_places(table: Table, radius_mm: float) -> list[Point]:
    """On the tee spot; if it is blocked, touching its outline (HK-05, HK-06)."""
    spot = table.board.tee_spot(table.seat)
    if table.clear(*spot, radius_mm):
        return [spot]
    outline = table.board.area_line_markings.tee_spot_diameter_mm.value / 2
    around = []
    for reach in np.linspace(2.0, outline + radius_mm - 1.0, 12):
        for turn in np.arange(24) * (tau / 24):
            x, y = spot[0] + reach * cos(turn), spot[1] + reach * sin(turn)
            if table.clear(x, y, radius_mm):
                around.append(Point(float(x), float(y)))
        if around:
            break
    return around


def _any_place(table: Table) -> Point:
    """Everything is blocked: as near to the line as there is room."""
    board = table.board
    radius = board.radii_mm[PieceKind.STRIKER]
    line = board.tee_spot(table.seat) if table.tee else default_placement(board, table.seat)
    for reach in np.arange(0.0, board.half_mm, 4.0):
        for turn in np.arange(36) * (tau / 36):
            x, y = line[0] + reach * cos(turn), line[1] + reach * sin(turn)
            inside = max(abs(x), abs(y)) + radius < board.half_mm
            if inside and table.clear(float(x), float(y), radius):
                return Point(float(x), float(y))
    return line


def best_stroke(table: Table, rng: Rng) -> Stroke:
    """The best of a few promising strokes, as meant (``noisy`` makes it human)."""
    places = along_places(table) or along_places(table, 41)
    if not places:
        x, y = _any_place(table)
        places = [(x, y)]
    if table.opening:
        return _opening(table, places, rng)
    shots = sorted(ghost_shots(table, places), key=lambda shot: shot[0])[:_TRIED]
    tried = [stroke for _, stroke in shots] + _scatters(table, places, rng, 3)
    return max(tried, key=lambda stroke: _worth(table, table.run(stroke)))


def noisy(stroke: Stroke, skill: float, rng: Rng) -> Stroke:
    """The stroke as the hand makes it: aim off by 0.1 to 1.2 degrees, speed by 3 to 15 %."""
    aim = 0.0015 + 0.02 * (1 - skill) ** 2
    pace = 0.03 + 0.12 * (1 - skill)
    speed = stroke.speed_mm_s * float(np.exp(rng.normal(0, pace)))
    return replace(
        stroke,
        angle_rad=stroke.angle_rad + float(rng.normal(0, aim)),
        speed_mm_s=min(max(speed, 150.0), MAX_SPEED_MM_S),
    )


def search(
    table: Table,
    rng: Rng,
    wanted: Callable[[Trajectory], bool],
    *,
    tries: int = 250,
    speeds: tuple[float, float] = (1200.0, _FASTEST_MM_S),
) -> Stroke | None:
    """A stroke whose trajectory is as wanted: good ones first, then at random."""
    places = along_places(table)
    if not places:
        return None
    ghosts = [stroke for _, stroke in sorted(ghost_shots(table, places), key=lambda s: s[0])]
    for stroke in (
        *ghosts[:60],
        *(random_stroke(table, places, rng, speeds) for _ in range(tries)),
    ):
        if wanted(table.run(stroke)):
            return stroke
    return None


def miss(table: Table, rng: Rng) -> Stroke | None:
    """A timid stroke that touches no piece."""
    return search(
        table,
        rng,
        lambda run: not run.pocketed and not any(event.b == run.striker for event in run.events),
        speeds=(350.0, 1500.0),
    )


def random_stroke(
    table: Table, places: Sequence[tuple[float, float]], rng: Rng, speeds: tuple[float, float]
) -> Stroke:
    """Any stroke forward; ``speeds``: mm/s."""
    place = places[int(rng.integers(len(places)))]
    angle = seat_rotation_rad(table.seat) + pi / 2 + float(rng.uniform(-1.2, 1.2))
    speed = float(rng.uniform(*speeds))
    return Stroke(seat=table.seat, placement_mm=place, angle_rad=angle, speed_mm_s=speed)


def _opening(table: Table, places: Sequence[tuple[float, float]], rng: Rng) -> Stroke:
    x, y = places[int(rng.integers(len(places)))]
    off = float(rng.uniform(-18, 18))
    aim = atan2(-y, -x) + off / max(hypot(x, y), 1.0)
    speed = float(rng.uniform(3800, 6500))
    return Stroke(seat=table.seat, placement_mm=(x, y), angle_rad=aim, speed_mm_s=speed)


def _scatters(
    table: Table, places: Sequence[tuple[float, float]], rng: Rng, count: int
) -> list[Stroke]:
    """Blows at pieces ahead of the player."""
    out = []
    targets = [d for d in table.position if _ahead(table.seat, d.x_mm, d.y_mm)]
    for _ in range(count):
        x, y = places[int(rng.integers(len(places)))]
        if targets:
            target = targets[int(rng.integers(len(targets)))]
            aim = atan2(target.y_mm - y, target.x_mm - x) + float(rng.normal(0, 0.02))
        else:
            aim = seat_rotation_rad(table.seat) + pi / 2
        speed = float(rng.uniform(1800, 4200))
        out.append(Stroke(seat=table.seat, placement_mm=(x, y), angle_rad=aim, speed_mm_s=speed))
    return out


def _ahead(seat: Seat, x_mm: float, y_mm: float) -> bool:
    return to_seat_frame(seat, x_mm, y_mm).y_mm > -60.0


def ghost_shots(
    table: Table, places: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, Stroke]]:
    """(difficulty, stroke): the striker pushes a wanted man straight into a pocket."""
    board = table.board
    striker = board.radii_mm[PieceKind.STRIKER]
    for man in table.position:
        if man.kind not in table.wanted:
            continue
        for pocket in Pocket:
            centre = board.pocket_centres[pocket]
            dx, dy = centre.x_mm - man.x_mm, centre.y_mm - man.y_mm
            run = hypot(dx, dy)
            if run < 1.0:
                continue
            gap = striker + board.radii_mm[man.kind]
            gx, gy = man.x_mm - dx / run * gap, man.y_mm - dy / run * gap
            for x, y in places:
                shot = _ghost(table, (x, y), (gx, gy), (dx / run, dy / run), run)
                if shot is not None:
                    yield shot


def _ghost(
    table: Table,
    place: tuple[float, float],
    ghost: tuple[float, float],
    way: tuple[float, float],
    run_mm: float,
) -> tuple[float, Stroke] | None:
    dx, dy = ghost[0] - place[0], ghost[1] - place[1]
    reach = hypot(dx, dy)
    if reach < 5.0:
        return None
    aim = atan2(dy, dx)
    ahead = abs(remainder(aim - seat_rotation_rad(table.seat) - pi / 2, tau))
    cut = (dx * way[0] + dy * way[1]) / reach
    if cut < 0.25 or ahead > 1.4:
        return None
    slowing = table.surface.deceleration_mm_s2(PieceKind.WHITE)
    man_speed = sqrt(2 * slowing * run_mm + 450.0**2)
    at_ghost = man_speed / (cut * 1.33)
    speed = sqrt(at_ghost**2 + 2 * slowing * reach) * 1.15
    if speed > _FASTEST_MM_S:
        return None
    stroke = Stroke(seat=table.seat, placement_mm=place, angle_rad=aim, speed_mm_s=speed)
    return (run_mm + 0.6 * reach) / cut**2, stroke


def _worth(table: Table, run: Trajectory) -> float:
    """Own men in are good, the striker in is bad."""
    total = 0.0
    for disc, _ in run.pocketed:
        kind = run.kinds[disc]
        if kind is PieceKind.STRIKER:
            total -= 2.5
        elif kind in table.wanted:
            total += 1.0
        else:
            total -= 1.0
    total -= 2.0 * len(run.off_board)
    return total + 0.02 * sum(1 for event in run.events if event.b == run.striker)
