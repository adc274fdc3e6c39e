"""``carrom evaluate advice``: are the chances that are shown the chances that players meet?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.evaluate import evaluate

__all__ = ["advice"]


@evaluate.command()
def advice(
    n: Annotated[int, typer.Option("--n", help="Suggestions to measure.")] = 500,
    strokes: Annotated[int, typer.Option(help="Strokes of the fast engine for each.")] = 1000,
    pymunk: Annotated[int, typer.Option(help="Suggestions to measure in pymunk as well.")] = 0,
    pymunk_strokes: Annotated[int, typer.Option(help="Strokes in pymunk for each.")] = 200,
    dt: Annotated[float, typer.Option(help="Time step of pymunk, s.")] = 0.001,
    first: Annotated[int, typer.Option(help="Number of the first trial (judge seeds)")] = 100_000,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure the first answer, not the full one.")
    ] = False,
    resume: Annotated[
        Path | None, typer.Option(help="Keep results here and go on from them.", show_default=False)
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after so long.", show_default=False)
    ] = None,
    gallery: Annotated[
        Path | None,
        typer.Option(help="Only draw 24 trials into this .svg file.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The tables as JSON.")] = False,
) -> None:
    """Reliability of the chances shown, against both engines, on random positions."""
    from api.cli import advice_gallery, advice_trials

    if gallery is not None:
        advice_gallery.draw(gallery, first)
        return
    advice_trials.run(
        suggestions=n,
        strokes=strokes,
        pymunk=pymunk,
        pymunk_strokes=pymunk_strokes,
        dt_s=dt,
        first=first,
        quick=quick,
        resume=resume,
        minutes=minutes,
        as_json=as_json,
    )
