"""The main functions of the library: run, check, search, compare, reproduce."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path

from featlearn._check import require
from featlearn.experiments.result import Result
from featlearn.experiments.run import as_store
from featlearn.experiments.run import run as run_target
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.search import Threshold, parse_target
from featlearn.experiments.search import search as search_target
from featlearn.reproduction.catalogue import find_experiment, find_statements
from featlearn.reproduction.item import Item
from featlearn.reproduction.outcome import Outcome
from featlearn.reproduction.reproduce import Tell
from featlearn.reproduction.reproduce import reproduce as reproduce_ids
from featlearn.results.compare import Comparison, compare_summaries, find_result
from featlearn.results.compare import compare as compare_folders
from featlearn.results.store import Store
from featlearn.theory import Judgement, Statement
from featlearn.theory.check import check as check_statement


def run(
    experiment: object,
    *,
    seeds: int = 5,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    **fields: object,
) -> Result:
    """Train an experiment over seeds and return its result.

    Of the result, `summary` has one number per seed for each quantity, `dataset` everything that
    was recorded (an xarray.Dataset), `plot(name)` draws a quantity over steps, and `sample(seed)`
    returns the points that a seed was trained on. See `featlearn.experiments.run.run`.

    Args:
        experiment: an id such as "glasgow2023.xor" or "my_file.py:name"; an `Experiment`; or a
            function with keyword fields that returns one.
        seeds: the number of seeds.
        first_seed: the first seed; the others follow.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        watch: called with the fraction of the work that is done, for a progress bar.
        fields: fields of the experiment to change, or arguments of the function; `featlearn run ID
            --help` lists those of an id.

    Example:
        >>> result = run("glasgow2023.xor", d=10, width=20, steps=2, records=2, seeds=2)
        >>> result.summary["test_accuracy"].reached
        2
    """
    target = find_experiment(experiment) if isinstance(experiment, str) else experiment
    return run_target(
        target, seeds=seeds, first_seed=first_seed, out=out, fresh=fresh, watch=watch, **fields
    )


def check(
    statement: str | Statement | Callable[..., Statement],
    *,
    seeds: int | None = None,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    fresh: bool = False,
    **fields: object,
) -> Judgement:
    """Check one statement and return its judgement.

    Of the judgement, `verdicts` has the verdict of each reading, and `parts` the comparisons that
    they rest on. See `featlearn.theory.check.check`.

    Args:
        statement: an id, a `Statement`, or a function that returns one.
        seeds: the number of seeds; by default the statement's own.
        first_seed: the first seed; the others follow.
        out: the store to read from and write to; None stores nothing.
        fresh: measure again, even if the store has the evidence.
        fields: fields of the statement's configuration to change, or arguments of the function.

    Example:
        >>> check("glasgow2023.lemma-C.4", d=[4], seeds=2).verdicts
        {'printed': 'FAILS', 'corrected': 'HOLDS'}
    """
    if not isinstance(statement, str | Statement):
        require(callable(statement), "check", "a statement", type(statement).__name__)
        taken = [name for name in inspect.signature(statement).parameters if name in fields]
        statement = statement(**{name: fields.pop(name) for name in taken})
        require(isinstance(statement, Statement), "check", "a statement", type(statement).__name__)
    found = find_statements(statement) if isinstance(statement, str) else [statement]
    require(
        len(found) == 1,
        "check",
        "one statement",
        f"{len(found)} of {statement}",
        "Check them one by one, or use `featlearn check`.",
    )
    return check_statement(
        found[0],
        seeds=seeds,
        first_seed=first_seed,
        out=out,
        fresh=fresh,
        watch=None,
        **fields,
    )


def search(
    experiment: object,
    *,
    field: str,
    reach: str,
    between: tuple[float, float],
    tolerance: float = 0.05,
    seeds: int = 5,
    first_seed: int = 0,
    out: Store | Path | str | None = None,
    watch: Watch | None = None,
    **fields: object,
) -> Threshold:
    """Return the smallest value of a field that reaches a target such as ``"test_accuracy>=0.95"``.

    See `featlearn.experiments.search.search`; `experiment` is anything that `run` accepts.
    """
    return search_target(
        find_experiment(experiment) if isinstance(experiment, str) else experiment,
        field=field,
        reach=parse_target(reach),
        between=between,
        tolerance=tolerance,
        seeds=seeds,
        first_seed=first_seed,
        out=out,
        pool=None,
        watch=watch,
        **fields,
    )


def compare(
    a: Result | Path | str, b: Result | Path | str, *, out: Store | Path | str | None = None
) -> Comparison:
    """Compare two results: return the fields that differ, and the differences with 95 % intervals.

    Args:
        a: a result, the folder of one, or the beginning of its hash in the store `out`.
        b: the other result, given in the same way.
        out: the store in which a hash is looked up.
    """
    if isinstance(a, Result) and isinstance(b, Result):
        return compare_summaries(a, b)
    folders = []
    for each in (a, b):
        found = each.path if isinstance(each, Result) else each
        require(found is not None, "compare", "a result of a store", "one of memory alone")
        root = out.root if isinstance(out, Store) else Path(out or ".")
        folders.append(find_result(str(found), root))
    return compare_folders(*folders)


def reproduce(
    ids: str | Item | Statement | Sequence[str | Item | Statement] = (),
    *,
    size: str = "quick",
    out: Store | Path | str | None = None,
    fresh: bool = False,
    data: Path | str | None = None,
    watch: Watch | None = None,
    tell: Tell | None = None,
) -> tuple[Outcome, ...]:
    """Reproduce papers, items or statements and return the outcomes; see
    `featlearn.reproduction.reproduce.reproduce`.

    Args:
        ids: ids, or items and statements themselves; none means every paper.
        size: "quick" runs the headline of each paper, "full" everything; items have both sizes.
        out: the store to read from and write to; None computes in memory.
        fresh: compute again what the store has.
        data: folder of image files, for items that use them.
        watch: called with the fraction of the work that is done.
        tell: called with every outcome when it is ready.
    """
    return reproduce_ids(
        (ids,) if isinstance(ids, str | Item | Statement) else ids,
        size=size,
        out=as_store(out),
        fresh=fresh,
        data=None if data is None else Path(data),
        watch=watch,
        tell=tell,
    )
