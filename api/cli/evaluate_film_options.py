"""The options of ``carrom evaluate films``; importing registers the command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.evaluate import evaluate

__all__ = ["films"]


@evaluate.command()
def films(
    count: Annotated[int, typer.Option("--films", help="How many films.")] = 24,
    first: Annotated[
        int, typer.Option(help="Their first seed; from 9 000 000 on for judging only.")
    ] = 9_000_000,
    rules: Annotated[
        list[str] | None, typer.Option(help="A ruleset; may be repeated. All without.")
    ] = None,
    eyes: Annotated[
        str, typer.Option(help="video: pictures and networks; truth: perfect frames, no picture.")
    ] = "video",
    strokes: Annotated[int, typer.Option(help="Strokes a film.")] = 8,
    resume: Annotated[
        Path | None,
        typer.Option(help="Keep every judged film in this file; go on from it."),
    ] = None,
    json_path: Annotated[
        Path | None, typer.Option("--json", help="All figures into this file.", show_default=False)
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes, one core each.")] = 1,
    notes: Annotated[
        bool, typer.Option("--notes", help="Every stroke that is not perfect.")
    ] = False,
) -> None:
    """How well strokes are found, described and ruled on in films whose truth is known."""
    from api.cli import evaluate_films

    evaluate_films.run(
        films=count, first_seed=first, rules=tuple(rules or ()), eyes=eyes, strokes=strokes,
        resume=resume, json_path=json_path, workers=workers, notes=notes,
    )  # fmt: skip
