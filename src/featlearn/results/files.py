"""Write files such that they are complete or absent: under a temporary name, then renamed."""

import hashlib
import json
import math
import re
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from featlearn._check import InputError, require

MANIFEST = "manifest.json"
REMOVE = "Remove that folder."


_ASIDE = re.compile(r"\..+\.[0-9a-f]{8}(\.old)?")


def aside_of(path: Path) -> Path:
    """Return a new temporary name beside a file or folder, for what will replace it."""
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")


def is_aside(name: str) -> bool:
    """Whether a name was made by `aside_of`; such a file is left over if no process is writing it.

    Example:
        >>> is_aside(".value.0123abcd"), is_aside(".seeds-0-1.0123abcd.old"), is_aside(".bashrc")
        (True, True, False)
    """
    return _ASIDE.fullmatch(name) is not None


def require_no_links(path: Path, root: Path) -> None:
    """Refuse a path with a symbolic link below `root`, as that could lead out of the store."""
    inside = [each for each in (path, *path.parents) if root in each.parents]
    linked = next((each for each in inside if each.is_symlink()), None)
    require(linked is None, str(linked), "a folder of the store", "a symbolic link", REMOVE)


def write_text(path: Path, text: str) -> None:
    """Write a text file such that it is complete or absent, even if the disk is full."""
    require(not path.is_dir(), str(path), "a file or nothing", "a folder", REMOVE)
    aside = aside_of(path)
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def write_json(path: Path, document: object) -> None:
    """Write a JSON file such that it is complete or absent."""
    write_text(path, json.dumps(finite(document), indent=1, allow_nan=False) + "\n")


def finite(document: object) -> object:
    """Return a copy of the document in which every number that is not finite is None.

    Example:
        >>> finite({"eta": float("inf"), "d": (1, 2.0)})
        {'eta': None, 'd': [1, 2.0]}
    """
    if isinstance(document, dict):
        return {name: finite(value) for name, value in document.items()}
    if isinstance(document, (list, tuple)):
        return [finite(value) for value in document]
    return None if isinstance(document, float) and not math.isfinite(document) else document


def spreadsheet_cell(value: object) -> object:
    """Return a text such that no spreadsheet takes it for a formula; return numbers unchanged.

    Example:
        >>> spreadsheet_cell("=HYPERLINK(A1)"), spreadsheet_cell(-0.5), spreadsheet_cell("-0.5")
        ("'=HYPERLINK(A1)", -0.5, '-0.5')
    """
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    try:
        return value if math.isfinite(float(value)) else f"'{value}"
    except ValueError:
        return f"'{value}"


def digest(document: object) -> str:
    """Return the checksum of a JSON document, which does not depend on its formatting."""
    text = json.dumps(finite(document), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def read_json(path: Path, hint: str = "Use --fresh or another --out.") -> Any:
    """Read a JSON file; raise `InputError` with this hint if it is damaged."""
    require(not path.is_dir(), str(path), "a whole JSON file", "a folder", REMOVE)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(str(path), "a whole JSON file", type(error).__name__, hint) from None


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Write a folder under a temporary name, add its manifest, and rename it to `path`."""
    aside = aside_of(path)
    aside.mkdir(parents=True)
    try:
        fill(aside)
        write_json(aside / MANIFEST, {"files": _listing(aside)})
        if path.exists():
            fresh = aside_of(path)
            old = fresh.with_name(f"{fresh.name}.old")
            path.replace(old)
            aside.replace(path)
            remove(old)
        else:
            aside.replace(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def remove(path: Path) -> None:
    """Delete a file, or a folder with all that is in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def check_folder(path: Path, *names: str) -> None:
    """Raise `InputError` unless the folder, or the named files in it, agree with its manifest."""
    hint = "Use --fresh to compute it again."
    require((path / MANIFEST).is_file(), str(path), f"a whole result with {MANIFEST}", "none", hint)
    listed = read_json(path / MANIFEST)
    files: Any = listed.get("files") if isinstance(listed, dict) else None
    require(isinstance(files, dict), str(path / MANIFEST), "a list of files", "none", hint)
    if not names:
        there = {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}
        extra = min(there - {MANIFEST, *files}, default=None)
        require(extra is None, str(path), "only the files its manifest lists", extra, hint)
    for name in names or files:
        file = path / name
        require(file.is_file(), str(path), f"the file {name}", "a half-written result", hint)
        whole = [file.stat().st_size, file_digest(file)] == files.get(name)
        require(whole, str(file), "the contents its manifest lists", "other contents", hint)


def _listing(folder: Path) -> dict[str, list[int | str]]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): [path.stat().st_size, file_digest(path)] for path in files
    }


def file_digest(path: Path) -> str:
    """Return the checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
