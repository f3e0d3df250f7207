"""Shares caught by stage, and the survivors with their lines."""

from collections.abc import Iterator
from typing import Any

from mutants.outcomes import CAUGHT
from mutants.slips import Slip


def summary(
    slips: list[Slip], entries: dict[str, dict[str, Any]], reasons: dict[str, str]
) -> Iterator[str]:
    """A Markdown table, a row per stage; explained survivors do not count in the share."""
    yield "| stage | slips | caught | equivalent | survived | share caught |"
    yield "|---|---:|---:|---:|---:|---:|"
    stages = sorted({slip.path.split("/")[0] for slip in slips})
    for stage in [*stages, "all"]:
        own = [slip for slip in slips if stage in ("all", slip.path.split("/")[0])]
        known = [slip for slip in own if slip.name in entries]
        caught = sum(entries[slip.name]["outcome"] in CAUGHT for slip in known)
        excused = sum(
            slip.name in reasons and entries[slip.name]["outcome"] not in CAUGHT for slip in known
        )
        left = len(known) - caught - excused
        judged = caught + left
        share = f"{100 * caught / judged:.1f} %" if judged else "–"
        yield f"| {stage} | {len(known)} | {caught} | {excused} | {left} | {share} |"
    if missing := len(slips) - sum(slip.name in entries for slip in slips):
        yield f"\n{missing} slips were not tried yet."


def survivors(
    slips: list[Slip], entries: dict[str, dict[str, Any]], reasons: dict[str, str]
) -> Iterator[str]:
    """Every survivor as a difference of lines, with who should have noticed."""
    for slip in slips:
        entry = entries.get(slip.name)
        if entry is None or entry["outcome"] in CAUGHT:
            continue
        yield f"\nsrc/featlearn/{slip.path}:{slip.line}  {slip.function}  [{slip.kind}]"
        yield f"  - {slip.before}"
        yield f"  + {slip.after}"
        if slip.why:
            yield f"  {slip.why}"
        if slip.name in reasons:
            yield f"  explained: {reasons[slip.name]}"
        elif not entry["judges"]:
            yield "  no test of its folder runs this line"
