"""``carrom simulate``: one stroke by the physics engine, told and drawn."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from api.cli.output_paths import check_output
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.board_toml import load_board
from carrom.boards import board_for
from carrom.codec import Codec
from carrom.errors import SchemaError
from carrom.layouts import castle_layout, opening_position
from carrom.notation import format_position, parse_position
from carrom.outcome import StrokeOutcome
from carrom.position import Position, PositionProblem
from carrom.stroke import Stroke
from carrom.stroke_text import format_stroke, parse_stroke
from referee.event_text import event_to_text
from sim.physics import SurfaceParams, Trajectory, load_surface, simulate, surface_for, warm_up
from sim.physics.board_svg import trajectory_svg
from sim.physics.outcome_of import outcome_of
from sim.physics.warming import is_compiled

__all__ = ["run"]


def run(
    position: str,
    stroke: str,
    *,
    board: str,
    surface: Path | None,
    engine: str,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Simulate and report. Raises ``CarromError`` for input that cannot be meant."""
    if svg is not None:
        check_output("--svg", svg)
    spec = _board(board)
    start = _position(position, spec)
    intent = parse_stroke(stroke, spec)
    params = surface_for(spec) if surface is None else load_surface(surface)
    console = Console(stderr=True)
    trajectory = _simulate(start, intent, spec, params, engine, console)
    outcome = outcome_of(trajectory)
    if svg is not None:
        svg.write_text(trajectory_svg(trajectory, title=format_stroke(intent)), "utf-8")
    if as_json:
        sys.stdout.write(Codec().dumps(outcome) + "\n")
    else:
        _tell(trajectory, outcome, engine)


def _board(name: str) -> BoardSpec:
    if name.endswith(".toml"):
        return load_board(Path(name))
    try:
        return board_for(BoardFamily(name))
    except ValueError:
        names = ", ".join(family.value for family in BoardFamily)
        raise SchemaError("--board", expected=f"{names} or a .toml file", got=name) from None


def _position(text: str, board: BoardSpec) -> Position:
    if text == "opening":
        return opening_position(board)
    if text == "castle":
        return castle_layout(board)
    position = parse_position(text)
    problems = position.problems(board)
    if problems & PositionProblem.WRONG_SET:
        raise SchemaError("position", expected=f"pieces of {board.family.value}", got=text)
    return position


def _simulate(
    start: Position,
    intent: Stroke,
    board: BoardSpec,
    params: SurfaceParams,
    engine: str,
    console: Console,
) -> Trajectory:
    if engine == "pymunk":
        from sim.physics.pymunk_reference import simulate_pymunk

        return simulate_pymunk(start, intent, board, params)
    if engine != "fast":
        raise SchemaError("--engine", expected="fast or pymunk", got=engine)
    if not is_compiled():  # otherwise the engine loads from the cache without a word
        warm_up(lambda line: console.print(line, style="dim", markup=False))
    return simulate(start, intent, board, params)


def _tell(trajectory: Trajectory, outcome: StrokeOutcome, engine: str) -> None:
    lines = [f"stroke   {format_stroke(trajectory.stroke)}   ({engine} engine)"]
    for event in outcome.events:
        t_s = event.evidence.t_start_s
        when = "" if t_s is None else f"{t_s:7.3f} s"
        lines.append(f"{when:>9}  {event_to_text(event)}")
    lines.append(f"at rest  {trajectory.duration_s:.3f} s")
    if outcome.after is not None:
        lines.append(f"after    {format_position(outcome.after)}")
    if trajectory.capped:
        lines.append("capped: the engine gave up before everything was at rest")
    sys.stdout.write("\n".join(lines) + "\n")
