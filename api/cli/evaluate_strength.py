"""``carrom evaluate strength``: how well the advisor's suggestions play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.evaluate import evaluate

__all__ = ["strength"]


@evaluate.command()
def strength(
    solo: Annotated[int, typer.Option(help="Boards that one player clears alone.")] = 200,
    duels: Annotated[int, typer.Option(help="Boards against the nearest-pocket player.")] = 100,
    rules: Annotated[str, typer.Option(help="Ruleset of the duels.")] = "icf",
    skill: Annotated[str, typer.Option(help="Of both: casual, club, strong.")] = "club",
    first: Annotated[int, typer.Option(help="First seed (judge seeds)")] = 100_000,
    resume: Annotated[
        Path | None, typer.Option(help="Keep results here and go on from them.", show_default=False)
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after so long.", show_default=False)
    ] = None,
) -> None:
    """Strokes to clear a board under the noise of the IIT Bombay task; boards won against greed."""
    from api.cli import strength_trials

    strength_trials.run(
        solo=solo,
        duels=duels,
        rules=rules,
        skill=skill,
        first=first,
        resume=resume,
        minutes=minutes,
    )
