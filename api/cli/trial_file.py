"""Results of long measurements, one JSON object a line, so that a run can go on where it ended."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api.cli.output_paths import check_output
from carrom.errors import SchemaError

__all__ = ["Row", "TrialFile", "deadline"]

Row = dict[str, Any]


class TrialFile:
    """Rows so far; new ones are appended to the file at once. Without a path: in memory only.

    Every row has a ``type``. Raises ``SchemaError`` for a file that holds something else.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.rows: list[Row] = []
        if path is not None:
            check_output("--resume", path)
            if path.exists():
                self.rows = _read(path)

    def of(self, kind: str) -> list[Row]:
        """The rows of a type."""
        return [row for row in self.rows if row["type"] == kind]

    def add(self, *rows: Row) -> None:
        """Append rows."""
        self.rows += rows
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)


def deadline(minutes: float | None) -> Callable[[], bool]:
    """A question whether the time is up; never without a limit."""
    if minutes is None:
        return lambda: False
    end_s = time.monotonic() + 60.0 * minutes
    return lambda: time.monotonic() > end_s


def _read(path: Path) -> list[Row]:
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            row["type"] = str(row["type"])
        except (ValueError, KeyError, TypeError) as error:
            raise SchemaError(f"{path}: line {number}", expected="a record", got=line) from error
        rows.append(row)
    return rows
