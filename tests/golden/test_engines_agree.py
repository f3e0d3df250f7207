"""Every golden experiment with both engines: equal in law, so their means agree within error bars.

Where no point is a sign the program is the same, and so is every bit.
"""

import dataclasses
import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from featlearn.reproduction.catalogue import find_experiment
from featlearn.training.engine import usable, using_engine

FILE = Path(__file__).with_name("record.py")
SEEDS = 5
PAPERS = ("glasgow2023", "daniely2020")
"""Those whose points may be signs."""


def _golden() -> Any:
    spec = importlib.util.spec_from_file_location("golden_record", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SETTINGS = [
    (name, place)
    for name, settings in _golden().SMALL.items()
    for place in range(len(settings))
    if name.startswith(PAPERS)
]


def last_records(name: str, place: int) -> dict[str, np.ndarray]:
    """The mean over all that a quantity has at the last record, a number a seed."""
    config = dataclasses.replace(find_experiment(name).config, **_golden().SMALL[name][place])
    plan = config.experiment().plan
    seeds = []
    for seed in range(SEEDS):
        records: dict[int, dict[str, np.ndarray]] = {}
        for position in plan.train(seed=seed):
            records |= position.records
        seeds.append(records[max(records)])
    return {n: np.array([np.mean(each[n], dtype=float) for each in seeds]) for n in seeds[0]}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), SETTINGS)
def test_both_engines_agree_within_error_bars(name, place):
    if isinstance(reason := usable(), str):
        pytest.skip(reason)
    with using_engine("native"):
        ours = last_records(name, place)
    with using_engine("jax"):
        theirs = last_records(name, place)
    assert ours.keys() == theirs.keys()
    for quantity, found in ours.items():
        wanted = theirs[quantity]
        if np.array_equal(found, wanted, equal_nan=True):
            continue
        # Same points, same start: the difference seed by seed is rounding, or a sign at 0 and what
        # follows from it. Five standard errors of a mean, and float32 of the sum itself.
        spread = math.hypot(found.std(ddof=1), wanted.std(ddof=1)) / math.sqrt(SEEDS)
        least = 1e-5 * np.abs(wanted).max()
        assert abs(found.mean() - wanted.mean()) <= 5 * spread + least, quantity
