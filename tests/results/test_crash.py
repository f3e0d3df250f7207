"""A process that dies between two files of an entry leaves the entry as it was, or whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import featlearn as fl
from featlearn.results.inventory import inventory
from tests.results.freeze import STATEMENT, experiment

TREE = Path(__file__).parents[2]
DYING = """
import os, sys
import featlearn.results.files as files
import featlearn.results.store as store
from tests.results import freeze
import featlearn as fl

def die(*_, **__):
    os._exit(9)

after = sys.argv[1]
if after == "arrays":  # written; the entry is not committed
    real = store.write_json
    def write_json(path, document):
        die() if path.name == "about.json" else real(path, document)
    store.write_json = write_json
elif after == "about":
    real = files.write_json
    def write_json(path, document):
        die() if path.name == "manifest.json" else real(path, document)
    files.write_json = write_json
elif after == "manifest":
    def replace(self, to):
        die() if to.name.startswith("seeds-") else os.replace(self, to)
    files.Path.replace = replace
if sys.argv[2] == "run":
    fl.run(freeze.experiment, seeds=2, out="store")
else:
    fl.check(freeze.STATEMENT, out="store")
"""


@pytest.mark.parametrize(
    ("after", "what"),
    [
        ("arrays", "run"),
        ("manifest", "check"),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in [
                ("about", "run"),
                ("manifest", "run"),
                ("arrays", "check"),
                ("about", "check"),
            ]
        ),
    ],
)
def test_what_was_not_committed_is_not_there_and_is_made_again_alike(after, what, tmp_path):
    whole = tmp_path / "whole"
    (tmp_path / "dying.py").write_text(DYING)
    ended = subprocess.run(
        [sys.executable, str(tmp_path / "dying.py"), after, what],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{TREE / 'src'}{os.pathsep}{TREE}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 9, ended.stderr
    (left,) = inventory(tmp_path / "store")
    assert left.parts == (), "half of it counts as nothing"
    for out in (tmp_path / "store", whole):
        again = (
            fl.run(experiment, seeds=2, out=out) if what == "run" else fl.check(STATEMENT, out=out)
        )
        assert again.status == "computed"
    (mended,), (straight,) = inventory(tmp_path / "store"), inventory(whole)
    (part,) = mended.parts
    assert straight.parts == (part,)
    files = [each.path / part / "data.npz" for each in (mended, straight)]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert list(mended.path.glob(".*")) == []
