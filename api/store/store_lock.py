"""One writer a store: a lock that the system lets go of when its process dies."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from api.store.store_error import StoreError, StoreInUseError

__all__ = ["StoreLock"]


class StoreLock:
    """Holds ``FILE.lock`` beside the store from creation to ``close``.

    The lock is the system's, not the file's existence: a lock file left behind by a killed process
    stops nobody. Raises ``StoreInUseError`` naming the other process, ``StoreError`` where the
    folder cannot be written.
    """

    def __init__(self, store: Path) -> None:
        path = store.with_name(store.name + ".lock")
        try:
            self._file: IO[str] | None = path.open("a+", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                str(path),
                f"cannot be written: {error.strerror}",
                "Choose another place with the setting store.url",
            ) from error
        if not _lock(self._file):
            holder = _holder(path)
            self._file.close()
            self._file = None
            raise StoreInUseError(
                str(store),
                f"another carrom uses these matches ({holder})",
                "Close it, or give this one its own store with the setting store.url",
            )
        self._tell()

    def close(self) -> None:
        """Let go. The file stays: to remove it would let two processes lock two files."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _tell(self) -> None:
        assert self._file is not None
        started = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._file.truncate(0)
            self._file.write(json.dumps({"pid": os.getpid(), "started": started}) + "\n")
            self._file.flush()
        except OSError:
            pass  # a full disk: the lock itself holds


def _holder(path: Path) -> str:
    try:
        told = json.loads(path.read_text("utf-8"))
        return f"process {int(told['pid'])}, since {told['started']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "an unknown process"


if sys.platform == "win32":  # pragma: no cover - no such machine in our checks
    import msvcrt

    def _lock(file: IO[str]) -> bool:
        file.seek(1_000_000)  # a byte far behind the text, so that others can read who holds it
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
