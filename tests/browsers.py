"""Chromium for the tests of pages: one browser a module, what a page says and asks, axe-core."""

import shutil
import time
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian: chromium)")


def chromium() -> Iterator[Browser]:
    """A browser, for the fixture of a module."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Visited:
    """A page in a window of its own, with all that it said and asked for."""

    def __init__(
        self, browser: Browser, url: str, *, width: int = 1200, scheme: str = "light", zoom: int = 1
    ) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(
            viewport={"width": width // zoom, "height": 800 // zoom},
            device_scale_factor=zoom,
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)

    def strangers(self, home: str) -> set[str]:
        """The addresses it asked that are neither home nor in the page itself."""
        return {url for url in self.asked if not url.startswith((home, "data:", "blob:"))}

    def wide(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def until(page: Page, expression: str, seconds: float = 60.0) -> None:
    """Wait for an expression to be true, without eval, which the policy of a page forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def violations(page: Page) -> list[str]:
    """The rules of axe-core that a page breaks, each with the first element that does."""
    try:
        script = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    except ModuleNotFoundError:
        pytest.skip("needs axe-core (pip install axe-playwright-python)")
    # Not as a script element: the policy of the page forbids those that are not its own.
    page.evaluate(f"{script}; 0" if script.lstrip().startswith("/*") else script)
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((all) => all.violations)")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
