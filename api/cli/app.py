"""The commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.app_table import add_table_commands
from api.cli.evaluate import evaluate
from api.cli.evaluate_advice import advice as _advice  # noqa: F401 - registers itself
from api.cli.evaluate_strength import strength as _strength  # noqa: F401 - registers itself
from api.cli.simulate_group import StrokeByDefault

__all__ = ["app"]

app = typer.Typer(
    help="A camera umpire for carrom and Hikone karomu.",
    pretty_exceptions_enable=False,
)


app.add_typer(evaluate, name="evaluate")
add_table_commands(app)
_simulate = typer.Typer(
    cls=StrokeByDefault, help="Simulate one stroke, or a match between programs."
)
app.add_typer(_simulate, name="simulate")


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    source: Annotated[
        str | None, typer.Option(help="A camera, a stream or a film to begin with.")
    ] = None,
    port: Annotated[int | None, typer.Option(show_default=False)] = None,
    lan: Annotated[
        bool | None, typer.Option("--lan/--no-lan", help="Phones and tablets may pair (TLS).")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """A camera umpire for carrom and Hikone karomu. Without a command: the page, to play."""
    if context.invoked_subcommand is None:
        from api.cli import serve_command

        browser = False if no_open else None
        serve_command.run(source=source, port=port, lan=lan, browser=browser)


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


@_simulate.command("stroke")
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


@_simulate.command("match")
def simulate_match(
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    south: Annotated[str, typer.Option(help="casual, club, strong; greedy:club.")] = "club",
    north: Annotated[str, typer.Option(help="As --south.")] = "club",
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 0,
    boards: Annotated[
        int | None, typer.Option(help="So many boards instead of a match.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a board.")] = False,
) -> None:
    """Let two programs play: strokes by the engine, rulings by the referee, statistics."""
    from api.cli import simulate_match

    simulate_match.run(
        rules=rules, south=south, north=north, seed=seed, boards=boards, as_json=as_json
    )


@app.command()
def suggest(
    position: Annotated[
        str,
        typer.Argument(
            help="One-line notation, opening, a .json file, or a picture.", show_default=False
        ),
    ],
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    seat: Annotated[str, typer.Option(help="Who strikes: S, E, N, W.")] = "S",
    side: Annotated[
        str | None, typer.Option(help="His colour (default: the opener's).", show_default=False)
    ] = None,
    players: Annotated[int, typer.Option(help="2 or 4.")] = 2,
    queen: Annotated[
        str, typer.Option(help="If she is not on the board: mine, theirs, uncovered.")
    ] = "mine",
    skill: Annotated[str, typer.Option(help="casual, club, strong.")] = "club",
    board: Annotated[
        Path | None, typer.Option(help="A board's .toml file.", show_default=False)
    ] = None,
    tee_shot: Annotated[
        bool, typer.Option("--tee-shot", help="Hikone: his first stroke of the game.")
    ] = False,
    language: Annotated[str, typer.Option(help="en, ja, sv or hi.")] = "en",
    svg: Annotated[
        Path | None, typer.Option(help="Draw the suggestions into this file.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The advice as JSON.")] = False,
) -> None:
    """Suggest what to strike next, with the chance of success for this player."""
    from api.cli import suggest

    suggest.run(
        position,
        rules=rules,
        seat=seat,
        side=side,
        players=players,
        queen=queen,
        skill=skill,
        board=board,
        tee_shot=tee_shot,
        language=language,
        svg=svg,
        as_json=as_json,
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


@app.command()
def detect(
    images: Annotated[list[Path], typer.Argument(help="Picture files.", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line, one line a picture.")
    ] = False,
    draw: Annotated[
        Path | None,
        typer.Option(help="Draw what was seen: a file, or a folder for several pictures."),
    ] = None,
    board: Annotated[
        str | None, typer.Option("--board", "--rules", help="icf or hikone; else found out.")
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(help="Corners of the playing surface in px: 'x,y x,y x,y x,y'."),
    ] = None,
    weights: Annotated[
        list[Path] | None,
        typer.Option(help="A network (.onnx) instead of the shipped one; may be repeated."),
    ] = None,
    threads: Annotated[int, typer.Option(help="Cores that the networks may use.")] = 2,
) -> None:
    """Find the board and every disc in still pictures.

    Exit code 0: a board in every picture; 1: a picture without one, or one that cannot be read (the
    others are done all the same); 2: options that cannot be meant, or no weights.
    """
    from api.cli import detect_command

    code = detect_command.run(
        images,
        as_json=as_json,
        draw=draw,
        board=board,
        weights=tuple(weights or ()),
        corners=corners,
        threads=threads,
    )
    raise typer.Exit(code)
