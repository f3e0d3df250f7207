"""Asking for help costs no second: the command line loads the heavy libraries only to compute."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "dask",
    "distributed",
    "jax",
    "numpy",
    "jaxlib",
    "matplotlib",
    "pandas",
    "plotly",
    "scipy",
    "sklearn",
    "torch",
    "xarray",
    "zarr",
}
COMMANDS = [
    "--help",
    "papers",
    "run glasgow2023.xor --help",
    "play --help",
    "browse --help",
    "graph --help",
]

PROGRAM = """\
import json, pathlib, sys
try:
    {act}
except SystemExit as end:
    code = end.code
pathlib.Path("seen.json").write_text(json.dumps([code or 0, sorted(sys.modules)]))
"""


def heavy_modules_after(act: str, folder) -> set[str]:
    """The heavy libraries that a new Python has loaded after `act`, which must end well."""
    program = [sys.executable, "-c", PROGRAM.format(act=act)]
    ended = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    code, modules = json.loads((folder / "seen.json").read_text())
    assert code == 0, ended.stdout + ended.stderr
    return HEAVY & set(modules)


@pytest.mark.parametrize("command", COMMANDS)
def test_asking_loads_nothing_heavy(command, tmp_path):
    act = f"from featlearn.cli.main import main; code = main({command.split()!r})"
    assert heavy_modules_after(act, tmp_path) == set()


def test_a_heavy_library_would_be_seen(tmp_path):
    assert "scipy" in heavy_modules_after("import scipy; code = 0", tmp_path)
    assert "scipy" in heavy_modules_after("import scipy; sys.exit(0)", tmp_path)


def test_a_command_that_ends_badly_is_no_success(tmp_path):
    with pytest.raises(AssertionError):
        heavy_modules_after("sys.exit(2)", tmp_path)
