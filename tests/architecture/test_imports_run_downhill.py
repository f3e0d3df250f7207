"""The order of the folders is the architecture: a stage imports only itself and earlier stages."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import featlearn

STAGES = (
    "distributions",
    "networks",
    "training",
    "baselines",
    "measurements",
    "learners",
    "results",
    "experiments",
    "theory",
    "figures",
    "reproduction",
    "papers",
    "report",
    "serve",
    "browse",
    "play",
    "cli",
)
DOORS = ("__init__.py", "__main__.py")
"""Modules at the root that may import every stage: they are how one enters."""

ROOT = Path(__file__).parents[2] / "src" / "featlearn"
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def imported_names(source: str, module: Path) -> Iterator[str]:
    """Absolute dotted names of all that `source`, the text of `module`, imports anywhere in it."""
    package = ("featlearn", *module.parent.parts)
    front: set[str] = set()
    """The names under which the front of featlearn, which loads stages when asked, is known."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            front |= {each.asname or each.name for each in node.names if each.name == "featlearn"}
            yield from (alias.name for alias in node.names if alias.name != "featlearn")
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and _is_import_call(node.func):
            yield _leading_text(node.args[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in front:
            yield vars(featlearn)["_HOME"].get(node.attr, (f"featlearn.{node.attr}",))[0]


def _is_import_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def _leading_text(argument: ast.expr) -> str:
    """What is known of a module's name from its source: a string, or how an f-string begins."""
    first = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    return str(first.value) if isinstance(first, ast.Constant) else ""


def forbidden_imports(source: str, module: Path) -> set[str]:
    """The imports of `source` that run uphill; `module` is its path below ``src/featlearn``."""
    if module.as_posix() in DOORS:
        return set()
    stage = module.parts[0] if len(module.parts) > 1 else None
    allowed = STAGES[: STAGES.index(stage) + 1] if stage else ()
    shared = {path.stem for path in ROOT.glob("*.py")} - {Path(door).stem for door in DOORS}
    downhill = {("featlearn", part) for part in (*allowed, *shared)}
    ours = [name for name in imported_names(source, module) if name.split(".")[0] == "featlearn"]
    return {name for name in ours if tuple(name.split(".")[:2]) not in downhill}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_run_downhill(module):
    assert forbidden_imports((ROOT / module).read_text(encoding="utf-8"), module) == set()


def test_every_folder_is_a_stage():
    folders = {module.parts[0] for module in MODULES if len(module.parts) > 1}
    assert folders <= set(STAGES)


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("training/loop.py", "from featlearn.report import page", "featlearn.report.page"),
        ("training/loop.py", "def f():\n    import featlearn.cli.main", "featlearn.cli.main"),
        ("training/loop.py", "import featlearn as fl\nfl.Statement()", "featlearn.theory"),
        ("training/loop.py", "import featlearn as fl\nfl.papers", "featlearn.papers"),
        ("training/loop.py", "from featlearn import theory", "featlearn.theory"),
        ("training/loop.py", "from ..figures import draw", "featlearn.figures.draw"),
        ("training/loop.py", "from .. import figures", "featlearn.figures"),
        ("training/rules/sgd.py", "from ...papers import xor", "featlearn.papers.xor"),
        ("training/__init__.py", "from ..baselines import ntk", "featlearn.baselines.ntk"),
        ("training/loop.py", "import_module('featlearn.results.store')", "featlearn.results.store"),
        ("theory/claim.py", "x.import_module(f'featlearn.papers.{id}')", "featlearn.papers."),
        ("cli/main.py", "from featlearn import run", "featlearn.run"),
        ("_check.py", "from featlearn.networks import TwoLayer", "featlearn.networks.TwoLayer"),
        ("_check.py", "from .networks import TwoLayer", "featlearn.networks.TwoLayer"),
    ],
)
def test_an_import_that_runs_uphill_is_found(module, source, found):
    assert forbidden_imports(source, Path(module)) == {found}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("training/loop.py", "from featlearn.networks import TwoLayer"),
        ("training/loop.py", "from .losses import hinge\nfrom ..networks import TwoLayer"),
        ("training/loop.py", "from featlearn._check import require\nfrom .._check import require"),
        ("training/__init__.py", "from .loop import train as train"),
        ("training/loop.py", "import jax\nfrom reports import page\nimport featlearners.cli"),
        ("cli/main.py", "import featlearn.report.page"),
        ("__init__.py", "from featlearn.experiments import run as run"),
    ],
)
def test_an_import_that_runs_downhill_is_not(module, source):
    assert forbidden_imports(source, Path(module)) == set()
