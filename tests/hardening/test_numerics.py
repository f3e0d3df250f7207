"""Divergence has a name, and a number that is none is judged as nothing: no success, no verdict."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import featlearn as fl
from featlearn._check import InputError
from featlearn.cli.main import main
from featlearn.experiments.run import run
from featlearn.reproduction.catalogue import experiments
from featlearn.theory import every_algorithm
from tests.hardening.stores import the_engine_as_it_is
from tests.hardening.test_random_configurations import toy_of

WITH_ETA = [
    identity
    for identity, named in sorted(experiments().items())
    if hasattr(named.config, "eta") and identity != "shi2022.resnet"  # that is torch's to train
]
FEW = ["abbe2022.staircase", "frei2022.clusters", "glasgow2023.squared", "shi2022.images"]
"""One a paper; the others differ from them in law or schedule."""


def diverging(identity: str, eta: float) -> fl.Result:
    return run(experiments()[identity], seeds=2, **{**toy_of(identity), "eta": eta})


@pytest.mark.parametrize("identity", FEW)
def test_a_step_far_too_large_is_told_as_divergence_and_summed_up_as_nothing(identity):
    result = diverging(identity, 1e30)
    assert set(result.diverged) == {0, 1}
    assert all(step >= 1 for step in result.diverged.values())
    assert {estimate.reached for estimate in result.summary.values()} == {0}


@pytest.mark.slow
@pytest.mark.parametrize("eta", [1e8, 1e30, 1e36])
@pytest.mark.parametrize("identity", WITH_ETA)
def test_in_every_experiment_numbers_are_finite_or_divergence_is_told(identity, eta):
    """What has not diverged has a finite loss wherever one is recorded."""
    result = diverging(identity, eta)
    steps = result.dataset["step"].values
    for seed in result.seeds:
        if seed in result.diverged:
            assert 0 <= result.diverged[seed] <= max(steps.max(), toy_of(identity)["steps"])
            continue
        for name in result.dataset.data_vars:
            if str(name).endswith("_loss"):
                assert np.isfinite(result.dataset[name].sel(seed=seed)).all(), name


def test_outputs_that_overflow_are_a_divergence_even_where_weights_are_finite():
    """At eta = 1e8 the weights stay far below the largest number, and the squared loss does not."""
    result = diverging("abbe2022.staircase", 1e8)
    assert set(result.diverged) == {0, 1}
    assert result.summary["test_accuracy"].values == (None, None)


def test_the_command_says_diverged_at_step(tmp_path, capsys):
    words = "run glasgow2023.xor --d 5 --width 4 --steps 4 --records 2 --test 20 --seeds 1"
    with the_engine_as_it_is():
        assert main([*words.split(), "--eta", "1e30", "--out", str(tmp_path / "s")]) == 0
    told = capsys.readouterr().out
    assert "diverged: seed 0 at step" in told
    assert "0 of 1" in told


def test_a_search_stops_where_training_diverges():
    with pytest.raises(InputError) as told:
        fl.search(
            "glasgow2023.squared",
            field="eta",
            reach="test_accuracy<=1",
            between=(0.1, 1e30),
            seeds=1,
            d=5,
            width=4,
            steps=4,
            records=2,
            test=20,
        )
    assert str(told.value).startswith(
        "glasgow2023.squared at eta=1e+30: expected a training that does not diverge, got seed 0 "
        "diverged at step "
    )


@pytest.mark.slow
def test_a_fine_tolerance_ends(tmp_path):
    """Rounding of the middle to six digits had it try the same value for ever."""
    found = fl.search(
        "glasgow2023.xor",
        field="eta",
        reach="test_loss<=1.3862",
        between=(0.01, 1.0),
        tolerance=1e-7,
        seeds=1,
        out=tmp_path,
        d=4,
        width=4,
        steps=3,
        records=2,
        test=20,
        batch=8,
    )
    assert found.trials < 40


REFUSED = {
    "glasgow2023.xor: theta=1e-30": "Sphere(radius): expected 0, or 1e-18 to 1e+18, got 1e-30.",
    "glasgow2023.xor: theta=1e300": "Sphere(radius): expected 0, or 1e-18 to 1e+18, got 1e+300.",
    "glasgow2023.xor: second=1e-300": "Signs(size): expected 0, or 1e-37 to 1e+37, got 1e-300.",
    "glasgow2023.xor: eta=1e-300": "Plain(eta): expected a number from 1e-37 to 1e+37, got 1e-300.",
    "frei2022.clusters: omega=1e300": "Gaussian(sd): expected 0, or 1e-37 to 1e+37, got 1e+300.",
    "xu2023.clusters: mean_norm=1e300": "xu2023.clusters: expected numbers one can compute with, "
    "got OverflowError: (34, 'Numerical result out of range').",
}


@pytest.mark.parametrize("line", REFUSED)
def test_sizes_that_float32_has_not_are_refused(line):
    identity, _, change = line.partition(": ")
    name, _, value = change.partition("=")
    with pytest.raises(InputError) as told:
        fl.run(identity, seeds=1, **{**toy_of(identity), name: float(value)})
    assert str(told.value) == REFUSED[line]


SMALL = {"d": 2, "width": 1, "batch": 1, "steps": 1, "records": 50, "test": 1}


@pytest.mark.parametrize("name", SMALL)
def test_the_smallest_sizes_mean_something(name):
    """Finite losses at every recorded step; more records than steps is every step."""
    toy = {**toy_of("glasgow2023.xor"), name: SMALL[name]}
    result = fl.run("glasgow2023.xor", seeds=2, **toy)
    assert np.isfinite(result.dataset["test_loss"]).all()
    assert result.diverged == {}
    if name == "records":
        assert result.dataset["step"].values.tolist() == list(range(toy["steps"] + 1))


# Judges.

NAN = math.nan
SEEDS = np.array([0.4, 0.5, 0.6, 0.5])
SIZES = np.array([10.0, 100.0, 1000.0])
TABLE = np.ones((3, 4)) * np.array([0.9, 1.0, 1.1, 1.0])


def verdict(claim: fl.Claim) -> str:
    """The name of how a claim fared."""
    found = claim.verdict
    return found.name if found else "none"


def spoilt(values: np.ndarray) -> np.ndarray:
    """The same with a NaN in it."""
    changed = np.array(values)
    changed.flat[1] = NAN
    return changed


LOST = {
    "bound, measured": lambda: fl.bound("x", spoilt(SEEDS), 1.0),
    "bound, limit": lambda: fl.bound("x", SEEDS, NAN),
    "bound for every, measured": lambda: fl.bound("x", spoilt(SEEDS), 1.0, every=True),
    "bound for every, limit": lambda: fl.bound("x", SEEDS, NAN, every=True),
    "bound, vacuous and lost": lambda: fl.bound("x", spoilt(SEEDS), 1.0, vacuous=True),
    "exact bound, measured": lambda: fl.exact_bound("x", NAN, 1.0),
    "exact bound, limit": lambda: fl.exact_bound("x", 0.5, NAN),
    "identity, measured": lambda: fl.identity("x", NAN, 1.0, tolerance=0.1),
    "identity, predicted": lambda: fl.identity("x", 1.0, NAN, tolerance=0.1),
    "identity, one case": lambda: fl.identity("x", spoilt(SEEDS), SEEDS, tolerance=0.1),
    "identity, tolerance": lambda: fl.identity("x", 1.0, 1.0, tolerance=NAN),
    "sampled identity": lambda: fl.sampled_identity("x", NAN, 0.1, 1.0, resolve=0.1),
    "sampled identity, error": lambda: fl.sampled_identity("x", 1.0, NAN, 1.0, resolve=0.1),
    "mean identity": lambda: fl.mean_identity("x", spoilt(SEEDS), 0.5, resolve=0.5),
    "mean identity, predicted": lambda: fl.mean_identity("x", SEEDS, NAN, resolve=0.5),
    "same mean": lambda: fl.same_mean("x", spoilt(SEEDS), SEEDS, resolve=0.5),
    "probability": lambda: fl.high_probability("x", 20, 20, NAN),
    "exponent": lambda: fl.exponent("x", SIZES, spoilt(SIZES[:, None] * TABLE), 1.0),
    "exponent, predicted": lambda: fl.exponent("x", SIZES, SIZES[:, None] * TABLE, NAN),
    "hidden constant": lambda: fl.hidden_constant("x", SIZES, spoilt(TABLE), np.ones(3)),
    "hidden constant, shape": lambda: fl.hidden_constant("x", SIZES, TABLE, spoilt(np.ones(3))),
    "every algorithm": lambda: every_algorithm("x", NAN, 0.1, 1.0, "SGD"),
}


@pytest.mark.parametrize("case", LOST)
def test_a_number_that_is_none_is_undecided_or_fails(case):
    assert verdict(LOST[case]()) in ("UNDECIDED", "FAILS")


def test_zero_on_both_sides_is_no_evidence():
    zero = np.zeros(4)
    found = fl.bound("x", zero, 0.0)
    assert (verdict(found), found.reason) == (
        "UNDECIDED",
        "both sides are 0: nothing was compared",
    )
    assert verdict(fl.hidden_constant("x", SIZES, np.zeros((3, 4)), np.ones(3))) == "UNDECIDED"
    assert verdict(fl.bound("no counterexample", zero, 0.0, every=True)) == "HOLDS"


def test_within_an_infinite_bound_is_vacuous():
    assert verdict(fl.bound("x", SEEDS, math.inf)) == "VACUOUS"
    assert verdict(fl.exact_bound("x", 0.5, math.inf)) == "VACUOUS"
    assert verdict(fl.exact_bound("x", 0.5, -math.inf, side=">=")) == "VACUOUS"
    assert verdict(fl.exact_bound("x", 0.5, math.inf, side=">=")) == "FAILS"


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """A size that nobody uses."""

    k: int = 1


ODD_EVIDENCE: dict[str, tuple[Any, str]] = {
    "none": (lambda sizes, lab: None, "expected claims, got NoneType."),
    "text": (lambda sizes, lab: "all is well", "expected claims, got str."),
    "number": (lambda sizes, lab: 0.5, "expected claims, got float."),
    "list of numbers": (lambda sizes, lab: [0.5], "expected claims, got float."),
    "raises": (lambda sizes, lab: 1 / 0, "got ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("case", ODD_EVIDENCE)
def test_evidence_that_is_none_is_one_sentence(case):
    evidence, told = ODD_EVIDENCE[case]
    statement = fl.Statement(id="my.claim", config=Nothing(), evidence=evidence, seeds=1)
    with pytest.raises(InputError) as raised:
        fl.check(statement)
    assert str(raised.value).startswith("my.claim")
    assert told in str(raised.value)


@pytest.mark.parametrize("identity", ["../../evil", "/evil", "a/b", "", ".", "a\0b", "-x"])
def test_an_id_that_is_no_name_of_a_folder_is_refused(identity):
    with pytest.raises(InputError, match=r"^Statement\(id\): expected "):
        fl.Statement(id=identity, config=Nothing(), evidence=lambda sizes, lab: ())
