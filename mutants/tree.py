"""A copy of the package and its tests, in which a slip can stand; the working tree is only read."""

import hashlib
import shutil
from pathlib import Path

from mutants.slips import Slip

ROOT = Path(__file__).parents[1]
STAGES = (
    "distributions",
    "networks",
    "training",
    "baselines",
    "measurements",
    "theory",
    "results",
)
"""The stages whose modules are changed: those that compute numbers and judge them."""
COPIED = ("src", "tests", "mutants", "pyproject.toml", "docs", "examples", "README.md", "Makefile")


def modules(root: Path = ROOT) -> list[str]:
    """Every module of the stages, relative to src/featlearn."""
    package = root / "src" / "featlearn"
    found = [path for stage in STAGES for path in sorted((package / stage).rglob("*.py"))]
    return [path.relative_to(package).as_posix() for path in found if path.name != "__init__.py"]


def source_of(module: str, root: Path = ROOT) -> str:
    """The text of a module, as the working tree has it."""
    return (root / "src" / "featlearn" / module).read_text(encoding="utf-8")


def text_digest(text: str) -> str:
    """A short digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def file_digest(name: str, root: Path = ROOT) -> str:
    """The digest of a file of the working tree; empty if there is none."""
    path = root / name
    return text_digest(path.read_text(encoding="utf-8")) if path.exists() else ""


def examples_of(module: str, root: Path = ROOT) -> list[str]:
    """The module itself, if its docstrings have examples, for they judge it too."""
    return [f"src/featlearn/{module}"] if ">>>" in source_of(module, root) else []


def judges_of(module: str, root: Path = ROOT) -> list[str]:
    """The test files that may judge a module: those of its stage, and the contracts."""
    stage = module.split("/")[0]
    folders = (root / "tests" / stage, root / "tests" / "contracts")
    found = [path for folder in folders for path in sorted(folder.rglob("test_*.py"))]
    return [path.relative_to(root).as_posix() for path in found]


class Tree:
    """A copy of the tree under `folder`, made anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "src" / "featlearn"
        for name in COPIED:
            mirror(ROOT / name, folder / name)

    def lay(self, slip: Slip) -> None:
        """Write the slip into the copy."""
        text = slip.applied(source_of(slip.path))
        (self.package / slip.path).write_text(text, encoding="utf-8")

    def restore(self, slip: Slip) -> None:
        """Take the module of a slip from the working tree again, with its time stamp."""
        shutil.copy2(ROOT / "src" / "featlearn" / slip.path, self.package / slip.path)


def mirror(source: Path, target: Path) -> None:
    """Make `target` what `source` is; compiled modules stay, for Python checks them."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        return
    target.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in source.iterdir()} - {"__pycache__"}
    for gone in [path for path in target.iterdir() if path.name not in {*names, "__pycache__"}]:
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    for name in sorted(names):
        mirror(source / name, target / name)
