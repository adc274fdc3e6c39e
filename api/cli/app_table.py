"""The commands of a table: play, demo, watch, doctor, and films judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.evaluate import evaluate

__all__ = ["add_table_commands"]


def add_table_commands(app: typer.Typer) -> None:
    """Add them to the program."""
    app.command()(demo)
    app.command()(watch)
    app.command()(doctor)
    evaluate.command("films")(films)


def demo(
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    virtual: Annotated[
        bool, typer.Option("--virtual", help="A simulated table that never ends, not the clip.")
    ] = False,
    clip: Annotated[
        Path | None, typer.Option(help="This film instead of the shipped one.", show_default=False)
    ] = None,
    port: Annotated[int | None, typer.Option(show_default=False)] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="A scripted match in the terminal instead of the page.")
    ] = False,
    language: Annotated[str, typer.Option(help="en, ja, sv or hi (with --text).")] = "en",
    pause_s: Annotated[float, typer.Option(help="Seconds between strokes (with --text).")] = 0.0,
    svg: Annotated[
        Path | None, typer.Option(help="Save the terminal as a picture (with --text).")
    ] = None,
) -> None:
    """Show the whole chain without a camera: a shipped film, watched and called on a page."""
    if text or svg is not None:
        from api.cli import demo_command

        demo_command.run(rules, language, pause_s, svg)
        return
    from api.cli import serve_command

    serve_command.run_demo(
        rules=rules, clip=clip, virtual=virtual, port=port, browser=False if no_open else None
    )


def watch(
    source: Annotated[
        str, typer.Argument(help="A video, a stream, a camera, a folder of pictures, a trace.")
    ],
    rules: Annotated[str, typer.Option(help="A ruleset, or a club's .toml file.")] = "icf",
    players: Annotated[int | None, typer.Option(show_default=False)] = None,
    as_json: Annotated[
        str | None, typer.Option("--json", help="One JSON object a line into this file, or -.")
    ] = None,
    clips: Annotated[
        Path | None, typer.Option(help="A folder for a video of every stroke.", show_default=False)
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="The match as one .html file.", show_default=False)
    ] = None,
    trace: Annotated[
        Path | None, typer.Option(help="Record what the eyes saw.", show_default=False)
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the ruleset: name=value.")
    ] = None,
    language: Annotated[str, typer.Option(help="en, ja, sv or hi.")] = "en",
    corners: Annotated[
        str | None, typer.Option(help="Corners of the surface in px: 'x,y x,y x,y x,y'.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(help="What lies East of the bottom is South: quarters.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A player, in the order of the seats.")
    ] = None,
    opener: Annotated[str | None, typer.Option(help="Who begins: S, E, N or W.")] = None,
    threads: Annotated[int, typer.Option(help="Cores that the networks may use.")] = 2,
) -> None:
    """Follow a recorded or running match: a line a stroke, every foul explained, a score sheet.

    Exit code 0: done; 2: the source cannot be read; 3: no board was found in it.
    """
    from api.cli import watch_command

    asked = watch_command.WatchOptions(
        rules=rules, players=players, json=as_json, clips=clips, report=report, trace=trace,
        options=tuple(option or ()), language=language, corners=corners, turn=turn,
        threads=threads, names=tuple(name or ()), opener=opener,
    )  # fmt: skip
    raise typer.Exit(watch_command.run(source, asked))


def doctor(
    camera: Annotated[
        str | None, typer.Option(help="Also look through this source.", show_default=False)
    ] = None,
    bench: Annotated[
        bool, typer.Option("--bench", help="Also try how fast a match is followed here.")
    ] = False,
    clip: Annotated[
        Path | None, typer.Option(help="A film for --bench.", show_default=False)
    ] = None,
    rules: Annotated[str, typer.Option(help="Of the film.")] = "icf",
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
) -> None:
    """Check camera, light, focus, networks, disk and speed, and say what to do.

    Exit code 0: all will work; 1: something will not.
    """
    from api.cli import doctor_command

    raise typer.Exit(
        doctor_command.run(camera=camera, bench=bench, clip=clip, rules=rules, as_json=as_json)
    )


def films(
    count: Annotated[int, typer.Option("--films", help="Films to judge.")] = 24,
    first: Annotated[
        int, typer.Option(help="Seed of the first; judging: 9 000 000 on.")
    ] = 9_000_000,
    rules: Annotated[list[str] | None, typer.Option(help="Only these rulesets.")] = None,
    eyes: Annotated[str, typer.Option(help="video: real pictures; truth: without eyes.")] = "video",
    strokes: Annotated[int, typer.Option(help="Strokes a film.")] = 8,
    resume: Annotated[
        Path | None, typer.Option(help="Keep results here and go on from them.", show_default=False)
    ] = None,
    as_json: Annotated[
        Path | None, typer.Option("--json", help="The figures as JSON.", show_default=False)
    ] = None,
    workers: Annotated[int, typer.Option(help="Films at a time.")] = 1,
    notes: Annotated[bool, typer.Option("--notes", help="Tell every difference.")] = False,
    traces: Annotated[
        Path | None,
        typer.Option(help="A folder for what the eyes saw of each film.", show_default=False),
    ] = None,
) -> None:
    """Whole films watched: strokes found, facts and rulings exact, wrong and unasked, asked."""
    from api.cli import evaluate_films

    evaluate_films.run(
        films=count, first_seed=first, rules=tuple(rules or ()), eyes=eyes, strokes=strokes,
        resume=resume, json_path=as_json, workers=workers, notes=notes, traces=traces,
    )  # fmt: skip
