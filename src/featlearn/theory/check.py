"""Check a statement over seeds; a decision that the store has is read, not made again."""

import dataclasses
import math
import time
from pathlib import Path
from typing import Any

from featlearn._check import InputError
from featlearn._config import fields, replace
from featlearn.experiments.named import seed_range
from featlearn.results.provenance import provenance
from featlearn.results.store import Store
from featlearn.theory.statement import Statement, judge
from featlearn.theory.verdict import (
    Assumption,
    FittedConstant,
    Judgement,
    Kind,
    Part,
    Trend,
    Verdict,
    finite,
)

_NUMBERS = ("x", "measured", "low", "high", "predicted")
"""The fields of a trend that are rows of numbers."""


def check(
    statement: Statement,
    *,
    seeds: int | None = None,
    first_seed: int = 0,
    out: Path | str | None = None,
    fresh: bool = False,
    **changes: Any,
) -> Judgement:
    """Decide a statement at its default sizes, or with some fields changed.

    Args:
        statement: what to check.
        seeds: how many; the statement's own number by default.
        first_seed: the first of them.
        out: the store to read from and write to; None keeps nothing.
        fresh: decide again what the store has.
        changes: fields of the statement's configuration to change.
    """
    config = replace(statement.config, changes, where=statement.id)
    chosen = seed_range(statement.seeds if seeds is None else seeds, first_seed)
    if out is None:
        return judge(statement, config, chosen)
    entry = Store(Path(out)).open().entry(statement.id, config, statement)
    with entry.lock():
        file = entry.verdict(chosen)
        if file.exists() and not fresh:
            stored = from_document(entry.read_verdict(chosen), str(file))
            return dataclasses.replace(stored, config=fields(config), status="read")
        clock = time.perf_counter()
        judgement = judge(statement, config, chosen)
        seconds = round(time.perf_counter() - clock, 3)
        document = {**to_document(judgement), "seconds": seconds, "provenance": provenance()}
        entry.write_verdict(chosen, document)
    return judgement


def to_document(judgement: Judgement) -> dict[str, Any]:
    """The judgement as the command line prints it; numbers are finite or null."""
    deciding = judgement.deciding
    return {
        "id": judgement.id,
        "kind": judgement.kind.value,
        "verdict": judgement.verdict.name if judgement.verdict else None,
        "reason": judgement.reason,
        "config": judgement.config,
        "assumptions": [dataclasses.asdict(each) for each in judgement.assumptions],
        "parts": [_part_document(part) for part in judgement.parts],
        "constants": {
            name: {"value": finite(c.value), "ci": _interval(c.ci)}
            for name, c in judgement.constants.items()
        },
        "trends": [_trend_document(trend) for trend in judgement.trends],
        "measured": finite(deciding.measured) if deciding else None,
        "stderr": finite(deciding.stderr) if deciding else None,
        "predicted": finite(deciding.predicted) if deciding else None,
        "seeds": judgement.seeds,
        "status": judgement.status,
    }


def from_document(document: Any, where: str) -> Judgement:
    """The judgement that `to_document` wrote."""
    try:
        return _judgement(document)
    except (AttributeError, KeyError, TypeError, ValueError):
        hint = "Use --fresh to decide it again."
        raise InputError(where, "a stored verdict", "something else", hint) from None


def _judgement(document: Any) -> Judgement:
    verdict = document["verdict"]
    return Judgement(
        id=document["id"],
        kind=Kind(document["kind"]),
        verdict=Verdict[verdict] if verdict else None,
        reason=document["reason"],
        config={k: tuple(v) if isinstance(v, list) else v for k, v in document["config"].items()},
        seeds=document["seeds"],
        assumptions=tuple(Assumption(**each) for each in document["assumptions"]),
        parts=tuple(_part(each) for each in document["parts"]),
        constants={
            name: FittedConstant(value=_number(c["value"]), ci=_ends(c["ci"]))
            for name, c in document["constants"].items()
        },
        trends=tuple(_trend(each) for each in document.get("trends", ())),
    )


def _trend_document(trend: Trend) -> dict[str, Any]:
    numbers = {name: [finite(v) for v in getattr(trend, name)] for name in _NUMBERS}
    return {**dataclasses.asdict(trend), **numbers}


def _trend(document: dict[str, Any]) -> Trend:
    return Trend(**{**document, **{n: tuple(map(_number, document[n])) for n in _NUMBERS}})


def _part_document(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "relation": part.relation,
        "measured": finite(part.measured),
        "stderr": finite(part.stderr),
        "ci": _interval(part.ci),
        "predicted": finite(part.predicted),
        "verdict": part.verdict.name if part.verdict else None,
        "reason": part.reason,
    }


def _part(document: dict[str, Any]) -> Part:
    verdict, ci = document["verdict"], document["ci"]
    changed = {"verdict": Verdict[verdict] if verdict else None, "ci": _ends(ci)}
    return Part(**{**document, **changed})


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _ends(ci: list[float | None] | None) -> tuple[float, float] | None:
    return None if ci is None else (_number(ci[0]), _number(ci[1]))


def _interval(ci: tuple[float, float] | None) -> list[float | None] | None:
    return None if ci is None else [finite(ci[0]), finite(ci[1])]
