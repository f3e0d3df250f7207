"""The flat namespace: one lazy table, its types beside it, and no name that means two things."""

import ast
import importlib
import inspect
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import featlearn

fl: Any = featlearn
STUB = Path(fl.__file__).with_suffix(".pyi")


def test_the_table_and_its_types_agree():
    tree = ast.parse(STUB.read_text())
    told = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    values = {
        node.target.id
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert told == {name: home for name, home in fl._HOME.items() if name not in values}
    assert values == {name for name, home in fl._HOME.items() if home[1] != name}


@pytest.mark.parametrize("name", sorted(fl.__all__))
def test_every_name_is_there_and_documented(name):
    value = getattr(fl, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value), name


def test_stages_are_there_at_once_in_any_order():
    code = "import featlearn as fl; print(fl.measurements.HeldOut, fl.training.SGD, fl.networks)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "HeldOut" in done.stdout


def test_importing_the_package_imports_no_jax():
    code = "import featlearn, sys; print('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_name_means_two_things_in_two_stages():
    homes: dict[str, set[int]] = {}
    for stage in ("distributions", "networks", "training", "baselines", "measurements", "theory"):
        for name, value in vars(importlib.import_module(f"featlearn.{stage}")).items():
            if not name.startswith("_") and not isinstance(value, types.ModuleType):
                homes.setdefault(name, set()).add(id(value))
    assert [name for name, values in homes.items() if len(values) > 1] == []


def test_a_wrong_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Paritty'"):
        fl.Paritty  # noqa: B018
