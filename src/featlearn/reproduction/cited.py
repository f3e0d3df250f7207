"""A statement as one may cite it: text, verdict of each reading, constants, settings, evidence."""

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
    """All that a citation of a verdict has to name.

    The verdicts are those of the evidence in the store, where it is there; else the recorded ones.
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


def lines(told: dict[str, Any]) -> list[str]:
    """The same for people, and for BibTeX, which skips what stands outside its entries."""

    def listed(name: str, values: list[str]) -> list[str]:
        return [f"{name}: {'; '.join(values)}"] if values else []

    place = f", {told['place']}" if told["place"] else ""
    found = [f"{told['id']}{place}: {told['title']} ({told['kind']})"]
    for name in ("printed", "corrected"):
        if told[name]:
            found.append(f"{name}: {' '.join(told[name].split())}")
    found += listed("hypotheses", told["hypotheses"])
    found += listed("rests on", told["uses"])
    for reading, of in told["readings"].items():
        found.append(f"{reading}: {of['verdict'] or 'no verdict'}. {of['reason']}")
    for each in told["constants"]:
        values = [f"{name} {each[name]}" for name in ("printed", "proof", "run") if each[name]]
        at = f" ({each['line']})" if each["line"] else ""
        found.append(f"{each['symbol']}, {each['role']}: {', '.join(values) or 'hidden'}{at}")
    settings = [f"{name} = {value}" for name, value in told["settings"].items()]
    found += listed("settings", [*settings, f"{told['seeds']} seeds"])
    there = "" if told["stored"] else " (not in this store)"
    found.append(f"evidence: {told['evidence']}{there}")
    found += [f"  rests on {parent}" for parent in told["rests_on"]]
    found.append(f"featlearn {told['featlearn']}")
    return found
