"""The history of benchmarks: a line a run, and a plot of all lines."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[1] / "benchmarks" / "history.py"


@pytest.fixture(scope="module")
def history() -> Any:
    """The module, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("bench_history", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_run_is_a_line_with_what_was_noted(history, tmp_path, monkeypatch):
    monkeypatch.setattr(history, "_noted", {})
    history.note("d=2: over bare products", 0.31234567)
    file = tmp_path / "history.jsonl"
    for _ in range(2):
        history.record(file, load=0.1)
    first, second = history.lines(file)
    assert first["ratios"] == second["ratios"] == {"d=2: over bare products": 0.3123}
    assert {"date", "commit", "machine", "jax", "engine", "load", "ratios"} == set(first)


def test_ratios_are_followed_over_runs_that_lack_some(history):
    runs = [{"ratios": {"a": 1.0}}, {"ratios": {"b": 2.0}}, {"ratios": {"a": 3.0}}]
    assert history.series(runs) == {"a": [(1, 1.0), (3, 3.0)], "b": [(2, 2.0)]}


def test_the_plot_names_every_run(history, tmp_path):
    file, target = tmp_path / "history.jsonl", tmp_path / "images" / "plot.svg"
    ratios = {"d=2: over bare products": 0.3, "d=2: PyTorch over ours": 5.0}
    line = {"date": "2026-01-02T00:00:00+00:00", "commit": "abc1234", "ratios": ratios}
    file.write_text(json.dumps(line) + "\n")
    history.draw(file, target)
    first = target.read_bytes()
    history.draw(file, target)
    assert target.read_bytes() == first
    history.draw(tmp_path / "none.jsonl", target)
    assert target.read_bytes() != first
