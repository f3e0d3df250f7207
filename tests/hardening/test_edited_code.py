"""Whatever code is edited, nothing that the old code computed is given for what the new one would.

A copy of featlearn and two files of a user fill a store; then one line is edited, and what had been
stored must be computed again. Where nothing is edited everything is read: so the test can fail both
ways.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import featlearn

TOY = "width=4, seeds=1, **out"
ACTIONS = {
    "run": f"fl.run('glasgow2023.xor', d=4, steps=2, records=2, test=20, {TOY}).status",
    "frei": f"fl.run('frei2022.clusters', d=6, samples=8, test=9, {TOY}).status",
    "constants": "fl.check('glasgow2023.lemma-C.4', d=[3], seeds=2, **out).status",
    "bound": "fl.check('daniely2020.lemma-4', seeds=1, **out).status",
    "host": "fl.run('daniely2020.parity', d=11, k=3, width=8, steps=2, batch=4, test=10, records=2,"
    " seeds=1, **out).status",
    "decay": "fl.run('shi2022.parity', d=20, dictionary=9, k=3, samples=30, batch=10, steps=3,"
    f" test=9, records=2, {TOY}).status",
    "own": "fl.run('model.py:EXPERIMENT', seeds=1, **out).status",
    "claim": "fl.check('model.py:CLAIM', seeds=3, **out).status",
    "sweep": "fl.sweep('model.py:EXPERIMENT', over={'d': [2, 4]}, seeds=1, **out).points[0].status",
}
MODEL = """
import dataclasses
import jax, numpy as np
import featlearn as fl
from helper import target
from featlearn.papers.glasgow2023.xor import Xor

@dataclasses.dataclass(frozen=True, kw_only=True)
class Mine:
    d: int = 3
    def experiment(self):
        config = Xor(d=self.d, width=4, steps=2, records=2, test=20, eta=target(0.25))
        return config.experiment()

EXPERIMENT = fl.NamedExperiment(id="my.own", title="mine", config=Mine())

def evidence(config, lab):
    return fl.identity("one", target(1.0), 1.0, tolerance=0.05)

CLAIM = fl.Statement(id="my.claim", config=Mine(), evidence=evidence, seeds=3)
"""
HELPER = "def target(x):\n    return x * 1.0\n"
ACT = """
import json, sys
import featlearn as fl
actions, out = json.loads(sys.argv[1]), {"out": "results"}
print(json.dumps({name: eval(text) for name, text in actions.items()}))
"""


class House:
    """A folder with a copy of featlearn, a user's files and a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, *names: str) -> dict[str, str]:
        """How each of these came about in a new process: computed, or read."""
        chosen = {name: ACTIONS[name] for name in names or ACTIONS}
        return dict(json.loads(self.python("act.py", json.dumps(chosen))))

    def python(self, *args: str, typed: str | None = None) -> str:
        """What a new process prints."""
        env = {**os.environ, "PYTHONPATH": str(self.folder)}
        done = subprocess.run(
            [sys.executable, *args],
            cwd=self.folder,
            env=env,
            input=typed,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[-1]

    def edit(self, name: str, old: str, new: str) -> None:
        """Change one piece of one file."""
        file = self.folder / name
        text = file.read_text()
        assert text.count(old) >= 1, f"{name} has no {old!r}"
        file.write_text(text.replace(old, new, 1))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house whose store has the results of all actions."""
    folder = tmp_path_factory.mktemp("house")
    package = Path(featlearn.__file__).parent
    shutil.copytree(package, folder / "featlearn", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "model.py").write_text(MODEL)
    (folder / "helper.py").write_text(HELPER)
    (folder / "act.py").write_text(ACT)
    assert set(House(folder).ask().values()) == {"computed"}
    return folder


@pytest.fixture
def house(filled: Path, tmp_path: Path) -> House:
    """A copy of it, to be edited."""
    shutil.copytree(filled, tmp_path / "house")
    return House(tmp_path / "house")


def test_what_nobody_edited_is_read(house: House) -> None:
    assert house.ask() == dict.fromkeys(ACTIONS, "read")


OWN = "featlearn/papers"
EDITS = {
    "a default": ("run", f"{OWN}/glasgow2023/xor.py", "0.3\n", "0.31\n"),
    "a training rule": ("run", "featlearn/training/rules.py", "eta * g", "eta * 2 * g"),
    "a bound": ("bound", f"{OWN}/daniely2020/statements/lemma_4.py", "C * (d - 1)", "C * (d + 1)"),
    "tau": ("constants", f"{OWN}/glasgow2023/population.py", "math.sqrt(2) / 4", "17"),
    "a law": ("frei", "featlearn/distributions/clusters.py", "chance < rate", "chance < rate / 2"),
    "a step in NumPy": (
        "host",
        "featlearn/training/parity_step.py",
        "float(dist",
        "2 * float(dist",
    ),
    "a number that Python computes": ("decay", "featlearn/training/decay.py", "= 1 - 2", "= 1 - 1"),
    "the streams": ("run", "featlearn/_streams.py", "purpose.encode()", "purpose.upper().encode()"),
    "the loop": ("run", "featlearn/training/loop.py", 'f"data-', 'f"dates-'),
    "the recorded steps": ("run", "featlearn/training/recording.py", "log1p(total)", "log1p(0)"),
    "pinned settings": (
        "run",
        "featlearn/experiments/engine.py",
        "enable_x64(False)",
        "enable_x64(True)",
    ),
    "the start": (
        "run",
        "featlearn/experiments/experiment.py",
        "start.init(key=key)",
        "start.init(key=jax.random.fold_in(key, 1))",
    ),
    "the user's file": ("own", "model.py", "width=4", "width=5"),
    "the user's claim": ("claim", "model.py", "0.05", "1e-9"),
    "a helper that it imports": ("own", "helper.py", "1.0", "2.0"),
    "a helper of a sweep": ("sweep", "helper.py", "1.0", "2.0"),
}


SAID_ELSEWHERE = (
    "tau",
    "a step in NumPy",
    "a number that Python computes",
    "the loop",
    "the recorded steps",
    "pinned settings",
    "the start",
    "the user's claim",
)
"""Edits of a kind that another one of these shows too: for the long tests."""


@pytest.mark.parametrize(
    "edit",
    [pytest.param(e, marks=pytest.mark.slow if e in SAID_ELSEWHERE else ()) for e in EDITS],
)
def test_what_was_computed_before_an_edit_is_computed_again(house: House, edit: str) -> None:
    action, file, old, new = EDITS[edit]
    house.edit(file, old, new)
    assert house.ask(action) == {action: "computed"}


KEPT = {
    "a docstring": (
        "run",
        "featlearn/training/rules.py",
        "m <- beta m + g,  v = eta m.",
        "A heavy ball.",
    ),
    "a comment": (
        "constants",
        f"{OWN}/glasgow2023/statements/lemma_c_4.py",
        "RESOLVE =",
        "# now\nRESOLVE =",
    ),
    "another paper": ("frei", f"{OWN}/glasgow2023/xor.py", "0.3\n", "0.31\n"),
    "a module that is not imported": ("run", "featlearn/training/planar.py", "np.pi / 2", "np.pi"),
    "a comment of the user's": ("own", "helper.py", "return", "# so\n    return"),
}


@pytest.mark.parametrize("edit", KEPT)
def test_what_changes_no_code_behind_a_result_leaves_it_to_be_read(house: House, edit: str) -> None:
    action, file, old, new = KEPT[edit]
    house.edit(file, old, new)
    assert house.ask(action) == {action: "read"}


def test_another_judge_decides_on_the_evidence_that_is_there(house: House) -> None:
    act = "import featlearn as fl; j = fl.check('glasgow2023.lemma-C.4', d=[3], seeds=2, "
    act += "out='results'); print(j.status, j.verdicts['corrected'])"
    assert house.python("-c", act) == "read HOLDS"
    judge = "featlearn/theory/judges/identity.py"
    house.edit(judge, "error[worst] <= tolerance", "error[worst] > 2 * tolerance")
    assert house.python("-c", act) == "read FAILS"


def test_a_helper_with_another_name_is_adopted_without_being_computed(house: House) -> None:
    file = house.folder / "featlearn/training/descent.py"
    file.write_text(file.read_text().replace("_sum_of_slices", "_added_slices"))
    assert house.ask("run") == {"run": "adopted"}
    assert house.ask("run") == {"run": "read"}


TYPED = """
import featlearn as fl
from dataclasses import dataclass
from featlearn.papers.glasgow2023.xor import Xor

def target(x):
    return x * 1.0

@dataclass(frozen=True, kw_only=True)
class Mine:
    d: int = 3
    def experiment(self):
        return Xor(d=self.d, width=4, steps=2, records=2, test=20, eta=target(0.25)).experiment()

named = fl.NamedExperiment(id="my.typed", title="typed", config=Mine())
first = fl.run(named, seeds=1, out="results")
again = fl.run(named, seeds=1, out="results").status

def target(x):
    return x * 2.0

other = fl.run(named, seeds=2, out="results")
same = bool((first.dataset["norm"].values[0] == other.dataset["norm"].values[0]).all())
print(again, other.status, same)
"""


def test_a_function_typed_again_is_another_and_does_not_mix_with_the_old_one(house: House) -> None:
    assert house.python("-", typed=TYPED) == "read computed False"


RELOADED = """
import importlib, pathlib, sys
import jax.numpy as jnp
import featlearn as fl
import helper
from featlearn.networks import Constant, TwoLayer

@fl.record()
class Law:
    d: int = 2
    def sample(self, m, *, key):
        x = jnp.ones((m, 2))
        return fl.Batch(x=x, y=helper.target(jnp.ones(m)))

def end():
    law, one = Law(), Constant(value=1.0)
    network = TwoLayer(d=2, width=2, w=one, a=one, scaling="one")
    how = fl.SGD(eta=0.5, batch=2, steps=1, loss="squared")
    experiment = fl.Experiment(law, network, how, record=[fl.Weights()], at=(0, 1))
    *_, last = experiment.plan.train(seed=0)
    return float(last.records[1]["weights_a"][0])

before = end()
file = pathlib.Path(helper.__file__)
file.write_text(file.read_text().replace("1.0", "-1.0"))
importlib.reload(helper)
after = end()
print(before != after)
"""


def test_a_reloaded_helper_is_compiled_again(house: House) -> None:
    (house.folder / "reloaded.py").write_text(RELOADED)
    assert house.python("reloaded.py") == "True"
