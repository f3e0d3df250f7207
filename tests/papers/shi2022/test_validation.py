"""The recipe "validated": chosen on other seeds, without a number of the paper."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.experiments.run import Estimate
from featlearn.papers.shi2022 import grid, patterns, recipe, validation
from featlearn.papers.shi2022.grid import (
    GRID,
    JUDGED_SEEDS,
    MORE_SEEDS,
    VALIDATION_SEEDS,
    StepSetting,
)
from featlearn.papers.shi2022.items.table_1 import BLOCKS
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.tables import conclusions, table
from featlearn.papers.shi2022.validation import (
    Choice,
    TriedSetting,
    choose,
    require_apart,
    with_setting,
)
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Status

TOY = PatternTraining(d=20, dictionary=10, k=3, width=12, samples=300, batch=100, steps=6, test=200)


def quick(folder: Path) -> Context:
    return Context(size="quick", lab=Lab.at(folder / "store"))


def test_no_seed_is_chosen_on_and_judged():
    require_apart(VALIDATION_SEEDS, JUDGED_SEEDS + MORE_SEEDS)


def test_a_seed_that_is_chosen_on_and_judged_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"validation seeds that are not judged, got \[2000\]"):
        choose(quick(tmp_path), TOY, judged_on=(0, VALIDATION_SEEDS[0]))


def test_other_seeds_have_other_points():
    law = patterns.PARITY.config.law()
    seeds = (VALIDATION_SEEDS[0], JUDGED_SEEDS[0])
    one, other = (np.asarray(law.sample(300, key=stream(seed, "sample")).x) for seed in seeds)
    again = np.asarray(law.sample(300, key=stream(seeds[0], "sample")).x)
    assert len(np.unique(np.vstack([one, other]), axis=0)) == 600
    assert len(np.unique(np.vstack([one, again]), axis=0)) == 300, "equal points would be seen"


def imported(module) -> set[str]:
    tree = ast.parse(Path(module.__file__).read_text())
    return {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
    }


def test_the_choice_imports_no_module_with_the_numbers_of_the_paper():
    for module in (grid, validation, patterns, recipe):
        assert not {name for name in imported(module) if "items" in name or "table" in name}, module


def test_the_choice_is_the_same_whatever_the_paper_prints(tmp_path):
    block = replace(
        BLOCKS[0],
        changes={
            "d": 20,
            "dictionary": 10,
            "k": 3,
            "width": 12,
            "samples": 300,
            "batch": 100,
            "steps": 6,
            "test": 200,
        },
    )
    other = replace(block, cells=dict.fromkeys(block.cells, (1.0, 2.0, None)))
    paths = []
    context = quick(tmp_path)
    for each in (block, other):
        rows = table("shi2022.table-1", (each,), context).rows
        paths.append([row.why for row in rows if "validated step" in row.quantity])
    assert paths[0] == paths[1]


def test_the_best_mean_is_chosen_and_the_first_of_equals_and_never_one_that_diverged():
    def tried(unit: float, *accuracies: float) -> TriedSetting:
        return TriedSetting(setting=StepSetting(early=1.0, unit=unit), accuracies=accuracies)

    path = (tried(1, 0.9, 0.5), tried(2, 0.8, 0.8), tried(3, 0.8, 0.8), tried(4, 1.0, np.nan))
    assert Choice(path=path, seeds=(1, 2)).setting.unit == 2


@pytest.mark.parametrize("method", sorted({method for method, _ in GRID}))
def test_a_unit_is_a_step_of_the_size_of_the_methods_kernel(method):
    """One unit moves the output by about one, whatever the width, for fixed features."""
    config = with_setting(replace(TOY, method=method), StepSetting(early=1.0, unit=2.0))
    wide = with_setting(replace(TOY, method=method, width=120), StepSetting(early=1.0, unit=2.0))
    fixed = method in ("ntk", "random-features")
    assert config.eta is not None
    assert wide.eta is not None
    assert config.eta == pytest.approx(wide.eta * (10 if fixed else 1))
    assert config.step_sizes().eta == config.eta
    assert config.step_sizes().eta2 == 1.0


def test_conclusions_take_every_method_at_its_best_recipe(tmp_path):
    def result(*values: float) -> dict[str, Estimate]:
        return {"test_accuracy": Estimate(values=values)}

    low, high = result(0.50, 0.51, 0.49), result(0.95, 0.96, 0.94)
    found = {name: [("validated", low)] for name in BLOCKS[0].cells}
    found["One Step"].append(("convex", high))
    rows = {
        row.quantity: row
        for row in conclusions(quick(tmp_path), "shi2022.table-1", BLOCKS[0], found)
    }
    gap = rows["Two Step less One Step, test accuracy"]
    assert gap.measured == pytest.approx(-45)
    assert gap.status is Status.DIFFERS
    assert "One Step convex 95.0 %" in gap.why
