"""One still picture: the board in it, the discs on the board, and what hands cover."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

import cv2
import numpy as np

from carrom.board_spec import BoardFamily
from carrom.errors import CalibrationError, PictureError, WeightsError
from vision.arrays import Array
from vision.board_finder import BoardFinder, Found
from vision.calibration import calibrate_by_hand
from vision.detector import Detector
from vision.discs_seen import DiscsSeen
from vision.network import Network
from vision.seen import BoardSeen, DiscSeen, Label
from vision.weights import BOARD_WEIGHTS, DISC_WEIGHTS, weights_path

__all__ = ["CELLS", "Eyes", "Finder", "Looker", "Sight", "picture_warnings"]

CELLS = 16
"""Cells to a side of the board's crop that may be covered."""

_BLACK, _WHITE, _LEAST_CONTRAST = 14.0, 247.0, 6.0
_DRAWN_SHARE = 0.5
_NO_LIGHT = "the picture is black: no light, or a covered lens"
_TOO_MUCH_LIGHT = "the picture is white: far too much light"
_EVEN = "the picture is one even tone: nothing to see"
_BLANK = frozenset({_NO_LIGHT, _TOO_MUCH_LIGHT, _EVEN})
"""Where nobody need look for a board."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen in a picture.

    ``discs``: there more likely than not; ``doubtful``: the rest. ``covered``: (16, 16) bool, cells
    of the crop of ``board`` that hands cover, row 0 at the north. ``warnings``: what a person
    should know, and why there is no board where there is none.
    """

    board: BoardSeen | None
    discs: tuple[DiscSeen, ...] = ()
    doubtful: tuple[DiscSeen, ...] = ()
    covered: Array = field(default_factory=lambda: np.zeros((CELLS, CELLS), dtype=np.bool_))
    warnings: tuple[str, ...] = ()


class Finder(Protocol):
    """Finds the board (``vision.board_finder.BoardFinder``)."""

    def find(self, image_bgr: Array) -> Found:
        """The board of a picture, or the reasons why there is none."""
        ...


class Looker(Protocol):
    """Finds the discs on a board (``vision.detector.Detector``)."""

    def look(self, image_bgr: Array, board: BoardSeen) -> DiscsSeen:
        """The discs of a picture whose board is known."""
        ...


class Eyes:
    """The two networks and what makes sense of them, for still pictures.

    A running camera looks for its board only now and then: it uses the two parts by themselves.
    ``paths``: the networks' files.
    """

    def __init__(self, finder: Finder, looker: Looker, *, paths: Sequence[Path] = ()) -> None:
        self._finder = finder
        self._looker = looker
        self.paths = tuple(paths)

    @classmethod
    def load(cls, *, weights: Sequence[Path] = (), threads: int = 2) -> Self:
        """The shipped networks, or others of the same classes in their place.

        Which of the two a file of ``weights`` replaces, its class names say. Raises
        ``WeightsError`` for a file that is missing, damaged, or of other classes.
        """
        given = _by_task([Network(path, threads=threads) for path in weights])
        board, discs = (
            given.get(name) or Network(weights_path(name), threads=threads)
            for name in (BOARD_WEIGHTS, DISC_WEIGHTS)
        )
        return cls(BoardFinder(board), Detector(discs), paths=(board.path, discs.path))

    def look(
        self,
        image_bgr: Array,
        *,
        family: BoardFamily | None = None,
        corners_px: Sequence[tuple[float, float]] | None = None,
    ) -> Sight:
        """What is seen in (h, w, 3) uint8.

        ``family``: of the board, when a person says so. ``corners_px``: the four corners of the
        playing surface, when a person has clicked them. Raises ``PictureError`` for another array.
        """
        _check(image_bgr)
        warnings = picture_warnings(image_bgr)
        if _BLANK.intersection(warnings):
            return Sight(None, warnings=warnings)
        found = self._board(image_bgr, family, corners_px)
        board = found.board
        if board is None:
            return Sight(None, warnings=(*warnings, *(found.reasons or ("no board found",))))
        seen = self._looker.look(image_bgr, board)
        said = (*warnings, *board.warnings, *seen.warnings)
        return Sight(board, seen.discs, seen.doubtful, _cells(seen), said)

    def _board(
        self,
        image_bgr: Array,
        family: BoardFamily | None,
        corners_px: Sequence[tuple[float, float]] | None,
    ) -> Found:
        if corners_px is not None:
            return _by_hand(image_bgr, corners_px, family)
        found = self._finder.find(image_bgr)
        if found.board is None or family is None or found.board.family is family:
            return found
        return _by_hand(image_bgr, found.board.corners_px, family)


def _by_hand(
    image_bgr: Array, corners_px: Sequence[tuple[float, float]], family: BoardFamily | None
) -> Found:
    """The board at these corners; a family that is not given is the one that fits better."""
    boards, reasons = [], []
    for one in BoardFamily if family is None else (family,):
        try:
            boards.append(calibrate_by_hand(image_bgr, corners_px, one))
        except CalibrationError as error:
            reasons.append(str(error))
    if not boards:
        return Found(None, tuple(dict.fromkeys(reasons)))
    return Found(max(boards, key=lambda board: board.confidence))


def _cells(seen: DiscsSeen) -> Array:
    """(16, 16) bool: cells more than half covered."""
    share = seen.covered.share
    side = share.shape[0] // CELLS
    out: Array = share.reshape(CELLS, side, CELLS, side).mean(axis=(1, 3)) >= 0.5
    return out


def _by_task(networks: Sequence[Network]) -> dict[str, Network]:
    """Networks by the shipped file that they replace."""
    out: dict[str, Network] = {}
    for network in networks:
        names = set(network.names)
        if names <= {label.value for label in Label}:
            task = DISC_WEIGHTS
        elif "corner" in names:
            task = BOARD_WEIGHTS
        else:
            expected = "classes of discs (white, black, ...) or of boards (corner, ...)"
            raise WeightsError(str(network.path), expected=expected, got=sorted(names)[:8])
        if task in out:
            expected = "one network of a kind"
            raise WeightsError(str(network.path), expected=expected, got=str(out[task].path))
        out[task] = network
    return out


def _check(image_bgr: Array) -> None:
    """Raise ``PictureError`` for an array that is no picture."""
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8:
        got = f"{image_bgr.shape} {image_bgr.dtype}"
        raise PictureError("picture", expected="(h, w, 3) uint8", got=got)


def picture_warnings(image_bgr: Array) -> tuple[str, ...]:
    """What a picture shows at a glance: no light, too much of it, a drawing."""
    share = min(1.0, 640.0 / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    out = []
    low, high = np.quantile(grey, [0.02, 0.98])
    if high < _BLACK:
        out.append(_NO_LIGHT)
    elif low > _WHITE:
        out.append(_TOO_MUCH_LIGHT)
    elif high - low < _LEAST_CONTRAST:
        out.append(_EVEN)
    elif _drawn_share(image_bgr) > _DRAWN_SHARE:
        out.append("large areas of exactly one colour: a drawing or a screen, not a photograph")
    return tuple(out)


def _drawn_share(image_bgr: Array) -> float:
    """Share of the pixels exactly like their right and lower neighbours: sensors have noise."""
    step = max(1, image_bgr.shape[0] // 400)
    rows = image_bgr[:-1:step]
    same = (rows[:, :-1] == rows[:, 1:]) & (rows[:, :-1] == image_bgr[1::step][: len(rows), :-1])
    lit = rows[:, :-1].max(axis=2)
    inside = (lit > 8) & (lit < 247)
    return float((same.all(axis=2) & inside).mean())
