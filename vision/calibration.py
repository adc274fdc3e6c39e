"""From corners, found or clicked, to a calibrated board with what is sure of it and what is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from carrom.board_spec import BoardFamily
from carrom.boards import board_for
from carrom.errors import CalibrationError
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.pose import camera_from_corners, order_as_seen, square
from vision.refine import Refined, refine
from vision.seen import BoardSeen, CornerSeen

__all__ = ["SURE", "UNREFINED", "calibrate_by_hand", "seen_board", "still_there"]

SURE = 0.7
"""Below this confidence the corners should be looked at, and dragged if need be."""

_CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
_SIDE_NAMES = ("top", "right", "bottom", "left")
_HAND_MM = 3.0
"""Standard deviation of a click, mm."""
_SAVED_MM = 6.0
"""Standard deviation of the corners of a saved calibration, mm: a board may have been nudged."""
UNREFINED = 0.2
"""Confidence of corners that no edge backs."""
_LEAST_SUPPORT, _DRAWN = 0.25, 0.6
"""Share of a side whose edge, or whose printed line, must be seen for the side to be backed."""
_PRINT_WORTH = 0.6
"""What a printed line counts where the edge itself is not seen."""
_TRUSTED, _LINES = 0.7, (0.2, 0.45)
"""Corners of a lower mean score need a printed line at the distance that boards have it (half
sides): a square of base lines has edges as straight as a surface has."""
_FAR, _SURE_CORNER_MM = 4.5, 3.5
"""Corners so sure (mm) may not go farther than so many standard deviations unconfirmed."""
_MOST_LONE = 2
"""Corners that are tried without."""
_SURE_FAMILY = 0.8
_STEEPEST_RAD = 1.2
_DISC_MM = 8.0


def seen_board(
    image_bgr: Array,
    corners_px: Array,
    odds: Mapping[BoardFamily, float],
    *,
    spread_mm: Array,
    scores: Array | None = None,
    warnings: Sequence[str] = (),
) -> BoardSeen:
    """The board whose corners are roughly known, refined by its edges and lines.

    ``image_bgr``: (h, w, 3) uint8. ``corners_px``: (4, 2) px, NW NE SE SW as the board is to lie.
    ``odds``: chances of the families. ``spread_mm``: (4,) standard deviations of the corners,
    infinite for those not seen. ``scores``: (4,) 0 to 1, of the network. A corner that contradicts
    the edges is left out. Raises ``CalibrationError`` when no camera can see the corners so, or
    nothing backs them.
    """
    given = np.asarray(corners_px, dtype=np.float64)
    reading = _read(image_bgr, given, odds, spread_mm, scores)
    edges = int((reading.refined.support >= _LEAST_SUPPORT).sum())
    if np.isfinite(spread_mm).all() and edges >= 2 and _contradicts(reading):
        worst = np.argsort(-reading.away_mm / spread_mm, kind="stable")
        for lone in worst[:_MOST_LONE].tolist():
            others = np.where(np.arange(4) == lone, np.inf, spread_mm)
            try:
                other = _read(image_bgr, given, {reading.family: 1.0}, others, scores)
            except CalibrationError:
                continue
            # Leaving a corner out must explain the picture clearly better.
            if other.sure > reading.sure + 0.1 and not other.lost:
                reading = other
    known = np.isfinite(spread_mm)
    backed = reading.refined.support >= _LEAST_SUPPORT
    notes = list(warnings)
    if reading.lost or (reading.sure < UNREFINED and known.sum() >= 3):
        if known.sum() < 3 and known.sum() + backed.sum() < 4:
            text = f"{int(known.sum())} corners and {int(backed.sum())} edges"
            raise CalibrationError(f"board: expected four corners or edges, got {text}")
        return _unrefined(image_bgr, given, reading.family, spread_mm, notes)
    notes += _side_notes(backed) + _distance_notes(reading.refined, reading.half_mm)
    camera, fit = reading.refined.camera, reading.refined.fit
    seen = _seen(image_bgr, camera.board_to_px(square(reading.half_mm)), known, backed)
    sure = reading.sure
    return _report(
        image_bgr, camera, reading.family, fit.corner_spread_mm, seen, sure, fit.residual_mm, notes
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to see the board. ``away_mm``: (4,) from the corners given; ``lost``: the edges do
    not back it.
    """

    family: BoardFamily
    half_mm: float
    refined: Refined
    spread_mm: Array
    away_mm: Array
    sure: float
    lost: bool


def _read(
    image_bgr: Array,
    corners_px: Array,
    odds: Mapping[BoardFamily, float],
    spread_mm: Array,
    scores: Array | None,
) -> _Reading:
    family, refined = _of_likeliest_family(image_bgr, corners_px, odds, spread_mm)
    half = board_for(family).half_mm
    away = _away_mm(refined.camera, corners_px, half)
    known = np.isfinite(spread_mm)
    backed = refined.support >= _LEAST_SUPPORT
    drawn = refined.printed >= _DRAWN
    off = float(np.median(away[known] / spread_mm[known])) if known.any() else 0.0
    lost = off > 4.0 or refined.camera.tilt_rad > _STEEPEST_RAD
    # Where hardly an edge is seen, the network knows the corners better than the print does.
    lost = lost or (backed.sum() < 2 and (known.sum() >= 3 or drawn.sum() < 3))
    lost = lost or (backed | drawn).sum() + known.sum() < 4
    doubted = scores is not None and float(scores[known].mean() if known.any() else 0) < _TRUSTED
    lost = lost or (doubted and not _LINES[0] < refined.choice.mark_mm / half < _LINES[1])
    lost = lost or _strayed(refined, away, spread_mm)
    sure = _confidence(refined, away, spread_mm, scores)
    return _Reading(family, half, refined, spread_mm, away, sure, bool(lost))


def _strayed(refined: Refined, away_mm: Array, spread_mm: Array) -> bool:
    """Whether a sure corner went far although a side at it shows no printed line to confirm it."""
    drawn = refined.printed >= _DRAWN
    plain = ~(drawn & np.roll(drawn, 1))
    far = (away_mm > _FAR * spread_mm) & (spread_mm < _SURE_CORNER_MM)
    return bool((far & plain).any())


def _contradicts(reading: _Reading) -> bool:
    """Whether one of the corners given may be wrong."""
    return reading.lost or bool((reading.away_mm > 3.5 * reading.spread_mm).any())


def _unrefined(
    image_bgr: Array,
    corners_px: Array,
    family: BoardFamily,
    spread_mm: Array,
    notes: list[str],
) -> BoardSeen:
    """The board by its corners alone."""
    camera = _plain(image_bgr, corners_px, board_for(family).half_mm, spread_mm)
    if camera.tilt_rad > _STEEPEST_RAD:
        raise CalibrationError(f"board: expected it seen from above, got {camera.tilt_rad} rad")
    notes.append("the edges of the board are not clear: corners only as the network has them")
    spread = np.minimum(spread_mm, 25.0)
    rough = float(np.sqrt(np.mean(spread**2)))
    known = np.isfinite(spread_mm)
    return _report(image_bgr, camera, family, spread, known, UNREFINED, rough, notes)


def calibrate_by_hand(
    image_bgr: Array,
    corners_px: Sequence[tuple[float, float]],
    family: BoardFamily,
    *,
    to_edges: bool = True,
) -> BoardSeen:
    """The board whose corners somebody clicked: four, or three, in any order.

    ``image_bgr``: (h, w, 3) uint8; corners may lie outside the picture. ``to_edges``: move them to
    the edges of the board nearby; False: they are right as they are. The board lies as it is seen:
    NW is at the top left. Raises ``CalibrationError`` for corners that fit no board.
    """
    clicks = np.array(corners_px, dtype=np.float64)
    if clicks.ndim != 2 or clicks.shape[1] != 2 or len(clicks) not in (3, 4):
        raise CalibrationError(f"corners: expected three or four points, got {corners_px!r}")
    if not np.isfinite(clicks).all():
        raise CalibrationError(f"corners: expected finite numbers, got {corners_px!r}")
    known = np.ones(4, dtype=bool)
    if len(clicks) == 3:
        clicks, known = np.concatenate([clicks, _fourth(clicks)[None]]), np.arange(4) < 3
    order = order_as_seen(clicks)
    clicks, known = clicks[order], known[order]
    _check_ring(clicks, corners_px)
    spread = np.where(known, _HAND_MM, np.inf)
    if to_edges:
        return seen_board(image_bgr, clicks, {family: 1.0}, spread_mm=spread)
    half = board_for(family).half_mm
    camera = _plain(image_bgr, clicks, half, np.where(known, 0.5, np.inf))
    rough = np.where(known, _HAND_MM, 15.0)
    off = float(np.sqrt(np.mean(_away_mm(camera, clicks, half)[known] ** 2)))
    return _report(image_bgr, camera, family, rough, known, 0.6, off, ["corners as clicked"])


def _of_likeliest_family(
    image_bgr: Array, corners_px: Array, odds: Mapping[BoardFamily, float], spread_mm: Array
) -> tuple[BoardFamily, Refined]:
    """The family and its reading; both are tried when the network is in doubt."""
    total = sum(odds.values())
    likely = [f for f in odds if odds[f] >= (1.0 - _SURE_FAMILY) * total]
    read = []
    for family in likely:
        half = board_for(family).half_mm
        refined = refine(image_bgr, corners_px, family, half, spread_mm=spread_mm)
        read.append((refined.choice.score + 2.0 * log(odds[family] / total), family, refined))
    _, family, refined = max(read, key=lambda item: item[0])
    return family, refined


def _plain(image_bgr: Array, corners: Array, half_mm: float, spread_mm: Array) -> BoardCamera:
    size = (image_bgr.shape[1], image_bgr.shape[0])
    return camera_from_corners(corners, half_mm, size_px=size, spread_mm=spread_mm)


def _fourth(three: Array) -> Array:
    """(2,) px: the corner missing from three, across from the one with the widest angle."""
    far = [float(np.linalg.norm(three[k - 1] - three[(k + 1) % 3])) for k in range(3)]
    k = int(np.argmax(far))
    out: Array = three[k - 1] + three[(k + 1) % 3] - three[k]
    return out


def _check_ring(ring: Array, given: object) -> None:
    sides = np.roll(ring, -1, axis=0) - ring
    after = np.roll(sides, -1, axis=0)
    turn = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if (turn <= 0.02 * np.linalg.norm(sides, axis=1) * np.linalg.norm(after, axis=1)).any():
        raise CalibrationError(
            f"corners: expected those of a square seen from above, got {given!r}"
        )


def _away_mm(camera: BoardCamera, corners_px: Array, half_mm: float) -> Array:
    """(4,) mm between corners given and found."""
    out: Array = np.linalg.norm(camera.px_to_board(corners_px) - square(half_mm), axis=1)
    return out


def _confidence(refined: Refined, away: Array, spread_mm: Array, scores: Array | None) -> float:
    """Chance that all corners are right within 2 mm, 0 to 1."""
    printed = np.where(refined.printed >= _DRAWN, refined.printed, 0.0)
    support = np.sort(np.maximum(refined.support, _PRINT_WORTH * printed))
    known = np.isfinite(spread_mm)
    value = 0.97 if support[2] >= _LEAST_SUPPORT else 0.45
    value -= 0.45 * max(0.0, 0.7 - float(support[0]))
    value -= 0.4 * max(0.0, 0.7 - float(support[1]))
    value -= 0.35 * exp(-max(refined.choice.lead, 0.0) / 0.35)
    value -= 0.5 * max(0.0, refined.fit.residual_mm - 0.45)
    value -= 0.06 * max(0.0, float(np.max(away[known] / spread_mm[known])) - 2.0)
    value -= 0.12 * float((~known).sum())
    value -= 0.25 * max(0.0, float(refined.fit.corner_spread_mm.max()) - 0.9)
    if scores is not None:
        value -= 0.1 * (1.0 - float(np.clip(scores, 0, 1).mean()))
    return float(min(0.99, max(0.02, value)))


def _seen(image_bgr: Array, corners: Array, known: Array, backed: Array) -> Array:
    """(4,) bool: inside the picture, and reported or at the end of two edges that are seen."""
    height, width = image_bgr.shape[:2]
    inside = ((corners >= 0) & (corners <= [width - 1, height - 1])).all(axis=1)
    out: Array = inside & (known | (backed & np.roll(backed, 1)))
    return out


def _side_notes(backed: Array) -> list[str]:
    return [
        f"the edge of the board is not seen at the {name}"
        for name, good in zip(_SIDE_NAMES, backed, strict=True)
        if not good
    ]


def _distance_notes(refined: Refined, half_mm: float) -> list[str]:
    """What the unknown focal length does to the tops of discs."""
    share = refined.fit.distance_spread
    off = _DISC_MM * half_mm / refined.camera.position_mm[2] * share
    if off < 0.5:
        return []
    return [f"the camera's height is uncertain by {share:.0%}: discs at the rim by {off:.1f} mm"]


def _report(
    image_bgr: Array,
    camera: BoardCamera,
    family: BoardFamily,
    spread_mm: Array,
    seen: Array,
    confidence: float,
    residual_mm: float,
    notes: list[str],
) -> BoardSeen:
    half = board_for(family).half_mm
    px = camera.board_to_px(square(half))
    if not np.isfinite(px).all():
        raise CalibrationError(f"corners: expected them before the camera, got {px.tolist()}")
    height, width = image_bgr.shape[:2]
    corners = []
    for (x, y), spread, good, name in zip(px, spread_mm, seen, _CORNER_NAMES, strict=True):
        sure = confidence * (1.0 - exp(-2.0 / max(float(spread), 0.3) ** 2))
        corners.append(CornerSeen(float(x), float(y), bool(good), float(sure)))
        if not good:
            out = not (0 <= x <= width - 1 and 0 <= y <= height - 1)
            where = "outside the picture" if out else "covered"
            notes.append(f"the {name} corner is {where}: worked out from the rest")
    if confidence < SURE:
        notes.append("please check the corners and drag them if need be")
    return BoardSeen(
        family,
        camera,
        half,
        (corners[0], corners[1], corners[2], corners[3]),
        confidence,
        residual_mm,
        tuple(notes),
    )


def still_there(image_bgr: Array, board: BoardSeen) -> tuple[float, BoardSeen]:
    """How far (mm) the board now lies from a calibration, and the calibration of this picture.

    For a start-up with a saved calibration: no network is needed, the edges are looked for near
    where they were. Raises ``CalibrationError`` when they are not there (the board went farther
    than about 20 mm, or is covered) or the picture has another size.
    """
    size = (image_bgr.shape[1], image_bgr.shape[0])
    due = (board.camera.width_px, board.camera.height_px)
    if size != due:
        raise CalibrationError(f"picture: expected {due[0]} x {due[1]} px, got {size}")
    corners, spread = np.array(board.corners_px), np.full(4, _SAVED_MM)
    now = seen_board(image_bgr, corners, {board.family: 1.0}, spread_mm=spread)
    if now.confidence <= UNREFINED:
        raise CalibrationError("board: expected its edges near where they were, got none")
    return float(_away_mm(board.camera, np.array(now.corners_px), board.half_mm).max()), now
