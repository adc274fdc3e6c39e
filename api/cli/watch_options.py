"""The options of ``carrom watch``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["watch"]


def watch(
    source: Annotated[
        str,
        typer.Argument(
            help="A video, pictures, a trace, a camera (0, usb:ID), rtsp://..., virtual:RULES.",
            show_default=False,
        ),
    ],
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    players: Annotated[
        int | None, typer.Option(help="2 or 4; three in point carrom.", show_default=False)
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A player's name, in the order S E N W; for all or none."),
    ] = None,
    opener: Annotated[
        str | None, typer.Option(help="The seat that breaks; else who strikes first.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the ruleset: name=value.")
    ] = None,
    json: Annotated[
        str | None, typer.Option("--json", help="One JSON object a line: a file, or -.")
    ] = None,
    clips: Annotated[
        Path | None, typer.Option(help="A folder for a video of each stroke.", show_default=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="A page to keep or print (.html).", show_default=False)
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(help="Record what was seen; watch it again without video."),
    ] = None,
    language: Annotated[str, typer.Option(help="en, ja, sv or hi.")] = "en",
    corners: Annotated[
        str | None,
        typer.Option(help="Corners of the playing surface in px: 'x,y x,y x,y x,y'."),
    ] = None,
    turn: Annotated[
        int | None, typer.Option(help="South is right of the picture's bottom: 1; top: 2; left: 3.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Cores that the networks may use.")] = 2,
) -> None:
    """Watch a match: a line per stroke with its ruling, and the score sheet.

    Exit code 0: done; 2: the source cannot be read, or options that cannot be meant; 3: no board.
    """
    from api.cli.watch_command import WatchOptions, run

    code = run(
        source,
        WatchOptions(
            rules=rules, players=players, names=tuple(name or ()), opener=opener,
            options=tuple(option or ()), json=json, clips=clips, report=report, trace=trace,
            language=language, corners=corners, turn=turn, threads=threads,
        ),
    )  # fmt: skip
    raise typer.Exit(code)
