"""Theorem 1 as a law of scaling: its arithmetic, and the windows of C."""

import math
from typing import Any

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import in_scope, largest_constants, least_constant
from featlearn.papers.frei2022.items import rates
from featlearn.papers.frei2022.setting import CLUSTERS
from featlearn.reproduction.item import Context

CONTEXT = Context(size="quick", lab=Lab())


def test_the_windows_meet_all_assumptions_at_the_least_c_of_their_step_size():
    assert [least_constant(config) for config in rates.WINDOWS] == [4.0, 16.0, 64.0]
    for config in rates.WINDOWS:
        assert in_scope(config)
        assert min(largest_constants(config).values()) >= least_constant(config) * (1 - 1e-9)


def test_what_is_needed_in_the_place_of_c_is_the_excess_over_its_rate(monkeypatch):
    monkeypatch.setitem(rates.SIZES, "quick", {"seeds": 2})
    found = rates.needed(CONTEXT, 4.0, 20, 30)
    config: dict[str, Any] = {"samples": 20, "d": 30, "noise_norm": 4.0, "test": 2000, "records": 2}
    data = CONTEXT.lab.run(CLUSTERS, seeds=2, **config).dataset.isel(step=-1)
    excess = data["ceiling_accuracy"].values - data["test_accuracy"].values
    assert (excess > 0.01).all()
    np.testing.assert_allclose(found, excess * math.sqrt(20 / math.log(1 / 0.05)), rtol=1e-5)
