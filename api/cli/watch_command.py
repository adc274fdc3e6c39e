"""``carrom watch``: a recording, stream or trace turned into calls and a score sheet."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from api.cli.output_paths import check_output
from api.sources import SourceChoice, choose_source
from api.watch.analysis import Analysis
from api.watch.clips import ClipWriter
from api.watch.following import Follows, pipeline_for, seats_of_players
from api.watch.ledger import Ledger
from api.watch.lines import source_line
from api.watch.report import report_html
from api.watch.ring import Ring
from api.watch.run_source import (
    look_through,
    run_live,
    run_recording,
    run_views,
    sits_across,
)
from api.watch.summary import summary_data, summary_text
from api.watch.trace_file import TraceFollower, TraceWriter, is_trace
from carrom.errors import SchemaError, SourceError
from carrom.seats import Seat
from referee.laws import Laws
from referee.phrases import Language
from referee.ruleset_files import load_laws
from vision.frames import Frame, SourceInfo, SourceKind
from vision.pipeline import Pipeline
from vision.seen import BoardSeen
from vision.sources.usb import short_device_timeouts
from vision.table_view import TableView
from vision.trace import read_trace

__all__ = ["DONE", "NO_BOARD", "NO_SOURCE", "WatchOptions", "run"]

DONE, NO_SOURCE, NO_BOARD = 0, 2, 3
_NUMBER = r"-?\d+(?:\.\d+)?"
_REPORT_WIDTH_PX, _CLIP_WIDTH_PX = 640, 1280

Emit = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """What was asked for. ``corners``: ``"x,y x,y x,y x,y"``, NW NE SE SW as they lie in the
    picture; ``turn``: what lies East of the
    picture's bottom becomes South, so many quarters; without it two players sit where the first
    striker is placed; ``options``: ``name=value`` of the ruleset; ``json``:
    a file, or ``-`` for standard output."""

    rules: str = "icf"
    players: int | None = None
    json: str | None = None
    clips: Path | None = None
    report: Path | None = None
    trace: Path | None = None
    options: Sequence[str] = field(default_factory=tuple)
    language: str = "en"
    corners: str | None = None
    turn: int | None = None
    threads: int = 2
    names: Sequence[str] = field(default_factory=tuple)
    opener: str | None = None


def run(source: str, asked: WatchOptions) -> int:
    """Watch ``source``; the exit code: 0 done, 2 it cannot be read, 3 no board in it.

    Raises ``CarromError`` for options that cannot be meant.
    """
    short_device_timeouts()
    laws = load_laws(asked.rules, _laws_options(asked.options))
    seats = seats_of_players(_players(laws, asked.players))
    names = dict(zip(seats, [*asked.names, *(seat.name.title() for seat in seats)], strict=False))
    if len(asked.names) not in (0, len(seats)):
        raise SchemaError("--name", expected=f"{len(seats)} names or none", got=asked.names)
    if asked.turn is not None and not 0 <= asked.turn <= 3:
        raise SchemaError("--turn", expected="0 to 3 quarters", got=asked.turn)
    corners = None if asked.corners is None else _corners(asked.corners)
    _check_outputs(asked)
    opener = None if asked.opener is None else _opener(asked.opener, seats)
    ledger = Ledger(laws, names, language=Language(asked.language), opener=opener)
    words = Console(stderr=asked.json == "-", highlight=False)
    with _lines(asked.json) as write:
        teller = _Teller(ledger, words, write)
        try:
            path = Path(source).expanduser()
            if is_trace(path):
                return _watch_trace(path, asked, teller)
            choice = choose_source(source)
            return _Watch(choice, asked, teller, corners).run()
        except SourceError as error:
            Console(stderr=True, highlight=False).print(
                f"error: {error}", style="red", markup=False, soft_wrap=True
            )
            return NO_SOURCE


class _Teller:
    """Writes lines to the file, and tells people what matters to them."""

    def __init__(self, ledger: Ledger, words: Console, write: Emit) -> None:
        self.ledger, self.words, self.write = ledger, words, write

    def emit(self, row: dict[str, Any]) -> None:
        """One line."""
        self.write(row)
        text = _for_people(row, self.ledger)
        if text:
            self.words.print(text, markup=False, soft_wrap=True)


class _Watch:
    """One run over frames."""

    def __init__(
        self,
        choice: SourceChoice,
        asked: WatchOptions,
        teller: _Teller,
        corners: list[tuple[float, float]] | None,
    ) -> None:
        self.choice, self.asked, self.teller, self.corners = choice, asked, teller, corners

    def run(self) -> int:
        board: BoardSeen | None = None
        two = len(self.teller.ledger.seats) == 2 and self.asked.turn is None
        seats = tuple(Seat) if two else self.teller.ledger.seats
        if not self.choice.live:
            first = look_through(self.choice, self._pipeline(seats), for_seats=two)
            if first is None:
                return self._no_board()
            board = first.board
            if first.across:
                self.teller.ledger.sit_across()
            seats = self.teller.ledger.seats
        with ExitStack() as stack:
            trace: TraceWriter | None = None
            if self.asked.trace is not None:
                trace = stack.enter_context(TraceWriter(self.asked.trace, self.choice.shown))
            pipeline = self._pipeline(seats, board, None if trace is None else trace.write)
            if trace is not None:
                trace.pipeline = pipeline
            ring = self._ring()
            clips = None
            if self.asked.clips is not None and ring is not None:
                self.asked.clips.mkdir(exist_ok=True)
                clips = ClipWriter(self.asked.clips, ring)
                stack.callback(clips.close)
            analysis = Analysis(
                pipeline, self.teller.ledger, pipeline.spec, self.teller.emit, ring=ring,
                clips=clips, key_pictures=self.asked.report is not None,
            )  # fmt: skip
            info = self._drive(analysis)
        if pipeline.calibrated is None and analysis.pace.frames and not self.teller.ledger.seen:
            return self._no_board()
        _finish(self.asked, analysis, self.teller, self.choice.shown, info.notes)
        return DONE

    def _pipeline(
        self,
        seats: Sequence[Seat],
        board: BoardSeen | None = None,
        on_view: Callable[[TableView], None] | None = None,
    ) -> Pipeline:
        return pipeline_for(
            self.teller.ledger.laws, seats, board=board,
            corners_px=self.corners if board is None else None, turn=self.asked.turn or 0,
            threads=self.asked.threads, on_view=on_view,
        )  # fmt: skip

    def _ring(self) -> Ring | None:
        if self.asked.clips is not None:
            return Ring(width_px=_CLIP_WIDTH_PX, seconds=25.0)
        if self.asked.report is not None:
            return Ring(width_px=_REPORT_WIDTH_PX, seconds=25.0, most_fps=8.0)
        return None

    def _drive(self, analysis: Analysis) -> SourceInfo:
        emit = self.teller.emit
        if self.choice.live:
            return run_live(self.choice, analysis, emit)
        with _bar(self.teller.words) as bar:
            return run_recording(self.choice, analysis, emit, progress=bar)

    def _no_board(self) -> int:
        Console(stderr=True, highlight=False).print(
            f"error: {self.choice.shown}: no board was found; give its corners with --corners "
            "'x,y x,y x,y x,y' (`carrom detect` shows what is seen in a still picture)",
            style="red", markup=False, soft_wrap=True,
        )  # fmt: skip
        return NO_BOARD


def _watch_trace(path: Path, asked: WatchOptions, teller: _Teller) -> int:
    """Follow a recorded trace: no video, no networks."""
    for name, given in (("--clips", asked.clips), ("--trace", asked.trace)):
        if given is not None:
            raise SchemaError(name, expected="a source with pictures", got=str(path))
    with path.open(encoding="utf-8") as file:
        header, views = read_trace(file, where=str(path))
        ledger = teller.ledger
        if len(ledger.seats) == 2 and asked.turn is None:
            if sits_across(views, TraceFollower(header, tuple(Seat)).step_view):
                ledger.sit_across()
            file.seek(0)
            header, views = read_trace(file, where=str(path))
        follower = TraceFollower(header, ledger.seats)
        size = (0, 0)
        if header.board is not None:
            size = (header.board.camera.width_px, header.board.camera.height_px)
        kind, name = SourceKind.FILE, f"trace of {header.source or path.name}"
        teller.emit(source_line(SourceInfo(kind, str(path), name, *size, live=False)))
        follows: Follows = follower
        analysis = Analysis(follows, ledger, header.spec, teller.emit)
        run_views(views, analysis, follower.step_view)
    _finish(asked, analysis, teller, path.name, ())
    return DONE


def _finish(
    asked: WatchOptions, analysis: Analysis, teller: _Teller, title: str, notes: tuple[str, ...]
) -> None:
    """Summary and report."""
    ledger, pace = teller.ledger, analysis.pace
    teller.write(summary_data(ledger, pace, notes=notes))
    text = summary_text(ledger, pace, notes=notes)
    teller.words.print("\n" + text, markup=False, soft_wrap=True, end="")
    if asked.report is not None:
        page = report_html(
            ledger, pace, title=title, spec=analysis.spec, pictures=analysis.pictures, notes=notes
        )
        asked.report.write_text(page, "utf-8")


def _for_people(row: dict[str, Any], ledger: Ledger) -> str:
    """A line for the terminal; most are for programs only."""
    at = f"{_clock(row['t_s'])}  "
    match row["type"]:
        case "stroke" if row["ruling"] is None:
            return f"{at}  ?  not judged: {row['problem']}"
        case "stroke":
            said = row["ruling"]
            player = ledger.player(Seat(row["seat"]))
            return f"{at}{row['n']:>3}  {player:<6} {said['text']}"
        case "source":
            notes = "".join(f"; {note}" for note in row["notes"])
            return f"{row['name']}: {row['width_px']} x {row['height_px']} px{notes}"
        case "calibrated":
            again = " again" if row["again"] else ""
            return f"{at}{row['board']} board found{again}, confidence {row['confidence']:.2f}"
        case "camera_lost" | "camera_back":
            return f"{at}{row['type'].replace('_', ' ')} ({row['sight']}) {row.get('note', '')}"
        case "board_over":
            return f"{at}board over: {row['winner']} {row['reason']}"
        case "game_over":
            return f"{at}game over"
    return ""


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


@contextmanager
def _lines(target: str | None) -> Iterator[Emit]:
    """Where JSON lines go; every line is written at once, so that a crash loses none."""

    def to(file: IO[str]) -> Emit:
        def write(row: dict[str, Any]) -> None:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()

        return write

    if target is None:
        yield lambda row: None
    elif target == "-":
        yield to(sys.stdout)
    else:
        with Path(target).open("w", encoding="utf-8") as file:
            yield to(file)


@contextmanager
def _bar(words: Console) -> Iterator[Callable[[Frame, float | None], None] | None]:
    """A bar while a recording is worked through, on a terminal only."""
    if not words.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=words, transient=True) as progress:
        task = progress.add_task("watching", total=None)

        def on(frame: Frame, whole_s: float | None) -> None:
            if frame.seq % 15 == 0:
                at = _clock(frame.t_s)
                progress.update(task, total=whole_s, completed=frame.t_s, description=at)

        yield on


def _players(laws: Laws, players: int | None) -> int:
    allowed = (3,) if laws.ruleset.three_players else (2, 4)
    number = allowed[0] if players is None else players
    if number not in allowed:
        expected = f"{' or '.join(map(str, allowed))} for {laws.ruleset.value}"
        raise SchemaError("--players", expected=expected, got=players)
    return number


def _opener(word: str, seats: Sequence[Seat]) -> Seat:
    for seat in seats:
        if word.upper() == seat.value:
            return seat
    expected = f"one of {', '.join(seat.value for seat in seats)}"
    raise SchemaError("--opener", expected=expected, got=word)


def _laws_options(words: Sequence[str]) -> dict[str, bool | int | str]:
    """``name=value`` pairs; true, false and whole numbers are told from words."""
    out: dict[str, bool | int | str] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name.strip():
            raise SchemaError("--option", expected="name=value", got=word)
        text = value.strip()
        if text.lower() in ("true", "false", "yes", "no", "on", "off"):
            out[name.strip()] = text.lower() in ("true", "yes", "on")
        else:
            out[name.strip()] = int(text) if re.fullmatch(r"-?\d+", text) else text
    return out


def _corners(text: str) -> list[tuple[float, float]]:
    points = [re.fullmatch(rf"({_NUMBER}),({_NUMBER})", word) for word in text.split()]
    found = [(float(p[1]), float(p[2])) for p in points if p is not None]
    if len(points) != 4 or len(found) != 4:
        expected = "four corners such as '10,20 800,20 810,700 5,705'"
        raise SchemaError("--corners", expected=expected, got=text)
    return found


def _check_outputs(asked: WatchOptions) -> None:
    if asked.json not in (None, "-"):
        check_output("--json", Path(str(asked.json)))
    if asked.report is not None:
        check_output("--report", asked.report, (".html", ".htm"))
    if asked.trace is not None:
        check_output("--trace", asked.trace)
    if asked.clips is not None:
        if asked.clips.exists() and not asked.clips.is_dir():
            raise SchemaError("--clips", expected="a folder", got=str(asked.clips))
        if not asked.clips.parent.is_dir():
            raise SchemaError("--clips", expected="a folder in one there is", got=str(asked.clips))
