"""``carrom suggest``: what to try next, told, as JSON, or drawn."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from api.cli.output_paths import check_output
from carrom.board_spec import BoardFamily, BoardSpec
from carrom.board_toml import load_board
from carrom.boards import board_for
from carrom.codec import Codec
from carrom.errors import SchemaError
from carrom.layouts import opening_position
from carrom.notation import parse_position
from carrom.position import Position
from carrom.seats import Seat, Side
from referee.laws import Laws
from referee.phrases import Language
from referee.ruleset_files import load_laws
from sim.advisor.situation import QueenSays, Situation, situation_of
from sim.advisor.skill import skill_of
from sim.advisor.suggestion import Advice, Stage
from sim.advisor.suggestion_svg import advice_svg
from sim.advisor.thinking import thoughts
from sim.advisor.wording import tell, tell_refusal
from sim.physics import warm_up
from sim.physics.warming import is_compiled

__all__ = ["run"]

Kind = TypeVar("Kind", bound=StrEnum)

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


def run(
    position: str,
    *,
    rules: str,
    seat: str,
    side: str | None,
    players: int,
    queen: str,
    skill: str,
    board: Path | None,
    tee_shot: bool,
    language: str,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Think and tell. Raises ``CarromError`` for input that cannot be meant."""
    if svg is not None:
        check_output("--svg", svg, (".svg",))
    laws, hand, speak = load_laws(rules), skill_of(skill), Language(language)
    spec = _board(laws, board)
    situation = situation_of(
        _position(position, spec),
        laws,
        seat=_choice("--seat", Seat, seat),
        side=None if side is None else _choice("--side", Side, side),
        players=players,
        queen=_choice("--queen", QueenSays, queen),
        board=spec,
        first_stroke=tee_shot,
    )
    console = Console(stderr=True, highlight=False)
    if not is_compiled():
        warm_up(lambda line: console.print(line, style="dim", markup=False))
    workers = max(1, min(2, os.cpu_count() or 1))
    with ThreadPoolExecutor(workers, thread_name_prefix="advisor") as pool:
        stream = thoughts(situation, hand, executor=pool, clock=time.perf_counter)
        advice = _watched(stream, console)
    if svg is not None:
        svg.write_text(advice_svg(situation, advice, skill=hand, title=position), "utf-8")
    if as_json:
        sys.stdout.write(Codec().dumps(advice) + "\n")
    else:
        _tell(advice, situation, speak)


def _watched(stream: Iterator[Advice], console: Console) -> Advice:
    """The last advice; a line for every stage on the way."""
    start = time.perf_counter()
    advice: Advice | None = None
    with console.status("thinking ..."):
        for advice in stream:
            if advice.stage is Stage.FIRST and advice.best is not None:
                best = advice.best
                console.print(
                    f"first answer after {time.perf_counter() - start:.2f} s: {best.kind.value}, "
                    f"{100 * best.chance.value:.0f} %",
                    style="dim",
                    markup=False,
                )
    assert advice is not None
    return advice


def _choice(option: str, kinds: type[Kind], text: str) -> Kind:
    try:
        return kinds(text)
    except ValueError:
        names = ", ".join(kind.value for kind in kinds)
        raise SchemaError(option, expected=names, got=text) from None


def _board(laws: Laws, path: Path | None) -> BoardSpec:
    if path is not None:
        return load_board(path)
    return board_for(BoardFamily.HIKONE if laws.ruleset.hikone else BoardFamily.ICF)


def _position(text: str, board: BoardSpec) -> Position:
    """Notation, "opening", a file of JSON, or a picture."""
    if text == "opening":
        return opening_position(board)
    path = Path(text)
    if path.suffix.lower() == ".json":
        return _from_json(path)
    if path.suffix.lower() in PICTURES:
        return _from_picture(path, board)
    return parse_position(text)


def _from_json(path: Path) -> Position:
    """A position as the codec writes it, or what ``carrom detect --json`` prints."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SchemaError(str(path), expected="a JSON file", got=str(error)) from error
    if isinstance(data, dict) and "pieces" in data:
        return _from_detection(data, str(path))
    if isinstance(data, dict):
        data.pop("schema", None)
    return Codec().decode(Position, data)


def _from_detection(data: Mapping[str, Any], where: str) -> Position:
    """The pieces of one picture; those without a place on the board are left out."""
    discs = []
    for piece in data["pieces"]:
        if not isinstance(piece, dict) or not {"kind", "x_mm", "y_mm"} <= set(piece):
            raise SchemaError(where, expected="pieces with kind, x_mm and y_mm", got=piece)
        discs.append({key: piece[key] for key in ("kind", "x_mm", "y_mm")})
    if data.get("board") is None:
        raise SchemaError(where, expected="a picture with a board", got="none found")
    return Codec().decode(Position, {"discs": discs})


def _from_picture(path: Path, board: BoardSpec) -> Position:
    """The men that ``vision`` finds, in the frame of the picture."""
    try:
        from api.detection_json import detection_data
        from vision.eyes import Eyes
        from vision.picture_file import read_picture
    except ImportError as error:
        raise SchemaError(
            str(path), expected="notation or JSON (no eyes are installed)", got="a picture"
        ) from error
    picture = read_picture(path)
    sight = Eyes.load().look(picture.image_bgr, family=board.family)
    return _from_detection(detection_data(str(path), picture, sight), str(path))


def _tell(advice: Advice, situation: Situation, language: Language) -> None:
    refusal = tell_refusal(advice, language)
    if refusal is not None:
        sys.stdout.write(refusal + "\n")
        return
    for number, suggestion in enumerate(advice.all, start=1):
        text = tell(suggestion, situation, language)
        label = "-" if suggestion is advice.safe else str(number)
        sys.stdout.write(f"{label} {text.title}\n  {text.order}\n")
        for odd in text.odds:
            sys.stdout.write(f"  {odd}\n")
