"""`featlearn.run`, `check` and `search`: the verbs of the library, by id or by value."""

from pathlib import Path
from typing import Any

from featlearn._check import require
from featlearn.experiments.executor import Watch
from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import Result
from featlearn.experiments.run import run as run_named
from featlearn.experiments.search import Threshold, parse_target
from featlearn.experiments.search import search as search_named
from featlearn.papers.catalogue import find_experiment, find_statements
from featlearn.theory import Judgement, Statement
from featlearn.theory.check import check as check_statement


def run(
    experiment: str | NamedExperiment,
    *,
    seeds: int = 5,
    first_seed: int = 0,
    out: Path | str | None = None,
    fresh: bool = False,
    watch: Watch | None = None,
    **fields: Any,
) -> Result:
    """Train an experiment over seeds; see `featlearn.experiments.run.run`.

    Example:
        >>> result = run("glasgow2023.xor", d=10, width=20, steps=2, records=2, seeds=2)
        >>> result.summary["test_accuracy"].reached
        2
    """
    named = find_experiment(experiment) if isinstance(experiment, str) else experiment
    return run_named(
        named, seeds=seeds, first_seed=first_seed, out=out, fresh=fresh, watch=watch, **fields
    )


def check(
    statement: str | Statement,
    *,
    seeds: int | None = None,
    first_seed: int = 0,
    out: Path | str | None = None,
    fresh: bool = False,
    **fields: Any,
) -> Judgement:
    """Decide one statement; see `featlearn.theory.check.check`.

    Example:
        >>> print(check("glasgow2023.lemma-C.4", d=[4], seeds=2).verdict)
        Verdict.HOLDS
    """
    found = find_statements(statement) if isinstance(statement, str) else [statement]
    require(
        len(found) == 1,
        "check",
        "one statement",
        f"{len(found)} of {statement}",
        "Check them one by one, or use `featlearn check`.",
    )
    return check_statement(
        found[0], seeds=seeds, first_seed=first_seed, out=out, fresh=fresh, **fields
    )


def search(
    experiment: str | NamedExperiment,
    *,
    field: str,
    reach: str,
    between: tuple[float, float],
    tolerance: float = 0.05,
    seeds: int = 5,
    first_seed: int = 0,
    out: Path | str = "results",
    watch: Watch | None = None,
    **fields: Any,
) -> Threshold:
    """The smallest value of a field that reaches a target such as ``"test_accuracy>=0.95"``.

    See `featlearn.experiments.search.search`.
    """
    named = find_experiment(experiment) if isinstance(experiment, str) else experiment
    return search_named(
        named,
        field=field,
        target=parse_target(reach),
        between=between,
        tolerance=tolerance,
        seeds=seeds,
        first_seed=first_seed,
        out=out,
        watch=watch,
        **fields,
    )
