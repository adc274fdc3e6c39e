"""The report: one page, nothing fetched, nothing that runs."""

import re
from html.parser import HTMLParser

from api.watch.ledger import Ledger
from api.watch.report import StrokePictures, report_html
from api.watch.summary import Pace, summary_data, summary_text
from carrom.boards import ICF_BOARD
from carrom.seats import Seat
from referee.ruleset_files import load_laws
from tests.api.watch.scripted import K, W, doubt, stroke


def _watched() -> Ledger:
    ledger = Ledger(load_laws("icf"), {Seat.SOUTH: "<Asha>", Seat.NORTH: "Bo & Co"})
    ledger.take(stroke(1, Seat.SOUTH, W))
    ledger.take(stroke(2, Seat.SOUTH, K))
    ledger.take(stroke(3, Seat.NORTH, *[W] * 10))
    ledger.take(stroke(4, Seat.NORTH, doubts=(doubt(),)))
    return ledger


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]


def test_report_is_whole_and_harmless() -> None:
    """Names of people are text, not markup; no address is fetched; every id is used once."""
    pictures = {1: StrokePictures(b"\xff\xd8before", b"\xff\xd8after")}
    page = report_html(
        _watched(), Pace(30, 2.0, 1.0), title="a <b> match", spec=ICF_BOARD, pictures=pictures,
        notes=("the file breaks off",),
    )  # fmt: skip
    tags = _Tags()
    tags.feed(page)
    assert "&lt;Asha&gt;" in page
    assert "<Asha>" not in page
    assert "a &lt;b&gt; match" in page
    assert not re.search(r"(src|href)=\"(https?:)?//", page)
    assert "script" not in tags.tags
    assert len(tags.ids) == len(set(tags.ids))
    assert page.count("data:image/jpeg;base64,") == 2
    assert tags.tags.count("svg") >= 2
    assert "Open questions" in page
    assert "not judged" in page
    assert "the file breaks off" in page
    assert "@media print" in page


def test_report_of_nothing() -> None:
    """A recording without a stroke still has a report."""
    ledger = Ledger(load_laws("icf"), {Seat.SOUTH: "A", Seat.NORTH: "B"})
    page = report_html(ledger, Pace(), title="empty", spec=ICF_BOARD)
    assert "No stroke was seen" in page


def test_summary() -> None:
    """Counts of what happened, and how fast it was looked at."""
    ledger, pace = _watched(), Pace(frames=300, took_s=5.0, source_s=10.0)
    data = summary_data(ledger, pace)
    assert (data["strokes"], data["not_judged"], data["questions"]) == (3, 1, [3])
    assert data["fouls"] == {"striker_pocketed": 1}
    assert (data["fps"], data["speed"]) == (60.0, 2.0)
    text = summary_text(ledger, pace, notes=("a note",))
    assert "3 strokes" in text
    assert "Open question, stroke 3" in text
    assert "2.0 times real time" in text
    assert "a note" in text
