"""What holds for every page: it loads, in every language, without errors, for everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.conftest import Site

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PAGES = {
    "table": "/",
    "stroke": "/stroke/12",
    "setup": "/setup",
    "players": "/setup#players",
    "camera": "/setup#camera",
    "corners": "/setup#corners",
    "check": "/setup#check",
    "tv": "/tv",
    "obs": "/obs",
    "pad": "/pad",
    "cam": "/cam",
    "matches": "/matches",
    "settings": "/settings",
    "pair": "/pair",
}
LANGUAGES = ("en", "ja", "sv", "hi")
KEY = re.compile(r"\b(?:[a-z]+(?:_[a-z]+)*\.)+[a-z_]+\b")


def violations(page: Page) -> list[str]:
    """What axe finds, one line for each rule with the first place."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['any'][:1]}" for v in found]


def with_language(path: str, language: str) -> str:
    """The path with the language in front of its fragment."""
    before, _, fragment = path.partition("#")
    return f"{before}?lang={language}" + (f"#{fragment}" if fragment else "")


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_page_is_sound_in_every_language(site: Site, name: str) -> None:
    """A key without a text, a console error or an axe finding shuts somebody out."""
    for language in LANGUAGES:
        page = site.open(with_language(PAGES[name], language))
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_timeout(150)
        words = page.locator("body").inner_text()
        assert [w for w in KEY.findall(words) if "carrom" not in w and "192" not in w] == []
        assert violations(page) == [], (name, language)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["table", "stroke", "setup", "tv", "pad", "settings"])
def test_dark_colours_have_contrast(site: Site, name: str) -> None:
    """The dark theme is a second design: it must be as readable as the first."""
    site.page.emulate_media(color_scheme="dark")
    page = site.open(PAGES[name])
    page.wait_for_timeout(150)
    assert violations(page) == []


@pytest.mark.parametrize("name", [name for name in PAGES if name != "obs"])
def test_nothing_is_cut_off_on_a_small_phone(site: Site, name: str) -> None:
    """320 px is a small phone, and a tablet at 200 % zoom: nothing may need sideways scrolling."""
    site.page.set_viewport_size({"width": 320, "height": 640})
    page = site.open(PAGES[name])
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", ["table", "pad", "setup", "stroke", "matches"])
def test_what_is_tapped_is_large_enough(site: Site, name: str) -> None:
    """Fingers are 44 px wide; smaller targets are missed at the board."""
    site.page.set_viewport_size({"width": 390, "height": 844})
    page = site.open(PAGES[name])
    page.wait_for_timeout(100)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, a.button, select, summary, .option')]
        .filter((e) => e.offsetParent && (e.offsetHeight < 43.5 || e.offsetWidth < 43.5))
        .map((e) => e.outerHTML.slice(0, 120))"""
    )
    assert small == []


def test_nobody_plays_yet(site: Site) -> None:
    """The first visit leads to the wizard instead of an empty board."""
    site.table.change(lambda s: s.update(match=None, state=None, calls=[]))
    page = site.open("/")
    expect(page.get_by_role("link", name="Begin")).to_have_attribute("href", "/setup")
    assert violations(page) == []
