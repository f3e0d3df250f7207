"""One digest of all code that a result may depend on: featlearn's, and the user's own.

It is coarse: any edit anywhere gives another digest, so that nothing computed by other code is read
from a store. What is digested is the code that runs. A file that was edited but not imported again
keeps the digest of its first sight; `importlib.reload` makes it be read anew. Cells of a notebook
and lines at a prompt have no file: there the functions, classes and plain values count.
"""

import functools
import hashlib
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent
_INSTALLED = tuple(
    str(Path(place).resolve())
    for place in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix}
)
_seen: dict[str, tuple[Any, str]] = {}
"""Module -> the spec it was loaded by, which a reload replaces, and the digest of its text."""


def source_digest() -> str:
    """The digest of this moment."""
    users = sorted({_module(name, module) for name, module in _users()})
    parts = [_package(), *users, _without_file(sys.modules.get("__main__"))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _package() -> str:
    """Of every file of featlearn, imported or not, as the process finds them."""
    text = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        text.update(str(file.relative_to(_PACKAGE)).encode() + b"\0" + file.read_bytes())
    return text.hexdigest()


def _users() -> list[tuple[str, types.ModuleType]]:
    """Loaded modules that come neither with Python nor with an installed package.

    Those of featlearn itself are among them when they have been reloaded.
    """
    found = []
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not file or not file.endswith(".py") or _installed(file):
            continue
        if name.split(".")[0] == "featlearn":
            known = _seen.setdefault(name, (module.__spec__, ""))
            if known[0] is module.__spec__:
                continue
        found.append((name, module))
    return found


@functools.cache
def _installed(file: str) -> bool:
    return "site-packages" in file or str(Path(file).resolve()).startswith(_INSTALLED)


def _module(name: str, module: types.ModuleType) -> str:
    spec = getattr(module, "__spec__", None)
    known = _seen.get(name)
    if known is None or known[0] is not spec or not known[1]:
        try:
            text = Path(module.__file__ or "").read_bytes()
        except OSError:  # removed since it was loaded
            text = _without_file(module).encode()
        known = _seen[name] = (spec, hashlib.sha256(text).hexdigest())
    return known[1]


def _without_file(module: types.ModuleType | None) -> str:
    """The functions and classes of a module, and its plain values unless a file has them."""
    if module is None:
        return ""
    typed = not Path(getattr(module, "__file__", None) or "<stdin>").is_file()
    told = [
        f"{name} {described}"
        for name, value in sorted(vars(module).items())
        if not name.startswith("_") and (typed or isinstance(value, (type, types.FunctionType)))
        if (described := _described(value))
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _described(value: Any, depth: int = 0) -> str:
    """A value in words that change when it does; empty for what cannot be told."""
    if isinstance(value, (int, float, complex, str, bytes, bool, type(None))):
        return repr(value)
    if depth > 6:
        return ""
    if isinstance(value, (tuple, list, set, frozenset)):
        return f"{type(value).__name__}({', '.join(_described(each, depth + 1) for each in value)})"
    if isinstance(value, dict):
        return ", ".join(f"{key!r}: {_described(v, depth + 1)}" for key, v in value.items())
    if isinstance(value, types.CodeType):
        inside = [_described(each, depth + 1) for each in value.co_consts]
        return f"{value.co_code.hex()} {value.co_names} {value.co_varnames} {inside}"
    if isinstance(value, (staticmethod, classmethod)):
        return _described(value.__func__, depth + 1)
    if isinstance(value, property):
        return _described(value.fget, depth + 1)
    if isinstance(value, functools.partial):
        return _described((value.func, value.args, value.keywords), depth + 1)
    if isinstance(value, types.FunctionType):
        cells = [_cell(cell, depth) for cell in value.__closure__ or ()]
        settings = (value.__defaults__, value.__kwdefaults__)
        return f"{_described(value.__code__, depth)} {_described(settings, depth + 1)} {cells}"
    if isinstance(value, type) and value.__module__ == "__main__":
        return _described({k: v for k, v in vars(value).items() if k != "__doc__"}, depth + 1)
    return ""


def _cell(cell: types.CellType, depth: int) -> str:
    try:
        return _described(cell.cell_contents, depth + 1)
    except ValueError:  # not filled yet
        return ""
