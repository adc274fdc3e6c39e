"""A ruling in sentences: the umpire's short call, and the reasons with their clauses.

The ruling is data (``referee.ruling``); every word comes from the catalogues (``referee.phrases``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from carrom.doubts import Question
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat
from referee import explain_pieces, explain_turn
from referee.explain_names import Telling
from referee.laws import Laws
from referee.phrases import Language, family_of, load_phrases
from referee.ruling import BoardStatus, Foul, FoulCall, Notice, OpenQuestion, Reason, Ruling
from referee.state import State

__all__ = ["Explanation", "explain"]

_NOTICE_CLAUSES = {
    Notice.SERVICE_TO_OPPONENT: ("HK-14",),
    Notice.PACK_OFF_BOARD: ("HK-27",),
    Notice.JACK_RESTACKED: ("HK-26",),
    Notice.TURN_SKIPPED: ("HK-34",),
    Notice.TEN_SECOND_SKIP: ("HK-40",),
    Notice.TIME_UP_FINISH_ROUND: ("HK-41",),
    Notice.EXTRA_ROUND: ("HK-43",),
    Notice.BREAK_MISSED: ("GR-06", "SE-11", "ICF-18"),
    Notice.MISFIRE_RETAKEN: ("SE-12",),
}
_TOLD_AS_DEBTS = (Notice.DEBT_INCURRED, Notice.DEBT_REPAID, Notice.DEBT_LAPSED)
_STRIKER_FOULS = frozenset({Foul.STRIKER_POCKETED, Foul.STRIKER_OFF_BOARD, Foul.STRIKER_ON_FRAME})
_JACK_FOULS = frozenset({Foul.PREMATURE_JACK, Foul.JACK_OFF_BOARD, Foul.JACK_ON_FRAME})
_YES_OR_NO = {"yes": "yes", "true": "yes", "legal": "yes"} | {
    "no": "no",
    "false": "no",
    "illegal": "no",
}
_ANSWER_WORDS = ("pocketed", "off_board", "on_frame", "on_board", "bounced_back", "frame", "none")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the umpire calls, and why: full sentences with their clause IDs in brackets."""

    call: str
    reasons: tuple[str, ...]


def explain(
    ruling: Ruling,
    language: Language | str,
    laws: Laws | None = None,
    *,
    state: State | None = None,
) -> Explanation:
    """The call and the reasons of a ruling, in one language.

    ``laws`` choose the words (C/m, puck, pack); without them the clauses do. ``state`` is the one
    before the stroke: with it the players of a game of two are named by colour instead of seat,
    and a newly covered queen and a skipped turn are always told. A pending ruling is called as its
    questions; its reasons lay out what each answer would mean. Raises ``FormatError`` for a
    language without a catalogue.
    """
    family = family_of(ruling, laws)
    words = load_phrases(Language(language), family)
    telling = Telling(ruling=ruling, words=words, family=family, laws=laws, state=state)
    if ruling.pending:
        asked = [_ask(telling, question) for question in ruling.questions]
        answers = tuple(_alternatives(telling, question) for question in ruling.questions)
        return Explanation(call=words.join(asked), reasons=answers)
    return Explanation(call=_call(telling), reasons=tuple(_reasons(telling)))


def _call(telling: Telling) -> str:
    """Fouls, what goes back, the queen, the board and who strikes, in few words."""
    parts = [
        *_foul_calls(telling),
        *explain_pieces.return_calls(telling),
        *explain_pieces.debt_calls(telling),
        *explain_pieces.queen_calls(telling),
        *explain_turn.board_calls(telling),
        *explain_turn.turn_calls(telling),
    ]
    words = telling.words
    return words.join(words.sentence(part) for part in dict.fromkeys(parts))


def _reasons(telling: Telling) -> Iterator[str]:
    """The sentences, in the order in which things are done at the table."""
    ruling = telling.ruling
    yield from _fouls(telling)
    for row in ruling.returns:
        yield explain_pieces.return_sentence(telling, row)
    if ruling.restore_moved:
        yield telling.tell("board.restore", clauses=telling.cited("HK-48", "GR-23"))
    yield from explain_pieces.debts(telling)
    yield from explain_pieces.queen(telling)
    yield from _notices(telling)
    yield from _to_do(telling)
    yield from explain_turn.turn(telling)
    yield from explain_turn.board(telling)


def _is_void(telling: Telling) -> bool:
    return any("HK-48" in call.clauses for call in telling.ruling.fouls)


def _foul_calls(telling: Telling) -> Iterator[str]:
    fouls, words = telling.ruling.fouls, telling.words
    if telling.ruling.foul_names & _JACK_FOULS:
        yield words.say("call.jack_penalty")
    elif any(call.foul is not Foul.TECHNICAL_FOUL for call in fouls):
        yield words.say("call.foul")
    for call in fouls:
        yield _short(telling, call)
    if Notice.TEN_SECOND_SKIP in telling.ruling.notices:
        yield words.say("call.time")
    if _is_void(telling):
        yield words.say("call.void")


def _told_as(call: FoulCall) -> str:
    """The words for a foul: some names cover what is told better apart."""
    if call.foul is Foul.PREMATURE_JACK and "HK-47" in call.clauses:
        return "jack_with_striker"  # all own packs were in: nothing was too early
    if {"ICF-23", "SE-10"} & set(call.clauses):
        return "time_exceeded"
    return call.foul.value


def _short(telling: Telling, call: FoulCall) -> str:
    short = telling.words.say(f"foul.{_told_as(call)}")
    if call.seat is telling.ruling.seat:
        return short
    return telling.words.say("call.foul_by", foul=short, player=telling.player(call.seat))


def _fouls(telling: Telling) -> Iterator[str]:
    for call in telling.ruling.fouls:
        player = telling.player(call.seat)
        yield telling.tell(f"foul_by.{_told_as(call)}", player=player, clauses=call.clauses)
    won_but_for_striker = Foul.PREMATURE_JACK not in telling.ruling.foul_names
    if won_but_for_striker and telling.cited("HK-47"):
        yield telling.tell("board.no_win", clauses=("HK-47",))
    if _is_void(telling):
        yield telling.tell("board.void", clauses=("HK-48",))


def _notices(telling: Telling) -> Iterator[str]:
    ruling = telling.ruling
    for notice in ruling.notices:
        clauses = telling.cited(*_NOTICE_CLAUSES.get(notice, ()))
        key = f"notice.{notice.value}"
        if notice is Notice.BREAK_MISSED:
            if ruling.turn.continues:
                left = explain_turn.attempts_left(telling)
                yield telling.tell(key, count=left, clauses=clauses)
        elif notice is Notice.TURN_SKIPPED:
            for seat in _skipped(telling):
                yield telling.tell(key, player=telling.player(seat), clauses=clauses)
        elif not _goes_without_saying(telling, notice):
            yield telling.tell(key, player=telling.player(ruling.seat), clauses=clauses)


def _goes_without_saying(telling: Telling, notice: Notice) -> bool:
    """Another sentence says it, or a foul makes it wrong."""
    if notice is Notice.NO_LAW:
        return telling.ruling.board.status is BoardStatus.NEEDS_HUMAN
    if notice is Notice.PACK_OFF_BOARD:
        return bool(telling.ruling.fouls)
    if notice is Notice.TIME_UP_FINISH_ROUND:
        return Notice.EXTRA_ROUND in telling.ruling.notices
    return notice in _TOLD_AS_DEBTS


def _skipped(telling: Telling) -> list[Seat]:
    """Seats whose turn was skipped just now; known only with the state before."""
    if telling.state is None:
        return []
    left = Counter(telling.state.skip_next)
    left.subtract(telling.ruling.skip_next)
    return [seat for seat, count in left.items() if count > 0]


def _to_do(telling: Telling) -> Iterator[str]:
    """What else may or must be done before the next stroke."""
    ruling, player = telling.ruling, telling.player(telling.ruling.seat)
    for todo in ruling.actions:
        piece = telling.words.say(f"piece.{todo.piece.value}")
        yield telling.tell(f"action.{todo.action}", piece=piece, clauses=telling.cited("HL-08"))
    if fell_in := telling.cited("HK-30", "HK-32", "ICF-44"):
        if all(row.reason is not Reason.JACK_RESPOT_AFTER_COLLAPSE for row in ruling.returns):
            yield telling.tell("board.fell_in", clauses=fell_in)
    if ruling.free_removal_allowed:
        yield telling.tell("board.removal", player=player, clauses=("SB-03",))
    if ruling.pending_claim:
        yield telling.tell("board.claim", player=player, clauses=("SE-26",))


def _ask(telling: Telling, question: OpenQuestion) -> str:
    piece = _subject(telling, question)
    asked = telling.words.say(f"question.{question.question.value}", piece=piece)
    return asked[:1].upper() + asked[1:]


def _alternatives(telling: Telling, question: OpenQuestion) -> str:
    """What would be ruled for each answer, side by side, the likeliest first."""
    told = []
    piece = _subject(telling, question)
    two = len(question.alternatives) == 2
    for index, alternative in enumerate(question.alternatives):
        call = _call(replace(telling, ruling=alternative.ruling))
        if index and two and _YES_OR_NO.get(alternative.answer) == "no":
            told.append(telling.words.say("alternative.if_not", call=call))
        else:
            answer = _answer(telling, question.question, alternative.answer, piece)
            told.append(telling.words.say("alternative.if", answer=answer, call=call))
    return telling.words.join(told)


def _subject(telling: Telling, question: OpenQuestion) -> str:
    """The piece in doubt, by what the alternatives differ in: they do not name it."""
    rulings = [alternative.ruling for alternative in question.alternatives]
    fouls = {ruling.foul_names & _STRIKER_FOULS for ruling in rulings}
    if len(fouls) > 1:
        return telling.words.say(f"piece.{PieceKind.STRIKER.value}")
    tellings = [replace(telling, ruling=ruling) for ruling in rulings]
    for kind in rulings[0].on_board:
        if len({each.left_lying(kind) for each in tellings}) > 1:
            return telling.words.say(f"piece.{kind.value}")
    return telling.words.say("piece.unknown")


def _answer(telling: Telling, question: Question, code: str, piece: str) -> str:
    """An answer as a clause that completes "if ...". Codes that nobody knows are shown as they
    are."""
    words = telling.words
    key = f"answer.{_YES_OR_NO.get(code)}_{question.value}"
    if key in words:
        return words.say(key, piece=piece)
    if code in list(PieceKind):
        first = question is Question.FIRST_CONTACT
        key = "answer.first_contact" if first else "answer.which_piece"
        return words.say(key, piece=words.say(f"piece.{code}"))
    if code in list(Pocket):
        return words.say("answer.which_pocket", pocket=words.say(f"pocket.{code}"))
    if code in list(Seat):
        return words.say("answer.who_struck", player=telling.player(Seat(code)))
    if code in _ANSWER_WORDS:
        return words.say(f"answer.{code}", piece=piece)
    return words.say("answer.other", code=code)
