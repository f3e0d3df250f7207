"""The page as its reader opens it: from disk, without a network, wide and narrow."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from featlearn.report.page import write
from tests.report.outcomes import OUTCOMES

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
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian: chromium)")


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "index.html"
    write(OUTCOMES, path)
    return path


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """A page that was opened, with all that it said and asked for."""

    def __init__(self, browser: Browser, file: Path, width: int = 1200, scheme: str = "light"):
        self.said: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        context.route("**/*", self._answer)
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.goto(file.as_uri())
        for figure in self.page.locator("figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".main-svg").first.wait_for()

    def _answer(self, route) -> None:
        url = route.request.url
        if url.startswith("file:"):
            route.continue_()
        else:
            self.asked.append(url)
            route.abort()

    def points(self) -> list[str]:
        """Where the points of the moving figure are drawn."""
        drawn = self.page.locator("[data-figure='toy.item.moving'] .points path").all()
        return [str(point.get_attribute("transform")) for point in drawn]

    def wide(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.fixture(scope="module")
def visit(browser, file) -> Visit:
    return Visit(browser, file)


def test_it_opens_from_disk_without_a_word_or_a_request(visit):
    assert visit.page.locator(".js-plotly-plot").count() == 3
    visit.page.locator("footer").scroll_into_view_if_needed()
    assert visit.said == []
    assert visit.asked == []


def test_the_slider_moves_the_points(visit):
    slider = visit.page.locator("[data-figure='toy.item.moving'] input[type=range]")
    before = visit.points()
    slider.fill("5")
    assert visit.page.locator("[data-figure='toy.item.moving'] output").text_content() == "step 5"
    after = visit.points()
    assert len(before) == len(after) == 5
    assert after != before
    slider.fill("0")
    assert visit.points() == before


def test_play_runs_to_the_last_frame(visit):
    figure = visit.page.locator("[data-figure='toy.item.moving']")
    figure.locator(".play").click()
    figure.locator("output", has_text="step 5").wait_for()
    figure.locator(".play[aria-label=Play]").wait_for()
    figure.locator("input[type=range]").fill("0")


def test_a_filter_hides_its_rows_alone(visit):
    box = visit.page.locator("input[data-filter=differs]")
    box.uncheck()
    shown = visit.page.locator("tr[data-outcome]:visible").all()
    assert [row.get_attribute("data-outcome") for row in shown] == ["agrees", "ambiguous"]
    box.check()
    assert visit.page.locator("tr[data-outcome]:visible").count() == 3


def test_the_numbers_can_be_taken_away(visit, tmp_path):
    with visit.page.expect_download() as started:
        visit.page.locator("[data-figure='toy.item.curves'] .csv").click()
    started.value.save_as(tmp_path / "curves.csv")
    lines = (tmp_path / "curves.csv").read_text().splitlines()
    assert lines[0] == "panel,frame,series,x,y,low,high"
    assert len(lines) == 1 + 2 * 5
    assert lines[-1].startswith("1,,")
    assert lines[-1].endswith(",4,16,,")


def test_figures_and_page_turn_dark_with_the_reader(visit):
    text = visit.page.locator(".xtick text").first
    expect(text).to_have_css("fill", "rgb(31, 35, 40)")
    visit.page.emulate_media(color_scheme="dark")
    expect(text).to_have_css("fill", "rgb(230, 232, 235)")
    expect(visit.page.locator("body")).to_have_css("background-color", "rgb(23, 26, 31)")
    visit.page.emulate_media(color_scheme="light")
    expect(text).to_have_css("fill", "rgb(31, 35, 40)")


@pytest.mark.parametrize("width", [360, 700])
def test_a_phone_shows_all_of_it_without_scrolling_sideways(browser, file, width):
    narrow = Visit(browser, file, width=width, scheme="dark")
    assert not narrow.wide()
    for panel in narrow.page.locator(".panel").all():
        box = panel.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    assert narrow.said == []
    assert narrow.asked == []


def test_a_page_that_asks_or_complains_would_be_noticed(browser, tmp_path):
    (tmp_path / "bad.html").write_text(
        "<img src='http://example.com/a.png'><div style='width:2000px'>x</div>"
        "<script>console.error('no'); missing()</script>"
    )
    bad = Visit(browser, tmp_path / "bad.html")
    bad.page.wait_for_timeout(200)
    assert bad.asked == ["http://example.com/a.png"]
    assert bad.wide()
    assert "no" in bad.said
