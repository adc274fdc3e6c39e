"""The wizard: few taps, nothing typed but names, corners by any hand."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.api.pages.conftest import Site

CAMERA: dict[str, Any] = {
    "state": "live",
    "source": {"kind": "usb", "name": "Desk camera"},
    "fps": 30.0,
    "size": [1280, 720],
    "calibrated": True,
    "residual_mm": 0.4,
    "corners_px": [[400, 120], [880, 120], [900, 600], [380, 600]],
}


def test_from_rules_to_a_match(site: Site) -> None:
    """Rules, names, opener: the match is asked for exactly once, and the camera is next."""
    page = site.open("/setup")
    page.get_by_text("Hikone karomu").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_label("South").first.fill("Ken")
    page.get_by_label("North").first.fill("Mia")
    page.get_by_role("radio", name="Mia").check()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("button", name="Desk camera")).to_be_visible()
    assert site.server.posts == [
        (
            "matches",
            {
                "rules": "hikone",
                "options": {},
                "players": {"S": "Ken", "N": "Mia"},
                "opener": "N",
                "mode": "casual",
                "title": "",
            },
        )
    ]
    page.get_by_role("button", name="Play without a camera").click()
    expect(page).to_have_url(re.compile(r"/$"))


def test_next_time_one_tap_is_enough(site: Site) -> None:
    """What was chosen last is remembered, and the camera is checked without being asked."""
    test_from_rules_to_a_match(site)
    site.table.change(lambda s: s["camera"].update(CAMERA))
    page = site.open("/setup")
    again = page.get_by_role("region", name="As last time")
    expect(again).to_contain_text("Ken and Mia")
    expect(again).to_contain_text("The camera sees the board where it was.")
    again.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile(r"/$"))
    assert [path for path, _ in site.server.posts] == ["matches", "matches"]


def test_three_players_get_their_seats(site: Site) -> None:
    """Rules for three leave no choice of two."""
    page = site.open("/setup")
    page.get_by_text("Points for three", exact=True).click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("textbox")).to_have_count(3)


def test_a_camera_is_chosen_by_name(site: Site) -> None:
    """Names and pictures, never numbers."""
    page = site.open("/setup#camera")
    with page.expect_response("**/api/camera"):
        page.get_by_role("button", name="Desk camera").click()
    assert site.server.posts[-1] == ("camera", {"source": "usb:0"})


def test_this_phone_gets_a_code(site: Site) -> None:
    """The address comes as a code; the table waits for that phone."""
    page = site.open("/setup#camera")
    page.get_by_role("button", name="This phone, or another").click()
    expect(page.get_by_role("img", name="Code with the address for the phone")).to_be_visible()
    assert site.server.posts[-1] == ("camera", {"source": "phone"})


def test_corners_by_keyboard(site: Site) -> None:
    """A corner moves by a pixel, with shift by ten; the table is told once the keys rest."""
    site.table.change(lambda s: s["camera"].update(CAMERA))
    page = site.open("/setup#corners")
    expect(page.get_by_role("status")).to_contain_text("fit within 0.4 mm")
    corner = page.get_by_role("button", name="Corner north-west")
    corner.focus()
    expect(page.locator(".loupe")).to_be_visible()
    corner.press("Shift+ArrowLeft")
    corner.press("ArrowDown")
    with page.expect_response("**/api/camera/calibrate"):
        corner.press("ArrowDown")
    told = [body for path, body in site.server.posts if path == "camera/calibrate"]
    assert told == [{"corners_px": [[390, 122], [880, 120], [900, 600], [380, 600]]}]
    expect(corner).to_have_attribute("aria-label", "Corner north-west, 390 across, 122 down")


def test_corners_by_hand(site: Site) -> None:
    """Dragging moves the corner under the finger, and crossed corners are refused."""
    site.table.change(lambda s: s["camera"].update(CAMERA))
    page = site.open("/setup#corners")
    box = page.locator(".corner-picture").bounding_box()
    handle = page.locator("[data-corner=SE]").bounding_box()
    assert box is not None
    assert handle is not None
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.05 * box["height"], steps=3)
    expect(page.get_by_role("status")).to_contain_text("The corners cross")
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.75 * box["height"], steps=3)
    with page.expect_response("**/api/camera/calibrate"):
        page.mouse.up()
    corners = site.server.posts[-1][1]["corners_px"]
    assert corners[:2] == [[400, 120], [880, 120]]
    assert abs(corners[2][0] - 960) < 3
    assert abs(corners[2][1] - 540) < 3


def test_the_board_is_turned_by_quarters(site: Site) -> None:
    """Which side is South is for people to say."""
    site.table.change(lambda s: s["camera"].update(CAMERA))
    page = site.open("/setup#corners")
    with page.expect_response("**/api/camera/calibrate"):
        page.get_by_role("button", name="Turn by a quarter").click()
    assert site.server.posts[-1] == ("camera/calibrate", {"turn": 1})


def test_the_opening_layout_is_counted(site: Site) -> None:
    """What is seen stands beside what should lie there."""
    page = site.open("/setup#check")
    expect(page.locator(".counts")).to_contain_text("1 of 1")
    full = {"white": 9, "black": 9, "queen": 1}
    rack = [{"kind": k, "x": 0.0, "y": 0.0, "sure": 1.0} for k, n in full.items() for _ in range(n)]
    site.table.change(lambda s: s["table"].update(discs=rack))
    expect(page.get_by_role("status")).to_have_text("All pieces are seen.")
