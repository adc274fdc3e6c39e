"""Where a command may write: asked before the work, so that no work is lost."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from carrom.errors import SchemaError

__all__ = ["check_output"]


def check_output(option: str, path: Path, suffixes: Collection[str] = ()) -> None:
    """Raise ``SchemaError`` if ``path`` lies in no folder, is one, or ends in another suffix.

    ``suffixes``: lower case with the dot; none means any.
    """
    if not path.parent.is_dir():
        raise SchemaError(option, expected="a file in a folder that exists", got=str(path))
    if path.is_dir():
        raise SchemaError(option, expected="a file, not a folder", got=str(path))
    if suffixes and path.suffix.lower() not in suffixes:
        raise SchemaError(option, expected=f"a file in {', '.join(suffixes)}", got=str(path))
