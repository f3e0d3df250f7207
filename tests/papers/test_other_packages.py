"""A paper in somebody else's package: found by its entry point, checked, and tied to its code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "toy-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n",
    "toy-1.0.dist-info/entry_points.txt": "[featlearn.papers]\ntoy2024 = toy.paper\n",
    "toy/__init__.py": "",
    "toy/paper/__init__.py": """\
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="toy2024", title="A toy", authors="T. Oy", year=2024, statements={"lemma-1": "One is one"}
)
""",
    "toy/paper/references.bib": "@article{toy2024, title={A toy}}\n",
    "toy/paper/statements/__init__.py": "",
    "toy/paper/statements/lemma_1.py": """\
import dataclasses
import featlearn as fl
from toy.paper.truth import one

@dataclasses.dataclass(frozen=True, kw_only=True)
class Sizes:
    n: int = 1

def evidence(sizes, lab):
    return fl.identity("one", one(sizes.n), 1.0, tolerance=1e-9)

STATEMENT = fl.Statement(
    id="toy2024.lemma-1", title="One is one", config=Sizes(), evidence=evidence, seeds=1
)
""",
    "toy/paper/truth.py": "def one(n):\n    return 1.0 * n\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with the toy in it."""
    folder = tmp_path / "site-packages"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def featlearn(site: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "featlearn.cli.main", *words],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def checked(site: Path) -> tuple[str, str]:
    code, out, err = featlearn(site, "check", "toy2024", "--json")
    assert code in (0, 1), err
    (found,) = json.loads(out)["verdicts"]
    return found["status"], found["verdict"]


def test_it_is_listed_checked_and_cited(site):
    assert "toy2024.lemma-1" in featlearn(site, "papers")[1]
    assert checked(site) == ("computed", "HOLDS")
    assert "@article{toy2024" in featlearn(site, "cite", "toy2024")[1]


def test_its_evidence_is_of_its_code_though_it_is_installed(site):
    assert checked(site) == ("computed", "HOLDS")
    assert checked(site) == ("read", "HOLDS")
    (site / "toy/paper/truth.py").write_text("def one(n):\n    return 2.0 * n\n")
    assert checked(site) == ("computed", "FAILS")


def test_a_package_that_is_broken_is_one_sentence(site):
    (site / "toy/paper/__init__.py").write_text("import nothing_of_that_name\n")
    code, _, err = featlearn(site, "check", "toy2024")
    assert code == 2
    assert err.startswith("featlearn: paper toy2024: expected a package toy.paper, got No module")
