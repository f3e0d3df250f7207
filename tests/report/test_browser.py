"""The page as its reader opens it: from disk, without a network, wide and narrow."""

import itertools
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from featlearn.report import tables
from featlearn.report.page import write
from tests.browsers import chromium, needs_chromium
from tests.report.outcomes import OUTCOMES
from tests.report.visits import Visit

pytestmark = needs_chromium
browser = pytest.fixture(scope="module")(chromium)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "index.html"
    write(OUTCOMES, path)
    return path


@pytest.fixture(scope="module")
def visit(browser, file) -> Visit:
    return Visit(browser, file).see_all()


def test_it_opens_from_disk_without_a_word_or_a_request(visit):
    panels = visit.page.locator(".panel, .thumb").count()
    assert visit.page.locator(".js-plotly-plot").count() == panels > 8
    visit.page.locator("footer").scroll_into_view_if_needed()
    assert visit.said == []
    assert visit.asked == []


def test_the_slider_moves_the_points(visit):
    slider = visit.page.locator("[id='toy.item.moving'] input[type=range]")
    before = visit.points()
    slider.fill("5")
    assert visit.page.locator("[id='toy.item.moving'] output").text_content() == "step 5"
    after = visit.points()
    assert len(before) == len(after) == 5
    assert after != before
    slider.fill("0")
    assert visit.points() == before


def test_play_runs_to_the_last_frame(visit):
    figure = visit.page.locator("[id='toy.item.moving']")
    figure.locator(".play").click()
    figure.locator("output", has_text="step 5").wait_for()
    figure.locator(".play[aria-label=Play]").wait_for()
    figure.locator("input[type=range]").fill("0")


def test_figures_are_drawn_only_when_they_come_near(browser, file):
    fresh = Visit(browser, file)
    fresh.page.locator(".thumb .main-svg").first.wait_for()
    hidden = "#toy\\.HOLDS figure"
    assert fresh.page.locator(f"{hidden} .main-svg").count() == 0
    fresh.page.locator("#toy\\.HOLDS summary").click()
    fresh.page.locator(f"{hidden} .main-svg").first.wait_for()


@pytest.fixture
def whole(visit):
    """The page without filters, before and after."""
    yield visit
    visit.page.evaluate("location.hash = '#?'")


@pytest.mark.parametrize(
    ("kind", "group", "words"),
    [
        ("row", "row", ["agrees", "lower", "cannot tell"]),
        (
            "statement",
            "printed",
            ["HOLDS", "FAILS", "OUT_OF_SCOPE", "UNDECIDED", "OPEN", "VACUOUS", "none"],
        ),
    ],
)
def test_a_filter_hides_its_own_alone_and_stands_in_the_address(whole, kind, group, words):
    everything = {each: whole.units(each) for each in ("row", "statement", "item")}
    assert sorted(everything[kind]) == sorted(words)
    for word in words:
        box = whole.page.locator(f"input[name={group}][value='{word}']")
        box.uncheck()
        left = [each for each in words if each != word]
        assert sorted(whole.units(kind)) == sorted(left)
        assert whole.hash() == f"#?{group}={','.join(map(quote, left))}"
        others = {each: whole.units(each) for each in everything if each != kind}
        assert others == {each: everything[each] for each in others}
        box.check()
    assert whole.units(kind) == everything[kind]
    assert whole.hash() == ""


def test_search_finds_words_anywhere_and_says_how_many(whole):
    search = whole.page.get_by_role("searchbox", name="Search")
    search.fill("Statement UNDECIDED")
    assert whole.units("statement") == ["UNDECIDED"]
    assert whole.units("row") == whole.units("item") == []
    status = whole.page.get_by_role("status").filter(has_text="of")
    assert status.text_content() == "0 of 3 items, 1 of 7 statements, 0 of 3 rows"
    assert not whole.page.locator("#papers").is_visible()
    assert whole.hash() == "#?q=Statement%20UNDECIDED"
    search.fill("q-lower onerror")
    assert whole.units("row") == ["lower"]
    search.fill("no such word")
    assert not whole.page.locator("section.paper").is_visible()
    whole.page.get_by_role("button", name="Show everything").click()
    assert len(whole.units("statement")) == 7
    assert whole.page.locator("#papers").is_visible()


def test_a_deep_link_with_filters_opens_as_it_was_left(browser, file):
    there = Visit(browser, file, place="#own?printed=FAILS,none&row=lower&q=statement")
    assert sorted(there.units("statement")) == ["FAILS", "none"]
    assert there.page.locator("#words").input_value() == "statement"
    assert not there.page.locator("input[value=HOLDS]").is_checked()
    assert there.page.locator("input[value=lower]").is_checked()
    assert there.said == []


@pytest.mark.parametrize(
    "place", ["toy.FAILS", "toy.item", "toy.item.curves", "toy.item.q-agrees."]
)
def test_a_deep_link_shows_its_place_even_where_a_filter_hid_it(whole, place):
    whole.page.get_by_role("searchbox").fill("no such word")
    whole.page.evaluate(f"location.hash = '#{place}'")
    sought = whole.page.locator(".sought")
    expect(sought).to_have_attribute("id", place)
    expect(sought).to_be_in_viewport()


def test_a_count_on_the_front_leads_to_what_it_counts(whole):
    whole.page.locator(".paper-card .count", has_text="fails").click()
    expect(whole.page.locator("[data-unit=statement]:not([hidden])")).to_have_count(1)
    assert whole.units("statement") == ["FAILS"]


def test_the_keyboard_reaches_everything_in_order(browser, file):
    page = Visit(browser, file).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the papers"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "words"
    page.keyboard.type("UNDECIDED/x")
    page.keyboard.press("Escape")
    assert page.locator("#words").input_value() == ""
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert not page.locator("input[value=HOLDS]").is_checked()
    page.keyboard.press("Space")
    page.locator("[id='toy.item.moving'] input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[id='toy.item.moving'] output").text_content() == "step 1"
    page.locator("#toy\\.HOLDS summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#toy\\.HOLDS details").get_attribute("open") is not None
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_the_numbers_can_be_taken_away(visit, tmp_path):
    with visit.page.expect_download() as started:
        visit.page.locator("[id='toy.item.curves'] [data-save=csv]").click()
    started.value.save_as(tmp_path / "curves.csv")
    lines = (tmp_path / "curves.csv").read_text().rstrip("\n").split("\n")
    assert lines[0] == "panel,frame,series,x,y,low,high"
    assert len(lines) == 1 + 2 * 5
    assert lines[-1].startswith("1,,")
    assert lines[-1].endswith(",4,16,,")


@pytest.mark.parametrize(("ending", "begins"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_a_figure_can_be_saved_for_print(visit, tmp_path, ending, begins):
    with visit.page.expect_download() as started:
        visit.page.locator(f"[id='toy.item.curves'] [data-save={ending}]").click()
    assert started.value.suggested_filename == f"toy.item.curves.{ending}"
    started.value.save_as(tmp_path / "figure")
    assert (tmp_path / "figure").read_bytes().startswith(begins)


def test_the_ledger_can_be_taken_away_as_it_is(visit, tmp_path):
    with visit.page.expect_download() as started:
        visit.page.get_by_role("button", name="Ledger as CSV").click()
    started.value.save_as(tmp_path / "ledger.csv")
    assert (tmp_path / "ledger.csv").read_text() == tables.csv(OUTCOMES)


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
    narrow = Visit(browser, file, width=width, scheme="dark").see_all()
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


NAMELESS = """() => {
  const name = (e) => (e.getAttribute('aria-label') || e.textContent
    || [...(e.labels || [])].map((l) => l.textContent).join(' ')).trim();
  const asked = 'a, button, input, summary, figure, [role=img], [role=group], form, nav, article';
  const labelled = (e) => {
    const id = e.getAttribute('aria-labelledby');
    return id ? document.getElementById(id)?.textContent.trim() : name(e);
  };
  const mine = [...document.querySelectorAll(asked)].filter((e) => !e.closest('.js-plotly-plot *'));
  return mine.filter((e) => !labelled(e)).map((e) => e.outerHTML.slice(0, 120));
}"""
FAINT = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = c.slice(0, 3).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || e.closest('script, style, svg') || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const pair = [light(rgb(style.color)), light(ground(e))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5 || style.opacity < 1) faint.push(`${e.className} ${ratio} ${node.data}`);
  }
  return faint;
}"""


def test_every_control_picture_and_landmark_has_a_name(visit):
    assert visit.page.evaluate(NAMELESS) == []
    for role in ("banner", "main", "search", "navigation", "contentinfo"):
        assert visit.page.get_by_role(role).count() == 1, role
    levels = visit.page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5')].map((h) => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    headers = visit.page.locator("th:not([scope=col])")
    assert headers.count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_of_the_guidelines(visit, scheme):
    visit.page.emulate_media(color_scheme=scheme)
    assert visit.page.evaluate(FAINT) == []
    visit.page.emulate_media(color_scheme="light")


def test_a_faint_text_and_a_nameless_button_would_be_noticed(browser, tmp_path):
    (tmp_path / "bad.html").write_text("<p style='color:#999'>grey</p><button></button>")
    bad = Visit(browser, tmp_path / "bad.html")
    assert len(bad.page.evaluate(FAINT)) == 1
    assert bad.page.evaluate(NAMELESS) == ["<button></button>"]
