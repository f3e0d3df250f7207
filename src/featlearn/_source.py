"""Digests of the code behind a value: of all modules that its code reaches by imports.

The digest of a module is that of its syntax tree without docstrings, comments and annotations of
functions, so that changes of explanations and formatting do not change it. All imports of a module
are followed, at its top and inside functions, as long as they lead to modules of featlearn or of
the user. A name that a package re-exports, or that is looked up in `featlearn` itself
(`fl.Parity`), leads to the module that defines it. Installed packages are recorded elsewhere, by
their version.

The digest describes the running code: a file that is edited after its import keeps its old digest
until `importlib.reload`. Notebook cells and lines at a prompt have no file; for them the functions,
classes and plain values are digested.

This module does not notice names computed at run time, functions that are replaced in another
module at run time, and data files that code reads.
"""

import ast
import dataclasses
import functools
import hashlib
import importlib.metadata
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

from featlearn._check import InputError
from featlearn._describe import digest_of
from featlearn._parse import PARSING

PAPERS = "featlearn.papers"
"""The entry point group in which other people's packages register their papers."""
_PACKAGE = Path(__file__).parent
_INSTALLED = tuple(
    str(Path(place).resolve())
    for place in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix}
)
RUNNER = (
    "featlearn._streams",
    "featlearn.training.loop",
    "featlearn.training.recording",
    "featlearn.experiments.engine",
    "featlearn.experiments.experiment",
    "featlearn.experiments.trajectory",
    "featlearn.results.dataset",
)
"""The modules that every run uses: streams of random numbers, the training loop, the choice of
recorded steps, the settings of JAX, the assembly of an experiment, the labels of arrays."""
PINNED = ("featlearn.experiments.engine",)
"""The module that every other computation uses: the settings of JAX. A computation that trains
imports the loop itself."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Code:
    """The parsed source of a module: its digest, and the modules that its names come from."""

    spec: ModuleSpec | None
    """The import spec of the module; a reload replaces it, which shows that the source must be read
    again."""
    digest: str
    needs: tuple[tuple[str, str | None], ...]
    """(module, name) for every name that it imports or looks up in an imported package."""
    gives: dict[str, tuple[str, str | None]]
    """The names that it imports, which others may import from it: name -> (module, name there)."""


_known: dict[str, Code] = {}
_resolved: dict[str, tuple[str, ...]] = {}
"""Module of featlearn -> the modules that define the names it uses."""


def source_digest(*values: object) -> str:
    """Return one digest of all code behind these values and of the code that every run uses."""
    return digest_of_modules(sources(*values))


def digest_of_modules(modules: dict[str, str]) -> str:
    """Combine the digests of several modules into one."""
    text = "\n".join(f"{name} {digest}" for name, digest in sorted(modules.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def sources(
    *values: object, without: tuple[str, ...] = (), runner: tuple[str, ...] = RUNNER
) -> dict[str, str]:
    """Return all modules behind these values, as name -> digest.

    A user's module is named by its digest, so that the folder it is in does not matter.

    Args:
        values: functions, types, or records that contain them.
        without: modules and packages to leave out, with everything that only they import; ".name"
            leaves out every module of that name.
        runner: modules that are always included, because every computation uses them.
    """
    found = _reached((*runner, *filter(None, _modules(values, set()))), without)
    ours = {name: digest for name, digest in found.items() if _is_ours(name)}
    return {**ours, **{digest[:12]: digest for name, digest in found.items() if name not in ours}}


def digests(names: Iterable[str]) -> dict[str, str]:
    """Return the current digests of modules of featlearn, without those that are gone."""
    return {name: _code(name).digest for name in names if _is_ours(name) and _is_tracked(name)}


def users_modules(*values: object) -> list[types.ModuleType]:
    """Return the modules behind these values that the user wrote."""
    found = _reached(filter(None, _modules(values, set())))
    return [sys.modules[name] for name in found if not _is_ours(name)]


def _reached(names: Iterable[str], without: tuple[str, ...] = ()) -> dict[str, str]:
    _forget_reloaded()
    reached: dict[str, str] = {}
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        left_out = any(_is_in_package(name, each) for each in without)
        if left_out or not _is_tracked(name):
            continue
        code = _code(name)
        reached[name] = code.digest
        waiting += _neighbours(name, code)
    return reached


def _neighbours(name: str, code: Code) -> tuple[str, ...]:
    """Return the modules that define the names a module uses; featlearn's own are cached."""
    if _is_ours(name) and name in _resolved:
        return _resolved[name]
    found = (home for module, what in code.needs for home in _homes(module, what))
    homes = tuple(dict.fromkeys(found))
    if _is_ours(name):
        _resolved[name] = homes
    return homes


def _forget_reloaded() -> None:
    """Drop from the caches the parsed source of reloaded modules, and where names come from."""
    with PARSING:
        for name, code in list(_known.items()):
            spec = getattr(sys.modules.get(name), "__spec__", None)
            if code.spec is not spec and (code.spec is not None or name == "__main__"):
                del _known[name]
                _resolved.clear()


def _is_in_package(name: str, package: str) -> bool:
    """Return whether a module is `package` or inside it; ".name" means any package of that name."""
    if package.startswith("."):
        return f"{package}." in f"{name}."
    return name == package or name.startswith(f"{package}.")


def _homes(module: str, name: str | None) -> Iterator[str]:
    """Yield the modules that define the name `name`, which some code looks up in `module`."""
    if name is None:
        yield module
    elif module == "featlearn":
        front = sys.modules["featlearn"]
        home, inside = front._HOME.get(name, (f"featlearn.{name}", None))
        yield from _homes(home, inside)
    elif _is_tracked(f"{module}.{name}"):
        yield f"{module}.{name}"
    elif _is_tracked(module):
        given = _code(module).gives.get(name)
        if given is None or given == (module, name):
            yield module
        else:
            yield from _homes(*given)


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == "featlearn"


@functools.cache
def _own_file(name: str) -> Path | None:
    """Return the file of a module of featlearn, loaded or not; None if there is none."""
    path = _PACKAGE.joinpath(*name.split(".")[1:])
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def _is_tracked(name: str) -> bool:
    """Return whether a module is of featlearn or of the user, not of an installed package."""
    if _is_ours(name):
        return name != "featlearn" and _own_file(name) is not None
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or name == "__main__":
        return module is not None
    return bool(file) and (name.split(".")[0] in _paper_packages() or not _installed(str(file)))


@functools.cache
def _paper_packages() -> frozenset[str]:
    """Return the installed packages that register papers; their code is tracked like featlearn's
    own.
    """
    found = importlib.metadata.entry_points(group=PAPERS)
    return frozenset(each.value.partition(":")[0].split(".")[0] for each in found)


@functools.cache
def _installed(file: str) -> bool:
    return "site-packages" in file or str(Path(file).resolve()).startswith(_INSTALLED)


def _code(name: str) -> Code:
    """Return the parsed source of a module; it is parsed once, and again after a reload."""
    with PARSING:
        return _code_alone(name)


def _code_alone(name: str) -> Code:
    module, known = sys.modules.get(name), _known.get(name)
    spec = getattr(module, "__spec__", None)
    file = _own_file(name) if _is_ours(name) else Path(getattr(module, "__file__", "") or "<typed>")
    if known is not None and known.spec is spec and _is_ours(name):
        return known
    if file is None or not file.is_file():
        assert module is not None
        return _interactive_code(module)
    if known is not None and known.spec is None and spec is not None:
        known = _known[name] = dataclasses.replace(known, spec=spec)  # loaded since it was read
    if known is None or known.spec is not spec:
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        known = _known[name] = _read(file.read_text(encoding="utf-8"), package, spec)
    if name == "__main__":  # `python -i script.py` can add definitions after the script
        added = _interactive_code(sys.modules[name])
        both = hashlib.sha256((known.digest + added.digest).encode()).hexdigest()
        return dataclasses.replace(known, digest=both, needs=(*known.needs, *added.needs))
    return known


def _read(text: str, package: str, spec: ModuleSpec | None) -> Code:
    tree = ast.parse(text)
    needs: list[tuple[str, str | None]] = []
    gives: dict[str, tuple[str, str | None]] = {}
    for node in _imports(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                gives[alias.asname or alias.name.split(".")[0]] = (alias.name, None)
                needs += [] if alias.asname else [(alias.name, None)]
        else:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = [*(above if node.level else ()), *([node.module] if node.module else ())]
            for alias in node.names:
                gives[alias.asname or alias.name] = (".".join(base), alias.name)
                needs.append((".".join(base), alias.name))
    for each in ast.walk(tree):  # such as fl.Parity: a name that is looked up in a module
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            module, inside = gives.get(each.value.id, (None, None))
            if module is not None and inside is None:
                needs.append((module, each.attr))
            elif module is not None and _is_tracked(f"{module}.{inside}"):
                needs.append((f"{module}.{inside}", each.attr))
    digest = hashlib.sha256(ast.dump(_Bare().visit(tree)).encode()).hexdigest()
    return Code(spec=spec, digest=digest, needs=tuple(dict.fromkeys(needs)), gives=gives)


def _imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield all import statements of a module except those under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for other in node.orelse:
                yield from _imports(other)
        else:
            yield from _imports(node)


class _Bare(ast.NodeTransformer):
    """Removes docstrings and the annotations of functions from a syntax tree."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        alone = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if alone else self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _modules(values: Iterable[object], met: set[int]) -> Iterator[str | None]:
    """Yield the module of every type and function inside the values; None for a type without
    module.
    """
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
            yield from _modules((getattr(value, "function", None),), met)


def _closed_over(function: types.FunctionType) -> Iterator[object]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a variable that has no value yet
            continue


def _interactive_code(module: types.ModuleType) -> Code:
    """Return the functions, classes, plain values and imports of a module without a file."""
    has_no_file = not Path(getattr(module, "__file__", None) or "<typed>").is_file()
    lines: list[str] = []
    needs: list[tuple[str, str | None]] = []
    for name, value in sorted(vars(module).items()):
        if isinstance(value, types.ModuleType):
            needs += [(value.__name__, None)] if value.__name__ != "featlearn" else []
        elif isinstance(value, (type, types.FunctionType)):
            needs.append((value.__module__, None))
            if value.__module__ == module.__name__:
                lines.append(f"{name} {_code_of(value)}")
                needs += _featlearn_names_used(value, vars(module))
        elif has_no_file and not name.startswith("_") and _plain(value):
            lines.append(f"{name} {value!r}")
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return Code(spec=None, digest=digest, needs=tuple(needs), gives={})


def _featlearn_names_used(value: object, names: dict[str, object]) -> list[tuple[str, str | None]]:
    """Return the names of featlearn in the bytecode of interactive code."""
    front = sys.modules.get("featlearn")
    if front is None or front not in names.values():
        return []
    code = [f.__code__ for f in _functions(value)]
    words = {word for each in code for word in each.co_names}
    return [("featlearn", word) for word in sorted(words) if word in front._HOME]


def _functions(value: object) -> Iterator[types.FunctionType]:
    if isinstance(value, types.FunctionType):
        yield value
    elif isinstance(value, type):
        yield from (each for each in vars(value).values() if isinstance(each, types.FunctionType))


def _plain(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_plain, value))
    return isinstance(value, (bool, int, float, complex, str, bytes, type(None)))


def _code_of(value: object) -> str:
    """Return a text that identifies a function, or all functions of a class, by their code."""
    if isinstance(value, type):
        inside = {name: each for name, each in vars(value).items() if name != "__doc__"}
        return ", ".join(f"{name} {_code_of(each)}" for name, each in sorted(inside.items()))
    if isinstance(value, property):
        return _code_of(value.fget)
    if isinstance(value, (staticmethod, classmethod)):
        return _code_of(value.__func__)
    if isinstance(value, types.FunctionType):
        # Renamed, so that it is described by its code even if it can be imported by its name.
        code, closure = value.__code__, value.__closure__
        bare = types.FunctionType(code, {}, "<typed>", value.__defaults__, closure)
        bare.__kwdefaults__ = value.__kwdefaults__
        try:
            return digest_of(bare)
        except InputError:  # a default or a closed-over value that cannot be described
            return code.co_code.hex() + repr(code.co_consts)
    return repr(value) if _plain(value) else ""
