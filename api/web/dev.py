"""``python -m api.web.dev --port 8123``: the pages over a scripted table, for who writes pages.

Works in a checkout only: the scripted table belongs to the tests.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api.web.serve import serve
from api.web.web_settings import WebSettings
from carrom.errors import CarromError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m api.web.dev", description=__doc__)
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--lan", type=Path, metavar="FOLDER", help="TLS; certificates kept there")
    parser.add_argument("--fps", type=float, default=25.0)
    asked = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO)
    try:
        scripted: Any = importlib.import_module("tests.api.web.fake_table")
    except ModuleNotFoundError:
        sys.stderr.write("run this in the folder of a checkout: the table is part of its tests\n")
        return 2
    settings = WebSettings(http_port=asked.port, lan=asked.lan is not None, data_folder=asked.lan)
    table = scripted.FakeTable(fps=asked.fps)
    table.begin_script()
    try:
        serve(table, settings=settings, say=lambda line: print(line, flush=True))  # noqa: T201
    except CarromError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    finally:
        table.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
