"""Figures of many judged pictures: what was found, how exactly, how surely, how often all of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot
from typing import TypeVar

import numpy as np

from api.average_precision import COCO_OVERLAPS, Array, BoxesOfPicture, average_precision
from api.picture_row import Frame, Lie, PictureRow, SeenDisc, TrueDisc
from carrom.pieces import PieceKind

__all__ = [
    "ICF_SIDE_MM",
    "Bin",
    "KindScore",
    "Pairing",
    "Scores",
    "Spread",
    "is_exact",
    "pair_up",
    "scores_of",
]

ICF_SIDE_MM = 740.0
"""Errors in px of a picture are told as mm of a board of this size."""

_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
_BANDS = ((0.9, 1.01), (0.7, 0.9), (0.5, 0.7), (0.25, 0.5), (0.05, 0.25))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which report means which disc. Indices into the truths and reports of a row.

    ``ignored``: reports that are neither right nor wrong; ``false``: reports of nothing.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    ignored: tuple[int, ...] = ()
    false: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """Of a sample: how many, the middle, and what 95 % stay below."""

    count: int
    median: float
    p95: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread | None":
        """None of none."""
        if not values:
            return None
        return cls(len(values), float(np.median(values)), float(np.quantile(values, 0.95)))


@dataclass(frozen=True, slots=True)
class KindScore:
    """Of one kind: discs due, of which found as such; reported as such, of which right."""

    due: int
    found: int
    reported: int
    right: int
    ap50: float | None
    ap50_95: float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """Reports of like confidence, and the share of them that is right."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Scores:
    """All figures of a group of pictures; a pair is (how many, of how many)."""

    pictures: int
    boards_found: tuple[int, int]
    whole_boards_found: tuple[int, int]
    false_boards: tuple[int, int]
    family_right: tuple[int, int]
    corners_right: tuple[int, int]
    corner_error: Spread | None
    whole_corner_error: Spread | None
    map50: float | None
    map50_95: float | None
    recall: tuple[int, int]
    precision: tuple[int, int]
    kind_right: tuple[int, int]
    centre_mm: Spread | None
    exact_rests: tuple[int, int]
    hand_recall: tuple[int, int]
    hand_precision: tuple[int, int]
    seconds: Spread | None
    kinds: dict[PieceKind, KindScore] = field(default_factory=dict)
    by_visibility: dict[str, tuple[int, int]] = field(default_factory=dict)
    by_lie: dict[Lie, tuple[int, int]] = field(default_factory=dict)
    reliability: tuple[Bin, ...] = ()
    reliability_error: float | None = None


def pair_up(row: PictureRow) -> Pairing:
    """One report a disc, the nearest first, discs that are due before the others."""
    on_surface = [k for k, disc in enumerate(row.seen) if _counts(disc)]
    near = []
    for t, true in enumerate(row.truths):
        for s in on_surface:
            off = hypot(row.seen[s].x - true.x, row.seen[s].y - true.y)
            if off <= true.reach:
                near.append((not true.due, off, t, s))
    of_truth: dict[int, int] = {}
    of_report: dict[int, int] = {}
    for _, _, t, s in sorted(near):
        if t not in of_truth and s not in of_report:
            of_truth[t], of_report[s] = s, t
    ignored = [s for s in on_surface if _is_ignored(row, s, of_report)]
    false = [
        s
        for s in on_surface
        if s not in ignored and (s not in of_report or not row.truths[of_report[s]].due)
    ]
    due = [(t, s) for t, s in sorted(of_truth.items()) if row.truths[t].due]
    return Pairing(tuple(due), tuple(ignored), tuple(false))


def _counts(disc: SeenDisc) -> bool:
    return disc.on_surface and disc.sure


def _is_ignored(row: PictureRow, report: int, of_report: dict[int, int]) -> bool:
    """Reports of discs hardly visible or moving, and what lies in a region of unknown truth."""
    if report in of_report:
        true = row.truths[of_report[report]]
        return not true.due and true.lie is not Lie.AWAY
    disc = row.seen[report]
    return any(
        left <= disc.x <= right and top <= disc.y <= bottom
        for left, top, right, bottom in row.ignored_boxes
    )


def is_exact(row: PictureRow, pairing: Pairing) -> bool:
    """Every disc on the surface, its kind and no disc more."""
    due = sum(true.due for true in row.truths)
    right = all(row.seen[s].kind in row.truths[t].kinds for t, s in pairing.pairs)
    return row.found and right and len(pairing.pairs) == due and not pairing.false


def scores_of(rows: Iterable[PictureRow]) -> Scores:
    """The figures of a group."""
    all_rows = list(rows)
    boards = [row for row in all_rows if row.setting.board]
    whole = [row for row in boards if row.setting.whole]
    nothing = [row for row in all_rows if not row.setting.board]
    judged = [
        row for row in boards if row.setting.labelled and (row.found or not row.setting.may_refuse)
    ]
    pairings = [pair_up(row) for row in judged]
    both = list(zip(judged, pairings, strict=True))
    kinds = _kinds(both)
    rests = [(row, pairing) for row, pairing in both if row.setting.rest]
    known = [row for row in boards if row.found and row.family_right is not None]
    reports = _reports(both)
    bins = _bins(reports)
    hands = np.array([row.hands for row in boards]).reshape(-1, 3).sum(axis=0)
    cornered = [row for row in boards if row.corner_errors]
    return Scores(
        pictures=len(all_rows),
        boards_found=_share(boards, lambda row: row.found),
        whole_boards_found=_share(whole, lambda row: row.found),
        false_boards=_share(nothing, lambda row: row.found),
        family_right=_share(known, lambda row: bool(row.family_right)),
        corners_right=_corners_right(boards),
        corner_error=_corner_error(cornered),
        whole_corner_error=_corner_error([row for row in cornered if row.setting.whole]),
        map50=_mean([kind.ap50 for kind in kinds.values()]),
        map50_95=_mean([kind.ap50_95 for kind in kinds.values()]),
        recall=_total((len(p.pairs), sum(t.due for t in row.truths)) for row, p in both),
        precision=_total((len(p.pairs), len(p.pairs) + len(p.false)) for _, p in both),
        kind_right=_kind_right(both),
        centre_mm=Spread.of([error for row, pairing in both for error in _errors(row, pairing)]),
        exact_rests=_share(rests, lambda pair: is_exact(*pair)),
        hand_recall=(int(hands[0]), int(hands[0] + hands[2])),
        hand_precision=(int(hands[0]), int(hands[0] + hands[1])),
        seconds=Spread.of([row.seconds for row in all_rows]),
        kinds=kinds,
        by_visibility=_by_visibility(judged),
        by_lie=_by_lie(both),
        reliability=bins,
        reliability_error=_reliability_error(bins),
    )


Judged = Sequence[tuple[PictureRow, Pairing]]
T = TypeVar("T")


def _share(items: Sequence[T], right: Callable[[T], bool]) -> tuple[int, int]:
    return sum(1 for item in items if right(item)), len(items)


def _total(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    found = list(pairs)
    return sum(first for first, _ in found), sum(second for _, second in found)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _corners_right(rows: Sequence[PictureRow]) -> tuple[int, int]:
    """Of the boards with known corners: how many were found with each within the tolerance."""
    known = [row for row in rows if row.setting.tolerance is not None]
    right = 0
    for row in known:
        tolerance = row.setting.tolerance or 0.0
        right += bool(row.corner_errors) and max(row.corner_errors) <= tolerance
    return right, len(known)


def _corner_error(rows: Sequence[PictureRow]) -> Spread | None:
    """Of single corners, mm."""
    errors = []
    for row in rows:
        mm = 1.0 if row.setting.frame is Frame.BOARD else ICF_SIDE_MM / row.setting.side
        errors += [error * mm for error in row.corner_errors]
    return Spread.of(errors)


def _kind_right(judged: Judged) -> tuple[int, int]:
    found = [(row.truths[t], row.seen[s]) for row, pairing in judged for t, s in pairing.pairs]
    return sum(seen.kind in true.kinds for true, seen in found), len(found)


def _errors(row: PictureRow, pairing: Pairing) -> list[float]:
    """How far off the centres of discs are that lie flat in full view, mm."""
    mm = 1.0 if row.setting.frame is Frame.BOARD else ICF_SIDE_MM / row.setting.side
    out = []
    for t, s in pairing.pairs:
        true, seen = row.truths[t], row.seen[s]
        if true.lie is Lie.FLAT and true.visible >= 0.9 and not true.under_hand:
            out.append(mm * hypot(seen.x - true.x, seen.y - true.y))
    return out


def _kinds(judged: Judged) -> dict[PieceKind, KindScore]:
    rows = [row for row, _ in judged]
    present = {true.kinds[0] for row in rows for true in row.truths}
    present |= {disc.kind for row in rows for disc in row.seen if _counts(disc)}
    return {kind: _kind(kind, judged) for kind in PieceKind if kind in present}


def _kind(kind: PieceKind, judged: Judged) -> KindScore:
    due = found = reported = right = 0
    for row, pairing in judged:
        due += sum(1 for true in row.truths if true.due and true.kinds[0] is kind)
        reported += sum(1 for s in pairing.false if row.seen[s].kind is kind)
        for t, s in pairing.pairs:
            true, seen = row.truths[t], row.seen[s]
            found += true.kinds[0] is kind and seen.kind in true.kinds
            reported += seen.kind is kind
            right += seen.kind is kind and seen.kind in true.kinds
    boxes = [_boxes(row, kind) for row, _ in judged]
    found_at = [average_precision(boxes, overlap=overlap) for overlap in COCO_OVERLAPS]
    return KindScore(due, found, reported, right, found_at[0], _mean(found_at))


def _boxes(row: PictureRow, kind: PieceKind) -> BoxesOfPicture:
    truths = [true for true in row.truths if kind in true.kinds]
    seen = [disc for disc in row.seen if disc.on_surface and disc.kind is kind]
    ignored = [not true.due or true.kinds[0] is not kind for true in truths]
    regions = np.array(row.ignored_boxes, dtype=np.float64).reshape(-1, 4)
    return BoxesOfPicture(
        seen=_squares(seen),
        scores=np.array([disc.confidence for disc in seen], dtype=np.float64),
        truths=np.concatenate([_squares(truths), regions]),
        ignored=np.array([*ignored, *[True] * len(regions)], dtype=np.bool_),
    )


def _squares(discs: Sequence[TrueDisc] | Sequence[SeenDisc]) -> Array:
    rows = [(d.x - d.half, d.y - d.half, d.x + d.half, d.y + d.half) for d in discs]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def _by_visibility(rows: Sequence[PictureRow]) -> dict[str, tuple[int, int]]:
    """Discs at rest on the surface that were reported, by how much of them can be seen."""
    out = {}
    for low, high in _BANDS:
        found = due = 0
        for row in rows:
            for true in row.truths:
                if low <= true.visible < high and true.lie not in (Lie.AWAY, Lie.MOVING):
                    due += 1
                    found += _is_reported(row, true)
        out[f"{low:.2f}-{min(high, 1.0):.2f}"] = (found, due)
    return out


def _is_reported(row: PictureRow, true: TrueDisc) -> bool:
    return any(
        _counts(disc) and hypot(disc.x - true.x, disc.y - true.y) <= true.reach for disc in row.seen
    )


def _by_lie(judged: Judged) -> dict[Lie, tuple[int, int]]:
    """Discs at least half visible that were reported on the surface, by how they lie."""
    out: dict[Lie, tuple[int, int]] = {}
    for row, _ in judged:
        for true in row.truths:
            if true.visible >= 0.5:
                found, due = out.get(true.lie, (0, 0))
                out[true.lie] = (found + _is_reported(row, true), due + 1)
    return dict(sorted(out.items()))


def _reports(judged: Judged) -> list[tuple[float, bool]]:
    """Confidence of every report that counts, and whether place and kind are right."""
    out = []
    for row, pairing in judged:
        for t, s in pairing.pairs:
            disc = row.seen[s]
            out.append((disc.confidence, disc.kind in row.truths[t].kinds))
        out += [(row.seen[s].confidence, False) for s in pairing.false]
    return out


def _bins(reports: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    out = []
    for low, high in pairwise(_EDGES):
        inside = [r for r in reports if low <= r[0] < high or (high == 1.0 and r[0] >= 1.0)]
        if inside:
            confidence = float(np.mean([score for score, _ in inside]))
            right = float(np.mean([hit for _, hit in inside]))
            out.append(Bin(low, high, len(inside), confidence, right))
    return tuple(out)


def _reliability_error(bins: Sequence[Bin]) -> float | None:
    """Mean distance of stated and true chance, every report counting alike."""
    total = sum(one.count for one in bins)
    if total == 0:
        return None
    return sum(one.count * abs(one.confidence - one.right) for one in bins) / total
