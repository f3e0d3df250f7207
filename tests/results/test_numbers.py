"""Numbers of results in closed form: errors of differences, medians, ranges of seeds, limits."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from featlearn.results.compare import welch as difference
from featlearn.results.dataset import Trajectory, to_dataset
from featlearn.results.files import check_folder, finite, write_folder
from featlearn.results.inventory import DAY, Stored, removable
from featlearn.results.ledger import (
    Ours,
    Printed,
    Status,
    interval,
    judge,
    median_side,
    ours,
    side_of,
)
from featlearn.results.seeds import MAX_SEEDS, consecutive_ranges, seed_ranges
from featlearn.results.statistics import welch
from featlearn.training import Quantity


def test_the_error_of_a_difference_by_hand():
    # 3^2 + 4^2 = 5^2; freedom 25^2/(9^2/4 + 16^2/9).
    assert welch([(3.0, 4.0), (4.0, 9.0)]) == pytest.approx((5.0, 625 / (81 / 4 + 256 / 9)))
    assert welch([(3.0, 4.0), (0.0, 1.0)]) == pytest.approx((3.0, 4.0))
    assert welch([(0.0, 4.0), (0.0, 1.0)]) == (0.0, math.inf)
    tiny = welch([(1e-3, 4.0), (1e-3, 4.0)])
    assert tiny == pytest.approx((1e-3 * math.sqrt(2), 8.0))


def test_the_interval_of_a_difference_with_two_seeds_a_side():
    found = difference("x", [1.0, 3.0], [7.0, 11.0])
    # Standard errors 1 and 2, freedom 25/(1 + 16): between t(1) and t(2).
    assert (found.a, found.b, found.difference) == (2.0, 9.0, 7.0)
    assert found.ci is not None
    assert found.ci[0] + found.ci[1] == pytest.approx(14.0)
    assert found.ci[1] - 7 == pytest.approx(math.sqrt(5) * float(student.ppf(0.975, 25 / 17)))
    assert difference("x", [1.0], [7.0, 11.0]).ci is None


@pytest.mark.parametrize(
    ("above", "there", "of", "status"),
    [
        # 99 % exact limits of a share: .005^(1/8) = .516 and .005^(1/7) = .469 below all of them.
        (True, 8, 8, Status.AGREES),
        (True, 7, 7, Status.CANNOT_TELL),
        (True, 0, 8, Status.DIFFERS),
        (True, 0, 7, Status.CANNOT_TELL),
        (False, 8, 8, Status.DIFFERS),
        (False, 0, 8, Status.AGREES),
    ],
)
def test_a_median_is_on_a_side_by_the_exact_binomial(above, there, of, status):
    values = [2.0] * there + [0.0] * (of - there)
    found = median_side(values, 1.0, above=above)
    assert found.status is status
    count = there if above else of - there
    assert found.detail == f"{count} of {of} {'above' if above else 'below'} 1"


def test_a_value_on_the_bound_is_on_neither_side():
    assert median_side([1.0] * 9, 1.0).detail == "0 of 9 above 1"
    assert median_side([1.0] * 9, 1.0, above=False).detail == "0 of 9 below 1"


def test_an_interval_is_that_of_students_t():
    # Three seeds: t_.995(2) = 9.9248, standard error 1/sqrt 3.
    half = 9.924843201 / math.sqrt(3)
    assert interval(ours([1.0, 2.0, 3.0])) == pytest.approx((2 - half, 2 + half))
    assert interval(ours([1.0, 2.0, 3.0, None])) == pytest.approx((2 - half, 2 + half))
    assert interval(ours([1.0])) is None
    told = side_of(ours([1.0, 2.0, 3.0]), 0.0)
    assert told.half == pytest.approx(half)
    assert told.detail == f"99 % interval {2 - half:.3g} to {2 + half:.3g}, bound 0"


def test_an_interval_that_ends_on_the_bound_is_inside():
    exact = Ours(mean=1.0, stderr=0.0, seeds=1)
    assert side_of(exact, 1.0).status is Status.AGREES
    assert side_of(exact, 1.0, above=False).status is Status.AGREES
    assert side_of(exact, 1.0 + 1e-9).status is Status.DIFFERS


def test_degrees_of_freedom_count_the_seeds_that_have_a_number():
    assert [
        Ours(mean=1.0, stderr=1.0, seeds=s, missing=m).freedom for s, m in ((5, 0), (5, 2))
    ] == [
        4,
        2,
    ]
    assert Ours(mean=1.0, stderr=1.0, seeds=1).freedom == 1


def test_the_printed_sd_is_that_of_one_run():
    # Ours is exact; s_p = 2 over 16 runs: h = t_.995(15) 2/4.
    paper = Printed(value=0.0, sd=2.0, runs=16, resolve=9.0)
    exact = Ours(mean=1.0, stderr=0.0, seeds=5)
    assert judge(paper, exact).half == pytest.approx(2.946712883 / 2)
    alone = Printed(value=0.0, sd=2.0, runs=1, resolve=999.0)
    assert judge(alone, exact).half == pytest.approx(63.65674116 * 2)
    unsaid = Printed(value=0.0, sd=2.0, resolve=9.0)  # as many runs as ours
    assert judge(unsaid, exact).half == pytest.approx(4.604094871 * 2 / math.sqrt(5))


def test_a_gap_is_told_with_its_half_width_and_its_p_value():
    paper = Printed(value=10.0, rounding=0.5, sd=0.0, resolve=99.0)
    found = judge(paper, Ours(mean=13.5, stderr=1.0, seeds=5))
    assert found.detail == "3.5 from the paper, half-width 4.6"
    # (3.5 - .5)/1 with four degrees of freedom, two-sided: 2 sf(3) = .03994.
    assert found.p_value == pytest.approx(0.0399417, rel=1e-4)
    wide = judge(Printed(value=10.0, sd=0.0, resolve=4.0), Ours(mean=10.0, stderr=1.0, seeds=5))
    assert wide.detail == "0 from the paper, half-width 4.6, above the 4 that could tell"
    rounded = Printed(value=10.0, rounding=0.5, sd=0.0, resolve=99.0)
    near = judge(rounded, Ours(mean=14.9, stderr=1.0, seeds=5))
    assert near.status is Status.AGREES
    assert near.detail == "4.9 from the paper, half-width 4.6 beside 0.5 of rounding"
    about = Printed(value=10.0, sd=0.0, allowed=2.0, reason="about")
    told = judge(about, Ours(mean=10.0, stderr=0.1, seeds=5))
    assert told.detail == "0 from the paper, half-width 0.46, 2 allowed (about)"


def test_ranges_of_seeds_are_what_their_names_say():
    assert consecutive_ranges([3, 1, 2, 7, 8, 10]) == [(1, 3), (7, 8), (10, 10)]
    assert consecutive_ranges([]) == []
    held = seed_ranges(["seeds-0-4", "seeds-7-7", "seeds-5-4", "seeds-01-2", "value"])
    assert held == {"seeds-0-4": range(5), "seeds-7-7": range(7, 8)}
    assert MAX_SEEDS == 10**6
    assert list(seed_ranges([f"seeds-5-{MAX_SEEDS + 4}", f"seeds-5-{MAX_SEEDS + 5}"])) == [
        f"seeds-5-{MAX_SEEDS + 4}"
    ]


def test_a_seed_that_diverged_has_no_numbers_after_that():
    records = {t: {"n": np.array([t, t + 1])} for t in (0, 10, 20)}
    found = to_dataset(
        {4: Trajectory(records=records), 2: Trajectory(records={0: records[0]}, diverged=7)},
        {"n": Quantity(dims=("neuron",), meaning="a number")},
        {"neuron": ("first", "second")},
    )
    assert found["seed"].values.tolist() == [2, 4]
    assert found["step"].values.tolist() == [0, 10, 20]
    np.testing.assert_array_equal(
        found["n"].sel(neuron="second"), [[1, np.nan, np.nan], [1, 11, 21]]
    )
    np.testing.assert_array_equal(found["diverged_at"], [7.0, np.nan])
    unnamed = to_dataset(
        {0: Trajectory(records=records)},
        {"n": Quantity(dims=("neuron",), meaning="")},
        {"neuron": ("one", "two", "three")},
    )
    assert "neuron" not in unnamed.coords


def stored(name: str, written: float, tmp_path: Path) -> Stored:
    path = tmp_path / name
    path.mkdir()
    return Stored(
        id=name, key="k", program="p", path=path, parts=(), partial=False, written=written
    )


def test_an_entry_may_go_from_the_day_on_that_is_asked_for(tmp_path):
    now = 100 * DAY
    entries = [stored(f"e{days}", now - days * DAY, tmp_path) for days in (1, 2, 3)]
    gone = removable(entries, everything=entries, older_than=2.0, now=now)
    assert [each.id for each in gone] == ["e2", "e3"]
    assert removable(entries, everything=entries, now=now) == entries
    assert DAY == 24 * 60 * 60


def test_numbers_that_json_cannot_carry_are_null():
    assert finite([math.nan, -math.inf, 1, True, "inf", {"a": (2.5,)}]) == [
        None,
        None,
        1,
        True,
        "inf",
        {"a": [2.5]},
    ]


def test_a_folder_is_exactly_what_its_manifest_lists(tmp_path):
    folder = tmp_path / "part"

    def one(path: Path) -> None:
        (path / "a").write_text("one")

    def two(path: Path) -> None:
        (path / "b").write_text("two")

    write_folder(folder, one)
    check_folder(folder)
    write_folder(folder, two)
    check_folder(folder, "b")
    assert sorted(path.name for path in folder.iterdir()) == ["b", "manifest.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["part"]
    (folder / "extra").touch()
    check_folder(folder, "b")
    with pytest.raises(ValueError, match="only the files its manifest lists, got extra"):
        check_folder(folder)
