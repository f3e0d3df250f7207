"""Reproducing: what the store has is read, a failure stays alone, surprises are named."""

import dataclasses
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from featlearn._check import InputError, MissingResource
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.story import SignalHistory
from featlearn.figures.story import to_document as story_document
from featlearn.reproduction import outcome as outcomes
from featlearn.reproduction import reproduce as reproducing
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.counts import counts, counts_by_paper
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.outcome import ItemOutcome, StatementOutcome, surprises
from featlearn.reproduction.reproduce import reproduce, targets
from featlearn.results.ledger import Row, RowKind, Status
from featlearn.results.store import Store
from featlearn.theory import Kind, Statement, identity

X = np.arange(3.0)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sizes:
    """No sizes to speak of."""

    d: int = 3
    """Input dimension."""


def item(name: str = "toy.item", calls: list[Context] | None = None, **changes) -> Item:
    def make(context: Context) -> Reproduction:
        if calls is not None:
            calls.append(context)
        row = Row(
            item=name,
            quantity="q",
            recipe="r",
            kind=RowKind.CELL,
            paper=1.0,
            measured=1.5,
            status=Status.AGREES,
            why="so",
        )
        panel = Panel(
            x=Axis(label="x"), y=Axis(label="y"), series=(Series(name="s", x=X, y=X / 3),)
        )
        figure = Figure(id="f", title="", caption="", panels=(panel,))
        return Reproduction(rows=(row,), figures=(figure,), notes=("a note",), config={"d": 3})

    return Item(**{"id": name, "title": "A toy", "reproduce": make, **changes})


def statement(measured: float = 1.0, name: str = "toy.lemma") -> Statement:
    def evidence(config, lab):
        return identity("one", np.array([measured]), np.array([1.0]), tolerance=1e-9)

    return Statement(
        id=name, title="One is one", kind=Kind.IDENTITY, config=Sizes(), evidence=evidence
    )


def broken(context: Context) -> Reproduction:
    raise ZeroDivisionError("at d = 0")


def absent(context: Context) -> Reproduction:
    raise MissingResource("vision", "the extra `vision`", "no torch")


@pytest.fixture
def run(monkeypatch, tmp_path):
    def run(*chosen, **options):
        monkeypatch.setattr(reproducing, "targets", lambda ids, size: list(chosen))
        return reproduce(out=tmp_path / "store", **options)

    return run


def test_without_a_gpu_the_quick_size_is_made_and_said_so(run, monkeypatch):
    calls: list[Context] = []
    large = item(calls=calls, gpu=True)
    monkeypatch.setattr(reproducing, "has_gpu", lambda: False)
    made, again = (run(large, size="full")[0] for _ in range(2))
    assert [context.size for context in calls] == [made.size] == ["quick"]
    assert again.status == "read"
    told = "No GPU here: the quick size. On a machine with one: "
    assert made.instead == again.instead == told + "featlearn reproduce toy.item --size full"
    assert run(large, size="quick")[0].instead == ""
    monkeypatch.setattr(reproducing, "has_gpu", lambda: True)
    there = run(large, size="full")[0]
    assert (there.size, there.status, there.instead) == ("full", "computed", "")


def test_an_outcome_is_computed_once_then_read_equal(run):
    calls: list[Context] = []
    first, second = (run(item(calls=calls))[0] for _ in range(2))
    assert len(calls) == 1
    assert (first.status, second.status) == ("computed", "read")
    assert second.reproduction.rows == first.reproduction.rows
    assert second.reproduction.notes == ("a note",)
    assert second.seconds == first.seconds
    assert second.provenance == first.provenance
    np.testing.assert_allclose(
        second.reproduction.figures[0].panels[0].series[0].y, X / 3, rtol=1e-7
    )


def test_the_two_sizes_are_kept_apart(run):
    calls: list[Context] = []
    for size in ("quick", "full", "quick"):
        run(item(calls=calls), size=size)
    assert [context.size for context in calls] == ["quick", "full"]


@pytest.mark.parametrize("why", ["fresh", "other code", "damaged"])
def test_what_may_not_be_read_is_computed_again(run, tmp_path, why, monkeypatch):
    calls: list[Context] = []
    run(item(calls=calls))
    if why == "damaged":
        (file,) = (tmp_path / "store").glob("toy.item/*/*/quick/data.npz")
        file.write_text("{")
    if why == "other code":
        other = {"featlearn.papers.toy": "0" * 64}
        monkeypatch.setattr("featlearn.reproduction.outcome.sources", lambda *_, **__: other)
    (again,) = run(item(calls=calls), fresh=why == "fresh")
    assert again.status == "computed"
    assert len(calls) == 2


def test_a_failure_stays_alone_says_why_and_is_not_kept(run, tmp_path):
    first = run(item(name="toy.bad", reproduce=broken), item(), statement())
    assert [each.status for each in first] == ["failed", "computed", "computed"]
    assert first[0].error == "ZeroDivisionError: at d = 0"
    assert surprises(first) == ["toy.bad: ZeroDivisionError: at d = 0"]
    kept = (tmp_path / "store").glob("*/*/*/quick")
    assert [folder.parts[-4] for folder in kept] == ["toy.item"]


def test_what_needs_something_absent_is_skipped_not_failed_and_not_kept(run, tmp_path):
    skipped, other = run(item(name="toy.torch", reproduce=absent), item())
    assert (skipped.status, other.status) == ("skipped", "computed")
    assert skipped.error == "vision: expected the extra `vision`, got no torch."
    assert surprises([skipped]) == []
    assert counts([skipped, other])["ended"] == {"failed": 0, "skipped": 1}
    kept = (tmp_path / "store").glob("*/*/*/quick")
    assert [folder.parts[-4] for folder in kept] == ["toy.item"]


def test_a_story_is_stored_with_its_item(run):
    story = SignalHistory(
        feature="w", clock="a step", unit=1.0, steps=X, share=np.full((3, 2), 0.5)
    )
    told = item(reproduce=lambda context: Reproduction(story=story))
    _, second = (run(told)[0].reproduction.story for _ in range(2))
    assert story_document(second) == story_document(story)


def test_verdicts_and_rows_are_counted_by_paper(run):
    made = run(item(), statement(), statement(2.0, name="other.lemma"))
    assert counts(made)["printed"]["HOLDS"] == counts(made)["printed"]["FAILS"] == 1
    by_paper = counts_by_paper(made)
    assert list(by_paper) == ["toy", "other"]
    assert {w: n for w, n in by_paper["toy"]["cells"].items() if n} == {"agrees": 1}
    assert by_paper["other"]["printed"]["FAILS"] == 1


def test_a_statement_is_decided_once_and_keeps_its_provenance(run):
    first, second = (run(statement())[0] for _ in range(2))
    assert isinstance(first, StatementOutcome)
    assert (first.verdict, first.status, second.status) == ("HOLDS", "computed", "read")
    assert second.provenance["versions"]["featlearn"]


def test_a_statement_of_ones_own_that_fails_is_a_surprise(run):
    assert surprises(run(statement(2.0))) == ["toy.lemma (printed): FAILS."]


def test_rows_and_figures_tell_the_command_that_makes_them(run):
    (made,) = run(item(), size="full")
    command = "featlearn reproduce toy.item --size full"
    assert made.reproduction.rows[0].command == command
    assert made.reproduction.figures[0].command == command


def test_a_row_that_is_not_the_one_recorded_is_a_surprise(run, monkeypatch):
    (made,) = run(item())
    for recorded, told in [("agrees", []), ("differs", ["expected differs, got agrees."])]:
        paper = type("P", (), {"expected": lambda self, r=recorded: {"rows": {"item/q/r": r}}})()
        monkeypatch.setattr(outcomes, "papers", lambda p=paper: {"toy": p})
        assert replace(made).surprises == [f"toy.item q (r): {each}" for each in told]


@pytest.mark.parametrize(
    ("size", "recorded", "surprising"),
    [
        ("quick", "ambiguous", False),
        ("full", "ambiguous", True),
        ("quick", "differs", True),
        ("quick, 2000 images", "ambiguous", False),
    ],
)
def test_few_seeds_surprise_only_by_the_opposite(run, monkeypatch, size, recorded, surprising):
    (made,) = run(item())
    (row,) = made.reproduction.rows
    assert row.status == "agrees"
    sized = replace(made.reproduction, rows=(replace(row, size=size),))
    paper = type("P", (), {"expected": lambda self: {"rows": {"item/q/r": recorded}}})()
    monkeypatch.setattr(outcomes, "papers", lambda: {"toy": paper})
    assert bool(replace(made, reproduction=sized).surprises) is surprising


def test_progress_never_falls_and_ends_at_one(run):
    def steady(context: Context) -> Reproduction:
        assert context.watch is not None
        for share in (0.0, 0.5, 1.0):
            context.watch(share)
        return Reproduction()

    seen: list[float] = []
    run(
        item(reproduce=steady), statement(), item(name="toy.b", reproduce=steady), watch=seen.append
    )
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_interrupting_is_no_failure_of_an_item(run):
    def interrupted(context: Context) -> Reproduction:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(item(reproduce=interrupted))


def test_quick_takes_the_headline_and_full_all_of_a_paper():
    paper = papers()["glasgow2023"]
    quick = [each.id for each in targets(["glasgow2023"], "quick")]
    assert quick == [f"glasgow2023.{name}" for name in paper.quick]
    full = {each.id for each in targets(["glasgow2023"], "full")}
    assert full == {f"glasgow2023.{name}" for name in (*paper.items, *paper.statements)}


def test_every_headline_exists():
    for paper in papers().values():
        assert set(paper.quick) <= {*paper.items, *paper.statements}


def test_every_item_can_be_found_and_is_named_as_listed():
    for paper in papers().values():
        for name, title in paper.items.items():
            found = paper.item(name)
            assert (found.id, found.title) == (f"{paper.id}.{name}", title)


def test_an_id_named_twice_is_run_once():
    twice = targets(["glasgow2023.lemma-C.4", "glasgow2023.lemma-C.4"], "quick")
    assert [each.id for each in twice] == ["glasgow2023.lemma-C.4"]


@pytest.mark.parametrize(
    ("ids", "size", "message"),
    [
        (
            ["glasgow2023.xro"],
            "quick",
            "reproduce: expected a paper, an item or a statement, got 'glasgow2023.xro'. "
            "Did you mean glasgow2023.xor?",
        ),
        ([], "huge", "reproduce --size: expected one of 'quick', 'full', got 'huge'."),
    ],
)
def test_what_does_not_exist_is_refused(ids, size, message):
    with pytest.raises(InputError) as told:
        targets(ids, size)
    assert str(told.value) == message


def test_a_folder_of_data_that_is_not_there_is_refused(run):
    with pytest.raises(InputError, match=r"^reproduce --data: expected a folder, got nowhere\.$"):
        run(item(), data=Path("nowhere"))


def test_a_stored_outcome_of_another_shape_is_refused_by_name(tmp_path):
    store = Store(root=tmp_path).open()
    toy = item()
    entry = store.entry(toy.id, outcomes.item_key(toy, ""), kind="item")
    entry.write({"rows": 3}, "quick")
    with pytest.raises(InputError) as told:
        outcomes.stored_item(store, toy, "quick")
    assert str(told.value) == (
        f"{entry.path}: expected a stored outcome, got something else. "
        "Use `featlearn reproduce --fresh`."
    )


def test_nothing_is_read_where_nothing_is(tmp_path):
    assert outcomes.stored_item(Store(root=tmp_path).open(), item(), "quick") is None
    assert isinstance(ItemOutcome(id="a.b", title="", size="quick", status="read").paper, str)
