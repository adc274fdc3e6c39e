"""The commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    help="A camera umpire for carrom and Hikone karomu.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    """A camera umpire for carrom and Hikone karomu."""


@app.command()
def referee(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Scenario files, or folders of them.", show_default=False),
    ] = None,
    clauses: Annotated[
        bool, typer.Option("--clauses", help="Print the table of all clauses of the laws.")
    ] = False,
    cases: Annotated[
        Path | None,
        typer.Option(help="Folder of golden cases to list beside each clause.", show_default=False),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of text.")
    ] = False,
) -> None:
    """Rule on scenario files and print what differs from what they expect."""
    from api.cli import referee_command

    if clauses:
        referee_command.print_clauses(cases, as_json=as_json)
    elif files:
        raise typer.Exit(referee_command.run_files(files, as_json=as_json))
    else:
        raise typer.BadParameter("name scenario files, or ask for --clauses")


@app.command()
def demo(
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    language: Annotated[str, typer.Option(help="en, ja, sv or hi.")] = "en",
    pause_s: Annotated[float, typer.Option(help="Seconds between strokes.")] = 0.0,
    svg: Annotated[
        Path | None, typer.Option(help="Also save the terminal as a picture.", show_default=False)
    ] = None,
) -> None:
    """Replay a scripted match in the terminal: every stroke, its ruling, the score sheet."""
    from api.cli import demo_command

    demo_command.run(rules, language, pause_s, svg)


@app.command()
def simulate(
    position: Annotated[
        str, typer.Argument(help="One-line notation, or: opening, castle.", show_default=False)
    ],
    stroke: Annotated[
        str, typer.Option(help="For example 'S@12.5 90deg 2.4m/s'.", show_default=False)
    ],
    board: Annotated[str, typer.Option(help="icf, hikone, or a board's .toml file.")] = "icf",
    surface: Annotated[
        Path | None, typer.Option(help="A surface's .toml file.", show_default=False)
    ] = None,
    engine: Annotated[str, typer.Option(help="fast, or pymunk (slow, independent).")] = "fast",
    svg: Annotated[
        Path | None, typer.Option(help="Draw the paths into this file.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The outcome as JSON.")] = False,
) -> None:
    """Simulate one stroke: what is touched, what falls, where everything comes to rest."""
    from api.cli import simulate_command

    simulate_command.run(
        position, stroke, board=board, surface=surface, engine=engine, svg=svg, as_json=as_json
    )


@app.command()
def film(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The video; truth goes beside it.")
    ] = None,
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    seed: Annotated[int, typer.Option(help="The same seed gives the same film.")] = 0,
    minutes: Annotated[float, typer.Option(help="How long.")] = 1.0,
    fps: Annotated[float, typer.Option(help="Frames per second.")] = 30.0,
    size: Annotated[str, typer.Option(help="Width x height in pixels.")] = "1280x720",
    incident: Annotated[
        list[str] | None, typer.Option(help="Something that shall happen; may be repeated.")
    ] = None,
    script: Annotated[
        Path | None, typer.Option(help="A TOML script instead of a seed.", show_default=False)
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(help="A contact sheet of 48 stills.", show_default=False)
    ] = None,
) -> None:
    """Render a simulated match as a video with its truth, or a sheet of stills."""
    from api.cli import film_command

    film_command.run(
        rules=rules,
        seed=seed,
        minutes=minutes,
        output=output,
        fps=fps,
        size=size,
        incidents=tuple(incident or ()),
        script=script,
        sheet=sheet,
    )
