"""``carrom demo``: a scripted match, replayed in the terminal with every ruling."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from api.cli.output_paths import check_output
from carrom import events as ev
from carrom.evidence import DECLARED
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Seat
from referee.explain import explain
from referee.match import Match, StrokeRecord
from referee.match_events import MatchStarted
from referee.phrases import Language
from referee.ruleset_files import load_laws
from referee.score_sheet import score_sheet
from referee.state import State

__all__ = ["run"]

W, B, Q, K = PieceKind.WHITE, PieceKind.BLACK, PieceKind.QUEEN, PieceKind.STRIKER
R, G, J = PieceKind.RED, PieceKind.GREEN, PieceKind.JACK
_PUSH = ev.ImproperStroke(kind="push", evidence=DECLARED)

MAX_STROKES = 80
_WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture of ours fetches nothing from the network."""

Script = Sequence[tuple[PieceKind | ev.Event, ...]]
"""What each stroke pockets (kinds), or other events of it; the seat is whoever is on turn."""

_INDIAN: Script = (
    (W,),
    (W, W),
    (),
    (B, K),
    (B,),
    (Q,),
    (B,),
    (),
    (W,),
    (_PUSH, W),
    (B,),
    (B,),
    (W,),
    (W, W),
    (ev.OffBoard(piece=B),),
    (B, B),
    (B,),
    (B, B),
    (B,),
)
_HIKONE: Script = (
    (R,),
    (R, R),
    (),
    (G,),
    (G, K),
    (R,),
    (J,),
    (G, G),
    (R,),
    (),
    (R, R, R),
    (R, R, R),
    (R, R),
    (R, R),
    (R, R),
    (J,),
)
_POINT: Script = ((W,), (B,), (), (W, B), (), (Q,), (W,), (K,), (B, B), (W, W), ())


def run(rules: str, language: str, pause_s: float, svg: Path | None) -> None:
    """Play the script by these laws and print every call. Raises for an unknown name."""
    laws = load_laws(rules)
    speak = Language(language)
    if svg is not None:
        check_output("--svg", svg)
    console = Console(highlight=False, record=svg is not None, width=100 if svg else None)
    seats = (Seat.SOUTH, Seat.NORTH)
    script = _HIKONE if laws.ruleset.hikone else _INDIAN
    if laws.ruleset.three_players:
        seats, script = (Seat.SOUTH, Seat.EAST, Seat.NORTH), _POINT  # type: ignore[assignment]
    names = dict(zip(seats, ("Asha", "Bo", "Chie"), strict=False))
    start = MatchStarted(id="start", laws=laws, players=names, opener=Seat.SOUTH)
    match = Match(start)
    console.print(f"[bold]{laws.title}[/bold]: {', '.join(names.values())}\n")
    for number in range(MAX_STROKES):
        if match.state.last_board is not None:
            break
        falls = script[number] if number < len(script) else (_sensible(match.state),)
        match.play(_outcome(match.state.turn, falls, laws.ruleset.hikone))
        _print_stroke(console, match.strokes[-1], match, speak, names)
        time.sleep(pause_s)
    console.print("\n" + score_sheet(match.state).to_text())
    if svg is not None:
        picture = console.export_svg(title=f"carrom demo --rules {rules}")
        svg.write_text(_WEB_FONT.sub("", picture), "utf-8")


def _sensible(state: State) -> PieceKind:
    """After the script the players clear the board: an own man, the queen before the last one."""
    men = (W, B) if state.captured else (state.seats[state.turn].piece,)
    own = [kind for kind in men for _ in range(state.on_board[kind])]
    special = J if J in state.on_board else Q
    if state.on_board[special] and (len(own) == 0 or (special is Q and len(own) < 3)):
        return special
    return own[0]


def _outcome(seat: Seat, falls: tuple[PieceKind | ev.Event, ...], hikone: bool) -> StrokeOutcome:
    first = ev.FirstContact(piece=R if hikone else W)
    events = [ev.Pocketed(piece=x) if isinstance(x, PieceKind) else x for x in falls]
    return StrokeOutcome(seat=seat, events=(first, *events))


def _print_stroke(
    console: Console,
    record: StrokeRecord,
    match: Match,
    language: Language,
    names: dict[Seat, str],
) -> None:
    said = explain(record.ruling, language, match.laws, state=record.before)
    happened = ", ".join(_word(event) for event in record.outcome.events[1:]) or "-"
    console.print(
        f"[dim]{record.number:>3}[/dim] {names[record.outcome.seat]:<5} {happened:<34} "
        f"[bold]{said.call}[/bold]"
    )
    for reason in said.reasons:
        console.print(f"          {reason}", style="dim", markup=False)


def _word(event: ev.Event) -> str:
    piece = getattr(event, "piece", None)
    return event.name if piece is None else f"{event.name} {piece.value}"
