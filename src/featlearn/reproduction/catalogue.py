"""Find papers, experiments and statements by id, or in a user's file by ``path.py:name``."""

import functools
import importlib
import importlib.metadata
import importlib.util
import pkgutil
import sys
import types
import zlib
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, require, suggestion
from featlearn._source import PAPERS
from featlearn.experiments.named import NamedExperiment, named, runnable
from featlearn.reproduction.paper import BUILT_IN, Paper

if TYPE_CHECKING:
    from featlearn.theory import Statement

SEE = "See `featlearn papers`."


@functools.cache
def papers() -> dict[str, Paper]:
    """Return all papers: the folders of `featlearn.papers`, and those that installed packages
    register.
    """
    return {name: _paper(name) for name in _packages()}


def experiments_like(identity: str) -> dict[str, NamedExperiment]:
    """Return the experiment with that id, in a dictionary that is empty if there is none; no other
    paper is imported.
    """
    name = identity.partition(".")[0]
    mine = _paper(name).experiments if name in _packages() else ()
    return {each.id: each for each in mine if each.id == identity}


@functools.cache
def _packages() -> dict[str, str]:
    """Map the id of each paper to the package that exports the paper as PAPER."""
    folder = Path(__file__).parents[1] / BUILT_IN.rpartition(".")[2]
    ours = [each.name for each in pkgutil.iter_modules([str(folder)]) if each.ispkg]
    offered = importlib.metadata.entry_points(group=PAPERS)
    others = {each.name: each.value.partition(":")[0] for each in offered}
    return {**others, **{name: f"{BUILT_IN}.{name}" for name in ours}}


@functools.cache
def _paper(name: str) -> Paper:
    package = _packages()[name]
    try:
        paper = getattr(importlib.import_module(package), "PAPER", None)
    except ImportError as error:
        hint = "Repair or remove the package that offers it."
        raise InputError(f"paper {name}", f"a package {package}", error, hint) from None
    require(
        isinstance(paper, Paper) and paper.id == name,
        f"{package}/__init__.py",
        f"a Paper of the id {name!r} under the name PAPER",
        getattr(paper, "id", "none"),
    )
    assert isinstance(paper, Paper)
    return replace(paper, package=package)


@functools.cache
def experiments() -> dict[str, NamedExperiment]:
    """Return all named experiments, by id."""
    return {each.id: each for paper in papers().values() for each in paper.experiments}


@functools.cache
def statement_titles() -> dict[str, str]:
    """Return the titles of all statements, by id."""
    return {
        f"{paper.id}.{item}": title
        for paper in papers().values()
        for item, title in paper.statements.items()
    }


@functools.cache
def item_titles() -> dict[str, str]:
    """Return the titles of all items that can be reproduced, by id."""
    return {
        f"{paper.id}.{name}": title
        for paper in papers().values()
        for name, title in paper.items.items()
    }


def instead(identity: str, known: Collection[str]) -> str:
    """Return a sentence that says what to try instead of an id that is not among `known`.

    An id of another kind is told with the command for it, a file without a name with the form
    ``path.py:name``. Otherwise the sentence names the id that
    differs in capitals only, then one that ends in what was written, then the nearest.

    Example:
        >>> instead("glasgow2023.lemma-C.4", experiments())
        'It is a statement. Try `check`.'
    """
    kinds = (
        (experiments(), "an experiment. Try `run`"),
        (statement_titles(), "a statement. Try `check`"),
        (item_titles(), "an item. Try `reproduce`"),
        (papers(), "a paper. `featlearn papers` lists what is in it"),
    )
    for ids, kind in kinds:
        if identity in ids:
            return f"It is {kind}."
    if identity.endswith(".py"):
        return f"Name what is in the file: {identity}:NAME."
    small = identity.lower()
    alike = [each for each in known if each.lower() == small]
    alike += [each for each in known if small and each.lower().endswith(f".{small}")]
    return f"Did you mean {alike[0]}?" if alike else suggestion(identity, known, SEE)


def find_experiment(identity: str) -> NamedExperiment:
    """Return the experiment with that id, or the one in a user's file that ``path.py:name``
    names.
    """
    if is_file(identity):
        return named(from_file(identity, "experiment", _runs))
    known = experiments()
    hint = instead(identity, known)
    require(identity in known, "experiment", "the id of one", repr(identity), hint)
    return known[identity]


def find_statements(identity: str) -> list["Statement"]:
    """Return the statement with that id, or all statements of the paper with that id, as a list."""
    from featlearn.theory import Statement

    if is_file(identity):
        return [from_file(identity, "Statement", lambda value: isinstance(value, Statement))]
    if identity in papers():
        paper = papers()[identity]
        return [paper.statement(item) for item in paper.statements]
    known = statement_titles()
    require(
        identity in known,
        "statement",
        "a statement or a paper",
        repr(identity),
        instead(identity, [*known, *papers()]),
    )
    paper_id, item = identity.split(".", 1)
    return [papers()[paper_id].statement(item)]


def expected_verdicts(identity: str) -> dict[str, str | None] | None:
    """Return reading -> recorded verdict of a statement at its default sizes; None if nothing is
    recorded.
    """
    paper_id, _, item = identity.partition(".")
    if paper_id not in papers():
        return None
    recorded: dict[str, str | None] | None = papers()[paper_id].expected()["verdicts"].get(item)
    return recorded


def cite(identity: str) -> dict[str, str]:
    """Return the BibTeX entries, by key, of a paper, or of one of its experiments, statements or
    items.
    """
    if identity in papers():
        return papers()[identity].references()
    known = [*papers(), *experiments(), *statement_titles(), *item_titles()]
    require(
        identity in known or is_file(identity),
        "cite",
        "a paper, an experiment, a statement or an item",
        repr(identity),
        instead(identity, known),
    )
    everything = {
        k: entry for paper in papers().values() for k, entry in paper.references().items()
    }
    return {key: everything[key] for key in _references(identity) if key in everything}


def _references(identity: str) -> list[str]:
    """Return the reference keys of everything with this id: an experiment and an item may share an
    id.
    """

    if is_file(identity):
        return list(getattr(target_from_file(identity), "references", ()))
    paper_id, _, name = identity.partition(".")
    found: list[str] = []
    if identity in experiments():
        found += experiments()[identity].references
    if identity in statement_titles():
        found += papers()[paper_id].statement(name).references
    if identity in item_titles():
        found += papers()[paper_id].item(name).references
    return list(dict.fromkeys(found))


def is_file(identity: str) -> bool:
    """Return whether an id points into a user's file: ``path.py:name``."""
    return identity.rpartition(":")[0].endswith(".py")


def _module(path: str) -> types.ModuleType:
    """Import a user's file and return the module, whose name depends on the path and the text of
    the file.
    """
    file = Path(path)
    require(file.is_file(), path, "a Python file", "none")
    address = str(file.resolve()).encode()
    name = f"{file.stem}_{zlib.crc32(file.read_bytes(), zlib.crc32(address)):08x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__public_name__"] = file.stem
    sys.modules[name] = module  # dataclasses and typing look up the module of a class
    beside = str(file.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(path, "a file that imports", f"{type(error).__name__}: {error}") from error
    return module


def target_from_file(identity: str) -> "NamedExperiment | Statement":
    """Return the statement or the experiment in a user's file that ``path.py:name`` names."""
    from featlearn.theory import Statement

    def fits(value: object) -> bool:
        return isinstance(value, Statement) or _runs(value)

    found = from_file(identity, "experiment or Statement", fits)
    return found if isinstance(found, Statement) else named(found)


def _runs(value: object) -> bool:
    """Return whether a value can be run; a callable can be run only if it is a function."""
    return runnable(value) and (not callable(value) or isinstance(value, types.FunctionType))


def from_file(identity: str, kind: str, fits: Callable[[object], bool]) -> Any:
    """Return the value that ``path.py:name`` names; raise `InputError` if `fits` does not accept
    the value.
    """
    path, _, name = identity.rpartition(":")
    module = _module(path)
    mine = {
        key: value
        for key, value in vars(module).items()
        if getattr(value, "__module__", module.__name__) == module.__name__
        or not isinstance(value, types.FunctionType | type)
    }
    names = [key for key, value in mine.items() if not key.startswith("_") and fits(value)]
    value = mine.get(name)
    require(
        name in names,
        identity,
        f"the name of an {kind} in {path}"
        if kind[0] in "aeiou"
        else f"the name of a {kind} in {path}",
        repr(name),
        suggestion(name, names, f"The file has: {', '.join(names) or 'none'}."),
    )
    return value
