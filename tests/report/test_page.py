"""The page as text: whole, escaped, self-contained; only what holds looks like success."""

import base64
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from featlearn.report import page
from featlearn.report.packed import packed
from featlearn.report.page import render, write
from featlearn.reproduction.item import Reproduction
from featlearn.reproduction.outcome import StatementOutcome
from tests.report.outcomes import ITEM, NASTY, OUTCOMES, row

VOID = {"meta", "link", "br", "input", "img", "hr"}


class Reader(HTMLParser):
    """Tags with their attributes, texts, and whether all that opens also closes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open[-1:] == ["script"] else self.texts).append(data)


@pytest.fixture(scope="module")
def read() -> Reader:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "_plotly", lambda: packed("/* plotly.js */"))
        return Reader(render(OUTCOMES))


@pytest.fixture(scope="module")
def figures(read) -> dict[str, dict[str, Any]]:
    """What is packed into every figure, by its link: "figure", "pdf", "svg"."""
    found: dict[str, dict[str, Any]] = {}
    texts = iter(read.scripts)
    for tag, at in read.tags:
        if tag == "figure":
            link = str(at["id"])
            found[link] = {}
        elif tag == "script":
            text = next(texts)
            if "data-packed" in at:
                content = zlib.decompress(base64.b64decode(text))
                found[link][str(at["data-packed"])] = content
    return {
        link: {**json.loads(parts.pop("figure")), "files": parts} for link, parts in found.items()
    }


def test_every_text_is_shown_as_it_is_written(read):
    assert "img" not in {tag for tag, _ in read.tags}
    assert {name for _, at in read.tags for name in at if name.startswith("on")} == set()
    assert sum(NASTY in text for text in read.texts) >= 8
    assert sum(NASTY in str(value) for _, at in read.tags for value in at.values()) >= 8
    assert not any("\u2028" in text for text in read.scripts if text.startswith("{"))


def test_nothing_is_fetched(read):
    assert {tag for tag, _ in read.tags} & {"link", "iframe", "object", "source"} == set()
    fetched = [at.get(name) for _, at in read.tags for name in ("src", "srcset", "data")]
    assert set(fetched) == {None}
    targets = [str(at["href"]) for _, at in read.tags if at.get("href")]
    assert all(target.startswith("#") for target in targets)
    (policy,) = [at["content"] for _, at in read.tags if "http-equiv" in at]
    assert str(policy).startswith("default-src 'none';")


def test_every_link_leads_somewhere_and_every_outcome_has_one(read):
    ids = [at["id"] for _, at in read.tags if at.get("id")]
    assert len(set(ids)) == len(ids)
    linked = {str(at["href"])[1:].partition("?")[0] for _, at in read.tags if at.get("href")}
    assert linked <= set(ids)
    assert {each.id for each in OUTCOMES} <= set(ids)
    assert {"toy.item.curves", "toy.item.moving", "stories", "own"} <= set(ids)
    assert {f"toy.item.q-{word}." for word in ("agrees", "lower", "cannot-tell")} <= set(ids)


def test_rows_of_like_names_have_links_of_their_own(monkeypatch):
    monkeypatch.setattr(page, "_plotly", lambda: "")
    twins = tuple(row("agrees", quantity=f"loss {letter}") for letter in "ηθ")
    item = replace(ITEM, reproduction=Reproduction(rows=twins))
    ids = [at["id"] for _, at in Reader(render([item])).tags if at.get("id")]
    assert {"toy.item.loss-.", "toy.item.loss-.-2"} <= set(ids)


def test_every_verdict_has_a_card_of_its_own_look(read):
    cards = [at for tag, at in read.tags if str(at.get("class")).startswith("card ")]
    looks = {str(at["id"]).removeprefix("toy."): str(at["class"])[5:] for at in cards}
    assert looks == {
        "HOLDS": "HOLDS",
        "FAILS": "FAILS",
        "OUT_OF_SCOPE": "OUT_OF_SCOPE",
        "UNDECIDED": "UNDECIDED",
        "OPEN": "OPEN",
        "VACUOUS": "VACUOUS",
        "definition": "none",
    }


def test_only_what_holds_or_agrees_is_green():
    style = (Path(page.__file__).parent / "page.css").read_text()
    green = {
        name
        for selectors in re.findall(r"([^{}]+)\{[^{}]*var\(--good", style)
        for name in re.findall(r"\.(\w+)", selectors)
    }
    places = {"badge", "card", "node", "swatch", "printed"}
    assert green == {*places, "HOLDS", "agrees", "holds", "firm"}


def test_the_figures_stand_in_the_page_with_their_commands(read, figures):
    assert list(figures)[:3] == ["stories", "toy.item.curves", "toy.item.moving"]
    assert [len(each["panels"]) for each in figures.values()][:3] == [1, 2, 1]
    assert figures["toy.item.moving"]["frames"] == [f"step {t}" for t in range(6)]
    commands = [figure.command for figure in ITEM.reproduction.figures]
    assert all(command in read.texts for command in commands)
    assert "featlearn reproduce toy.item --size quick" in read.texts


def test_every_statement_that_was_decided_has_a_figure(figures):
    decided = [each for each in OUTCOMES if isinstance(each, StatementOutcome) and each.judgement]
    names = [each.id.partition(".")[2] for each in decided]
    assert {f"{each.id}.{name}" for each, name in zip(decided, names, strict=True)} <= set(figures)


def test_pdf_and_svg_of_the_figures_of_items_stand_in_the_page(figures):
    files = {link: each["files"] for link, each in figures.items()}
    with_files = {link for link, found in files.items() if found}
    assert with_files == {"stories", "toy.item.curves", "toy.item.moving"}
    for link in with_files:
        assert files[link]["pdf"].startswith(b"%PDF")
        assert b"<svg" in files[link]["svg"]


def test_a_card_a_paper_counts_and_links_to_what_it_counts(read):
    texts = " ".join(" ".join(read.texts).split())
    assert "Your own" in texts
    links = {str(at["href"]) for _, at in read.tags if at.get("href")}
    assert {f"#own?row={word}" for word in ("agrees", "lower", "cannot%20tell")} <= links


def test_a_skipped_item_is_no_surprise(read):
    assert not any(text.startswith("toy.absent: ") for text in read.texts)
    assert ("span", {"class": "badge skipped"}) in read.tags


def test_the_page_stays_far_below_fifteen_megabytes():
    assert len(render(OUTCOMES).encode()) < 6_000_000


def test_plotly_stands_in_the_page_once_and_not_where_no_figure_is(monkeypatch):
    monkeypatch.setattr(page, "_plotly", lambda: "PLOTLY")
    assert render(OUTCOMES).count("PLOTLY") == 1
    assert "PLOTLY" not in render([each for each in OUTCOMES if not each.figures])


def test_configuration_provenance_and_meanings_are_told(read):
    text = " ".join(" ".join(read.texts).split())
    for told in (
        "mean loss on held-out points",
        "64, 128",
        "featlearn check toy.HOLDS",
        " = 3.2 (3 to 3.4)",
        "section 3",
        "not met",
        "none given",
    ):
        assert told in text, told


def test_surprises_stand_at_the_top(read):
    told = [text for text in read.texts if text.startswith("toy.broken: ")]
    assert told == [f"toy.broken: {NASTY}"]


def test_the_page_is_written_whole_where_no_folder_is(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "_plotly", lambda: "")
    write(OUTCOMES, tmp_path / "a" / "b" / "index.html")
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["index.html"]
