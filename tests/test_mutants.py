"""The tool behind `make mutants`: its slips, its choice, and what it refuses."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants.choice import Stale, all_slips, chosen, written_by_hand
from mutants.explained import explanations
from mutants.jury import jury
from mutants.slips import by_hand, generated
from mutants.summary import summary, survivors
from mutants.tree import modules

SOURCE = '''"""A module < with words."""

from math import sqrt

STEPS = 7


def spread(x, n: int = 3):
    """1 < 2 is no slip."""
    require(n >= 1, "spread(n)", "n >= 1", 5)
    return sqrt(x / (n - 1)) if n > 1 else max(x, 0.5)


def key(seed):
    return stream(seed, "init")
'''


def afters(kind, source=SOURCE):
    return [slip.after for slip in generated("a.py", source) if slip.kind == kind]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("boundary", 'require(n > 1, "spread(n)", "n >= 1", 5)'),
        ("boundary", "return sqrt(x / (n - 1)) if n >= 1 else max(x, 0.5)"),
        ("direction", "return sqrt(x / (n - 1)) if n < 1 else max(x, 0.5)"),
        ("arithmetic", "return sqrt(x / (n + 1)) if n > 1 else max(x, 0.5)"),
        ("number", "return sqrt(x / ((n))) if n > 1 else max(x, 0.5)"),
        ("number", "return sqrt(x / (n - 1)) if n > 1 else max(x, 1.0)"),
        ("number", "STEPS = 8"),
        ("number", "def spread(x, n: int = 4):"),
        ("factor", "return sqrt((x)) if n > 1 else max(x, 0.5)"),
        ("root", "return (x / (n - 1)) if n > 1 else max(x, 0.5)"),
        ("extreme", "return sqrt(x / (n - 1)) if n > 1 else min(x, 0.5)"),
        ("branch", "return (max(x, 0.5) if n > 1 else sqrt(x / (n - 1)))"),
    ],
)
def test_a_slip_that_people_make_is_found(kind, expected):
    assert expected in afters(kind)


def test_a_purpose_of_a_stream_is_swapped_for_another():
    (after,) = afters("stream")
    assert after != 'return stream(seed, "init")'
    assert after.startswith("return stream(seed, ")


def test_words_are_left_alone():
    touched = {slip.before for slip in generated("a.py", SOURCE)}
    assert not any('"""' in line or "import" in line for line in touched)
    assert afters("number", 'require(n, "a", "b", 5)\n') == []
    assert generated("a.py", 'x: Float[Array, "3 n"] = f"{n + 1}"\n') == []


def test_every_slip_is_python_and_differs():
    for slip in generated("a.py", SOURCE):
        text = slip.applied(SOURCE)
        compile(text, "a.py", "exec")
        assert text != SOURCE
        assert slip.before != slip.after
        assert text.splitlines()[slip.line - 1].strip() in slip.after


def test_the_name_of_a_slip_does_not_depend_on_the_lines_above():
    names = {slip.name for slip in generated("a.py", SOURCE)}
    assert len(names) == len(generated("a.py", SOURCE))
    assert {slip.name for slip in generated("a.py", "\n\n" + SOURCE)} == names


def test_the_choice_is_that_of_the_seed_and_only_grows():
    slips = generated("a.py", SOURCE)
    few, many = (chosen(slips, seed=1, share=share) for share in (0.2, 0.6))
    assert {slip.name for slip in few} < {slip.name for slip in many}
    assert chosen(slips[::-1], seed=1, share=0.2) == few
    assert chosen(slips, seed=2, share=0.2) != few


def test_a_slip_by_hand_stands_once_or_not_at_all():
    slip = by_hand("a.py", SOURCE, "(n - 1)", "n", "the biased spread")
    assert slip is not None
    assert (slip.function, slip.line) == ("spread", 11)
    assert slip.after == "return sqrt(x / n) if n > 1 else max(x, 0.5)"
    assert by_hand("a.py", SOURCE, "n", "m", "which n?") is None
    assert by_hand("a.py", SOURCE, "(n - 2)", "n", "not there") is None


ENTRY = """[[survivor]]
path = "a.py"
function = "spread"
before = "return sqrt(x / (n - 1)) if n > 1 else max(x, 0.5)"
after = "return sqrt(x / (n - 1)) if n >= 1 else max(x, 0.5)"
why = "{}"
"""


def test_an_explained_survivor_is_found_by_its_lines(tmp_path):
    (tmp_path / "e.toml").write_text(ENTRY.format("With n = 1 nothing ever calls it."))
    slips = generated("a.py", SOURCE)
    (name,) = explanations(slips, tmp_path / "e.toml")
    assert {slip.after for slip in slips if slip.name == name} == {
        "return sqrt(x / (n - 1)) if n >= 1 else max(x, 0.5)"
    }


@pytest.mark.parametrize(
    ("source", "why"),
    [(SOURCE.replace("n > 1", "n > 2"), "With n = 1 nothing ever calls it."), (SOURCE, "equal")],
)
def test_an_explanation_without_its_slip_or_without_a_sentence_is_refused(source, why, tmp_path):
    (tmp_path / "e.toml").write_text(ENTRY.format(why))
    with pytest.raises(Stale, match=r"e\.toml: expected a s"):
        explanations(generated("a.py", source), tmp_path / "e.toml")


def test_every_listed_slip_stands_in_the_source_of_today():
    hand = written_by_hand()
    slips = [slip for module in modules() for slip in all_slips(module, hand)]
    assert sum(slip.kind == "hand" for slip in slips) == len(hand)
    assert explanations(slips)


def test_the_quickest_test_that_runs_the_line_judges_first(monkeypatch):
    monkeypatch.setattr("mutants.jury.examples_of", lambda module: [])
    slip = by_hand("a.py", SOURCE, "(n - 1)", "n", "the biased spread")
    assert slip is not None

    def test(seconds, *lines):
        return {"seconds": seconds, "lines": {"a.py": [*lines]}}

    coverage = {
        "t1": {"tests": {"import": test(0, 5), "t1::slow": test(3, 11), "t1::other": test(1, 15)}},
        "t2": {"tests": {"import": test(0, 5), "t2::quick": test(2, 10, 11)}},
        "t3": {"tests": {"import": test(0, 5), "t3::elsewhere": test(1, 15)}},
    }
    found = jury(slip, ["t1", "t2", "t3"], coverage)
    assert found.order == ("t2::quick", "t1::slow", "t1::other")
    assert (found.files, found.seconds) == (("t1", "t2"), 6)
    at_import = jury(generated("a.py", SOURCE)[0], ["t1", "t2", "t3"], coverage)
    assert set(at_import.files) == {"t1", "t2", "t3"}


def test_a_constant_of_a_module_without_functions_is_judged_by_all_tests_of_the_file(monkeypatch):
    monkeypatch.setattr("mutants.jury.examples_of", lambda module: [])
    elsewhere = {"seconds": 1.0, "lines": {"b.py": [1]}}
    coverage = {
        "t1": {"tests": {"import": {"seconds": 0, "lines": {"a.py": [5]}}, "t1::one": elsewhere}},
        "t2": {"tests": {"import": {"seconds": 0, "lines": {}}, "t2::two": elsewhere}},
    }
    found = jury(generated("a.py", SOURCE)[0], ["t1", "t2"], coverage)
    assert (found.files, found.order) == (("t1",), ("t1::one",))


def test_the_summary_counts_equivalent_slips_neither_way():
    slips = chosen(generated("theory/a.py", SOURCE), seed=0, share=1.0)[:4]
    outcomes = ("caught", "timeout", "survived", "survived")
    entries = {
        slip.name: {"outcome": outcome, "judges": []}
        for slip, outcome in zip(slips, outcomes, strict=True)
    }
    reasons = {slips[3].name: "the same number"}
    lines = list(summary(slips, entries, reasons))
    assert lines[-1] == "| all | 4 | 2 | 1 | 1 | 66.7 % |"
    told = "\n".join(survivors(slips, entries, reasons))
    assert f"  + {slips[2].after}\n  no test of its folder runs this line" in told
    assert f"  + {slips[3].after}\n  explained: the same number" in told
    assert slips[0].after not in told
