"""The playground as its visitor sees it: knobs, a live run, pause, step, reset, the command."""

import json
import re
import struct
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browsers import Visited, chromium, needs_chromium, violations
from tests.play.conftest import SMALL

pytestmark = needs_chromium
browser = pytest.fixture(scope="module")(chromium)
PATIENCE = 90_000
"""Milliseconds for a compilation on a busy machine."""


class Visit(Visited):
    """The playground, opened."""

    def __init__(self, browser: Browser, url: str, width: int = 1200, scheme: str = "light"):
        super().__init__(browser, url, width=width, scheme=scheme)
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
    assert page.locator("#panels h3").all_text_contents() == [
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
    expect(visit.page.locator("#strands figcaption")).to_contain_text("coordinate of w along μ₁")


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
    assert visit.strangers(visitor.server.origin) == set()


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


def query(visit: Visit) -> dict[str, list[str]]:
    return parse_qs(urlsplit(visit.page.url).query)


def test_the_address_is_the_state_and_brings_it_back(browser, visitor):
    first = Visit(browser, visitor.server.url)
    first.turn(**SMALL, seed="5")
    first.page.locator("#reset").click()
    first.state("ready")
    for _ in range(3):
        first.page.locator("#step").click()
        first.page.wait_for_timeout(200)
        expect(first.page.locator("#state")).to_have_text("paused", timeout=PATIENCE)
    expect(first.page.locator("#where")).to_have_text("step 3 of 12")
    first.page.wait_for_timeout(700)
    assert query(first)["seed"] == ["5"]
    assert query(first)["step"] == ["3"]
    assert first.page.url.endswith(f"#{visitor.server.token}")
    shown = first.page.locator("[data-value=test_accuracy]").first.text_content()
    link = first.page.url.replace("seed=5", "seed=5&test=21")
    visitor.ask("reset", id="glasgow2023.xor", values={})
    again = Visit(browser, link)
    expect(again.page.locator("#where")).to_have_text("step 3 of 12", timeout=PATIENCE)
    again.state("paused")
    expect(again.page.locator("#knob-seed")).to_have_value("5")
    expect(again.page.locator("[data-value=test_accuracy]").first).to_be_visible()
    assert shown is not None
    assert first.said == again.said == []


def test_a_link_is_copied_without_the_token(visit, visitor):
    page = visit.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#link").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{visitor.server.origin}/?experiment=glasgow2023.xor")
    assert visitor.server.token not in link


@pytest.fixture(scope="module")
def finished(browser, visitor) -> Visit:
    visit = Visit(browser, visitor.server.url)
    visit.page.select_option("#experiment", "glasgow2023.xor")
    visit.turn(**SMALL)
    visit.page.locator("#reset").click()
    visit.page.locator("#pace").fill("1")
    visit.page.locator("#start").click()
    visit.state("finished")
    return visit


def chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    """Names and data of the chunks of a PNG."""
    found, at = [], 8
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        found.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def taken(visit: Visit, button: str) -> bytes:
    with visit.page.expect_download() as found:
        visit.page.locator(button).click()
    with open(found.value.path(), "rb") as file:  # noqa: PTH123
        return file.read()


def test_pictures_are_taken_away_as_an_image_and_as_an_animation(finished, tmp_path):
    from PIL import Image

    still = taken(finished, "#as-image")
    assert still.startswith(b"\x89PNG")
    moving = taken(finished, "#as-animation")
    names = [name for name, _ in chunks(moving)]
    (count,) = (
        struct.unpack(">I", data[:4])[0] for name, data in chunks(moving) if name == b"acTL"
    )
    assert count == names.count(b"fcTL") >= 12
    (tmp_path / "a.png").write_bytes(moving)
    with Image.open(tmp_path / "a.png") as animation:
        assert animation.n_frames == count  # type: ignore[attr-defined]
        assert animation.size == (640, 480)
        animation.seek(count - 1)
        assert len(animation.convert("RGB").getcolors(maxcolors=10**6) or []) > 20


def test_a_notebook_is_the_same_run(finished):
    document = json.loads(taken(finished, "#as-notebook"))
    code = "".join("".join(cell["source"]) for cell in document["cells"])
    assert "'glasgow2023.xor'" in code
    assert "    d=6,\n" in code
    assert "first_seed=0" in code


def test_what_the_paper_predicts_is_laid_over_the_neurons(finished):
    finished.page.select_option("#strand", "signal")
    caption = finished.page.locator("#strands figcaption")
    expect(caption).to_contain_text("Dashed: predicted in phase 1: (1 + 2ητ₁)^(t/2)")
    finished.page.select_option("#strand", "along_mu1")
    expect(caption).not_to_contain_text("Dashed")


def test_two_runs_stand_side_by_side(finished):
    page = finished.page
    page.locator("#keep").click()
    expect(page.locator("#beside-told")).to_contain_text("--d 6")
    finished.turn(seed="3")
    page.locator("#reset").click()
    page.locator("#start").click()
    finished.state("finished")
    expect(page.locator("canvas.beside")).to_have_count(6)
    canvases = page.locator("#plane canvas")
    first, second = (canvas.evaluate("c => c.toDataURL()") for canvas in canvases.all())
    boxes = [canvas.bounding_box() for canvas in canvases.all()]
    left, right = (box for box in boxes if box)
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    assert first != second, "two runs, two pictures"
    page.locator("#drop").click()
    expect(page.locator("canvas.beside")).to_have_count(0)
    assert finished.said == []


def test_a_preset_turns_its_knobs_and_says_what_to_watch(finished):
    page = finished.page
    page.select_option("#preset", label="Too few samples")
    expect(page.locator("#watch")).to_contain_text("the noise drowns the signal")
    expect(page.locator("#knob-batch_ratio")).to_have_value("0.25")
    page.select_option("#preset", "")
    expect(page.locator("#knob-batch_ratio")).to_have_value("4.0")


def test_no_rule_of_accessibility_is_broken(finished):
    assert violations(finished.page) == []
