"""Correction: facts by taps, the difference before anything happens, the replay beside it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.pages.conftest import Site
from tests.api.pages.fake_table import call


def test_a_likely_correction_shows_its_difference_first(site: Site) -> None:
    """One tap proposes, the change is shown, only the second tap makes it."""
    page = site.open("/stroke/12")
    expect(page.get_by_role("radio", name="was pocketed")).to_be_checked()
    page.get_by_role("button", name="The striker stayed on the board").click()
    rows = page.locator(".difference tbody tr")
    expect(rows.nth(0)).to_contain_text("Stroke 12")
    expect(rows.nth(0).locator("ins")).to_have_text("Turn to Asha.")
    expect(rows.nth(1)).to_contain_text("Score")
    assert [told["accept"] for told in site.table.told] == [False]
    page.get_by_role("button", name="Accept the change").click()
    expect(page.locator(".call-text")).to_have_text("Turn to Asha.")
    last = site.table.told[-1]
    assert (last["do"], last["accept"]) == ("amend", True)
    assert last["outcome"]["pocketed"] == [{"piece": "black", "pocket": "SW"}]


def test_any_fact_can_be_changed(site: Site) -> None:
    """Who struck, what fell, the striker's fate: the form is that of manual play."""
    page = site.open("/stroke/12")
    preview = page.get_by_role("button", name="Show what changes")
    expect(preview).to_be_disabled()
    page.get_by_role("radio", name="Asha").check()
    page.get_by_role("group", name="What fell?").get_by_role("button", name="queen").click()
    preview.click()
    expect(page.locator(".difference")).to_be_visible()
    assert site.table.told[-1]["outcome"] == {
        "seat": "S",
        "pocketed": [{"piece": "queen"}],
        "striker": "pocketed",
    }
    page.get_by_role("button", name="Cancel").click()
    expect(preview).to_be_disabled()


def test_a_correction_that_comes_too_late_shows_the_other(site: Site) -> None:
    """The page was open while somebody else corrected: their change is shown, mine waits."""
    page = site.open("/stroke/12")
    expect(page.get_by_role("button", name="It was no stroke")).to_be_visible()
    site.expected.append("409")

    def other(state: dict[str, object]) -> None:
        state["seq"] = 42
        state["calls"] = [call(12, "N", "Amended by the umpire.", amended=True)]

    site.table.change(other)
    page.get_by_role("button", name="It was no stroke").click()
    dialog = page.get_by_role("dialog", name="Somebody else was quicker")
    expect(dialog).to_contain_text("Amended by the umpire.")


def test_replay_goes_frame_by_frame(site: Site) -> None:
    """A dispute is settled on single frames, by buttons and by keys."""
    page = site.open("/stroke/12")
    slider = page.get_by_role("slider", name="Place in the replay")
    expect(slider).to_have_value("0")
    page.get_by_role("button", name="One picture on").click()
    expect(slider).to_have_value("1")
    slider.press("ArrowRight")
    expect(slider).to_have_value("2")
    expect(slider).to_have_attribute("aria-valuetext", "0.07 seconds, picture 3 of 12")
    page.get_by_role("button", name="One picture back").click()
    expect(slider).to_have_value("1")
    expect(page.get_by_role("link", name="Save as video")).to_have_attribute(
        "href", "/api/strokes/12/clip.mp4"
    )


def test_replay_plays_to_its_end(site: Site) -> None:
    """Slow motion stops at the last frame and can be started anew."""
    page = site.open("/stroke/12")
    page.get_by_text("1×", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).to_have_value("11")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_stroke_that_is_not_there(site: Site) -> None:
    """An old link leads to a sentence, not to an empty page."""
    site.expected.append("404")
    page = site.open("/stroke/99")
    expect(page.locator("main")).to_contain_text("There is no such stroke")
