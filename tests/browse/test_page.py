"""The results browser as its visitor sees it: search, draw, group, compare, save, delete."""

import re

import pytest
from playwright.sync_api import Download, expect

from tests.browsers import Visited, chromium, needs_chromium, violations

pytestmark = needs_chromium
browser = pytest.fixture(scope="module")(chromium)


@pytest.fixture(scope="module")
def visit(browser, visitor) -> Visited:
    visit = Visited(browser, visitor.server.url)
    expect(visit.page.locator("#found")).to_have_text("7 of 7 entries")
    return visit


def save(visit: Visited, selector: str) -> Download:
    with visit.page.expect_download() as found:
        visit.page.locator(selector).click()
    return found.value


def test_words_and_columns_narrow_and_sort_the_list(visit):
    page = visit.page
    page.locator("#words").fill("d=10")
    expect(page.locator("#found")).to_have_text("2 of 7 entries")
    page.locator("#words").fill("xor")
    expect(page.locator("#found")).to_have_text("6 of 7 entries")
    page.get_by_role("button", name="d", exact=True).click()
    first = page.locator("#entries tbody tr").first.locator("td")
    expect(first.nth(2)).to_have_text("10")
    page.get_by_role("button", name="d ↑").click()
    expect(first.nth(2)).to_have_text("1000")
    page.locator("#identity").select_option("toy.clusters")
    expect(page.locator("#found")).to_have_text("0 of 7 entries")
    page.locator("#identity").select_option("")
    expect(page.locator("#found")).to_have_text("6 of 7 entries")


def test_chosen_runs_are_drawn_grouped_and_compared(visit):
    page = visit.page
    for box in page.locator("#entries tbody input").all():
        box.check()
    expect(page.locator("#count")).to_have_text("6 entries")
    expect(page.locator("#image")).to_have_attribute("src", re.compile("^data:image/svg"))
    page.locator("#by").select_option("eta")
    expect(page.locator("#caption")).to_contain_text("6 runs in 2 groups")
    row = page.locator("#compared tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator("td").nth(1)).to_have_text("eta = 0.4")
    expect(row.locator("b")).to_have_count(1)
    page.locator("#over").select_option("d")
    expect(page.locator("#caption")).to_contain_text("2 groups")
    page.locator("summary", has_text="The numbers").click()
    expect(page.locator("#numbers tbody tr")).to_have_count(6)
    page.locator("summary", has_text="In Python").click()
    expect(page.locator("#python")).to_contain_text("over='d', by=('eta',)")


def test_the_figure_is_saved_in_three_formats(visit):
    for ending in ("pdf", "svg", "csv"):
        file = save(visit, f"[data-export={ending}]")
        assert file.suggested_filename == f"test_accuracy-over-d.{ending}"


def test_the_address_brings_the_same_view_back(browser, visit):
    again = Visited(browser, visit.page.url, width=380, scheme="dark")
    expect(again.page.locator("#count")).to_have_text("6 entries")
    expect(again.page.locator("#caption")).to_contain_text("2 groups")
    expect(again.page.locator("#over")).to_have_value("d")
    assert not again.wide()
    assert again.said == []
    assert violations(again.page) == []


def test_a_run_beyond_the_first_hundred_is_still_chosen(browser, visitor, visit):
    address = visitor.ask("list", words="clusters")["entries"][0]["address"]
    link = f"{visitor.server.origin}/?words=d%3D10&kind=run&run={address}"
    there = Visited(browser, f"{link}#{visitor.server.token}")
    expect(there.page.locator("#found")).to_have_text("2 of 7 entries")
    expect(there.page.locator("#count")).to_have_text("1 entry")
    expect(there.page.locator("#caption")).to_contain_text("1 run in 1 group")
    assert there.said == []


def test_what_cannot_be_drawn_is_told(browser, visitor):
    def as_items(route) -> None:
        answer = route.fetch()
        told = answer.json()
        for entry in told["entries"]:
            entry["kind"] = "item"
        route.fulfill(response=answer, json=told)

    context = browser.new_context()
    context.route("**/api/list", as_items)
    page = context.new_page()
    page.goto(visitor.server.url)
    page.locator("#entries tbody input").first.check()
    expect(page.locator("#cannot")).to_be_visible()
    expect(page.locator("#drawing")).to_be_hidden()
    expect(page.locator("#delete")).to_be_visible()


def test_no_rule_of_accessibility_is_broken(visit):
    assert violations(visit.page) == []


def test_deleting_asks_and_can_be_declined(visit):
    page = visit.page
    page.locator("#none").click()
    page.locator("#words").fill("clusters")
    expect(page.locator("#found")).to_have_text("1 of 7 entries")
    page.locator("#entries tbody input").check()
    page.locator("#delete").click()
    expect(page.locator("#sure-told")).to_contain_text("1 entry")
    page.locator("#keep").click()
    expect(page.locator("#found")).to_have_text("1 of 7 entries")
    page.locator("#delete").click()
    page.locator("#really").click()
    expect(page.locator("#found")).to_have_text("0 of 6 entries")
    expect(page.locator("#chosen")).to_be_hidden()


def test_nothing_was_said_and_nobody_else_was_asked(visit, visitor):
    assert visit.said == []
    assert visit.strangers(visitor.server.origin) == set()


def test_without_the_token_the_page_says_where_to_find_it(browser, visitor):
    lost = Visited(browser, visitor.server.origin)
    expect(lost.page.locator("#alarm")).to_contain_text("that `featlearn browse` printed")
