"""The table while people play: calls, questions, strokes by hand, advice, trouble."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.api.pages.conftest import Site
from tests.api.pages.fake_table import call, text

QUESTION: dict[str, Any] = {
    "id": "12/d1",
    "stroke": 12,
    "question": "was_pocketed",
    "text": text("Was the black piece pocketed?"),
    "answers": [
        {"code": "no", "likelihood": 0.2, "text": text("It was not")},
        {"code": "yes", "likelihood": 0.8, "text": text("It was")},
    ],
}
SPEECH = """
window.spoken = [];
Object.defineProperty(window, 'speechSynthesis', {value: {
  getVoices: () => [{lang: 'en-GB', name: 'Test', default: true, localService: true}],
  speak: (words) => window.spoken.push(words.text), cancel: () => {}}});
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
"""


def test_a_call_appears_with_its_reason_on_demand(site: Site) -> None:
    """The call is large and at once; why it was made is one tap away."""
    page = site.open()
    expect(page.locator(".call-text")).to_have_text("Foul. 2 dues. Turn to Asha.")
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".why")).to_contain_text("Because the striker was pocketed.")
    expect(page.locator(".why")).to_contain_text("ICF-45")
    site.table.change(lambda s: s["calls"].append(call(13, "S", "White pocketed. Asha again.")))
    expect(page.locator(".call-text")).to_have_text("White pocketed. Asha again.")


def test_a_question_is_answered_by_one_tap(site: Site) -> None:
    """The likeliest answer comes first, and one tap settles it."""
    page = site.open()
    site.table.change(lambda s: s["questions"].append(QUESTION))
    answers = page.locator(".question .answers button")
    expect(answers).to_have_text(["It was80%", "It was not20%"])
    answers.first.click()
    expect(page.locator(".question")).to_have_count(0)
    assert site.table.told[-1] | {"id": ""} == {
        "do": "answer",
        "seq": 41,
        "id": "",
        "stroke": 12,
        "doubt": "12/d1",
        "code": "yes",
    }


def test_a_question_is_answered_by_one_key(site: Site) -> None:
    """Keys 1 to 9 are the answers in their order."""
    page = site.open()
    site.table.change(lambda s: s["questions"].append(QUESTION))
    expect(page.locator(".question")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator(".question")).to_have_count(0)
    assert site.table.told[-1]["code"] == "no"


def test_a_stroke_by_hand_in_few_taps(site: Site) -> None:
    """Manual play is complete: who is known, a tap for what fell, one for where, one to record."""
    page = site.open()
    page.get_by_role("button", name="Enter a stroke").click()
    expect(page.get_by_role("radio", name="Asha")).to_be_checked()
    page.get_by_role("group", name="What fell?").get_by_role("button", name="white").click()
    page.get_by_role("button", name="north-east pocket", exact=True).click()
    page.get_by_text("Fouls and details").click()
    page.get_by_role("checkbox", name="Piece moved by hand or body").check()
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert site.table.told[-1]["outcome"] == {
        "seat": "S",
        "pocketed": [{"piece": "white", "pocket": "NE"}],
        "striker": "ok",
        "fouls": ["touched"],
    }
    expect(page.locator(".turn")).to_contain_text("Bo to strike")


def test_nothing_fell_takes_a_key_and_a_tap(site: Site) -> None:
    """The commonest stroke by hand is the shortest to enter."""
    page = site.open()
    page.keyboard.press("m")
    page.get_by_role("button", name="Nothing fell").click()
    expect(page.locator(".call-text")).to_have_text("Recorded. Turn passes.")
    assert site.table.told[-1]["outcome"]["pocketed"] == []


def test_suggestions_go_with_one_key(site: Site) -> None:
    """Who does not want to be told hides them, on the board and beside it."""
    page = site.open()
    expect(page.locator(".suggestion")).to_have_count(2)
    page.keyboard.press("s")
    expect(page.locator(".suggestion")).to_have_count(0)
    expect(page.locator(".advice-item")).to_have_count(0)
    page.keyboard.press("s")
    expect(page.locator(".suggestion.chosen .chance")).to_contain_text("61%")


def test_suggestions_are_locked_in_tournaments(site: Site) -> None:
    """No key may bring them back there."""
    site.table.change(lambda s: s["suggestions"].update(state="locked"))
    page = site.open()
    page.keyboard.press("s")
    expect(page.get_by_text("Off in tournaments")).to_be_visible()
    expect(page.locator(".suggestion")).to_have_count(0)
    assert site.table.told == []


def test_a_conflict_shows_what_changed_meanwhile(site: Site) -> None:
    """Two people correct at once: the later one sees the other's change and decides again."""
    page = site.open()
    expect(page.locator(".entry")).to_have_count(3)
    site.expected.append("409")
    page.get_by_role("button", name="Enter a stroke").click()
    with site.table._lock:
        site.table._state["seq"] += 1
        site.table._state["calls"].append(call(13, "S", "Corrected by the umpire."))
    page.get_by_role("button", name="Nothing fell").click()
    dialog = page.get_by_role("dialog", name="Somebody else was quicker")
    expect(dialog).to_contain_text("Corrected by the umpire.")
    assert site.table.told == []
    dialog.get_by_role("button", name="Enter mine all the same").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".call-text")).to_have_text("Recorded. Turn passes.")


def test_the_page_comes_back_by_itself(site: Site) -> None:
    """A lost connection is said, and mended without a click; nothing is missed."""
    page = site.open()
    expect(page.locator(".link-live")).to_be_visible()
    site.expected.append("WebSocket")
    site.table.refuses_sockets = True
    expect(page.locator("[data-problem='link.lost']")).to_be_visible()
    site.table.change(lambda s: s["calls"].append(call(13, "S", "Called while away.")))
    site.table.refuses_sockets = False
    expect(page.locator(".call-text")).to_have_text("Called while away.")
    expect(page.locator(".link-live")).to_be_visible()
    expect(page.locator(".banner")).to_have_count(0)


def test_without_a_socket_the_page_polls(site: Site) -> None:
    """Some phones refuse WebSockets to a home certificate; calls still arrive."""
    site.expected.append("WebSocket")
    site.table.refuses_sockets = True
    page = site.open()
    expect(page.locator(".link-polling")).to_be_visible()
    site.table.change(lambda s: s["calls"].append(call(13, "S", "Heard by polling.")))
    expect(page.locator(".call-text")).to_have_text("Heard by polling.")


def test_each_call_is_spoken_once(site: Site) -> None:
    """Also after a reconnection, when the table repeats what it said last."""
    site.page.add_init_script(SPEECH)
    page = site.open()
    page.get_by_role("button", name="Voice on").click()
    site.table.speak("e17", "Foul. Two dues.")
    site.table.speak("e18", "Turn to Asha.")
    expect(page.locator("p[aria-live=polite].unseen")).to_have_text("Turn to Asha.")
    site.table.change(lambda s: s["state"].update(turn="N"))
    expect(page.locator(".turn")).to_contain_text("Bo")
    assert page.evaluate("spoken") == ["The voice is on.", "Foul. Two dues.", "Turn to Asha."]


def test_trouble_with_the_camera_says_what_to_do(site: Site) -> None:
    """A banner names the trouble and the way out; play by hand stays possible."""
    site.table.change(lambda s: s["camera"].update(state="lost"))
    page = site.open()
    banner = page.locator("[data-problem='camera.lost']")
    expect(banner).to_contain_text("Check cable and power")
    expect(banner.get_by_role("link", name="Choose a camera")).to_be_visible()
    site.table.change(
        lambda s: (s["camera"].update(state="live"), s["table"].update(sight="moved"))
    )
    expect(page.locator("[data-problem='sight.moved']")).to_be_visible()
    with page.expect_response("**/api/camera/calibrate"):
        page.get_by_role("button", name="Find the board").click()
    assert ("camera/calibrate", {}) in site.server.posts


def test_out_of_step_is_shown_and_settled(site: Site) -> None:
    """Board and record differ: ghosts where, and a choice of two."""
    ghost = {"kind": "white", "x": 100.0, "y": 0.0, "why": "missing"}
    site.table.change(lambda s: s["table"].update(in_step=False, ghosts=[ghost]))
    page = site.open()
    expect(page.locator(".ghost-missing")).to_have_count(1)
    expect(page.locator("[data-problem=out_of_step]")).to_contain_text("white is missing")
    page.get_by_role("button", name="Take the board as it lies").click()
    expect(page.locator(".ghost")).to_have_count(0)
    assert site.table.told[-1]["do"] == "accept_board"


def test_help_lists_the_keys(site: Site) -> None:
    """What can be done by one key is found by one key, and Escape leads back."""
    page = site.open()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("Show or hide suggestions")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_undo_and_redo(site: Site) -> None:
    """A wrong call is one key away from gone; what cannot be redone cannot be pressed."""
    page = site.open()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.keyboard.press("u")
    expect(page.locator(".entry")).to_have_count(2)
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()


def test_what_goes_back_is_drawn_and_said(site: Site) -> None:
    """The dues lie on the board as an outline, with how many are still to come."""
    page = site.open()
    expect(page.locator(".put-back-disc")).to_have_count(1)
    expect(page.locator(".to-do")).to_contain_text("Put back 2 black to the outer circle")
    site.table.change(lambda s: s["state"]["must"][0].update(done=1))
    expect(page.locator(".to-do")).to_contain_text("Put back 1 black")
    site.table.change(lambda s: s["state"]["must"][0].update(done=2))
    expect(page.locator(".to-do")).to_have_count(0)


def test_the_board_can_be_turned_to_the_viewer(site: Site) -> None:
    """Whoever sits at North sees the own lines below."""
    page = site.open()
    striker = page.locator(".disc-striker")
    before = striker.get_attribute("transform")
    page.keyboard.press("t")
    expect(striker).not_to_have_attribute("transform", before or "")
    expect(striker).to_have_attribute("transform", re.compile(r"translate\(-252\.6 -60\.0\)"))


def test_a_question_without_words_is_asked_by_its_code(site: Site) -> None:
    """The table may send codes only: the page has the words of its language."""
    page = site.open("/?lang=sv")
    event = {"type": "pocketed", "piece": "queen"}
    answers = [
        {"code": "yes", "likelihood": 0.7, "events": [event]},
        {"code": "no", "likelihood": 0.3, "events": []},
    ]
    asked = {"id": "12/d1", "stroke": 12, "question": "was_pocketed", "answers": answers}
    site.table.change(lambda s: s["questions"].append(asked))
    expect(page.locator(".question h2")).to_have_text("Sänktes damen?")
    expect(page.locator(".question .answers button").first).to_contain_text("Ja")


def test_a_stroke_that_cannot_be_is_put_to_people(site: Site) -> None:
    """What the camera saw contradicts the record: the form opens with what was seen."""
    seen = {"seat": "N", "pocketed": [{"piece": "queen", "pocket": None}], "striker": "ok"}
    problem = {"number": 13, "reason": "two queens", "outcome": seen}
    site.table.change(lambda s: s.update(problem=problem))
    page = site.open()
    page.get_by_role("button", name="Say what happened").click()
    expect(page.get_by_role("radio", name="Bo", exact=True)).to_be_checked()
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert site.table.told[-1]["outcome"]["pocketed"] == [{"piece": "queen"}]


def test_what_else_is_to_be_done_is_said(site: Site) -> None:
    """Not only returns: moved pieces go back, standing ones are laid flat; the winner is named."""
    must = [
        {"do": "restore", "piece": None, "count": 1, "done": 0},
        {"do": "flatten", "piece": "white", "to": "same_place", "count": 1, "done": 0},
    ]
    site.table.change(lambda s: s["state"].update(must=must, winner=["S"], phase="match_over"))
    page = site.open()
    expect(page.locator(".to-do li")).to_have_text(
        ["Put what was moved back where it lay", re.compile("Lay the white piece flat")]
    )
    expect(page.locator(".turn")).to_contain_text("Asha wins")
    expect(page.get_by_role("link", name="Score sheet")).to_be_visible()
