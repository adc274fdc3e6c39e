"""A browser on the pages over a fake table; every console error fails the test that caused it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.api.pages.fake_table import FakeTable
from tests.api.pages.page_server import Server, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_MS = 20_000
"""How long a busy machine may take for one step; an idle one needs a hundredth."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]


@dataclass
class Site:
    """One page on one table. ``expected``: parts of console errors that this test provokes."""

    page: Page
    table: FakeTable
    server: Server
    url: str
    errors: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> Page:
        """Go there and wait for the first drawing."""
        self.page.goto(self.url + path)
        self.page.locator("html[data-ready=yes]").wait_for()
        return self.page

    def unexpected(self) -> list[str]:
        """Console errors that nobody asked for."""
        return [e for e in self.errors if not any(part in e for part in self.expected)]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless; skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("needs chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        expect.set_options(timeout=PATIENCE_MS)
        yield found
        found.close()


def _stand_still(page: Page) -> None:
    """Leave for an empty page: Chromium may never close one that is still going somewhere.

    Going there fails when the page's own journey cuts in; that journey is then over.
    """
    for _ in range(3):
        try:
            page.goto("about:blank")
        except PlaywrightError:
            continue
        return


@pytest.fixture
def site(browser: Browser) -> Iterator[Site]:
    """A fresh table and a fresh page, 1280 x 900, English, no motion."""
    table = FakeTable()
    with serving(table) as (url, server):
        context = browser.new_context(
            viewport={"width": 1280, "height": 900}, locale="en-GB", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        site = Site(page, table, server, url)

        def note(message: ConsoleMessage) -> None:
            if message.type == "error":
                site.errors.append(f"{message.text} {message.location.get('url', '')}")

        page.on("console", note)
        page.on("pageerror", lambda error: site.errors.append(str(error)))
        yield site
        unexpected = site.unexpected()  # what the empty page says of a test's scripts is no matter
        _stand_still(page)
        context.close()
    assert unexpected == []
