"""One digest of the code that a result may depend on: featlearn's, and the user's own.

It is coarse: any edit anywhere in featlearn, or in a module of the user's that is reached by
imports from the values at hand, gives another digest, so that nothing computed by other code is
read from a store. What is digested is the code that runs: a file that was edited but not imported
again keeps the digest of its first sight, and `importlib.reload` makes it be read anew. Cells of a
notebook and lines at a prompt have no file: there functions, classes and plain values count.
"""

import ast
import dataclasses
import functools
import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from featlearn._check import InputError
from featlearn._describe import digest_of

_PACKAGE = Path(__file__).parent
_INSTALLED = tuple(
    str(Path(place).resolve())
    for place in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix}
)
_seen: dict[str, tuple[Any, str, tuple[str, ...]]] = {}
"""Module -> the spec it was loaded by, which a reload replaces, the digest of its text, and the
names of the modules that it imports."""


def source_digest(*values: Any) -> str:
    """The digest of all code behind these values, at this moment."""
    parts = [_package(), *_reloaded(), *sorted(_reached(values).values())]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def users_modules(*values: Any) -> list[types.ModuleType]:
    """The user's own modules behind these values."""
    return [sys.modules[name] for name in _reached(values)]


def _reached(values: Iterable[Any]) -> dict[str, str]:
    """The user's modules that are reached by imports from some values, each with its digest."""
    reached: dict[str, str] = {}
    waiting = list(_modules(values, set()))
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        if name not in reached and module is not None and _is_users(module):
            reached[name], imported = _module(name, module)
            waiting += imported
    return reached


@functools.cache
def _package() -> str:
    """Of every file of featlearn, imported or not, as the process finds them."""
    text = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        text.update(str(file.relative_to(_PACKAGE)).encode() + b"\0" + file.read_bytes())
    return text.hexdigest()


def _reloaded() -> list[str]:
    """Modules of featlearn that have been loaded again since they were first seen."""
    found = []
    for name in [name for name in sys.modules if name.split(".")[0] == "featlearn"]:
        module = sys.modules[name]
        known = _seen.setdefault(name, (module.__spec__, "", ()))
        if known[0] is not module.__spec__:
            found.append(f"{name} {_module(name, module)[0]}")
    return sorted(found)


def _modules(values: Iterable[Any], met: set[int]) -> Iterator[str]:
    """The modules of all types and functions inside some values."""
    for value in values:
        if id(value) in met:
            continue
        met.add(id(value))
        if isinstance(value, (type, types.FunctionType)):
            yield value.__module__
            if isinstance(value, types.FunctionType):
                yield from _modules(_closed_over(value), met)
            continue
        yield type(value).__module__
        if dataclasses.is_dataclass(value):
            inside = [getattr(value, f.name, None) for f in dataclasses.fields(value)]
            yield from _modules((*inside, *getattr(value, "made_by", ())), met)
        elif isinstance(value, (list, tuple)):
            yield from _modules(value, met)
        elif isinstance(value, dict):
            yield from _modules(value.values(), met)
        elif isinstance(value, functools.partial):
            yield from _modules((value.func, value.args, value.keywords), met)
        elif isinstance(getattr(value, "function", None), types.FunctionType):  # ByCode
            yield from _modules((value.function,), met)


def _closed_over(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue


def _is_users(module: types.ModuleType) -> bool:
    """Whether a module comes neither with Python nor with an installed package."""
    file = getattr(module, "__file__", None)
    if module.__name__.split(".")[0] == "featlearn":
        return False
    return module.__name__ == "__main__" or (bool(file) and not _installed(str(file)))


@functools.cache
def _installed(file: str) -> bool:
    return "site-packages" in file or str(Path(file).resolve()).startswith(_INSTALLED)


def _module(name: str, module: types.ModuleType) -> tuple[str, tuple[str, ...]]:
    """The digest of a module, and the modules that it imports."""
    file = Path(getattr(module, "__file__", None) or "<typed>")
    if not file.is_file():
        return _typed(module)
    spec, known = getattr(module, "__spec__", None), _seen.get(name)
    if known is None or known[0] is not spec or not known[1]:
        text = file.read_bytes()
        imported = tuple(_imports(text, getattr(module, "__package__", "") or ""))
        known = _seen[name] = (spec, hashlib.sha256(text).hexdigest(), imported)
    if name == "__main__":  # a script may have been typed at afterwards
        return known[1] + _typed(module)[0], known[2]
    return known[1], known[2]


def _imports(text: bytes, package: str) -> Iterator[str]:
    """The names of the modules that a text imports anywhere, and of what they may contain."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(
                [*(above if node.level else ()), *([node.module] if node.module else ())]
            )
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _typed(module: types.ModuleType) -> tuple[str, tuple[str, ...]]:
    """Functions and classes of a module, its plain values unless a file has them; its imports."""
    typed = not Path(getattr(module, "__file__", None) or "<typed>").is_file()
    told, imported = [], []
    for name, value in sorted(vars(module).items()):
        if isinstance(value, types.ModuleType):
            imported.append(value.__name__)
        elif isinstance(value, (type, types.FunctionType)):
            imported.append(value.__module__)
            if value.__module__ == module.__name__:
                told.append(f"{name} {_code_of(value)}")
        elif typed and not name.startswith("_") and _plain(value):
            told.append(f"{name} {value!r}")
    return hashlib.sha256("\n".join(told).encode()).hexdigest(), tuple(imported)


def _plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_plain, value))
    return isinstance(value, (bool, int, float, complex, str, bytes, type(None)))


def _code_of(value: Any) -> str:
    """A function, or the functions of a class, told by their code."""
    if isinstance(value, type):
        inside = {name: each for name, each in vars(value).items() if name != "__doc__"}
        return ", ".join(f"{name} {_code_of(each)}" for name, each in sorted(inside.items()))
    if isinstance(value, property):
        return _code_of(value.fget)
    if isinstance(value, (staticmethod, classmethod)):
        return _code_of(value.__func__)
    if isinstance(value, types.FunctionType):
        # Under another name, so that it is told by its code even where it can be imported.
        code, closure = value.__code__, value.__closure__
        bare = types.FunctionType(code, {}, "<typed>", value.__defaults__, closure)
        bare.__kwdefaults__ = value.__kwdefaults__
        try:
            return digest_of(bare)
        except InputError:  # a default or a variable that cannot be told
            return code.co_code.hex() + repr(code.co_consts)
    return repr(value) if _plain(value) else ""
