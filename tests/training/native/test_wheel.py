"""A wheel holds the kernels, is for one platform and any Python 3, and runs by itself."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PARTS = ("src", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE")


def wheel_of(folder: Path, **environment: str) -> Path:
    """A wheel built from a copy of the tree, so that the tree itself stays as it is."""
    tree = folder / "tree"
    if not tree.exists():
        tree.mkdir()
        for part in PARTS:
            from_, to = ROOT / part, tree / part
            shutil.copytree(
                from_, to, ignore=shutil.ignore_patterns("*.so", "__pycache__")
            ) if from_.is_dir() else shutil.copy(from_, to)
    out = folder / "dist"
    shutil.rmtree(out, ignore_errors=True)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*build, "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(tree)],
        check=True,
        env={**os.environ, **environment},
        timeout=600,
    )
    (made,) = out.iterdir()
    return made


def doctor(wheel: Path, folder: Path) -> dict[str, str]:
    """What the program says of itself in a new environment that has this wheel."""
    home = folder / f"env-{wheel.stem}"
    venv.create(home, with_pip=False)
    paths = {"base": str(home), "platbase": str(home)}
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(sysconfig.get_path("purelib", vars=paths))
    packages = sysconfig.get_path("purelib")  # those it depends on, and not our checkout
    program = "import sys; from featlearn.cli.main import main; sys.exit(main(['doctor']))"
    ended = subprocess.run(
        [str(home / "bin" / "python"), "-c", program],
        env={**os.environ, "PYTHONPATH": packages, "FEATLEARN_ENGINE": ""},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return dict(line.split(maxsplit=1) for line in ended.stdout.splitlines())


@pytest.mark.slow
def test_a_wheel_carries_its_kernels_and_one_without_is_for_every_platform(native, tmp_path):
    made = wheel_of(tmp_path)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert made.name.endswith(f"-py3-none-{platform}.whl")
    names = zipfile.ZipFile(made).namelist()
    assert {"featlearn/training/native/kernels.so", "featlearn/training/native/kernels.cpp"} <= {
        *names
    }
    assert doctor(made, tmp_path)["kernels"] == f"{native}, compiled and fit"
    plain = wheel_of(tmp_path, FEATLEARN_WITHOUT_NATIVE="1")
    assert plain.name.endswith("-py3-none-any.whl")
    assert doctor(plain, tmp_path)["kernels"].startswith("not used: the kernels are not compiled")
    without = wheel_of(tmp_path, CXX="no-such-compiler")
    assert without.name.endswith("-py3-none-any.whl")
