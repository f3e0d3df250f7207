"""Lemmas 7 to 19, each with slips of the size that its check must notice."""

from typing import Any

import numpy as np
import pytest

from featlearn.papers.shi2022.statements import (
    lemma_7,
    lemma_9,
    lemma_11,
    lemma_12,
    lemma_13,
    lemma_14,
    lemma_16,
    lemma_17,
    lemma_19,
)
from featlearn.theory import Verdict
from featlearn.theory.check import check

SMALL_LAWS: dict[str, Any] = {"dictionary": 8}
FEW_NEURONS: dict[str, Any] = {"dictionary": (200, 600), "neurons": 2}
FEW_COMPONENTS: dict[str, Any] = {"dictionary": (25, 60), "neurons": 2}
NETWORKS: dict[str, Any] = {"dictionary": (10, 30, 100), "m": 4}


def verdicts(statement, seeds=2, **changes):
    return check(statement, seeds=seeds, **changes).verdicts


def test_three_relus_are_a_tent_to_the_last_bit():
    assert verdicts(lemma_7.STATEMENT) == {"printed": "HOLDS"}
    bent = lemma_7.statement(lambda z, s, a, b: lemma_7.tent(z, s, a, b, middle=-2 + 1e-9))
    assert verdicts(bent) == {"printed": "FAILS"}


def test_the_start_is_typical_and_slips_of_a_tenth_are_noticed():
    found = check(lemma_9.STATEMENT, seeds=1)
    assert found.verdicts == {"printed": "OPEN", "proof": "HOLDS", "run": "HOLDS"}
    off = lemma_9.statement(lambda N, delta: lemma_9.chance_of_a_large_one(N, delta, factor=1.8))
    assert verdicts(off, 1)["run"] == "FAILS"
    assert verdicts(lemma_9.statement(c=0.05), 1)["run"] == "FAILS"
    assert verdicts(lemma_9.statement(c_F=0.036), 1)["run"] == "FAILS"


def test_the_rate_of_lemma_9_is_that_of_chernoff():
    n = np.array([4000.0])
    for symbol, claimed in (("c", 0.0473), ("c_F", 0.0334)):
        x = lemma_9.ENDS[symbol][1]
        chernoff = (x - 1 - np.log(x)) / 2
        assert chernoff == pytest.approx(claimed, abs=1e-4)
        rate = -lemma_9.log_chance_outside(n, lemma_9.ENDS[symbol])[0] / n[0]
        assert chernoff < rate < chernoff + 0.002


def test_the_background_is_nearly_gaussian():
    assert verdicts(lemma_11.STATEMENT, **FEW_NEURONS) == {"printed": "OPEN", "run": "HOLDS"}
    assert verdicts(lemma_11.statement(share=0.75), **FEW_NEURONS)["run"] == "FAILS"
    wide = lemma_11.statement(lambda q: 0.7 * float(q @ q))
    assert verdicts(wide, **FEW_NEURONS)["run"] == "FAILS"


def test_the_gradient_of_the_biases_has_lost_its_noise_in_print():
    found = check(lemma_12.STATEMENT, seeds=1, dictionary=6)
    assert found.verdicts == {"printed": "FAILS", "corrected": "HOLDS"}
    failed = [part.name for part in found.parts if part.verdict is Verdict.FAILS]
    assert failed == ["dL/db as printed, lemma 12", "dL/db as printed, lemma 38"]
    slip = lemma_12.statement(stretch=1 + 1e-6)
    assert verdicts(slip, 1, dictionary=6)["corrected"] == "FAILS"
    assert verdicts(lemma_12.STATEMENT.negative_control(), 1)["corrected"] == "FAILS"


def test_a_few_entries_move_little_and_both_constants_matter():
    found = verdicts(lemma_13.STATEMENT)
    assert found == {"printed": "OPEN", "proof": "HOLDS", "run": "HOLDS"}
    for first, third in ((0.2, 1.79), (0.4, 0.3)):

        def bound(terms: Any, first: float = first, third: float = third) -> Any:
            return first * terms.shift + third * terms.cubes

        slip = lemma_13.statement(bound)
        assert verdicts(slip)["run"] == "FAILS"


def test_moments_are_those_of_the_law():
    assert verdicts(lemma_14.STATEMENT, **SMALL_LAWS) == {"printed": "HOLDS"}
    assert verdicts(lemma_14.statement(gamma_factor=1 + 1e-9), **SMALL_LAWS)["printed"] == "FAILS"
    assert verdicts(lemma_14.STATEMENT.negative_control(), **SMALL_LAWS)["printed"] == "FAILS"


def test_the_first_step_of_the_biases_is_open_in_print_and_fails_for_one_label():
    sizes = {"dictionary": (50, 500), "neurons": 2}
    assert verdicts(lemma_16.STATEMENT, 6, **sizes)["printed"] == "OPEN"
    assert verdicts(lemma_16.STATEMENT, 6, **sizes)["run"] != "FAILS"
    assert verdicts(lemma_16.STATEMENT.negative_control(), 6, **sizes)["run"] == "FAILS"


@pytest.mark.slow
def test_a_root_of_the_size_more_in_lemma_16_is_noticed():
    assert verdicts(lemma_16.STATEMENT, 12)["run"] == "HOLDS"
    grown = lemma_16.statement(lambda steps: steps.one.T_b * steps.law.dictionary**0.5)
    assert verdicts(grown, 12)["run"] == "FAILS"


def test_the_second_layer_is_within_the_proofs_constant_and_a_factor_of_three_is_noticed():
    found = verdicts(lemma_17.STATEMENT, **FEW_COMPONENTS)
    assert found == {"printed": "OPEN", "proof": "HOLDS", "run": "HOLDS"}
    thrice = lemma_17.statement(lambda step: 3 * step.T_a)
    assert verdicts(thrice, **FEW_COMPONENTS) | {"printed": ""} == {
        "printed": "",
        "proof": "FAILS",
        "run": "FAILS",
    }


def test_without_backgrounds_lemma_17_loses_a_root_of_k():
    # All k patterns or none, q = 1/(2 sqrt k), b = 1/2: z is 1 or 0, and T_a = 1/2.
    for k in (3, 5, 7):
        sd = np.sqrt(k / 4)
        q = np.full(k, 1 / (2 * np.sqrt(k)))
        z = np.array([s * 0.5 / sd * q.sum() for s in (-1, 1)]) + 0.5
        T_a = 0.5 * (np.clip(z[1], 0, 1) - np.clip(z[0], 0, 1))
        assert T_a / q.max() == pytest.approx(np.sqrt(k))


def test_no_output_reaches_one_unless_twins_have_equal_signs():
    found = check(lemma_19.STATEMENT, seeds=2, **NETWORKS)
    assert found.parts[0].verdict is Verdict.HOLDS
    assert (
        check(lemma_19.statement(twin=1.0), seeds=2, **NETWORKS).parts[0].verdict is Verdict.FAILS
    )
    far = check(lemma_19.STATEMENT, seeds=2, **NETWORKS, step=300.0)
    assert far.parts[0].verdict is Verdict.FAILS


def test_the_certificate_of_lemma_19_is_above_every_output():
    from scipy.stats import norm

    from featlearn.papers.shi2022.two_steps import two_steps

    steps = two_steps(dictionary=10, k=3, m=4, neurons=4, seed=0)
    eta, r = 0.05, steps.smoothing

    def S(z):
        u, v = z / r, (z - 1) / r
        return r * (u * norm.cdf(u) + norm.pdf(u) - v * norm.cdf(v) - norm.pdf(v))

    bits = (np.arange(2**10)[:, None] >> np.arange(10)) & 1
    z = ((bits - 0.5) / steps.sd) @ (eta * steps.a[:, None] * steps.one.T).T
    shift, move = eta * steps.a * steps.one.T_b, eta * steps.one.T_a
    g = S(z + steps.b + shift) @ (steps.a + move) + S(-z + steps.b - shift) @ (move - steps.a)
    limit = lemma_19.largest_output(steps, eta)
    assert limit / 10 < np.abs(g).max() <= limit
