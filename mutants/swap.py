"""A slip in a running process: the package is imported once, and a fork swaps the code it touches.

Most slips stand inside functions. Then it is enough to compile the module with its slip, in the
same way as it was compiled, and to give every living function of the changed code the new one. A
slip of a constant, a default or a class needs its module anew; and what survives here is tried
once more that way, for something may have been computed while importing.
"""

import gc
import importlib
import sys
import tomllib
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mutants.tree import ROOT, modules

PACKAGE = "featlearn"
OPTION = "--jaxtyping-packages="
ALSO = ("featlearn.experiments",)
"""What tests of the stages import besides the stages."""


def options_without_hook() -> str:
    """The options of pytest in pyproject.toml but for the hook, which is in place already."""
    return " ".join(f"'{each}'" for each in _options() if not each.startswith(OPTION))


def _options() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options: list[str] = settings["tool"]["pytest"]["ini_options"]["addopts"]
    return options


def preload(tree: Path) -> None:
    """Import the stages from the copy of the tree, under the hook that checks shapes."""
    import jaxtyping

    (hook,) = (each.removeprefix(OPTION) for each in _options() if each.startswith(OPTION))
    package, _, checker = hook.partition(",")
    sys.path.insert(0, str(tree / "src"))
    jaxtyping.install_import_hook([package], checker)
    for module in modules():
        importlib.import_module(module_name(module))
    for name in ALSO:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def forget() -> None:
    """Take the package out of the imported modules, so that it is imported anew."""
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def module_name(module: str) -> str:
    """The name by which a module is imported."""
    return f"{PACKAGE}." + module.removesuffix(".py").replace("/", ".")


def swapped(module: str, before: str, after: str) -> bool:
    """Swap the code of all functions that a slip touches; False if it touches anything else."""
    loaded = sys.modules[module_name(module)]
    loader: Any = loaded.__loader__
    path = str(loaded.__file__)
    old, new = (loader.source_to_code(text.encode(), path) for text in (before, after))
    pairs: list[tuple[CodeType, CodeType]] = []
    if not _paired(old, new, pairs, outermost=True) or not pairs:
        return False
    wanted = {_key(one): other for one, other in pairs}
    if len(wanted) < len(pairs):
        return False  # two of them cannot be told apart
    found = set()
    for function in _functions():
        if function.__code__.co_filename == path:
            key = _key(function.__code__)
            if key in wanted and len(wanted[key].co_freevars) == len(function.__code__.co_freevars):
                function.__code__ = wanted[key]
                found.add(key)
    top = {_key(one) for one, _ in pairs if "<locals>" not in one.co_qualname}
    return top <= found


def _functions() -> list[FunctionType]:
    gc.unfreeze()
    return [thing for thing in gc.get_objects() if isinstance(thing, FunctionType)]


def _key(code: CodeType) -> tuple[Any, ...]:
    return code.co_qualname, code.co_firstlineno, code.co_varnames, code.co_names, code.co_code


def _paired(
    old: CodeType, new: CodeType, pairs: list[tuple[CodeType, CodeType]], *, outermost: bool
) -> bool:
    """Pair the functions whose code differs; False if the code around them differs as well."""
    inner_old, inner_new = (
        [each for each in code.co_consts if isinstance(each, CodeType)] for code in (old, new)
    )
    if len(inner_old) != len(inner_new):
        return False
    before = len(pairs)
    for one, other in zip(inner_old, inner_new, strict=True):
        is_class = _is_class(one)
        if not _paired(one, other, pairs, outermost=is_class):
            return False
    own = (old.co_code, _plain(old)) != (new.co_code, _plain(new)) or old.co_names != new.co_names
    if outermost:
        return not own
    if own or len(pairs) > before:
        pairs.append((old, new))
    return True


def _is_class(code: CodeType) -> bool:
    """The body of a class runs once, while importing; it is no function's code."""
    return "__qualname__" in code.co_names and "__module__" in code.co_names


def _plain(code: CodeType) -> list[Any]:
    return [each for each in code.co_consts if not isinstance(each, CodeType)]
