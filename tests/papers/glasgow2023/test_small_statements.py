"""Statements on networks whose population is enumerated: they hold, planted errors are found."""

import math
from typing import Any

import numpy as np
import pytest

from featlearn.papers.glasgow2023.population import TAU, Small, heavy_networks, networks
from featlearn.papers.glasgow2023.statements import (
    claim_d_9,
    claim_d_15,
    claim_f_2,
    corollary_d_8,
    definition_c_13,
    equation_4_3,
    equation_4_5,
    equation_d_1,
    lemma_b_2,
    lemma_b_3,
    lemma_b_4,
    lemma_b_12,
    lemma_b_13,
    lemma_c_2,
    lemma_c_3,
    lemma_c_5,
    lemma_d_4,
    lemma_d_5,
    lemma_d_6,
    lemma_d_7,
    lemma_d_10,
    lemma_d_11,
    lemma_d_12,
    lemma_d_13,
    lemma_d_14,
    theorem_b_5,
)
from featlearn.theory import Verdict
from featlearn.theory.check import check

SMALL: dict[str, Any] = {"d": 8, "width": 24}
HOLDING: dict[str, tuple[Any, dict[str, Any]]] = {
    "lemma-C.2": (lemma_c_2, SMALL),
    "lemma-B.13": (lemma_b_13, SMALL),
    "lemma-B.12": (lemma_b_12, SMALL),
    "lemma-C.3": (lemma_c_3, SMALL),
    "lemma-D.5": (lemma_d_5, SMALL),
    "lemma-D.6": (lemma_d_6, SMALL),
    "lemma-D.7": (lemma_d_7, SMALL),
    "lemma-D.10": (lemma_d_10, SMALL),
    "lemma-D.11": (lemma_d_11, SMALL),
    "lemma-C.5": (lemma_c_5, SMALL),
    "claim-D.9": (claim_d_9, {"d": 10}),
    "claim-D.15": (claim_d_15, SMALL),
    "theorem-B.5": (theorem_b_5, {"d": (8, 16, 64)}),
    "lemma-B.2": (lemma_b_2, {"d": (256,), "width": 1000}),
    "equation-4.3": (equation_4_3, {"d": (64, 128)}),
    "equation-4.5": (equation_4_5, {"d": (5, 8), "width": 24}),
    "equation-D.1": (equation_d_1, SMALL),
    "lemma-B.3": (lemma_b_3, {"d": (64, 96)}),
    "lemma-B.4": (lemma_b_4, {"d": (128, 512)}),
    "definition-C.13": (definition_c_13, {"d": (32, 2048), "width": 200_000}),
    "lemma-D.4": (lemma_d_4, {"d": 8, "width": 40}),
    "corollary-D.8": (corollary_d_8, SMALL),
    "lemma-D.12": (lemma_d_12, SMALL),
    "lemma-D.13": (lemma_d_13, SMALL),
    "lemma-D.14": (lemma_d_14, SMALL),
    "claim-F.2": (claim_f_2, {"d": (8, 64, 1024), "listed": 8}),
}
PLANTED: dict[str, tuple[Any, dict[str, Any]]] = {
    "C.2 with an eighth of the least constant": (lemma_c_2.statement(1 / 32), SMALL),
    "C.2: a constant that only 1/2, by tanh, is not": (lemma_c_2.statement(0.8), SMALL),
    "B.13 with gradients of a tenth": (lemma_b_13.statement(population=0.1), SMALL),
    "B.13 with growth of a hundredth": (lemma_b_13.statement(growth=0.01), SMALL),
    "B.12 with a hundredth of the variance": (lemma_b_12.statement(0.01), SMALL),
    "C.3 with a hundredth": (lemma_c_3.statement(0.04, 0.02), SMALL),
    "D.5: E||a w_perp|| a tenth": (lemma_d_5.statement(any_network=0.05), SMALL),
    "D.5: zeta a thousandth": (lemma_d_5.statement(printed=0.004), SMALL),
    "D.6 as printed, sqrt 2 off": (lemma_d_6.statement(math.sqrt(2) * TAU), SMALL),
    "D.7 with 1/4 for 1/(4 sqrt 2)": (lemma_d_7.statement(perp=1 / 4), SMALL),
    "D.10 with tau = 1/4": (lemma_d_10.statement(1 / 4), SMALL),
    "D.11 with half the rate": (lemma_d_11.statement(rate=0.5), SMALL),
    "C.5 as printed, with the label in l'": (lemma_c_5.statement(with_label=True), SMALL),
    "C.5 with a hundredth": (lemma_c_5.statement(of_square=0.04), SMALL),
    "D.9 with 2 for 10": (claim_d_9.statement(2.0), {"d": 10}),
    "D.15 with the rate of w alone": (claim_d_15.statement(0.5), SMALL),
    "B.5 with C_BE = 0.2": (theorem_b_5.statement(0.2), {"d": (8, 16)}),
    "B.3 without sqrt d": (lemma_b_3.statement(power=0.0), {"d": (64, 96)}),
    "B.4 with 1/d for 1/sqrt d": (lemma_b_4.statement(power=1.0), {"d": (128, 512)}),
    "4.5 with a thousandth": (equation_4_5.statement(1e-3), {"d": (5, 8), "width": 24}),
    "C.13 as the scan reads, theta/sqrt d": (definition_c_13.statement(1.0), {"d": (32,)}),
    "D.1 as printed, without sqrt 2": (equation_d_1.statement(1.0), SMALL),
    "D.4 with log(d)^-c": (lemma_d_4.statement(power=1.0), {"d": 8, "width": 40}),
    "D.4 as printed, gamma~_max <= 1": (lemma_d_4.statement(largest=1.0), {"d": 8, "width": 40}),
    "D.8 with zeta^0.1": (corollary_d_8.statement(0.1), SMALL),
    "D.12 with a rate of 1.01": (lemma_d_12.statement(1.01), SMALL),
    "D.12 with a faster fall": (lemma_d_12.statement(shrink=10.0), SMALL),
    "D.13 with a rate of 0.99": (lemma_d_13.statement(0.99), SMALL),
    "D.14 with a hundredth of a step": (lemma_d_14.statement(step=0.08), SMALL),
    "D.14 with a hundredth of zeta H": (lemma_d_14.statement(carried=0.02), SMALL),
    "F.2 with c = 0.32": (claim_f_2.statement(0.32), {"d": (8, 1024), "listed": 8}),
    "B.2 with log d/4 for 2 log d": (lemma_b_2.statement(largest=0.5), {"d": (256,), "width": 500}),
    "4.3 with the rate 1/2": (equation_4_3.statement(0.5), {"d": (64, 128)}),
}


@pytest.mark.parametrize("name", HOLDING)
def test_the_statement_holds_at_small_size(name):
    module, sizes = HOLDING[name]
    judged = check(module.STATEMENT, seeds=3, **sizes)
    assert judged.id == f"glasgow2023.{name}"
    assert judged.verdict is Verdict.HOLDS, str(judged)


@pytest.mark.parametrize("error", PLANTED)
def test_a_planted_error_fails(error):
    claim, sizes = PLANTED[error]
    judged = check(claim, seeds=3, **sizes)
    assert judged.verdict is Verdict.FAILS, str(judged)


def test_too_small_a_minibatch_is_out_of_scope_and_says_by_how_much():
    judged = check(lemma_b_13.STATEMENT, seeds=2, batch=4, **SMALL)
    assert judged.verdict is Verdict.OUT_OF_SCOPE
    assert "m = 4, d log^2 d = 35: 8.75 times as many are needed" in judged.reason


def test_the_built_networks_are_signal_heavy_by_the_letter():
    for one in heavy_networks(Small(**SMALL), 0):
        net = one.net
        assert one.H > 1
        assert one.zeta <= math.exp(-10 * one.H)
        assert net.zeta(one.H) <= one.zeta
        outside = np.mean(~one.S * net.norm**2)
        assert outside <= one.zeta * net.heavy_margin(one.S).min()
        assert np.mean(net.norm**2) <= np.mean(net.a**2) + one.zeta * one.H <= 2 * one.H
        assert (np.abs(net.a) <= net.norm).all()
        assert 0 < (~one.S).sum() < len(net.a) / 2


def test_parts_of_a_network_add_up_and_its_margins_are_its_outputs():
    net = networks(Small(**SMALL), 0)[2]
    assert np.allclose(net.parts.sum(axis=0), net.w)
    centres = np.zeros((4, 8))
    centres[:, :2] = [[1, -1], [-1, 1], [1, 1], [-1, -1]]
    f = np.maximum(centres @ net.w.T, 0) @ net.a / len(net.a)
    assert np.allclose(net.gamma, [1, 1, -1, -1] * f)


def test_the_linearised_slope_is_the_loss_at_a_vanishing_output():
    net = networks(Small(**SMALL), 0)[6]  # one small neuron
    assert np.allclose(net.slopes["loss"].w, net.slopes["linear"].w, atol=2e-3 * abs(net.a[0]))
