"""The command line. Heavy imports happen inside the commands that need them."""

from __future__ import annotations

import io
import sys

__all__ = ["main"]


def main() -> None:
    """Entry point of the command ``carrom``. Errors of ours end in one line and exit code 2."""
    from rich.console import Console

    from api.cli.app import app
    from carrom.errors import CarromError

    for stream in (sys.stdout, sys.stderr):  # whatever a file holds can be printed
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except CarromError as error:
        notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
        console = Console(stderr=True, highlight=False)
        console.print(f"error: {error}{notes}", style="red", markup=False, soft_wrap=True)
        sys.exit(2)
