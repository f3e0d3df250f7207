"""The command `featlearn record PAPER`: write stored outcomes into the paper's expected.json."""

import time
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.fields import COMMON
from featlearn.cli.output import print_document
from featlearn.cli.run import OUT, Json, Out, store_at

Dry = Annotated[
    bool, Parameter(group=COMMON, negative="", help="Say what would move; write nothing.")
]


def record(
    id_: Annotated[str, Parameter(name="id", help="A paper, or one item or statement of it.")],
    /,
    *,
    out: Out = OUT,
    dry: Dry = False,
    json: Json = False,
) -> int:
    """Record the stored full-size numbers and verdicts as the expected ones."""
    started = time.perf_counter()
    from featlearn.reproduction.record import recording

    found = recording(id_, store_at(out, same_environment=False).open())
    if not dry:
        found.write()
    if json:
        told = {"paper": found.paper.id, "moved": list(found.moved), "new": found.new}
        told["absent"] = list(found.absent)
        print_document({**told, "rows": len(found.rows), "verdicts": len(found.verdicts)}, started)
        return 0
    for sentence in found.moved:
        print(sentence)
    done = "would be recorded" if dry else "recorded"
    print(
        f"{found.paper.id}: {len(found.rows)} rows and {len(found.verdicts)} verdicts {done}, "
        f"{found.new} new, {len(found.moved)} moved."
    )
    if found.absent:
        print(f"Not in the store at full size, kept as recorded: {', '.join(found.absent)}.")
    return 0
