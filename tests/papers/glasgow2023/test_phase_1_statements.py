"""The envelopes of phase 1 on a short run, and claim F.2 by brute force."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.envelopes import Paths, Phase1, first_d, paths
from featlearn.papers.glasgow2023.statements import (
    claim_c_18,
    claim_f_2,
    definition_c_13,
    lemma_c_14,
    lemma_c_15,
)
from featlearn.theory import Reading, Verdict
from featlearn.theory.check import check

RUN: dict[str, Any] = {"d": 64, "width": 60}


@pytest.mark.parametrize("module", [lemma_c_14, lemma_c_15, claim_c_18])
def test_by_the_paper_phase_1a_ends_before_it_begins(module):
    judged = check(module.STATEMENT, seeds=3, **RUN)
    reads = {read.reading: read for read in judged.readings}
    assert reads[Reading.PRINTED].verdict is Verdict.OUT_OF_SCOPE
    assert reads[Reading.PROOF].verdict is Verdict.OUT_OF_SCOPE
    assert "at c = 1 phase 1a begins at d = 3.3e+05" in reads[Reading.PROOF].reason
    assert "No setting of these fields would do." in reads[Reading.PROOF].reason
    assert all(part.verdict is not Verdict.FAILS for part in judged.parts), str(judged)


@pytest.mark.parametrize("module", [lemma_c_14, claim_c_18])
def test_with_the_constants_of_the_run_the_signal_is_heard_and_strong_neurons_keep_up(module):
    judged = check(module.STATEMENT, seeds=3, **RUN)
    assert judged.verdicts["run"] == "HOLDS", str(judged)
    assert judged.reason.startswith("Beyond the theorem")


@pytest.mark.parametrize("module", [lemma_c_14, lemma_c_15, claim_c_18])
def test_the_controls_of_phase_1_hold_in_no_reading(module):
    control = module.STATEMENT.control
    judged = check(control.make(), seeds=3, **RUN)
    assert "HOLDS" not in judged.verdicts.values(), f"{control.broken}: {judged}"
    assert judged.verdicts["run"] == "FAILS"


@pytest.mark.parametrize(
    "claim",
    [
        lemma_c_14.statement(log_power=3.5),
        lemma_c_15.statement(longer=1.2),
        claim_c_18.statement(0.9),
    ],
    ids=["C.14 with log(d)^3.5", "C.15 for neurons a fifth longer", "C.18 with 1.1"],
)
def test_a_planted_error_in_the_envelopes_fails(claim):
    judged = check(claim, seeds=3, **RUN)
    assert judged.verdicts["run"] == "FAILS", str(judged)


def test_the_envelope_has_the_times_it_says():
    config = Phase1()
    growth = config.theta**2 / config.d * config.rate ** np.arange(200.0)
    assert np.flatnonzero(growth <= (config.theta * config.zeta) ** 2)[-1] == config.T_1a
    assert np.flatnonzero(growth <= config.theta**2)[-1] == config.T_1b
    u = math.log(first_d(1.0))
    assert u == pytest.approx(5 * math.log(u))


def test_strong_neurons_are_those_that_grow_on_the_side_where_they_began():
    config = Phase1(**RUN)
    path = paths(config, Lab())[0]
    turned = Paths(config=config, w=np.concatenate([path.w[:1], -path.w[1:]]), a=path.a)
    assert path.strong[0].sum() == path.strong_at_0.sum() > 0
    assert not turned.strong[1:].any()


def test_the_share_of_strong_neurons_is_that_of_the_sphere(rng):
    w = rng.normal(size=(200_000, 10))
    along = (w[:, 0] - w[:, 1]) / math.sqrt(2) / np.linalg.norm(w, axis=1)
    seen = np.mean(along >= math.sqrt(0.5 / 10)) / 2  # and the sign of a
    # Five standard errors of 200 000 draws are 0.003; kappa = 1 would be 0.04 less.
    assert seen == pytest.approx(definition_c_13.exact_share(10, 0.5), abs=0.003)


def test_the_largest_exception_is_the_largest_by_brute_force():
    """All 2^16 sets of points at d = 4: more than 0.85 of one label for more than 3/4 of the j."""
    q = np.array(list(itertools.product([-1, 1], repeat=4)))
    labels = -q[:, :1] * q[:, 1:] > 0
    sets = ((np.arange(1, 2**16)[:, None] >> np.arange(16)) & 1).astype(np.int64)
    size = sets.sum(axis=1)
    share = sets @ labels / size[:, None]
    one_sided = np.maximum(share, 1 - share) > 0.85
    largest = size[one_sided.mean(axis=1) > 0.75].max()
    assert claim_f_2.largest_exception(4) == math.log2(largest)


def test_an_exception_at_a_lower_agreement_is_found_by_brute_force():
    q = np.array(list(itertools.product([-1, 1], repeat=4)))
    labels = -q[:, :1] * q[:, 1:] > 0
    sets = ((np.arange(1, 2**16)[:, None] >> np.arange(16)) & 1).astype(np.int64)
    size = sets.sum(axis=1)
    share = sets @ labels / size[:, None]
    agreement = np.maximum(share, 1 - share)
    for level in (0.55, 0.6, 0.7):
        largest = size[(agreement > level).mean(axis=1) > 0.75].max()
        # On average over P is less to ask than on every j of P: an upper bound.
        assert claim_f_2.largest_exception(4, level) >= math.log2(largest)
