"""Steps of SGD on trained networks: the quotients of lemmas D.11 to D.13, and slips in them."""

import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023 import sampled_steps
from featlearn.papers.glasgow2023.population import Heavy, Net, Small, networks
from featlearn.papers.glasgow2023.sampled_steps import (
    BATCHES,
    every_step,
    in_phase_2,
    quotients,
    steps,
    surely,
    working_set,
)
from featlearn.papers.glasgow2023.statements import lemma_d_11, lemma_d_12, lemma_d_13
from featlearn.papers.glasgow2023.statements.lemma_d_11 import growth
from featlearn.papers.glasgow2023.statements.lemma_d_12 import margin_growth
from featlearn.papers.glasgow2023.watched import RHO
from featlearn.theory import Verdict
from featlearn.theory.check import check

SMALL = Small()


def of_phase_2(seed):
    return [n for n in networks(SMALL, seed) if len(n.a) > 1 and in_phase_2(n, SMALL.theta)]


def test_a_tiny_step_along_the_population_gradient_has_the_growth_per_unit_of_eta():
    """Against the quotients of the same lemmas that are computed without a step."""
    eta = 1e-7
    for net in of_phase_2(0):
        slopes = net.slopes["loss"]
        after = Net(w=net.w - eta * slopes.w, a=net.a - eta * slopes.a)
        step, one = quotients(net, after, eta), Heavy(net=net, zeta=RHO, H=0.0)
        rates, margins = margin_growth(one), net.heavy_margin(one.S)
        assert step.norm == pytest.approx(growth(net, eta).max(), rel=1e-5)
        assert step.least == pytest.approx(rates[np.argmin(margins)] / net.g.max(), rel=1e-5)
        assert step.most == pytest.approx(rates[np.argmax(margins)] / net.g.min(), rel=1e-5)
        assert step.stay


def test_networks_at_the_start_and_single_neurons_are_not_in_phase_2():
    every = networks(SMALL, 0)
    assert not in_phase_2(every[0], SMALL.theta)
    assert 2 <= len(of_phase_2(0)) < len(every) - 4


def test_a_found_network_with_a_large_rest_is_not_in_phase_2():
    net = of_phase_2(0)[0]
    w = net.w.copy()
    w[:, 2:] += 2.1 * SMALL.theta / np.sqrt(SMALL.d - 2)
    assert not in_phase_2(Net(w=w, a=net.a), SMALL.theta)


def test_a_heavy_neuron_that_loses_its_signal_is_noticed():
    net = of_phase_2(0)[-1]
    w = net.w.copy()
    place = int(np.argmax(working_set(net)))
    w[place, :2] = 0
    w[place, 2:] = 1
    assert not quotients(net, Net(w=w, a=net.a), 0.2).stay


def test_there_are_ten_trials_a_network_and_no_claim_without_a_trial():
    lab = Lab(seeds=(0, 1))
    assert len(every_step(SMALL, lab)) == BATCHES * sum(len(of_phase_2(seed)) for seed in (0, 1))
    assert surely("nothing", [], 12) == ()


def sampled(statement, seeds=5):
    """Verdicts of the parts about sampled steps."""
    judged = check(statement, seeds=seeds, d=SMALL.d, width=SMALL.width)
    return [p.verdict for p in judged.parts if "sampled steps" in p.name]


@pytest.mark.parametrize("lemma", [lemma_d_11, lemma_d_12, lemma_d_13])
def test_sampled_steps_do_what_the_lemma_says(lemma):
    assert set(sampled(lemma.STATEMENT)) == {Verdict.HOLDS}


@pytest.mark.parametrize(
    "slip",
    [
        lemma_d_11.statement(rate=0.9),
        lemma_d_12.statement(rate=1.15),
        lemma_d_13.statement(rate=0.85),
    ],
)
def test_a_rate_that_is_off_by_half_as_much_again_as_the_slack_fails_for_sampled_steps(slip):
    assert Verdict.FAILS in sampled(slip)


def test_small_minibatches_move_neurons_by_more_than_the_slack(monkeypatch):
    monkeypatch.setattr(sampled_steps, "POINTS", 1.0)
    trials = [*steps(SMALL, 0), *steps(SMALL, 1)]
    assert np.mean([step.norm > 1 + sampled_steps.LITTLE for step in trials]) > 0.5
