"""Cards, graph and printed table of papers in the catalogue, on the screen and on paper."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.report.page import write
from tests.browsers import chromium, needs_chromium, until, violations
from tests.report.outcomes import CURVES, ITEM, MOVING, every_statement, row
from tests.report.outcomes import known as known_outcomes
from tests.report.visits import Visit

pytestmark = needs_chromium
browser = pytest.fixture(scope="module")(chromium)


@pytest.fixture(scope="module")
def known_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("known") / "index.html"
    write(known_outcomes(), path)
    return path


@pytest.fixture(scope="module")
def known(browser, known_file) -> Visit:
    return Visit(browser, known_file)


def test_a_statement_is_typeset_and_what_was_mended_is_marked(known):
    card = known.page.locator("[id='glasgow2023.lemma-C.4']")
    assert card.locator("math").count() > 5
    box = card.locator("math").first.bounding_box()
    assert box is not None
    assert box["height"] > 5
    assert card.locator("del").count() >= 1
    assert card.locator("ins").count() >= 1


def test_a_chip_shows_its_reading(known):
    card = known.page.locator("[id='glasgow2023.lemma-C.4']")
    printed, corrected = (card.locator(f"[data-reading={r}]") for r in ("printed", "corrected"))
    expect(printed).to_be_visible()
    expect(corrected).to_be_hidden()
    card.get_by_role("button", name="corrected").press("Enter")
    expect(corrected).to_be_visible()
    expect(printed).to_be_hidden()


def test_a_node_shows_what_it_rests_on_and_leads_to_its_card(known):
    page = known.page
    node = page.locator("[data-node='lemma-C.4']")
    node.focus()
    expect(page.locator("[data-node='lemma-C.15']")).not_to_have_class(re.compile("apart"))
    expect(page.locator("[data-node='lemma-D.5']")).to_have_class(re.compile("apart"))
    node.press("Enter")
    expect(page.locator("[id='glasgow2023.lemma-C.4']")).to_have_class(re.compile("sought"))
    page.locator(".graph-around").first.select_option("claim-F.2")
    expect(page.locator("[data-node='proposition-F.1']")).not_to_have_class(re.compile("apart"))
    expect(page.locator("[data-node='lemma-C.4']")).to_have_class(re.compile("apart"))
    page.locator(".graph-around").first.select_option("")


def test_another_reading_has_its_own_colours(known):
    node = known.page.locator("[data-node='lemma-C.4']")
    expect(node).to_have_class(re.compile("fails"))
    known.page.locator(".graph-reading").first.select_option("corrected")
    expect(node).to_have_class(re.compile("firm"))
    expect(node.locator(".sign")).to_have_text("✓✓ firm")
    known.page.locator(".graph-reading").first.select_option("deciding")


def test_the_graph_is_zoomed_by_buttons_and_keys(known):
    width = "document.querySelector('svg.graph').getBoundingClientRect().width"
    before = known.page.evaluate(width)
    known.page.get_by_role("button", name="Larger").first.click()
    assert known.page.evaluate(width) > 1.2 * before
    known.page.locator(".graph-view").first.focus()
    known.page.keyboard.press("-")
    assert known.page.evaluate(width) == pytest.approx(before)
    known.page.get_by_role("button", name="Fit").first.click()
    view = known.page.evaluate("document.querySelector('.graph-view').clientWidth")
    assert known.page.evaluate(width) <= view


def test_the_list_says_what_the_graph_shows(known):
    known.page.locator("summary", has_text="The same as a list").first.click()
    line = known.page.locator(".graph-list li", has_text="lemma C.17").first
    assert known.page.locator(".graph-list li").count() == known.page.locator(".node").count()
    expect(line).to_be_visible()


def test_names_stay_in_their_boxes(known):
    outside = """() => [...document.querySelectorAll('.node')].filter((node) => {
      const [box, text] = ['polygon', 'text'].map((n) => node.querySelector(n).getBBox());
      return text.width > box.width - 6;
    }).map((node) => node.dataset.node)"""
    assert known.page.evaluate(outside) == []


def test_the_page_says_which_verdicts_are_recorded(known):
    box = known.page.locator(".graph-box", has_text="What rests on what").first
    expect(box).to_contain_text(re.compile(r"1 of \d+ were run for this page; the others stand as"))


def test_a_number_of_the_printed_table_leads_to_its_row(known):
    cell = known.page.locator("table.printed td a").first
    expect(cell).to_contain_text("100")
    cell.click()
    row = known.page.locator("tr.sought")
    expect(row).to_be_visible()
    expect(row).to_contain_text("5 seeds")
    expect(row).to_contain_text("featlearn reproduce shi2022.table-1")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_no_rule_of_accessibility_is_broken(browser, known, scheme):
    known.page.emulate_media(color_scheme=scheme)
    known.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert violations(known.page) == []
    known.page.emulate_media(color_scheme="light")


def test_at_twice_the_size_nothing_is_cut_off(known):
    for width in (640, 320):  # twice and four times as large in a window of 1280
        known.page.set_viewport_size({"width": width, "height": 400})
        until(known.page, "document.documentElement.scrollWidth <= innerWidth")
    known.page.set_viewport_size({"width": 1200, "height": 800})


CUT_OFF = """() => [...document.querySelectorAll('.said, .given li, .reading, h4, .byline')]
  .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.closest('article').id)"""


@pytest.fixture(scope="module")
def every_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("every") / "index.html"
    write(every_statement(), path)
    return path


def test_no_text_of_any_statement_is_cut_off_or_left_as_source(browser, every_file):
    narrow = Visit(browser, every_file, width=360)
    cards = narrow.page.locator("article.card").count()
    assert cards > 100
    assert len(set(narrow.page.evaluate(CUT_OFF))) <= 3, "a few formulas scroll by themselves"
    told = str(narrow.page.evaluate("document.body.innerText"))
    left = re.findall(r"\\[a-z]+|\$|sqrt\(|\^\(|[_^]\{|\de-\d", told)
    assert left == []
    assert narrow.page.locator("code.tex").count() == 0
    assert narrow.said == []


def test_a_legend_of_many_rows_leaves_the_axis_alone(browser, tmp_path):
    x = np.arange(3.0)
    series = tuple(Series(name=f"a longer name, {i}", x=x, y=x + i) for i in range(7))
    panel = Panel(x=Axis(label="step t"), y=Axis(label="value"), series=series)
    many = Figure(id="many", title="Many", caption="", panels=(panel,), command="")
    reproduction = dataclasses.replace(ITEM.reproduction, figures=(many,))
    write([dataclasses.replace(ITEM, reproduction=reproduction)], tmp_path / "many.html")
    page = Visit(browser, tmp_path / "many.html", width=400).see_all().page
    until(
        page,
        """(() => { const top = (n, e) => document.querySelector(`[id='toy.item.many'] ${n}`)
      .getBoundingClientRect()[e];
      return top('.legend', 'top') >= top('.g-xtitle', 'bottom'); })()""",
    )


def test_no_figure_of_half_the_width_stands_beside_a_hole(browser, tmp_path):
    halves = tuple(dataclasses.replace(MOVING, id=f"half-{i}") for i in range(3))
    reproduction = dataclasses.replace(ITEM.reproduction, figures=(halves[0], CURVES, *halves[1:]))
    write([dataclasses.replace(ITEM, reproduction=reproduction)], tmp_path / "halves.html")
    page = Visit(browser, tmp_path / "halves.html").page
    boxes = [f.bounding_box() for f in page.locator(".figures > figure").all()]
    widths = [round(box["width"]) for box in boxes if box]
    assert widths[0] == widths[2] < widths[1] == widths[3]
    first, third = boxes[0], boxes[2]
    assert first is not None
    assert third is not None
    assert first["y"] == third["y"]


def test_a_narrow_ledger_keeps_its_labels_clear(browser, tmp_path):
    rows = (row("agrees", quantity="q", cell="q"), row("lower", quantity="q", cell="q", recipe="b"))
    reproduction = dataclasses.replace(ITEM.reproduction, rows=rows)
    write([dataclasses.replace(ITEM, reproduction=reproduction)], tmp_path / "rows.html")
    page = Visit(browser, tmp_path / "rows.html", width=360).page
    under = page.locator("tr.under td[data-label=Quantity]")
    expect(under).to_have_count(1)
    assert float(under.evaluate("e => parseFloat(getComputedStyle(e).paddingLeft)")) > 90


def test_on_paper_everything_is_open_and_the_controls_are_gone(known):
    known.page.emulate_media(media="print")
    known.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for each in known.page.locator("details").all():
        assert each.get_attribute("open") is not None
    expect(known.page.locator(".graph-bar").first).to_be_hidden()
    card = known.page.locator("[id='glasgow2023.lemma-C.4']")
    expect(card.locator("[data-reading=printed]")).to_be_visible()
    expect(card.locator("[data-reading=corrected]")).to_be_visible()
    assert known.page.pdf().startswith(b"%PDF")
    known.page.emulate_media(media="screen")


def test_the_button_draws_every_figure_before_it_prints(known):
    ink = "getComputedStyle(document.querySelector('.panel .xtick text')).fill"
    known.page.emulate_media(color_scheme="dark")
    known.page.evaluate("window.print = () => { window.printed = true; }")
    known.page.get_by_role("button", name="Print, with all figures").click()
    until(known.page, "window.printed === true")
    panels = known.page.locator(".panel").count()
    assert known.page.locator(".panel .main-svg").count() >= panels > 0
    assert known.page.evaluate(ink) == "rgb(31, 35, 40)", "dark on white, for a dark reader too"
    assert known.page.locator(".panel:not(.js-plotly-plot)").count() == 0
    paper = 182 / 25.4 * 96
    wide = (
        "Math.max(...[...document.querySelectorAll('.panel .main-svg')].map((e) => e.clientWidth))"
    )
    assert 0 < known.page.evaluate(wide) <= paper, "drawn for the width of the paper"
    known.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    until(known.page, f"{ink} === 'rgb(230, 232, 235)'")
    known.page.emulate_media(color_scheme="light")


def test_a_page_of_all_statements_opens_before_any_is_laid_out(browser, every_file):
    fresh = Visit(browser, every_file)
    opened = fresh.page.evaluate(
        "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    )
    assert opened < 10_000, "milliseconds on a busy machine; a twentieth of that on an idle one"
    last = fresh.page.locator("article.card").last
    assert last.evaluate("e => getComputedStyle(e).contentVisibility") == "auto"
    fresh.page.context.close()


def test_the_known_page_said_nothing_and_asked_nobody(known):
    assert known.said == []
    assert known.asked == []
