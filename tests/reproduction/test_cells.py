"""One judgement a printed cell; differences that survive all comparisons of a paper."""

from dataclasses import replace

import pytest

from featlearn.reproduction.cells import by_cell, chance, compared, corrected, judged
from featlearn.results.ledger import Row, RowKind, Status


def row(cell: str, recipe: str = "practical", p: float | None = 1.0, **changes) -> Row:
    told = {"status": Status.AGREES, "group": cell, "paper": 1.0, "measured": 1.0, "why": "so"}
    about = {"item": "toy.t", "quantity": cell, "kind": RowKind.CELL, "cell": cell}
    return Row(**{**about, "recipe": recipe, "p_value": p, **told, **changes})


def test_validated_comes_before_practical_before_literal_before_any_other():
    names = ["convex", "literal", "practical", "validated"]
    for left in range(1, 5):
        rows = [row("c", name) for name in names[:left]]
        assert by_cell(rows)["c"][0].recipe == names[left - 1]
    marked = [row("c", "validated"), row("c", "convex", judged=True)]
    assert judged(marked)[0].recipe == "convex"
    equals = [row("c", "b"), row("c", "a")]
    assert judged(equals)[0].recipe == "b"


def lower(cell: str, p: float, **changes) -> Row:
    return row(cell, p=p, status=Status.LOWER, **changes)


def test_a_difference_survives_by_holm_over_groups_at_1_percent():
    others = [row(f"c{i}") for i in range(9)]
    for p, status in ((0.00099, Status.LOWER), (0.00101, Status.CANNOT_TELL)):
        found = corrected([lower("x", p), *others])[0]
        assert found.status is status
        assert found.by_itself is Status.LOWER
    told = corrected([lower("x", 0.005), *others])[0].why
    assert told == "so; lower by itself, but p = 0.005 among 10 groups"


def test_the_second_smallest_has_one_comparison_fewer_to_survive():
    others = [row(f"c{i}") for i in range(8)]
    for p, status in ((0.0011, Status.LOWER), (0.0012, Status.CANNOT_TELL)):
        found = corrected([lower("x", 0.0001), lower("y", p), *others])
        assert [each.status for each in found[:2]] == [Status.LOWER, status]


def test_cells_of_one_run_are_one_group_and_share_its_level():
    two = [lower("a", 0.004, group="g"), row("b", group="g")]
    assert corrected(two)[0].status is Status.LOWER  # 2 * .004 < .01
    three = [*two, row("c", group="g")]
    assert corrected(three)[0].status is Status.CANNOT_TELL  # 3 * .004 > .01
    apart = [lower("a", 0.004), row("b"), row("c")]
    assert corrected(apart)[0].status is Status.CANNOT_TELL
    assert len(compared(three)) == 1


def test_recipes_that_are_not_judged_and_conclusions_are_no_comparisons():
    under = [row("x"), lower("x", 0.5, recipe="literal")]
    assert corrected(under) == under
    concluded = [row("y", kind=RowKind.CONCLUSION, p=None, status=Status.DIFFERS)]
    assert corrected(concluded) == concluded
    assert compared(concluded) == {}


def test_expected_false_differences_are_stated():
    rows = [row(f"c{i}", group=f"g{i % 40}") for i in range(136)]
    assert chance(rows).startswith("136 cells in 40 groups were compared: at 99 % each, 1.4 would")
    assert chance([replace(rows[0], p_value=None)]) == ""


@pytest.mark.parametrize("status", [Status.AGREES, Status.FITTED, Status.CANNOT_TELL])
def test_only_differences_are_taken_back(status):
    rows = [row("x", p=0.5, status=status), row("y")]
    assert corrected(rows) == rows
