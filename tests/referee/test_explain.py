"""The umpire's sentences: complete in every language, and right where they are pinned."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from api.scenario_files import load_cases
from carrom.doubts import Answer, Doubt, Question
from carrom.errors import FormatError
from carrom.events import FirstContact, OffBoard, OnFrame, Pocketed, Touched, TouchedBy
from carrom.outcome import StrokeOutcome
from carrom.pieces import PieceKind
from carrom.seats import Pocket, Seat, Side
from referee.adjudicate import adjudicate
from referee.explain import Explanation, explain
from referee.explain_pieces import QueenBack
from referee.explain_turn import Why
from referee.laws import Laws
from referee.phrases import Family, Language, Phrases, load_phrases
from referee.ruleset_files import load_laws
from referee.ruling import (
    BoardReason,
    BoardStatus,
    Foul,
    GameStatus,
    NextPlacement,
    Notice,
    Place,
    QueenState,
    QueenStatus,
    Reason,
)
from referee.scenario import judge_scenario, read_scenario
from referee.state import State

LANGUAGES = list(Language)
FAMILIES = [None, *Family]
LAWS = Path(__file__).parents[1] / "golden" / "laws"
ENUMS: dict[str, type[StrEnum]] = {
    "foul": Foul,
    "foul_by": Foul,
    "notice": Notice,
    "reason": Reason,
    "place": Place,
    "board_status": BoardStatus,
    "board_reason": BoardReason,
    "game": GameStatus,
    "queen": QueenStatus,
    "queen_back": QueenBack,
    "next_placement": NextPlacement,
    "why": Why,
    "question": Question,
    "side": Side,
    "seat": Seat,
    "pocket": Pocket,
    "piece": PieceKind,
    "pieces": PieceKind,
}


def texts(language: Language, family: Family | None) -> dict[str, tuple[str, str]]:
    phrases = load_phrases(language, family)
    return {key: (text.one, text.other) for key, text in phrases._texts.items()}


def names(language: Language, family: Family | None) -> dict[str, set[str]]:
    """The placeholders of each text, but for terms, which belong to one language."""
    terms = load_phrases(language, family)._terms
    return {
        key: {
            name
            for form in forms
            for _, name, _, _ in string.Formatter().parse(form)
            if name is not None and name not in terms
        }
        for key, forms in texts(language, family).items()
        if not key.startswith(("term.", "number."))
    }


# the catalogues


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_enum_member_has_a_phrase(language: Language) -> None:
    phrases = load_phrases(language, None)
    wanted = [f"{group}.{member.value}" for group, enum in ENUMS.items() for member in enum]
    assert [key for key in wanted if key not in phrases] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_answers(language: Language) -> None:
    phrases = load_phrases(language, None)
    for question in Question:
        if f"answer.{question.value}" not in phrases:
            assert f"answer.yes_{question.value}" in phrases
            assert f"answer.no_{question.value}" in phrases


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_same_keys_and_placeholders_in_all_languages(
    language: Language, family: Family | None
) -> None:
    assert names(language, family) == names(Language.ENGLISH, family)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty(language: Language, family: Family | None) -> None:
    empty = [key for key, forms in texts(language, family).items() if not all(forms)]
    assert empty in ([], ["text.gap"])  # Japanese puts nothing between sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_overrides_override_something(language: Language) -> None:
    common = texts(language, None)
    for family in Family:
        assert set(texts(language, family)) == set(common)


@pytest.mark.parametrize("value", ["fr", "", "EN", "en.toml", "../en"])
def test_unknown_language_is_named(value: str) -> None:
    with pytest.raises(FormatError, match=re.escape(repr(value))):
        Language(value)


def test_explain_refuses_an_unknown_language() -> None:
    with pytest.raises(FormatError, match="'tlh'"):
        explain(strike("icf", sunk("striker"))[0], "tlh")


@pytest.mark.parametrize(
    ("items", "expected"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_series(items: list[str], expected: str) -> None:
    assert load_phrases(Language.ENGLISH, None).series(items) == expected


def test_numbers_are_words_where_a_language_has_them() -> None:
    spoken = [load_phrases(language, None).number(2) for language in LANGUAGES]
    assert spoken == ["two", "2", "två", "दो"]
    assert load_phrases(Language.ENGLISH, None).number(13) == "13"


def test_braces_in_a_value_stay_as_they_are() -> None:
    assert load_phrases(Language.ENGLISH, None).say("answer.other", code="{n}") == (
        "the answer is “{n}”"
    )


# every scenario


def cases() -> Iterator[Any]:
    for path in sorted(LAWS.rglob("*.yaml")):
        for case in load_cases(path):
            yield path.name, case


def test_every_scenario_can_be_told() -> None:
    for where, case in cases():
        scenario = read_scenario(case, where)
        ruling = judge_scenario(scenario, where)
        for language in LANGUAGES:
            for laws, state in (
                (scenario.laws, scenario.state),
                (scenario.laws, None),
                (None, None),
            ):
                check(explain(ruling, language, laws, state=state), language, scenario.id)


def check(explanation: Explanation, language: Language, where: str) -> None:
    end = "。" if language is Language.JAPANESE else "।" if language is Language.HINDI else "."
    said = [explanation.call, *explanation.reasons]
    for text in said:
        assert text.endswith(end), (where, text)
        assert not re.search(r"[{}]|  |None|\.\.|。。|\(\)|（）|^\s|: *[.।。]", text), (where, text)
    assert len(explanation.reasons) >= 1, where
    assert len(set(explanation.reasons)) == len(explanation.reasons), (where, explanation.reasons)


# golden sentences


def state(rules: str, *, doubles: bool = False, **changes: Any) -> tuple[State, Laws]:
    laws = load_laws(rules)
    hikone = laws.ruleset.hikone
    first, second = (Side.RED, Side.GREEN) if hikone else (Side.WHITE, Side.BLACK)
    seats = {Seat.SOUTH: first, Seat.NORTH: second}
    if doubles:
        seats = {
            Seat.SOUTH: first,
            Seat.WEST: second,
            Seat.NORTH: first,
            Seat.EAST: second,
        }
    full, middle = (12, PieceKind.JACK) if hikone else (9, PieceKind.QUEEN)
    values: dict[str, Any] = {
        "seats": seats,
        "turn": Seat.SOUTH,
        "on_board": {first.piece: full - 3, second.piece: full - 2, middle: 1},
        "pocketed": {first.piece: 3, second.piece: 2},
        "debts": {first: 0, second: 0},
        "score": {} if hikone else {first: 0, second: 0},
        "queen": None if hikone else QueenState(QueenStatus.ON_BOARD),
        "tee_shots_due": frozenset(),
    }
    return State(**values | changes), laws


def sunk(*pieces: str) -> tuple[Pocketed, ...]:
    return tuple(Pocketed(piece=PieceKind(piece)) for piece in pieces)


MISS = (FirstContact(piece=PieceKind.BLACK),)


def strike(rules: str, events: Any, doubts: tuple[Doubt, ...] = (), **changes: Any) -> Any:
    before, laws = state(rules, **changes)
    outcome = StrokeOutcome(seat=before.turn, events=events, doubts=doubts)
    return adjudicate(before, outcome, laws), laws, before


def told(language: str, rules: str, events: Any, **changes: Any) -> Explanation:
    ruling, laws, before = strike(rules, events, **changes)
    return explain(ruling, language, laws, state=before)


STRIKER_CALLS = {
    ("en", "icf"): "Foul. Striker pocketed. One due. Turn to Black.",
    ("en", "carrom_se"): "Foul. Striker sunk. One plikt. Turn to Black.",
    ("en", "gamerules"): "Foul. Striker pocketed. One penalty piece. Turn to Black.",
    ("en", "hikone"): "Penalty. Striker pocketed. One red pack back. Turn to Green.",
    ("ja", "icf"): "ファウル。ストライカー・ポケット。デュー1個。黒の手番。",
    ("ja", "carrom_se"): "ファウル。ストライカー・ポケット。ペナルティ1個。黒の手番。",
    ("ja", "gamerules"): "ファウル。ストライカー・ポケット。ペナルティ1個。黒の手番。",
    ("ja", "hikone"): "ペナルティ。ストライカー・ポケット。赤のパック1個を戻す。緑の手番。",
    ("sv", "icf"): "Foul. Strikern sänkt. En plikt. Turen till Svart.",
    ("sv", "carrom_se"): "Foul. Strikern sänkt. En plikt. Turen till Svart.",
    ("sv", "gamerules"): "Foul. Strikern sänkt. En puck i straff. Turen till Svart.",
    ("sv", "hikone"): "Straff. Strikern sänkt. En röd puck upp. Turen till Grön.",
    ("hi", "icf"): "फाउल। स्ट्राइकर पॉकेट में। एक ड्यू। बारी ब्लैक की।",
    ("hi", "carrom_se"): "फाउल। स्ट्राइकर पॉकेट में। एक पेनल्टी। बारी ब्लैक की।",
    ("hi", "gamerules"): "फाउल। स्ट्राइकर पॉकेट में। एक पेनल्टी। बारी ब्लैक की।",
    ("hi", "hikone"): "पेनल्टी। स्ट्राइकर पॉकेट में। एक लाल गोटी वापस। बारी ग्रीन की।",
}


@pytest.mark.parametrize(("language", "rules"), list(STRIKER_CALLS))
def test_call_of_a_pocketed_striker(language: str, rules: str) -> None:
    assert told(language, rules, sunk("striker")).call == STRIKER_CALLS[language, rules]


def test_reasons_name_pieces_place_hand_and_clause() -> None:
    due = "One white C/m goes back to the outer circle as a due, placed by Black (ICF-45)."
    assert due in told("en", "icf", sunk("striker")).reasons
    plikt = "Som plikt lägger Svart en vit puck i yttre mittcirkeln (SE-24, SE-38)."
    assert plikt in told("sv", "carrom_se", sunk("striker")).reasons
    pack = "ペナルティとして緑が赤のパック1個をジャックスポットに戻します（HK-17）。"
    assert pack in told("ja", "hikone", sunk("striker")).reasons
    due = "ड्यू में ब्लैक एक सफ़ेद गोटी आउटर सर्कल में रखेंगे (ICF-45)।"
    assert due in told("hi", "icf", sunk("striker")).reasons


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "Jack penalty. Jack pocketed too early. Three red packs and the jack back. "
            "Red owes two. Turn to Green.",
        ),
        (
            "ja",
            "ジャックペナルティ。先にジャックをポケット。赤のパック3個とジャックを戻す。"
            "赤はマイナス2個。緑の手番。",
        ),
        (
            "sv",
            "Jackstraff. Jacken sänkt för tidigt. Tre röda puckar och jacken upp. "
            "Röd är skyldig två puckar. Turen till Grön.",
        ),
        (
            "hi",
            "जैक पेनल्टी। जैक समय से पहले। तीन लाल गोटियाँ और जैक वापस। रेड पर दो बाकी। बारी ग्रीन की।",
        ),
    ],
)
def test_premature_jack(language: str, expected: str) -> None:
    assert told(language, "hikone", sunk("jack")).call == expected


LAST_AND_COVERED = {
    "on_board": {PieceKind.WHITE: 1, PieceKind.BLACK: 4, PieceKind.QUEEN: 0},
    "pocketed": {PieceKind.WHITE: 8, PieceKind.BLACK: 5},
    "queen": QueenState(QueenStatus.POCKETED_UNCOVERED, Side.WHITE),
}


@pytest.mark.parametrize(
    ("language", "call", "won", "points"),
    [
        (
            "en",
            "Queen covered. Board to White.",
            "White wins the board: all own C/m are pocketed (ICF-25, ICF-26, ICF-27).",
            "Points: White 7, Black 0.",
        ),
        (
            "ja",
            "クイーン、カバー成立。このボードは白の勝ち。",
            "自分の駒をすべて入れたので、このボードは白の勝ちです（ICF-25、ICF-26、ICF-27）。",
            "得点は白7点、黒0点です。",
        ),
        (
            "sv",
            "Damen säkrad. Brädan till Vit.",
            "Vit vinner brädan: alla egna puckar är sänkta (ICF-25, ICF-26, ICF-27).",
            "Poäng: Vit 7, Svart 0.",
        ),
        (
            "hi",
            "क्वीन कवर। बोर्ड व्हाइट का।",
            "व्हाइट ने बोर्ड जीता: अपनी सारी गोटियाँ पॉकेट हो गईं (ICF-25, ICF-26, ICF-27)।",
            "पॉइंट: व्हाइट 7, ब्लैक 0।",
        ),
    ],
)
def test_board_won_with_the_queen(language: str, call: str, won: str, points: str) -> None:
    explanation = told(language, "icf", sunk("white"), **LAST_AND_COVERED)
    assert explanation.call == call
    assert won in explanation.reasons
    assert points in explanation.reasons


@pytest.mark.parametrize(
    ("language", "again", "passes"),
    [
        ("en", "White again.", "Turn to East."),
        ("ja", "白、もう一度。", "東の手番。"),
        ("sv", "Vit igen.", "Turen till Öst."),
        ("hi", "व्हाइट फिर से।", "बारी ईस्ट की।"),
    ],
)
def test_a_clean_stroke_has_a_short_call(language: str, again: str, passes: str) -> None:
    assert told(language, "icf", sunk("white")).call == again
    assert told(language, "icf", MISS, doubles=True).call == passes


# questions


def doubt(question: Question, *answers: tuple[str, float, Any]) -> Doubt:
    made = tuple(
        Answer(code=code, likelihood=likelihood, events=events)
        for code, likelihood, events in answers
    )
    return Doubt(id="d1", question=question, answers=made)


STRIKER_IN = doubt(Question.WAS_POCKETED, ("yes", 0.7, sunk("striker")), ("no", 0.3, ()))
STRIKER_OUT = doubt(Question.WAS_POCKETED, ("yes", 0.3, sunk("striker")), ("no", 0.7, ()))
WHITE_IN = doubt(Question.WAS_POCKETED, ("yes", 0.6, sunk("white")), ("no", 0.4, ()))


@pytest.mark.parametrize(
    ("language", "call", "reason"),
    [
        (
            "en",
            "Was the striker pocketed?",
            "If the striker was pocketed: Foul. Striker pocketed. One due. Turn to Black. "
            "If not: Turn to Black.",
        ),
        (
            "ja",
            "ストライカーはポケットに入りましたか？",
            "ストライカーが入った場合：ファウル。ストライカー・ポケット。デュー1個。黒の手番。"
            "そうでない場合：黒の手番。",
        ),
        (
            "sv",
            "Sänktes strikern?",
            "Om strikern sänktes: Foul. Strikern sänkt. En plikt. Turen till Svart. "
            "Om inte: Turen till Svart.",
        ),
        (
            "hi",
            "क्या स्ट्राइकर पॉकेट में है?",
            "अगर स्ट्राइकर पॉकेट में है: फाउल। स्ट्राइकर पॉकेट में। एक ड्यू। बारी ब्लैक की। अगर नहीं: बारी ब्लैक की।",
        ),
    ],
)
def test_a_pending_ruling_asks_and_lays_out_both_rulings(
    language: str, call: str, reason: str
) -> None:
    explanation = told(language, "icf", MISS, doubts=(STRIKER_IN,))
    assert explanation == Explanation(call=call, reasons=(reason,))


def test_an_unlikely_answer_comes_second_and_the_likely_one_is_spelt_out() -> None:
    (reason,) = told("en", "icf", MISS, doubts=(STRIKER_OUT,)).reasons
    assert reason.startswith("If the striker was not pocketed: Turn to Black. If the striker was")


def test_the_piece_in_doubt_is_found_by_what_the_rulings_differ_in() -> None:
    explanation = told("en", "icf", MISS, doubts=(WHITE_IN,))
    assert explanation.call == "Was the white C/m pocketed?"
    assert explanation.reasons == (
        "If the white C/m was pocketed: White again. If not: Turn to Black.",
    )


@pytest.mark.parametrize(
    ("question", "codes", "expected"),
    [
        (Question.WHICH_PIECE, ("white", "black"), "it was the black C/m"),
        (Question.FIRST_CONTACT, ("white", "black"), "the black C/m was touched first"),
        (Question.WHICH_POCKET, ("NE", "SW"), "it was the south-west pocket"),
        (Question.WHO_STRUCK, ("S", "N"), "Black struck"),
        (Question.LEFT_BOARD, ("on_board", "on_frame"), "lies on the frame"),
        (Question.PLACEMENT_LEGAL, ("legal", "illegal"), "If not: "),
        (Question.WAS_A_STROKE, ("yes", "{odd}"), "the answer is “{odd}”"),
    ],
)
def test_answers_in_words(question: Question, codes: tuple[str, str], expected: str) -> None:
    unsure = doubt(question, (codes[0], 0.6, sunk("white")), (codes[1], 0.4, sunk("striker")))
    (reason,) = told("en", "icf", MISS, doubts=(unsure,)).reasons
    assert expected in reason


# what a caller may leave out


def test_the_words_follow_from_the_clauses_when_the_laws_are_not_given() -> None:
    for rules, word in (
        ("icf", "One due."),
        ("carrom_se", "One plikt."),
        ("gamerules", "One penalty piece."),
        ("hikone", "One red pack back."),
    ):
        assert word in explain(strike(rules, sunk("striker"))[0], "en").call


def test_without_the_state_players_are_named_by_seat() -> None:
    assert explain(strike("icf", MISS)[0], Language.ENGLISH).call == "Turn to North."


def test_several_things_at_once_are_all_told() -> None:
    events = (
        Touched(by=TouchedBy.HAND, piece=PieceKind.RED, moved=True),
        *sunk("red", "green", "striker"),
        OffBoard(piece=PieceKind.RED),
        OnFrame(piece=PieceKind.GREEN),
    )
    explanation = told("en", "hikone", events, doubles=True)
    assert explanation.call.startswith(
        "Penalty. Pack moved by the player. Striker pocketed. Stroke void. "
        "Two green packs and three red packs back. Turn to West."
    )
    check(explanation, Language.ENGLISH, "several")


def test_phrases_are_read_once() -> None:
    first: Phrases = load_phrases(Language.SWEDISH, Family.ICF)
    assert load_phrases(Language.SWEDISH, Family.ICF) is first
