"""Which of the corners that a network reports belong to one board, and where the rest must be.

A board's corners form a square seen by a camera that stands somewhere above it. Reports may be
spurious, missing, or of two boards; the box around the whole board says which belong together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from carrom.board_spec import BoardFamily
from vision.arrays import Array
from vision.pose import order_as_seen
from vision.seen import Box

__all__ = [
    "BREADTHS",
    "CORNER",
    "FAMILIES",
    "Quad",
    "choose_corners",
    "middle_of",
    "quad_of_box",
    "quad_of_picture",
    "ranked_corners",
]

CORNER = "corner"
FAMILIES = {"icf_board": BoardFamily.ICF, "hikone_board": BoardFamily.HIKONE}
"""The classes of the corner network that are boards."""

BREADTHS = {BoardFamily.ICF: 0.19, BoardFamily.HIKONE: 0.09}
"""Breadth of a frame over half a side of the surface."""
_MOST_CORNERS = 10
_LEAST_WORTH = 0.2
_SAME = 0.05
"""Readings whose corners are nearer than this share of the diagonal are one."""
_LOOSE = 0.12
"""How far outside a board's box, in sizes of the box, a corner may lie."""


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners of one board, in the order NW NE SE SW of the picture.

    ``corners_px``: (4, 2) float64; ``seen``: (4,) bool, False where worked out from the others;
    ``scores``: (4,) of the network, 0 where not seen. ``odds``: of the families. ``rivals``: other
    boards in the picture.
    """

    corners_px: Array
    seen: Array
    scores: Array
    odds: dict[BoardFamily, float]
    rivals: int

    @property
    def family(self) -> BoardFamily:
        """The likelier family."""
        return max(self.odds, key=lambda family: self.odds[family])


def choose_corners(boxes: Sequence[Box], *, looked_at: Box) -> tuple[Quad | None, tuple[str, ...]]:
    """The best board among the boxes of the corner network, and why not, in words.

    ``boxes``: of classes ``corner``, ``icf_board``, ``hikone_board``, in px of the picture;
    ``looked_at``: the part of the plane that the network saw, margins included, where boxes end.
    """
    found = ranked_corners(boxes, looked_at=looked_at)
    if not found:
        corners = sum(box.label == CORNER for box in boxes)
        return None, (_why_not(corners, sum(box.label in FAMILIES for box in boxes)),)
    return found[0], ()


def ranked_corners(boxes: Sequence[Box], *, looked_at: Box, most: int = 4) -> tuple[Quad, ...]:
    """The boards that the boxes may be of, the likeliest first; arguments as in ``choose_corners``.

    Readings whose corners are nearly the same are one.
    """
    corners = sorted((b for b in boxes if b.label == CORNER), key=lambda b: -b.score)
    boards = sorted((b for b in boxes if b.label in FAMILIES), key=lambda b: -b.score)
    middles = np.array([middle_of(b, looked_at) for b in corners]).reshape(-1, 2)
    scores = np.array([b.score for b in corners])
    frames: list[Box | None] = [b for b in boards if b.score >= 0.3 * boards[0].score] or [None]
    found, backed = [], 0
    for board in frames:
        inside = _belonging(middles, board)[:_MOST_CORNERS]
        quads = _quads(middles[inside], scores[inside], board)
        backed += bool(quads)
        found += [(worth, (points, seen, score), board) for points, seen, score, worth in quads]
    found.sort(key=lambda item: -item[0])
    out: list[Quad] = []
    for _, (points, seen, score), board in found:
        order = order_as_seen(points)
        quad = Quad(points[order], seen[order], score[order], _odds(board, boxes), backed - 1)
        if not any(_alike(quad.corners_px, other.corners_px) for other in out):
            out.append(quad)
        if len(out) == most:
            break
    return tuple(out)


def _alike(a: Array, b: Array) -> bool:
    """Whether two rings of corners are nearly the same."""
    size = float(np.linalg.norm(a[0] - a[2]))
    return bool(np.linalg.norm(a - b, axis=1).max() < _SAME * size)


def quad_of_box(boxes: Sequence[Box], *, width_px: int, height_px: int) -> Quad | None:
    """Where the corners lie if the board stands straight in the clearest box of a whole board.

    None of them counts as seen. ``None``: no such box, or none that could be a square.
    """
    boards = [box for box in boxes if box.label in FAMILIES]
    if not boards:
        return None
    board = max(boards, key=lambda box: box.score)
    low, high = np.array([board.left, board.top]), np.array([board.right, board.bottom])
    low, high = _squared(low, high, np.array([width_px - 1.0, height_px - 1.0]))
    wide, tall = high - low
    if not 0.75 < wide / max(tall, 1.0) < 1.33:
        return None
    odds = _odds(board, boxes)
    family = max(odds, key=lambda item: odds[item])
    middle, reach = (low + high) / 2, (high - low) / 2 / (1.02 + BREADTHS[family])
    ring = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    nothing = np.zeros(4, dtype=bool)
    return Quad(middle + ring * reach, nothing, np.zeros(4), odds, 0)


def quad_of_picture(boxes: Sequence[Box], *, width_px: int, height_px: int) -> Quad | None:
    """The picture's own corners: some pictures are cut along the edge of the surface.

    ``None``: no board is in it, or the picture is no square.
    """
    if not any(box.label in FAMILIES for box in boxes):
        return None
    if not 0.8 < width_px / height_px < 1.25:
        return None
    x, y = width_px - 1.0, height_px - 1.0
    ring = np.array([[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]])
    return Quad(ring, np.zeros(4, dtype=bool), np.zeros(4), _odds(None, boxes), 0)


def _squared(low: Array, high: Array, end: Array) -> tuple[Array, Array]:
    """A box that the picture's border cuts on one side, made square beyond it."""
    size = high - low
    short = int(np.argmin(size))
    lack, edge = float(size[1 - short] - size[short]), 0.01 * float(end.max())
    low, high = low.copy(), high.copy()
    at_low, at_high = low[short] <= edge, high[short] >= end[short] - edge
    if at_low:
        low[short] -= lack / 2 if at_high else lack
    if at_high:
        high[short] += lack / 2 if at_low else lack
    return low, high


def _why_not(corners: int, boards: int) -> str:
    if corners == 0 and boards == 0:
        return "no board in the picture"
    if corners < 2:
        return f"a board, but {corners} of its corners: move the camera or mark the corners by hand"
    return "corners, but no four of them form a board"


def middle_of(box: Box, looked_at: Box) -> tuple[float, float]:
    """The corner in a box: its middle, or beyond where the network's view cuts the box."""
    x, y = box.middle
    wide, high = box.right - box.left, box.bottom - box.top
    size = max(wide, high)
    edge = 0.006 * looked_at.size
    if wide < 0.93 * size:
        if box.left <= looked_at.left + edge:
            x = box.right - size / 2
        elif box.right >= looked_at.right - edge:
            x = box.left + size / 2
    if high < 0.93 * size:
        if box.top <= looked_at.top + edge:
            y = box.bottom - size / 2
        elif box.bottom >= looked_at.bottom - edge:
            y = box.top + size / 2
    return x, y


def _belonging(middles: Array, board: Box | None) -> Array:
    """Indices of the corners that may belong to a board."""
    if board is None or len(middles) == 0:
        return np.arange(len(middles))
    slack = _LOOSE * board.size
    x, y = middles.T
    good = (x > board.left - slack) & (x < board.right + slack)
    good &= (y > board.top - slack) & (y < board.bottom + slack)
    return np.flatnonzero(good)


def _quads(
    middles: Array, scores: Array, board: Box | None
) -> list[tuple[Array, Array, Array, float]]:
    """Points, which are seen, scores and worth of every reading worth looking at."""
    out = []
    for points, seen, score in _readings(middles, scores, board):
        worth = float(score.sum()) - 1.5 * _oddness(points) - _misfit(points, board)
        worth -= 0.25 * float((~seen).sum())
        if worth >= _LEAST_WORTH:
            out.append((points, seen, score, worth))
    return out


def _readings(
    middles: Array, scores: Array, board: Box | None
) -> Iterator[tuple[Array, Array, Array]]:
    """Four corners, or three or two with the rest worked out."""
    count = len(middles)
    everything = np.ones(4, dtype=bool)
    for pick in combinations(range(count), 4):
        index = list(pick)
        order = order_as_seen(middles[index])
        yield middles[index][order], everything, scores[index][order]
    for three in combinations(range(count), 3):
        for lone in range(3):
            a, b, c = (three[lone - 1], three[lone], three[(lone + 1) % 3])
            fourth = middles[a] + middles[c] - middles[b]
            points = np.array([middles[a], middles[b], middles[c], fourth])
            score = np.array([scores[a], scores[b], scores[c], 0.0])
            yield points, np.array([True, True, True, False]), score
    if board is not None:
        for a, b in combinations(range(count), 2):
            yield from _from_two(middles[a], middles[b], scores[[a, b]])


def _from_two(a: Array, b: Array, scores: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Squares seen from straight above on two corners: beside each other or across."""
    along = b - a
    across = np.array([-along[1], along[0]])
    seen, score = np.array([True, True, False, False]), np.array([*scores, 0.0, 0.0])
    for way in (1.0, -1.0):
        yield np.array([a, b, b + way * across, a + way * across]), seen, score
    middle = (a + b) / 2
    ring = np.array([a, b, middle + across / 2, middle - across / 2])
    yield ring, seen, score


def _oddness(points: Array) -> float:
    """0 for a square from straight above; 1 and more for what no usual camera sees.

    ``points``: (4, 2) in any order.
    """
    ring = points[order_as_seen(points)]
    sides = np.roll(ring, -1, axis=0) - ring
    after = np.roll(sides, -1, axis=0)
    turn = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    length = np.linalg.norm(sides, axis=1)
    if (turn <= 0).any() or length.min() < 8:
        return 10.0
    sine = turn / (length * np.roll(length, -1))
    ratio = length.max() / length.min()
    return float(max(0.0, ratio - 1.25) * 0.8 + max(0.0, 0.9 - sine.min()) * 2.0)


def _misfit(points: Array, board: Box | None) -> float:
    """How badly the corners, with a frame around them, fill the box of the whole board."""
    if board is None:
        return 0.0
    family = FAMILIES.get(board.label, BoardFamily.ICF)
    middle = points.mean(axis=0)
    outer = middle + (points - middle) * (1.0 + BREADTHS[family])
    low, high = outer.min(axis=0), outer.max(axis=0)
    box_low, box_high = np.array([board.left, board.top]), np.array([board.right, board.bottom])
    # A box ends at the picture's border: corners may lie beyond it, but not far within.
    within = np.maximum(low - box_low, 0.0).sum() + np.maximum(box_high - high, 0.0).sum()
    beyond = np.maximum(box_low - low, 0.0).sum() + np.maximum(high - box_high, 0.0).sum()
    return float((2.5 * within + 1.0 * beyond) / max(board.size, 1.0))


def _odds(board: Box | None, boxes: Sequence[Box]) -> dict[BoardFamily, float]:
    """Chances of the families by the network's scores for the board's box."""
    raw = dict.fromkeys(BoardFamily, 0.02)
    for box in boxes:
        if box.label not in FAMILIES:
            continue
        same = board is None or box is board
        for name, family in FAMILIES.items():
            score = box.odds.get(name, box.score if name == box.label else 0.0)
            raw[family] = max(raw[family], score if same else 0.0)
    total = sum(raw.values())
    return {family: value / total for family, value in raw.items()}
