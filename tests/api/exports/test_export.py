"""What leaves the program: read back, opened elsewhere, printed."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest

from api.exports.csv_export import COLUMNS, safe_cell
from api.exports.export import FORMS, export, file_name
from api.exports.json_export import json_export, read_json_export
from api.exports.sheet_words import SHEET_WORDS
from api.exports.sol_export import sol_export
from api.table.event_log import MatchMeta
from carrom.errors import CarromError, FormatError, MatchError, SchemaError
from referee.match import Match
from referee.match_events import Undone
from referee.phrases import Language
from referee.score_sheet import score_sheet
from tests.api.exports.played import meta_of, play_boards, start

RULES = ("icf", "gamerules", "carrom_se", "hikone", "point_gamerules", "point_carrom_se")


@pytest.mark.parametrize("rules", RULES)
def test_json_is_the_log_and_comes_back(rules: str) -> None:
    """Undo included: what was undone is part of what happened."""
    match = play_boards(start(rules), 1, foul_first=True)
    match.push(Undone(id=match.new_id()))
    again, meta = read_json_export(json_export(match, meta_of(match)))
    assert again.log == match.log
    assert again.state == match.state
    assert meta == meta_of(match)


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"carrom_match": 2}', b'{"carrom_match": 1}', b"\xff", b"[" * 100_000,
     b'{"carrom_match": 1, "log": [1], "match": {}}',
     b'{"carrom_match": 1, "log": [], "match": {"players": {}}}'],
)  # fmt: skip
def test_json_of_others_is_refused_with_a_reason(data: bytes) -> None:
    """Uploads are whatever people have."""
    with pytest.raises(CarromError):
        read_json_export(data)


def test_json_with_a_meta_that_is_none_is_refused() -> None:
    """The log alone is not enough to put the match into a list."""
    data = json.loads(json_export(start("icf"), meta_of(start("icf"))))
    data["match"]["started"] = 5
    with pytest.raises(SchemaError, match="started"):
        read_json_export(json.dumps(data).encode())


@pytest.mark.parametrize("rules", RULES)
def test_csv_has_a_line_a_stroke(rules: str) -> None:
    """With the mark Excel needs to read names as they are."""
    match = play_boards(start(rules), 1, foul_first=True)
    data = export(match, meta_of(match), "csv")
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert len(rows) == len(match.strokes)
    assert tuple(rows[0]) == COLUMNS
    assert [row["board_over"] for row in rows].count("") == len(rows) - 1
    assert rows[0]["fouls"]
    assert rows[0]["player"] == "Asha Rao"


def test_csv_holds_no_formula() -> None:
    """A player who calls himself ``=HYPERLINK(...)``."""
    match = start("icf")
    hostile = match.log[0]
    text = "=HYPERLINK(1)"
    from dataclasses import replace

    from referee.match_events import MatchStarted

    assert isinstance(hostile, MatchStarted)
    named = replace(hostile, players=dict.fromkeys(hostile.players, text))
    match = play_boards(Match(named), 1)
    data = export(match, meta_of(match), "csv").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(data, newline="")))
    assert {row["player"] for row in rows} == {"'" + text}
    for cell in ("+1", "-1", "@x", "\tx", "\rx"):
        assert safe_cell(cell) == "'" + cell
    assert safe_cell("a=b") == "a=b"


def test_sol_holds_each_finished_game() -> None:
    """As SoL 5.26 loads it: a header, a tourney, references from 1."""
    match = play_boards(start("icf"), 8)
    header, tourney = json.loads(sol_export(match, meta_of(match, title="Friday")))
    assert set(header) == {"users", "players", "clubs", "championships", "ratings", "rates"}
    assert [p["lastname"] for p in header["players"]] == ["Rao", "<Ek>"]
    assert tourney["description"] == "Friday"
    [game] = tourney["matches"]
    assert (game["score1"], game["score2"], game["turn"], game["breaker"]) == (25, 24, 1, "1")
    for board in game["boards"]:
        assert sorted([board["coins1"], board["coins2"]])[0] == 0
        assert 1 <= max(board["coins1"], board["coins2"]) <= 9
    entities = [*header["players"], *header["clubs"], *header["championships"], tourney]
    guids = {entity["guid"] for entity in entities}
    assert len(guids) == len(entities)
    assert all(re.fullmatch(r"[0-9a-f]{32}", guid) for guid in guids)
    assert all(entity["modified"] == "2026-12-01T10:00:00" for entity in entities)


def test_sol_gives_the_same_file_again() -> None:
    """Imported twice it is the same tourney, and the same players."""
    match = play_boards(start("icf"), 8)
    assert sol_export(match, meta_of(match)) == sol_export(match, meta_of(match))
    one, two = (json.loads(sol_export(match, meta_of(match, id=name))) for name in ("a", "b"))
    assert one[0]["players"] == two[0]["players"]
    assert one[1]["guid"] != two[1]["guid"]


def test_sol_leaves_out_boards_that_it_would_count_otherwise() -> None:
    """GameRules gives a board of 14: more men than SoL knows. The result still goes."""
    match = play_boards(start("gamerules"), 8)
    [game] = json.loads(sol_export(match, meta_of(match)))[1]["matches"]
    assert "boards" not in game
    assert game["score1"] + game["score2"] > 0


@pytest.mark.parametrize(
    ("rules", "boards", "said"),
    [("hikone", 1, "hikone"), ("point_carrom_se", 1, "two sides"), ("icf", 1, "finished games")],
)
def test_sol_refuses_what_it_cannot_hold(rules: str, boards: int, said: str) -> None:
    """With the reason, where a button was pressed."""
    match = play_boards(start(rules), boards)
    with pytest.raises(MatchError, match=said):
        sol_export(match, meta_of(match))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("language", [language.value for language in Language])
@pytest.mark.parametrize("rules", RULES)
def test_the_sheet_is_one_page_in_each_language(rules: str, language: str) -> None:
    """It is mailed, kept for years and printed where there is no network."""
    match = play_boards(start(rules), 2)
    data = export(match, meta_of(match), "html", language).decode()
    page = _Page()
    page.feed(data)
    assert f'<html lang="{language}">' in data
    assert page.links == []
    assert "script" not in page.tags
    assert (
        "{" not in page.text.split("</style>")[-1].partition("@media print")[2].partition("}}")[2]
    )
    sheet = score_sheet(match.state)
    for name in sheet.names.values():
        assert name in page.text
    assert page.tags.count("tr") == 2 + len(sheet.boards)


def test_names_are_text_on_the_sheet() -> None:
    """``Björn & <Ek>`` is a name, not a tag."""
    data = export(start("icf"), meta_of(start("icf"), title="<script>x</script>"), "html").decode()
    assert "<script" not in data
    assert "Björn &amp; &lt;Ek&gt;" in data


def test_every_word_of_the_sheet_is_there_in_each_language() -> None:
    """A word forgotten would show as an error in that language only."""
    keys = set(SHEET_WORDS[Language.ENGLISH])
    for language in Language:
        assert set(SHEET_WORDS[language]) == keys
        assert all(SHEET_WORDS[language].values())


def test_an_unknown_form_is_named() -> None:
    """``export.pdf``."""
    with pytest.raises(FormatError, match="json, csv, sol, html"):
        export(start("icf"), meta_of(start("icf")), "pdf")
    with pytest.raises(FormatError):
        export(start("icf"), meta_of(start("icf")), "html", "fr")
    assert set(FORMS) == {"json", "csv", "sol", "html"}


def test_file_names_suit_every_system() -> None:
    """Names come from people, ids from pages."""
    meta = MatchMeta("../m:1", "icf", "", "2026-12-01T10:00:00Z", {"S": 'A/b"c', "N": "勝"})
    assert file_name(meta, "csv") == "carrom-2026-12-01-A-b-c-m1.csv"
