"""From a picture and its board to every disc: place, kind, and how sure.

The network finds discs on the rectified crop; circles are fitted on the full picture; colours are
told against the wood and this set's palette; counts of the set bind them together.
"""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.boards import board_for
from carrom.pieces import Counts, PieceKind
from vision.arrays import Array
from vision.board_camera import BoardCamera
from vision.board_crop import BoardCrop, CropMaps
from vision.candidates import Candidate, candidates_of
from vision.counting import assign, within
from vision.covered import Covered, covered_by_change, covered_by_hands
from vision.discs_seen import NO_COLOUR, TOO_MANY, DiscsSeen
from vision.kinds import KindEvidence, kind_odds, kinds_of, legal_counts
from vision.measured import Measured, measure
from vision.palette import Palette
from vision.seen import BoardSeen, Box, DiscSeen, Place

__all__ = ["Detector", "Looker", "spec_of"]

_SCORE = 0.12
"""Boxes below it are not looked at."""
_OVERLAP = 0.8
"""Boxes that overlap more are thinned out by the network itself; merging is done in mm."""
_SURE, _DOUBTFUL = 0.5, 0.08
"""Chances from which a disc is reported, and from which it is reported as doubtful."""
_SURPLUS = 0.7
"""Chance from which a disc is reported although the set has no such disc left."""
_NETTED = 0.25
"""What the colour of a disc in a net or on the frame counts."""
_OFF_WOOD = (Place.POCKET, Place.FRAME, Place.OFF_BOARD)


class Looker(Protocol):
    """What a detector needs of a network (``vision.network.Network``)."""

    size_px: int

    def look(
        self, square_bgr: Array, *, score: float = ..., overlap: float = ...
    ) -> tuple[Box, ...]:
        """Boxes in px of the square picture."""


def spec_of(board: BoardSeen) -> BoardSpec:
    """The standard board of the family seen, with the side seen."""
    spec = board_for(board.family)
    side = 2 * board.half_mm
    return spec if side == spec.surface.side_mm.value else spec.changed({"surface.side_mm": side})


class Detector:
    """Finds the discs of pictures. Keeps the maps of the last camera; one thread at a time."""

    def __init__(self, network: Looker) -> None:
        self._network = network
        self._maps: tuple[tuple[BoardCamera, float], BoardCrop, CropMaps] | None = None

    def crop_of(self, image_bgr: Array, board: BoardSeen) -> tuple[BoardCrop, Array]:
        """What the network looks at: the crop and its (size, size, 3) uint8 picture."""
        key = (board.camera, board.half_mm)
        if self._maps is None or self._maps[0] != key:
            crop = BoardCrop(board.half_mm, self._network.size_px)
            self._maps = key, crop, crop.maps(board.camera)
        return self._maps[1], self._maps[1].cut(image_bgr, self._maps[2])

    def look(
        self,
        image_bgr: Array,
        board: BoardSeen,
        *,
        spec: BoardSpec | None = None,
        palette: Palette | None = None,
        reference: DiscsSeen | None = None,
        set_counts: Counts | Literal["legal"] | None = "legal",
    ) -> DiscsSeen:
        """The discs of a picture, (h, w, 3) uint8.

        ``spec``: sizes of this board and set, if known; ``palette``: how this set looks;
        ``reference``: the same board at rest before, same camera: what differs and is no disc is
        covered. ``set_counts``: at most so many discs of a kind, what is more is doubtful;
        ``None``: any number; ``"legal"``: as many as a set has, but what is surely a disc more is
        reported too, with a warning.
        """
        sizes = spec_of(board) if spec is None else spec
        crop, picture = self.crop_of(image_bgr, board)
        boxes = self._network.look(picture, score=_SCORE, overlap=_OVERLAP)
        candidates, covered = candidates_of(boxes, crop), covered_by_hands(boxes, crop)
        if reference is not None:
            covered = covered.joined(_changed(picture, reference, board, candidates, crop))
        found = measure(image_bgr, board, sizes, candidates, covered, picture)
        counts = legal_counts(board.family) if set_counts == "legal" else set_counts
        surplus = _SURPLUS if set_counts == "legal" else np.inf
        return _report(found, board, covered, picture, palette, counts, surplus)


def _changed(
    picture: Array,
    reference: DiscsSeen,
    board: BoardSeen,
    candidates: Sequence[Candidate],
    crop: BoardCrop,
) -> Covered:
    """What differs from the reference and is no disc of either."""
    old = reference.discs
    at = board.camera.px_to_board(np.array([[d.x_px, d.y_px] for d in old]).reshape(-1, 2))
    circles = [[x, y, d.radius_mm] for (x, y), d in zip(at, old, strict=True)]
    circles += [[c.x_mm, c.y_mm, c.radius_mm] for c in candidates]
    return covered_by_change(picture, reference.crop, crop, np.array(circles).reshape(-1, 3))


def _report(
    found: Measured,
    board: BoardSeen,
    covered: Covered,
    picture: Array,
    palette: Palette | None,
    counts: Counts | None,
    surplus: float,
) -> DiscsSeen:
    """Kinds under the counts of the set, and the report; ``surplus``: chance from which a disc more
    than the set has is reported."""
    kinds = kinds_of(board.family)
    odds, chosen = _named(found, board, palette, counts)
    discs, doubtful, rows = [], [], []
    for k in np.argsort(-found.chance, kind="stable"):
        if found.chance[k] < _DOUBTFUL:
            break
        seen = _disc(found, board, kinds, int(k), odds[k], int(chosen[k]))
        if found.chance[k] >= (_SURE if chosen[k] >= 0 else surplus):
            discs.append(seen)
            rows.append(k)
        else:
            doubtful.append(seen)
    warnings = [NO_COLOUR] if found.wood.grey else []
    if (chosen[found.chance >= _SURE] < 0).any():
        warnings.append(TOO_MANY)
    features = found.faces.features[rows]
    return DiscsSeen(tuple(discs), tuple(doubtful), covered, picture, features, tuple(warnings))


def _named(
    found: Measured, board: BoardSeen, palette: Palette | None, counts: Counts | None
) -> tuple[Array, Array]:
    """(n, kinds) odds, and (n,) the kind of each: -1 for which the set has no room."""
    netted = np.array([place in _OFF_WOOD for place in found.places], dtype=bool)
    weight = found.chance * np.clip(found.visible, 0.05, 1.0) * np.where(netted, _NETTED, 1.0)
    evidence = KindEvidence(
        found.word, found.faces.features, found.discs.radius, weight, found.wood.grey
    )
    odds = kind_odds(board.family, evidence, palette)
    chosen = odds.argmax(axis=1) if len(odds) else np.zeros(0, dtype=np.int64)
    if counts is None:
        return odds, chosen
    left = np.array([counts.get(kind, 0) for kind in kinds_of(board.family)])
    # What lies in nets is seen badly, and nets, screws and caps of the frame look like discs: what
    # lies on the wood comes first, or a cap in a corner would be the striker.
    for part in (~netted, netted):
        rows = np.flatnonzero(part & (found.chance >= _SURE))
        if len(rows):
            chosen[rows] = assign(odds[rows], left, found.chance[rows])
            # What the set has no room for takes no room from the others either.
            rows = rows[chosen[rows] >= 0]
            odds[rows] = within(odds[rows], left, found.chance[rows])
            left = left - np.bincount(chosen[rows], minlength=len(left))
    return odds, chosen


def _disc(
    found: Measured, board: BoardSeen, kinds: Sequence[PieceKind], k: int, odds: Array, chosen: int
) -> DiscSeen:
    discs = found.discs
    x, y, radius, top = (float(v[k]) for v in (discs.x, discs.y, discs.radius, discs.top))
    corners = np.array([[x, y, top], [x + radius, y, top], [x, y + radius, top]])
    px = board.camera.mm_to_px(corners)
    a, b = px[1] - px[0], px[2] - px[0]
    which = max(chosen, 0) if chosen >= 0 else int(odds.argmax())
    return DiscSeen(
        kind=kinds[which],
        x_mm=x,
        y_mm=y,
        x_px=float(px[0, 0]),
        y_px=float(px[0, 1]),
        radius_px=float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0]))),
        radius_mm=radius,
        place=found.places[k],
        visible=float(found.visible[k]),
        confidence=float(found.chance[k] * odds[which]),
        odds={kind: float(v) for kind, v in zip(kinds, odds, strict=True)},
        refined=bool(found.refined[k]),
    )
