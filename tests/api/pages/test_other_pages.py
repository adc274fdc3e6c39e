"""The umpire's pad, the scoreboard, the phone camera, the matches and the settings."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.pages.conftest import Site
from tests.api.pages.fake_table import call


def test_the_umpire_confirms(site: Site) -> None:
    """In a tournament a call waits for the umpire's tap."""
    pending = call(13, "S", "Foul. 1 due. Turn to Bo.")
    site.table.change(
        lambda s: (s.update(pending_call=pending), s["match"].update(mode="tournament"))
    )
    page = site.open("/pad")
    expect(page.locator(".call-pending")).to_contain_text("Waiting for the umpire")
    page.get_by_role("button", name="Confirm the call").click()
    expect(page.locator(".call-pending")).to_have_count(0)
    assert site.table.told[-1]["do"] == "confirm"
    assert site.table.told[-1]["stroke"] == 13


def test_the_umpire_declares_what_no_camera_sees(site: Site) -> None:
    """A foul by its name, by whom, in the last stroke or between two."""
    page = site.open("/pad")
    page.get_by_text("Declare a foul").click()
    page.get_by_role("button", name="Left the seat").click()
    page.get_by_role("radio", name="Bo").check()
    page.get_by_role("button", name="Declare", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert site.table.told[-1]["event"] == {"type": "left_seat", "seat": "N"}
    page.get_by_role("button", name="Hand supported").click()
    page.get_by_role("radio", name="In stroke 12").check()
    page.get_by_role("button", name="Declare", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    last = site.table.told[-1]
    assert last["event"] == {"type": "improper_stroke", "kind": "hand_supported"}
    assert last["stroke"] == 12


def test_clock_and_debts(site: Site) -> None:
    """The clock is started and stopped; a debt is waived by the side that is owed."""
    page = site.open("/pad")
    page.get_by_role("button", name="Start the clock").click()
    expect(page.get_by_role("button", name="Stop the clock")).to_be_visible()
    assert site.table.told[-1]["run"] is True
    with page.expect_response("**/commands"):
        page.get_by_role("button", name="Waive").click()
    assert (site.table.told[-1]["do"], site.table.told[-1]["seat"]) == ("waive_debt", "N")


def test_the_scoreboard_is_quiet(site: Site) -> None:
    """Spectators see the board and the score, nothing to press, no advice, and a code to join."""
    page = site.open("/tv")
    expect(page.locator(".side-points")).to_have_text(["7", "0"])
    expect(page.locator(".suggestion")).to_have_count(0)
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator(".join")).to_contain_text("https://192.168.1.20:8443/")
    expect(page.locator(".join")).not_to_contain_text("token")


def test_the_overlay_is_transparent(site: Site) -> None:
    """Laid over a stream: no ground of its own, the score and the call only."""
    page = site.open("/obs")
    expect(page.locator(".obs-strip")).to_contain_text("Asha")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgba(0, 0, 0, 0)"


def test_a_phone_sends_pictures(site: Site) -> None:
    """Whole JPEGs arrive, and the page says how many a second."""
    page = site.open("/cam")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_role("status")).to_contain_text("pictures a second")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("video")).to_have_count(0)
    assert len(site.server.frames) >= 2
    assert all(f[:2] == b"\xff\xd8" and f[-2:] == b"\xff\xd9" for f in site.server.frames)


def test_a_refused_camera_says_why(site: Site) -> None:
    """Permission denied is told in plain words, with the way to allow it."""
    site.page.add_init_script(
        "navigator.mediaDevices.getUserMedia = async () => {"
        " throw new DOMException('no', 'NotAllowedError'); }"
    )
    page = site.open("/cam")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_role("alert")).to_contain_text("The camera was not allowed.")


def test_matches_are_resumed_and_deleted_with_care(site: Site) -> None:
    """Deleting asks once more; the match on the table cannot be deleted."""
    page = site.open("/matches")
    expect(page.locator(".match-list li")).to_have_count(2)
    expect(page.get_by_role("button", name="Delete")).to_have_count(1)
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete")
    expect(dialog).to_contain_text("Ken and Mia")
    with page.expect_response("**/api/matches/a001"):
        dialog.get_by_role("button", name="Delete", exact=True).click()
    with page.expect_response("**/api/matches/a001/resume"):
        page.get_by_role("button", name="Open").click()
    page.wait_for_url(site.url + "/")


def test_the_language_is_remembered(site: Site) -> None:
    """Chosen once, it holds for the next page."""
    page = site.open("/settings")
    page.get_by_role("radio", name="Svenska").check()
    expect(page.locator("h1")).to_have_text("Inställningar")
    page = site.open("/matches")
    expect(page.locator("h1")).to_have_text("Matcher")


def test_the_theme_is_remembered(site: Site) -> None:
    """Dark against the device's wish, on every page."""
    page = site.open("/settings")
    page.get_by_role("radio", name="dark").check()
    page = site.open("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_scanned_code_makes_the_device_known(site: Site) -> None:
    """The code leaves the address before anything else, and the role decides where to go."""
    page = site.page
    page.goto(site.url + "/pair#good-token")
    page.wait_for_url("**/pad")
    assert ("pair", {"token": "good-token"}) in site.server.posts
    page.go_back()
    assert "good-token" not in page.url


def test_an_old_code_is_told(site: Site) -> None:
    """A code works once: who scans it again is told to scan a new one."""
    site.expected.append("401")
    page = site.open("/pair#used-token")
    expect(page.get_by_role("status")).to_contain_text("scan a new one")
    assert page.url.endswith("/pair")
