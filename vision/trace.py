"""A recording of views: what the eyes saw, so that a match can be followed again without its video.

JSON lines: a header (version, board as calibrated, sizes), then a line a view. Replaying gives
exactly what following gave, for views are rounded before they are followed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, Never

import numpy as np

from carrom.board_spec import BoardSpec
from carrom.board_toml import board_from_toml, board_to_toml
from carrom.errors import CarromError, TraceError
from carrom.pieces import PieceKind
from vision.arrays import Array
from vision.calibration_file import calibration_from_toml, calibration_to_toml
from vision.seen import BoardSeen, DiscSeen, Place
from vision.table_view import CELLS, Look, TableView

__all__ = ["TRACE_VERSION", "TraceHeader", "header_line", "read_trace", "view_line"]

TRACE_VERSION = 1


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """``spec``: sizes; ``board``: as calibrated, if a camera saw it; ``source``: for people."""

    spec: BoardSpec
    board: BoardSeen | None = None
    source: str = ""


def header_line(header: TraceHeader) -> str:
    """The first line of a trace."""
    row = {
        "trace": TRACE_VERSION,
        "spec": board_to_toml(header.spec),
        "board": None if header.board is None else calibration_to_toml(header.board),
        "source": header.source,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def view_line(view: TableView) -> str:
    """One view as one line."""
    row: dict[str, Any] = {"t": view.t_s, "n": view.seq}
    if view.covered.any():
        row["cov"] = _bits(view.covered)
    if view.changed.any():
        row["chg"] = _bits(view.changed)
    if not view.usable:
        row["bad"] = 1
    if view.anew:
        row["new"] = 1
    if view.look is not None:
        row["discs"] = [_disc_row(disc) for disc in view.look.discs]
        row["maybe"] = [_disc_row(disc) for disc in view.look.doubtful]
    return json.dumps(row, separators=(",", ":")) + "\n"


def read_trace(
    lines: Iterable[str], *, where: str = "trace", note: Callable[[str], None] | None = None
) -> tuple[TraceHeader, Iterator[TableView]]:
    """The header and the views of a trace, read as they are asked for.

    A last line that breaks off, as after a crash, is left out, and ``note`` is told. Raises
    ``TraceError`` (file and line, expected, got), for views while they are read.
    """
    source = iter(enumerate(lines, 1))
    number, first = next(source, (1, ""))
    return _header(first, f"{where}:{number}"), _views(source, where, note)


def _header(line: str, where: str) -> TraceHeader:
    row = _row(line, where)
    if row.get("trace") != TRACE_VERSION:
        raise TraceError(
            where, expected=f"a trace of version {TRACE_VERSION}", got=row.get("trace")
        )
    try:
        spec = board_from_toml(row["spec"])
        board = None if row["board"] is None else calibration_from_toml(row["board"])
    except (CarromError, KeyError, TypeError) as error:
        raise TraceError(where, expected="a board", got=str(error)) from error
    return TraceHeader(spec, board, str(row.get("source", "")))


def _views(
    source: Iterator[tuple[int, str]], where: str, note: Callable[[str], None] | None
) -> Iterator[TableView]:
    last_s = -float("inf")
    for number, line in source:
        place = f"{where}:{number}"
        try:
            view = _view(line, place, last_s)
        except TraceError:
            # Only the last line of a file can lack its end.
            if line.endswith("\n"):
                raise
            if note is not None:
                note(f"{place}: breaks off; left out")
            return
        last_s = view.t_s
        yield view


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line, parse_constant=_no_number)
    except ValueError as error:
        raise TraceError(where, expected="a line of JSON", got=line[:60]) from error
    if not isinstance(row, dict):
        raise TraceError(where, expected="an object", got=line[:60])
    return row


def _no_number(text: str) -> Never:
    raise ValueError(f"{text} is no number")


def _view(line: str, where: str, last_s: float) -> TableView:
    row = _row(line, where)
    try:
        look = None
        if "discs" in row:
            discs, maybe = ([_disc(item) for item in row[key]] for key in ("discs", "maybe"))
            look = Look(tuple(discs), tuple(maybe))
        view = TableView(
            _number(row["t"]),
            int(_number(row["n"])),
            look,
            _cells(row.get("cov")),
            _cells(row.get("chg")),
            "bad" not in row,
            "new" in row,
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise TraceError(where, expected="a view", got=f"{line[:60]!r} ({error})") from error
    if view.t_s < last_s:
        raise TraceError(where, expected=f"a time from {last_s} s on", got=view.t_s)
    return view


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"expected a number, got {value!r}")
    return float(value)


def _bits(cells: Array) -> str:
    return np.packbits(cells).tobytes().hex()


def _cells(text: str | None) -> Array:
    if text is None:
        return np.zeros((CELLS, CELLS), dtype=np.bool_)
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8))
    return bits.reshape(CELLS, CELLS).astype(np.bool_)


def _disc_row(disc: DiscSeen) -> list[Any]:
    return [
        disc.kind.value,
        disc.x_mm,
        disc.y_mm,
        disc.x_px,
        disc.y_px,
        disc.radius_px,
        disc.radius_mm,
        disc.place.value,
        disc.visible,
        disc.confidence,
        int(disc.refined),
        {kind.value: odds for kind, odds in disc.odds.items()},
    ]


def _disc(row: list[Any]) -> DiscSeen:
    kind, x, y, x_px, y_px, r_px, r, place, visible, confidence, refined, odds = row
    return DiscSeen(
        kind=PieceKind(kind),
        x_mm=_number(x),
        y_mm=_number(y),
        x_px=_number(x_px),
        y_px=_number(y_px),
        radius_px=_number(r_px),
        radius_mm=_number(r),
        place=Place(place),
        visible=_number(visible),
        confidence=_number(confidence),
        odds={PieceKind(name): _number(value) for name, value in odds.items()},
        refined=bool(refined),
    )
