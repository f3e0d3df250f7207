"""What is recorded, what is a surprise, and which keys are refused."""

from dataclasses import replace

import pytest

from featlearn._check import InputError
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.recorded import (
    Recorded,
    digest_of,
    read,
    record,
    require_known,
    surprise,
    unknown_keys,
)
from featlearn.results.ledger import Row, RowKind, Status

ROW = Row(
    item="toy.t",
    quantity="q",
    kind=RowKind.CELL,
    paper=1.0,
    measured=2.0,
    stderr=0.1,
    seeds=5,
    recipe="r",
    status=Status.HIGHER,
    why="so",
    command="featlearn reproduce toy.t",
)
T8 = 4.500790934
"""Student's t at 99.9 % with 8 degrees of freedom, from a printed table."""


def test_a_row_is_recorded_with_its_number_and_read_again():
    entry = record(ROW, "abc")
    assert entry == {
        "status": "higher",
        "value": 2.0,
        "stderr": 0.1,
        "seeds": 5,
        "size": "full",
        "command": "featlearn reproduce toy.t",
        "digest": "abc",
    }
    assert surprise(read(entry), ROW, "abc") is None
    unsure = replace(ROW, status=Status.CANNOT_TELL, alone=Status.HIGHER)
    assert record(unsure, "")["status"] == "higher"  # by itself, whatever else was run with it
    assert surprise(read(entry), unsure, "") is None


def test_equal_runs_may_differ_by_rounding_alone():
    old = read(record(ROW, "same"))
    assert surprise(old, replace(ROW, measured=2.0 * (1 + 0.9e-6)), "same") is None
    told = surprise(old, replace(ROW, measured=2.3), "same")
    assert told == "toy.t q (r): recorded 2 ± 0.1, got 2.3 ± 0.1, 2.1 errors of both apart."
    assert surprise(old, replace(ROW, measured=2.3), "other") is None


def test_other_runs_may_differ_by_both_errors():
    old = read(record(ROW, "old"))
    apart = T8 * 0.1 * 2**0.5
    assert surprise(old, replace(ROW, measured=2 + apart * 0.999), "new") is None
    assert surprise(old, replace(ROW, measured=2 + apart * 1.001), "new") is not None
    assert surprise(old, replace(ROW, measured=2 - apart * 1.001), "new") is not None
    without = replace(old, stderr=None)
    exact = replace(ROW, stderr=None)
    assert surprise(without, exact, "new") is None
    assert surprise(without, replace(exact, measured=2.0 + 1e-5), "new") is not None


def test_a_number_that_is_gone_is_a_surprise():
    told = surprise(read(record(ROW, "")), replace(ROW, measured=None), "")
    assert told == "toy.t q (r): recorded 2 ± 0.1, got no number."


def test_a_status_that_changed_is_a_surprise_with_both_numbers():
    told = surprise(read(record(ROW, "")), replace(ROW, status=Status.LOWER, measured=0.5), "")
    assert told == (
        "toy.t q (r): expected higher, got lower (recorded 2 ± 0.1, now 0.5 ± 0.1, 11 errors of "
        "both apart)."
    )
    assert surprise(read("agrees"), ROW, "") == "toy.t q (r): expected agrees, got higher."


@pytest.mark.parametrize(
    ("word", "status", "size", "surprising"),
    [
        ("differs", Status.LOWER, "full", False),
        ("differs", Status.DIFFERS, "full", False),
        ("differs", Status.AGREES, "full", True),
        ("differs", Status.CANNOT_TELL, "full", True),
        ("differs", Status.CANNOT_TELL, "quick", False),
        ("differs", Status.AGREES, "quick", True),
        ("ambiguous", Status.NO_CLAIM, "full", False),
        ("ambiguous", Status.NOT_RUN, "quick, 2000 images", False),
        ("ambiguous", Status.CANNOT_TELL, "full", False),
        ("ambiguous", Status.AGREES, "full", True),
        ("ambiguous", Status.AGREES, "quick", False),
        ("agrees", Status.HIGHER, "quick, 2000 images", True),
    ],
)
def test_words_of_before_are_read_as_what_they_may_be(word, status, size, surprising):
    row = replace(ROW, status=status, size=size)
    assert (surprise(read(word), row, "") is not None) is surprising


def test_another_size_has_other_numbers():
    quick = replace(ROW, size="quick", measured=50.0)
    assert surprise(read(record(ROW, "")), quick, "") is None


def test_at_another_size_another_status_is_a_surprise_only_with_another_number():
    old = read(record(replace(ROW, status=Status.AGREES), ""))
    near = replace(ROW, size="quick", measured=2.1, stderr=1e-4, seeds=2)
    assert surprise(old, near, "") is None
    assert surprise(old, replace(near, measured=5.0), "") is not None
    assert surprise(old, replace(near, size=ROW.size), "") is not None


def test_code_and_machine_make_a_digest():
    here = {"versions": {"jax": "1", "jaxlib": "1"}, "cpu": "a", "threads": 2, "written": "today"}
    assert digest_of("p", here) == digest_of("p", {**here, "written": "tomorrow"})
    others = [{**here, "cpu": "b"}, {**here, "threads": 4}, {**here, "versions": {"jax": "2"}}]
    assert len({digest_of("p", each) for each in [here, *others]}) == 4
    assert digest_of("q", here) != digest_of("p", here)


@pytest.mark.parametrize(
    ("rows", "verdicts", "message"),
    [
        (
            ["tabel-1/q/r"],
            [],
            "toy/expected.json: expected a row of an item of the paper, got 'tabel-1/q/r'. "
            "Did you mean table-1?",
        ),
        (
            ["table-1/q"],
            [],
            "toy/expected.json: expected a row of an item of the paper, got 'table-1/q'. "
            "A key is item/quantity/recipe.",
        ),
        (
            [],
            ["lema-1"],
            "toy/expected.json: expected the verdict of a statement of the paper, got 'lema-1'. "
            "Did you mean lemma-1?",
        ),
    ],
)
def test_misspelt_keys_are_refused(rows, verdicts, message):
    with pytest.raises(InputError) as error:
        require_known("toy", rows, verdicts, ["table-1"], ["lemma-1"])
    assert str(error.value) == message


def test_a_key_that_no_row_has_is_named_at_the_size_it_was_recorded_at():
    rows = {"t/q/r": Recorded(status="agrees"), "t/qq/r": Recorded(status="agrees")}
    told = ["toy/expected.json: expected a row of toy.t, got 't/qq/r'. Did you mean t/q/r?"]
    assert unknown_keys(rows, "toy.t", [ROW], "full") == told
    assert unknown_keys(rows, "toy.t", [ROW], "quick") == []
    assert unknown_keys(rows, "toy.other", [ROW], "full") == []


@pytest.mark.parametrize("name", papers())
def test_every_record_of_a_paper_can_be_read_and_names_what_the_paper_has(name):
    papers()[name].require_known_keys()
    for entry in papers()[name].expected()["rows"].values():
        assert read(entry).statuses


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("aggrees", "got 'aggrees'. Did you mean agrees?"),
        ({"status": "agrees", "valeu": 1.0}, "got valeu."),
    ],
)
def test_an_entry_that_cannot_be_read_is_refused(entry, message):
    with pytest.raises(InputError) as error:
        read(entry)
    assert str(error.value).endswith(message)
