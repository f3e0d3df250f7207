"""The playground as its visitor sees it: knobs, a live run, pause, step, reset, the command."""

import re
import shutil

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.play.conftest import SMALL
from tests.report.test_browser import FLAGS

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian: chromium)")
PATIENCE = 90_000
"""Milliseconds for a compilation on a busy machine."""


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """A page that was opened, with all that it said and asked of others."""

    def __init__(self, browser: Browser, url: str, width: int = 1200, scheme: str = "light"):
        self.said: list[str] = []
        self.asked: list[str] = []
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)
        expect(self.page.locator("#first .field").first).to_be_visible()

    def turn(self, **knobs: str) -> None:
        """Put texts into knobs."""
        self.page.locator("details").evaluate("element => { element.open = true; }")
        for name, text in knobs.items():
            self.page.locator(f"#knob-{name}").fill(text)

    def state(self, word: str) -> None:
        """Wait for a state."""
        expect(self.page.locator("#state")).to_have_text(word, timeout=PATIENCE)

    def painted(self, figure: str) -> int:
        """How many points of a canvas have a colour of their own: neither clear nor grey."""
        return int(
            self.page.locator(f"{figure} canvas[role=img]").evaluate(
                "canvas => { const c = canvas.getContext('2d').getImageData(0, 0, canvas.width, "
                "canvas.height).data; let n = 0; for (let i = 0; i < c.length; i += 4) "
                "if (Math.max(c[i], c[i+1], c[i+2]) - Math.min(c[i], c[i+1], c[i+2]) > 60 && "
                "c[i+3] > 20) n++; return n; }"
            )
        )

    def wide(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.fixture(scope="module")
def visit(browser, visitor) -> Visit:
    visit = Visit(browser, visitor.server.url)
    visit.turn(**SMALL)
    return visit


def test_all_experiments_can_be_chosen_and_show_their_knobs(visit, visitor):
    page = visit.page
    listed = page.locator("#experiment option").all_text_contents()
    assert "shi2022.parity" in listed
    assert page.locator("#experiment").input_value() == "glasgow2023.xor"
    page.select_option("#experiment", "frei2022.clusters")
    expect(page.locator("#title")).to_have_text(
        "Random features amplified in a few steps, all assumptions met"
    )
    expect(page.locator("#help-flips")).to_contain_text("Probability that a label is flipped")
    page.select_option("#experiment", "glasgow2023.xor")
    assert page.locator("#knob-d").input_value() != "6", "another experiment, its own values"
    visit.turn(**SMALL)


def test_a_bad_value_has_its_sentence_beside_it_and_cannot_be_started(visit):
    visit.turn(eta="-1")
    place = visit.page.locator("#field-eta .sentence")
    expect(place).to_have_text("eta: expected a positive number, got -1.0.")
    expect(visit.page.locator("#knob-eta")).to_have_attribute("aria-invalid", "true")
    expect(visit.page.locator("#start")).to_be_disabled()
    visit.turn(eta="<b>0</b>")
    expect(place).to_have_text("--eta: expected a number, got '<b>0</b>'.")
    assert place.locator("b").count() == 0
    visit.turn(eta="0.2")
    expect(place).to_be_hidden()
    expect(visit.page.locator("#start")).to_be_enabled()


def test_the_slider_turns_its_knob(visit):
    visit.page.locator("#field-theta").wait_for()
    visit.page.locator("#field-d input[type=range]").fill("-2")
    turned = visit.page.locator("#knob-d").input_value()
    assert turned != "6"
    expect(visit.page.locator("#command")).to_contain_text(f"--d {turned} ")
    visit.turn(d="6")
    expect(visit.page.locator("#command")).to_contain_text("--d 6 ")


def test_a_run_is_watched_paused_stepped_and_reset(visit):
    page = visit.page
    visit.turn(steps="400", eta="0.4")
    page.locator("#pace").fill("1")
    page.locator("#start").click()
    busy = re.compile("preparing…|compiling…|running")
    expect(page.locator("#state")).to_have_text(busy, timeout=PATIENCE)
    accuracy = page.locator("#panel-main-0 [data-value=test_accuracy]")
    expect(accuracy).to_be_visible(timeout=PATIENCE)
    first = accuracy.text_content()
    expect(accuracy).not_to_have_text(str(first), timeout=PATIENCE)
    expect(page.locator("#where")).to_have_text(re.compile(r"step [1-9]\d* of 400"))
    page.locator("#start").click()
    visit.state("paused")
    for figure in ("#plane", "#strands", "#panel-main-0", "#panel-main-1", "#panel-main-2"):
        assert visit.painted(figure) > 20, figure
    assert page.locator("#panels h4").all_text_contents() == [
        "Every neuron",
        "Every neuron over time",
        "Accuracy",
        "Margins",
        "Loss",
        "More",
    ]
    before = int(re.findall(r"\d+", page.locator("#where").text_content() or "")[0])
    page.locator("#step").click()
    expect(page.locator("#where")).to_have_text(f"step {before + 1} of 400", timeout=PATIENCE)
    visit.state("paused")
    visit.turn(seed="7")
    expect(page.locator("#note")).to_have_text("A knob was turned: Reset takes it over.")
    page.locator("#reset").click()
    visit.state("ready")
    expect(page.locator("#where")).to_have_text("step 0 of 400")
    expect(page.locator("#plane")).to_be_hidden()
    expect(page.locator("#note")).to_be_hidden()


def test_a_run_to_the_end_shows_what_the_command_would_print(visit):
    visit.turn(steps="12")
    visit.page.locator("#start").click()
    visit.state("finished")
    expect(visit.page.locator("#summary")).to_contain_text("test_accuracy")
    visit.page.locator("#strand").select_option("along_mu1")
    expect(visit.page.locator("#strands figcaption")).to_contain_text("coordinate of w along mu1")


def test_the_command_line_is_copied(visit):
    page = visit.page
    line = page.locator("#command").text_content() or ""
    assert line.startswith("featlearn run glasgow2023.xor --d 6 ")
    assert line.endswith(" --seeds 1 --first-seed 7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == line


def test_sizes_that_do_not_fit_are_a_sentence_above_all(visit):
    visit.turn(d="1000000", width="10000")
    visit.page.locator("#start").click()
    expect(visit.page.locator("#alarm")).to_contain_text("at most 2 GB of memory", timeout=PATIENCE)
    refused = [text for text in visit.said if "422" in text]
    visit.said[:] = [text for text in visit.said if text not in refused]  # Chromium notes each
    visit.turn(d="6", width="8")
    expect(visit.page.locator("#alarm")).to_be_hidden()


def test_nothing_was_said_and_nobody_else_was_asked(visit, visitor):
    assert visit.said == []
    assert {url for url in visit.asked if not url.startswith(visitor.server.origin)} <= {"data:,"}


def test_a_page_that_is_opened_later_shows_the_session_dark_and_narrow(browser, visitor):
    late = Visit(browser, visitor.server.url, width=360, scheme="dark")
    expect(late.page.locator("#knob-d")).to_have_value("6")
    late.state("finished")
    expect(late.page.locator("#note")).to_be_hidden()
    expect(late.page.locator("#plane")).to_be_visible()
    late.page.wait_for_timeout(200)
    assert late.painted("#strands") > 20
    assert not late.wide()
    dark = late.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == "rgb(23, 26, 31)"
    assert late.said == []


def test_without_the_token_the_page_says_where_to_find_it(browser, visitor):
    page = browser.new_page()
    page.goto(visitor.server.origin)
    expect(page.locator("#alarm")).to_contain_text("Open the address that `featlearn play` printed")
    assert page.locator("#experiment option").count() == 0


def test_the_buttons_can_be_reached_by_keyboard_and_every_control_has_a_name(visit):
    nameless = visit.page.evaluate(
        "[...document.querySelectorAll('input, select, button')].filter((e) => "
        "!e.labels?.length && !e.getAttribute('aria-label') && !e.textContent.trim() && "
        "e.getAttribute('aria-hidden') !== 'true').map((e) => e.outerHTML)"
    )
    assert nameless == []
    visit.page.locator("#start").focus()
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.id") in ("step", "reset")


def test_a_target_is_typed_and_the_page_says_what_it_is(browser, visitor):
    visit = Visit(browser, visitor.server.url)
    about = visit.page.locator("#about")
    visit.page.locator("#experiment").select_option("abbe2022.staircase")
    expect(about).to_contain_text("A merged staircase: x1, then x1*x2, then x1*x2*x3.")
    visit.turn(formula="x1 + x1*x2*x3")
    expect(about).to_contain_text("No merged staircase: a leap of 2; at d = infinity x2, x3 are")
    visit.turn(formula="x1 + x3")
    place = visit.page.locator("#field-formula .sentence")
    expect(place).to_contain_text("one that ignores x2")
    expect(about).to_be_hidden()
    visit.page.locator("#experiment").select_option("glasgow2023.xor")
    expect(about).to_be_hidden()
    assert visit.said == []
