"""Clauses that ask for nothing but say why nothing is done: a piece left as it lies, an option that
makes a stroke legal, a striker that may leave the board. Cited, so that a ruling can be checked
against the laws clause by clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carrom import events as ev
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from referee.facts import Facts
from referee.laws import Laws, Ruleset
from referee.options import CarromSeOptions, HikoneOptions
from referee.ruling import BoardStatus, Ruling
from referee.state import State

__all__ = ["silent_clauses"]

_LEFT_AS_IT_LIES: Mapping[Ruleset, tuple[str, ...]] = {
    Ruleset.HIKONE: ("HK-31",),
    Ruleset.GAMERULES: ("GR-26",),
    Ruleset.POINT_GAMERULES: ("GR-26",),
    Ruleset.CARROM_SE: ("SE-35",),
    Ruleset.POINT_CARROM_SE: ("SE-35",),
    Ruleset.ICF: ("ICF-40", "ICF-41"),
}
_ON_STRIKER: Mapping[Ruleset, tuple[str, ...]] = {
    Ruleset.HIKONE: ("HK-32",),
    Ruleset.GAMERULES: ("GR-27",),
    Ruleset.POINT_GAMERULES: ("GR-27",),
    Ruleset.CARROM_SE: ("SE-36",),
    Ruleset.POINT_CARROM_SE: ("SE-36",),
    Ruleset.ICF: ("ICF-43",),
}
_HANDLED = (ev.FellInOnRemoval, ev.FellDuringLift, ev.FellDuringReplacement)
_CURIOUS = {
    ev.Standing,
    ev.RestingOnStriker,
    ev.StrikerOnPiece,
    ev.BouncedBack,
    ev.OnFrame,
    *_HANDLED,
}
_ALLOWED_KINDS: Mapping[str, tuple[str, str]] = {
    "push": ("allow_push", "HL-03"),
    "leaning": ("allow_leaning_smash", "HL-04"),
    "pocket_underside": ("allow_pocket_lip_jump", "HL-05"),
    "palm": ("allow_palm_shot", "HL-06"),
}
_ICF_KINDS: Mapping[str, str] = {
    "body_beyond_diagonal": "ICF-06",
    "push": "ICF-07",
    "elbow_beyond_diagonal": "ICF-11",
    "hand_supported": "ICF-12",
}
_ICF_TOLD = {ev.ImproperStroke, ev.Violation, ev.OffBoard, ev.OnFrame}
_HIKONE_TOLD = {ev.ImproperStroke, ev.Placement, ev.Touched}
_ICF_VIOLATIONS: Mapping[str, str] = {
    "due_placed_outside_circle": "ICF-58",
    "disturbed_piece_while_placing": "ICF-59",
    "due_on_centre_circle": "ICF-62",
}


def silent_clauses(
    state: State, outcome: StrokeOutcome, facts: Facts, laws: Laws, ruling: Ruling
) -> tuple[str, ...]:
    """The clauses that apply beside those of fouls, returns and turn, each once."""
    found: list[str] = []
    if not facts.seen.isdisjoint(_CURIOUS):
        for event in outcome.events:
            found += _of_event(event, laws)
    if laws.ruleset.hikone:
        found += _hikone(state, outcome, facts, laws, ruling)
    elif laws.ruleset in (Ruleset.CARROM_SE, Ruleset.POINT_CARROM_SE):
        found += _carrom_se(state, outcome, laws, ruling)
    elif laws.ruleset is Ruleset.ICF:
        found += _icf(state, outcome, facts, ruling)
    if state.doubles and laws.ruleset is Ruleset.GAMERULES:
        found.append("GR-37")
    if laws.ruleset.three_players:
        found.append("PT-01")
    if not found:
        return ()
    return tuple(dict.fromkeys(clause for clause in found if clause not in ruling.clauses))


def _of_event(event: ev.Event, laws: Laws) -> tuple[str, ...]:
    """Physical curiosities, and what the ruleset says of them."""
    if isinstance(event, ev.Standing):
        return _LEFT_AS_IT_LIES[laws.ruleset]
    if isinstance(event, ev.RestingOnStriker):
        return _ON_STRIKER[laws.ruleset]
    if isinstance(event, ev.StrikerOnPiece) and laws.ruleset is Ruleset.ICF:
        return ("ICF-42",)
    if isinstance(event, ev.BouncedBack) and laws.ruleset.hikone:
        return ("HK-16",)
    if isinstance(event, ev.OnFrame) and laws.ruleset.hikone:
        return ("HK-31",)
    if isinstance(event, _HANDLED) and laws.ruleset is Ruleset.ICF:
        queen = event.piece is PieceKind.QUEEN
        return ("ICF-86",) if queen else ("ICF-44",)
    return ()


def _hikone(
    state: State, outcome: StrokeOutcome, facts: Facts, laws: Laws, ruling: Ruling
) -> Iterator[str]:
    options = laws.options
    assert isinstance(options, HikoneOptions)
    if outcome.seat in state.tee_shots_due and ruling.stroke_made:
        yield "HK-05"
    if ev.StrikerNudged in facts.seen:
        yield "HK-10"
    yield from _hikone_options(outcome, facts, options, ruling)
    zones = [contact.zone for contact in facts.contacts] if state.doubles else []
    if any(zones):
        if not options.doubles_area_line_rule:
            yield "HL-11"
        elif ev.Zone.ON_LINE in zones or ev.Zone.INSIDE in zones:
            yield "HK-36"
    if any(contact.vertical_projection_only for contact in facts.contacts):
        yield "HK-37"
    if ruling.returns and state.jack_spot_stack:
        yield "HK-29"
    if options.match_stage == "final":
        yield "HK-39"


def _hikone_options(
    outcome: StrokeOutcome, facts: Facts, options: HikoneOptions, ruling: Ruling
) -> Iterator[str]:
    for event in () if facts.seen.isdisjoint(_HIKONE_TOLD) else outcome.events:
        if isinstance(event, ev.ImproperStroke) and event.kind in _ALLOWED_KINDS:
            name, clause = _ALLOWED_KINDS[event.kind]
            if getattr(options, name):
                yield clause
        if isinstance(event, ev.Placement) and options.striker_placement == "anywhere_in_area":
            yield "HL-02"
        if isinstance(event, ev.Touched) and event.before_stroke and options.rearrange_own_in_area:
            yield "HL-09"
    if options.jack_penalty_packs != 5 and "HK-22" in ruling.clauses:
        yield "HL-07"
    if options.scratch_penalty_packs != 1 and "HK-17" in ruling.clauses:
        yield "HL-17"


def _carrom_se(state: State, outcome: StrokeOutcome, laws: Laws, ruling: Ruling) -> Iterator[str]:
    men = (PieceKind.WHITE, PieceKind.BLACK)
    own = None if state.captured else state.side(outcome.seat).piece
    for event in outcome.events:
        if isinstance(event, ev.Pocketed) and event.piece in men:
            if own is not None and event.piece is not own:
                yield "SE-30"
        if isinstance(event, ev.OffBoard | ev.OnFrame) and event.piece is PieceKind.STRIKER:
            yield "SE-32"
        if isinstance(event, ev.ImproperStroke | ev.Violation):
            yield "SE-07" if event.kind == "body_on_board" else "SE-06"
    if ruling.board.status is BoardStatus.OVER and any(state.debts.values()):
        yield "SE-27"
    options = laws.options
    if isinstance(options, CarromSeOptions):
        if options.target != 25 and ruling.game is not None:
            yield "SB-02"
        if options.free_removal:
            yield from ("SB-03", "SB-04")


def _icf(state: State, outcome: StrokeOutcome, facts: Facts, ruling: Ruling) -> Iterator[str]:
    for event in () if facts.seen.isdisjoint(_ICF_TOLD) else outcome.events:
        if isinstance(event, ev.ImproperStroke):
            yield _ICF_KINDS[event.kind]
        if isinstance(event, ev.Violation):
            yield _ICF_VIOLATIONS.get(event.kind, "ICF-35")
        if isinstance(event, ev.OffBoard | ev.OnFrame):
            yield "ICF-90" if event.piece is PieceKind.STRIKER else "ICF-39"
    if not state.break_done:
        yield "ICF-17" if ruling.break_done else "ICF-19"
    if state.doubles:
        yield "ICF-22"
    over = ruling.board.status is BoardStatus.OVER
    if over and any(state.debts.values()):
        yield "ICF-28"
    if any(change.change > 0 for change in ruling.debt_changes) and ruling.returns:
        yield "ICF-56"
    if "ICF-46" in ruling.clauses and not over:
        own = state.side(outcome.seat).piece
        fell = sum(isinstance(e, ev.Pocketed) and e.piece is own for e in outcome.events)
        if fell == state.on_board.get(own, 0):
            yield "ICF-93"
