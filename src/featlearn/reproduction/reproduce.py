"""Reproduce papers: run their items, check their statements, and store the outcomes.

Outcomes that the store has are read. A failure is an outcome too, but it is not stored, nor is an
item that is skipped because a package or a data file is missing. An item whose full size needs a
GPU is computed at the quick size on a machine without one, and its outcome says so. `reproduce`
returns the outcomes of the given ids, `stored` all outcomes in a store.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from featlearn._check import (
    InputError,
    MissingResource,
    disk_is_full,
    require,
    require_one_of,
)
from featlearn._choices import Origin, Size
from featlearn.experiments.lab import Lab
from featlearn.experiments.run import as_store, locked
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch, execute
from featlearn.learners.resnet import has_gpu
from featlearn.reproduction.catalogue import (
    expected_verdicts,
    find_statements,
    instead,
    item_titles,
    papers,
    statement_titles,
)
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.outcome import (
    ItemOutcome,
    Outcome,
    StatementOutcome,
    decided,
    item_key,
    over_papers,
    read_item,
    stored_item,
    stored_statement,
    write_item,
)
from featlearn.reproduction.paper import Paper
from featlearn.results.files import MANIFEST
from featlearn.results.provenance import provenance
from featlearn.results.store import Store, collect_parents
from featlearn.theory import Statement
from featlearn.theory.check import checked, statement_job

SIZES: tuple[Size, ...] = ("quick", "full")
Tell = Callable[[Outcome], None]


def targets(ids: Sequence[str | Item | Statement], size: str) -> list[Item | Statement]:
    """Return the items and statements that the ids name, each once; a paper names its headline or
    all.
    """
    require_one_of(size, SIZES, "reproduce --size")
    found = [each for identity in ids or papers() for each in _named(identity, size)]
    return list({(type(each), each.id): each for each in found}.values())


def _named(identity: str | Item | Statement, size: str) -> Iterator[Item | Statement]:
    if not isinstance(identity, str):
        yield identity
        return
    if identity in papers():
        paper = papers()[identity]
        everything = dict.fromkeys((*paper.items, *paper.statements))
        for name in paper.quick if size == "quick" else everything:
            yield from _of_paper(paper, name)
        return
    known = [*papers(), *item_titles(), *statement_titles()]
    paper_id, _, name = identity.partition(".")
    if identity in known:
        yield from _of_paper(papers()[paper_id], name)
    elif ".py:" in identity:
        yield from find_statements(identity)
    else:
        expected = "a paper, an item or a statement"
        hint = instead(identity, known)
        raise InputError("reproduce", expected, repr(identity), hint)


def _of_paper(paper: Paper, name: str) -> Iterator[Item | Statement]:
    if name in paper.items:
        yield paper.item(name)
    if name in paper.statements:
        yield paper.statement(name)


def reproduce(
    ids: Sequence[str | Item | Statement] = (),
    *,
    size: str = "quick",
    out: Store | Path | None = None,
    fresh: bool = False,
    data: Path | None = None,
    watch: Watch | None = None,
    tell: Tell | None = None,
) -> tuple[Outcome, ...]:
    """Run everything that the ids name and return the outcomes; a failure does not stop the others.

    Args:
        ids: papers, items or statements by id, or items and statements themselves; none means
            every paper.
        size: "quick" runs the headline of each paper, "full" everything; items have both sizes.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        data: folder of image files, for items that use them.
        watch: called with the fraction of the work that is done.
        tell: called with every outcome when it is ready.
    """
    chosen = targets(ids, size)
    made_at = cast(Size, size)  # `targets` refuses any other
    for paper in {each.id.partition(".")[0] for each in chosen} & papers().keys():
        papers()[paper].require_known_keys()
    require(data is None or data.is_dir(), "reproduce --data", "a folder", data)
    for target in chosen:  # an item that was named is not skipped if its files are missing
        if isinstance(target, Item) and target.data and target.id in ids:
            target.data(data)
    store, found = as_store(out), dict[int, Outcome]()

    def task(place: int) -> Task:
        def work(stop: Stop, report: Watch) -> Outcome:
            target = chosen[place]
            lab = Lab(store=store, fresh=fresh)
            if isinstance(target, Item):
                context = Context(size=made_at, lab=lab, data=data, watch=report)
                return _item(target, context)
            return _decide(target, lab, report)

        return Task(name=place, work=work)

    for outcome in execute(map(task, range(len(chosen))), total=len(chosen), watch=watch):
        if outcome.error is not None:
            raise KeyboardInterrupt if isinstance(outcome.error, Stopped) else outcome.error
        found[outcome.task.name] = outcome.value
        if tell:
            tell(outcome.value)
    return over_papers(found[place] for place in range(len(chosen)))


def stored(out: Path) -> tuple[Outcome, ...]:
    """Return all outcomes in a store: items at their largest size, statements at their default
    sizes.
    """
    store, found = Store(root=out).open(), list[Outcome | None]()
    for paper in papers().values():
        for name in paper.items:
            sizes = (stored_item(store, paper.item(name), size) for size in SIZES[::-1])
            found.append(next((each for each in sizes if each), None))
        found += [stored_statement(store, paper.statement(name)) for name in paper.statements]
    return over_papers(found)


def left_out(out: Path, outcomes: tuple[Outcome, ...]) -> tuple[str, ...]:
    """Return the ids whose results in the store come from other code or sizes than those of
    `outcomes`.
    """
    found = {outcome.id for outcome in outcomes}
    parts = [
        (f"{paper.id}.{name}", part)
        for paper in papers().values()
        for names, its_parts in ((paper.items, SIZES), (paper.statements, ("*",)))
        for name in names
        for part in its_parts
    ]
    others = (
        identity
        for identity, part in parts
        if identity not in found and any((out / identity).glob(f"*/*/{part}/{MANIFEST}"))
    )
    return tuple(dict.fromkeys(others))


def _item(item: Item, context: Context) -> ItemOutcome:
    if context.quick or not item.gpu or has_gpu():
        return _attempt(item, context)
    folder = " --data DIR" if item.data else ""
    command = f"featlearn reproduce {item.id} --size full{folder}"
    instead = f"No GPU here: the quick size. On a machine with one: {command}"
    outcome = _attempt(item, replace(context, size="quick"))
    return outcome if outcome.error else replace(outcome, instead=instead)


def _attempt(item: Item, context: Context) -> ItemOutcome:
    try:
        files = item.data(context.data) if item.data else ""
        store = context.lab.store
        if store is None:
            return _compute_item(item, context)
        entry = store.entry(item.id, item_key(item, files), kind="item")
        with locked(entry):
            if entry.has(context.size) and not context.lab.fresh:
                # A damaged outcome is computed again from its stored runs.
                with suppress(InputError):
                    return read_item(entry, item.id, item.title, context.size)
            entry.require_writable()
            with collect_parents() as found:
                outcome = _compute_item(item, context)
            write_item(entry, outcome, found)
            return replace(outcome, provenance=entry.about(context.size)["provenance"])
    except Exception as error:
        if disk_is_full(error) or isinstance(error, Stopped):
            raise
        return ItemOutcome(
            id=item.id,
            title=item.title,
            size=context.size,
            status=_ended(error),
            error=_why(error),
        )


def _compute_item(item: Item, context: Context) -> ItemOutcome:
    clock = time.perf_counter()
    found = _with_commands(item.reproduce(context), item.id, context.size)
    return ItemOutcome(
        id=item.id,
        title=item.title,
        size=context.size,
        status="computed",
        reproduction=found,
        quantities=_quantities(item.id),
        program=item_key(item, "").program,
        seconds=round(time.perf_counter() - clock, 3),
        provenance=provenance(),
    )


def _ended(error: Exception) -> Origin:
    return "skipped" if isinstance(error, MissingResource) else "failed"


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"


def _with_commands(found: Reproduction, identity: str, size: str) -> Reproduction:
    """Return the reproduction, whose rows and figures without a command get the one that reproduces
    the item.
    """
    command = f"featlearn reproduce {identity} --size {size}"
    return replace(
        found,
        rows=tuple(replace(row, command=row.command or command) for row in found.rows),
        figures=tuple(replace(f, command=f.command or command) for f in found.figures),
    )


def _quantities(identity: str) -> dict[str, str]:
    paper = papers().get(identity.partition(".")[0])
    experiments = [named.config.experiment() for named in (paper.experiments if paper else ())]
    return {
        name: quantity.meaning for each in experiments for name, quantity in each.quantities.items()
    }


def _decide(statement: Statement, lab: Lab, report: Watch) -> StatementOutcome:
    try:
        job = statement_job(statement, None, 0, {})
        return decided(statement, checked(job, out=lab.store, fresh=lab.fresh, watch=report))
    except Exception as error:
        if disk_is_full(error) or isinstance(error, Stopped):
            raise
        return StatementOutcome(
            id=statement.id,
            title=statement.title,
            place=statement.place,
            status=_ended(error),
            error=_why(error),
            expected=expected_verdicts(statement.id),
        )
