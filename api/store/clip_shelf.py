"""Clips of strokes beside the database: a quota, an age, and no file left behind."""

from __future__ import annotations

import re
import secrets
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import delete, insert, select

from api.store.database import store_errors
from api.store.match_store import MatchStore
from api.store.store_error import StoreError, StoreFullError
from api.store.tables import clip_table

__all__ = ["ClipShelf"]

_OURS = re.compile(r"clip-[0-9a-f]{32}\.mp4")
_FREE_BYTES = 200 * 1024**2
"""What is left free on the disk: the log of the match is worth more than a clip."""


class ClipShelf:
    """Keeps clips in ``folder``. ``quota_bytes``: the oldest go when it is passed; ``keep_days``:
    older ones go, ``None`` keeps them for ever."""

    def __init__(
        self, store: MatchStore, folder: Path, *, quota_bytes: int, keep_days: float | None
    ) -> None:
        self._store, self.folder = store, folder
        self._quota, self._keep_days = quota_bytes, keep_days

    def room(self) -> Path:
        """A path to write a new clip to; it belongs to nobody until ``add``.

        Raises ``StoreFullError`` when the disk is nearly full, ``StoreError`` when the folder
        cannot be made.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder).free
        except OSError as error:
            raise StoreError(str(self.folder), f"cannot be written: {error.strerror}") from error
        if free < _FREE_BYTES:
            reason = f"only {free // 1024**2} MiB free, clips stop at {_FREE_BYTES // 1024**2} MiB"
            raise StoreFullError(str(self.folder), reason, "Make room, or lower store.quota_mib")
        return self.folder / f"clip-{secrets.token_hex(16)}.mp4"

    def add(self, match_id: str, stroke_id: str, path: Path, now: datetime | None = None) -> None:
        """Put a finished clip on the shelf, in place of an earlier one of this stroke; then what
        is too much or too old goes."""
        at = (now or datetime.now(UTC)).isoformat(timespec="milliseconds")
        here = (clip_table.c.match_id == match_id) & (clip_table.c.stroke_id == stroke_id)
        row = {"match_id": match_id, "stroke_id": stroke_id, "file": path.name, "at": at,
               "bytes": path.stat().st_size}  # fmt: skip
        with self._store.write() as connection:
            connection.execute(delete(clip_table).where(here))
            connection.execute(insert(clip_table).values(row))
        self.sweep(now)

    def find(self, match_id: str, stroke_id: str) -> Path | None:
        """The clip of a stroke, if there is one and it is still there."""
        wanted = select(clip_table.c.file).where(
            clip_table.c.match_id == match_id, clip_table.c.stroke_id == stroke_id
        )
        with store_errors(self._store.where), self._store.engine.connect() as connection:
            row = connection.execute(wanted).first()
        path = None if row is None else self.folder / row.file
        return path if path is not None and path.is_file() else None

    def sweep(self, now: datetime | None = None) -> int:
        """Remove clips beyond age and quota, and files of matches that were deleted. How many."""
        oldest = ""
        if self._keep_days is not None:
            limit = (now or datetime.now(UTC)) - timedelta(days=self._keep_days)
            oldest = limit.isoformat(timespec="milliseconds")
        total, keep, gone = 0, set(), []
        with self._store.write() as connection:
            newest_first = select(clip_table).order_by(clip_table.c.at.desc())
            for row in connection.execute(newest_first).all():
                total += row.bytes
                if row.at < oldest or total > self._quota:
                    gone.append(row.file)
                else:
                    keep.add(row.file)
            if gone:
                connection.execute(delete(clip_table).where(clip_table.c.file.in_(gone)))
        return sum(self._remove(name) for name in self._unknown(keep, set(gone)))

    def _unknown(self, keep: set[str], gone: set[str]) -> list[str]:
        """Files with our names that no row names; one just being written is younger than a
        minute."""
        if not self.folder.is_dir():
            return []
        young_s = datetime.now(UTC).timestamp() - 60
        names = []
        for path in self.folder.iterdir():
            if not _OURS.fullmatch(path.name) or path.name in keep:
                continue
            if path.name in gone or path.stat().st_mtime < young_s:
                names.append(path.name)
        return names

    def _remove(self, name: str) -> bool:
        try:
            (self.folder / name).unlink()
        except OSError:
            return False  # being played on Windows: the next sweep gets it
        return True
