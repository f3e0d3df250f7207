"""Cite a statement: collect its text, its verdict in each reading, its constants, settings and
evidence.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from featlearn._config import fields
from featlearn.experiments.run import entry_of
from featlearn.reproduction.catalogue import expected_verdicts
from featlearn.reproduction.outcome import stored_statement
from featlearn.results.provenance import version
from featlearn.results.store import Store
from featlearn.theory import Statement
from featlearn.theory.check import statement_job


def cited(statement: Statement, out: Path) -> dict[str, object]:
    """Return everything that a citation of a verdict has to name, as a JSON document.

    The verdicts come from the evidence in the store or, if the store has none, from
    `expected.json`.
    """
    text, store = statement.text, Store(root=out)
    job = statement_job(statement, None, 0, {})
    entry = entry_of(store, job)
    address = str(entry.path.relative_to(out))
    found = stored_statement(store, statement) if entry.has(job.part) else None
    judgement = found.judgement if found else None
    if judgement:
        readings = {
            read.reading.name.lower(): {
                "verdict": read.verdict.name if read.verdict else None,
                "reason": read.reason,
            }
            for read in judgement.readings
        }
    else:
        recorded = expected_verdicts(statement.id) or {}
        readings = {name: {"verdict": v, "reason": "recorded"} for name, v in recorded.items()}
    constants = [{**asdict(each), "role": each.role.value} for each in text.constants]
    return {
        "id": statement.id,
        "title": statement.title,
        "place": statement.place,
        "kind": statement.kind.value,
        "printed": text.printed,
        "corrected": text.corrected,
        "hypotheses": list(text.hypotheses),
        "uses": list(text.uses),
        "readings": readings,
        "constants": constants,
        "settings": fields(statement.config),
        "seeds": statement.seeds,
        "evidence": address,
        "stored": found is not None,
        "rests_on": entry.about(job.part).get("parents", []) if found else [],
        "featlearn": version(),
    }


def lines(citation: dict[str, Any]) -> list[str]:
    """Return the citation as lines of text; BibTeX skips text that is outside of its entries."""

    def listed(name: str, values: list[str]) -> list[str]:
        return [f"{name}: {'; '.join(values)}"] if values else []

    place = f", {citation['place']}" if citation["place"] else ""
    found = [f"{citation['id']}{place}: {citation['title']} ({citation['kind']})"]
    for name in ("printed", "corrected"):
        if citation[name]:
            found.append(f"{name}: {' '.join(citation[name].split())}")
    found += listed("hypotheses", citation["hypotheses"])
    found += listed("rests on", citation["uses"])
    for reading, result in citation["readings"].items():
        found.append(f"{reading}: {result['verdict'] or 'no verdict'}. {result['reason']}")
    for each in citation["constants"]:
        values = [f"{name} {each[name]}" for name in ("printed", "proof", "run") if each[name]]
        at = f" ({each['line']})" if each["line"] else ""
        found.append(f"{each['symbol']}, {each['role']}: {', '.join(values) or 'hidden'}{at}")
    settings = [f"{name} = {value}" for name, value in citation["settings"].items()]
    found += listed("settings", [*settings, f"{citation['seeds']} seeds"])
    there = "" if citation["stored"] else " (not in this store)"
    found.append(f"evidence: {citation['evidence']}{there}")
    found += [f"  rests on {parent}" for parent in citation["rests_on"]]
    found.append(f"featlearn {citation['featlearn']}")
    return found
