"""featlearn archive, featlearn replay: a result in one file, and computed again from it."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.fields import COMMON
from featlearn.cli.output import number, print_document, progress, require_file, with_error
from featlearn.cli.run import OUT, Json, Out, store_at

Target = Annotated[str, Parameter(help="An experiment, a statement or an item; or path.py:name.")]
File = Annotated[Path | None, Parameter(group=COMMON, help="The file (default: ID.zip).")]
Key = Annotated[str, Parameter(group=COMMON, help="The beginning of its key in the store.")]
Trust = Annotated[
    bool,
    Parameter(group=COMMON, negative="", help="Run code that came with the archive."),
]
Data = Annotated[Path | None, Parameter(group=COMMON, help="Folder of image files.")]


def archive(
    identity: Target, /, *, to: File = None, key: Key = "", out: Out = OUT, json: Json = False
) -> int:
    """Pack a stored result into one file: description, seeds, versions, source, numbers."""
    started = time.perf_counter()
    file = to or Path(f"{Path(identity.replace(':', '-')).name}.zip")
    require_file(file, str(file))
    from featlearn.reproduction.archive import pack, write

    found = pack(identity, store_at(out, same_environment=False).open(), key=key)
    file.parent.mkdir(parents=True, exist_ok=True)
    write(found, file)
    if json:
        told = {"id": found.id, "kind": found.kind, "numbers": len(found.numbers)}
        print_document({**told, "modules": len(found.modules), "file": str(file)}, started)
    else:
        print(
            f"{found.id}: {found.kind} with {len(found.numbers)} numbers and the text of "
            f"{len(found.sources)} modules: {file}"
        )
    return 0


def replay(
    file: Annotated[Path, Parameter(help="What `featlearn archive` wrote.")],
    /,
    *,
    trust: Trust = False,
    data: Data = None,
    json: Json = False,
) -> int:
    """Compute an archived result again: same bits, agreement within error, or 1 if it differs."""
    started = time.perf_counter()
    from featlearn.reproduction.archive import read

    found = read(file)
    from featlearn.experiments.engine import prepare

    prepare()
    from featlearn.reproduction.replay import DIFFERS
    from featlearn.reproduction.replay import replay as compute_again

    with progress(f"replay {found.id}") as watch:
        done = compute_again(found, trust=trust, data=data, watch=watch)
    rows = [
        {"name": name, "then": done.then.get(name), "now": done.now.get(name), "apart": far}
        for name, far in done.apart.items()
    ]
    if json:
        told = {"id": found.id, "kind": found.kind, "outcome": done.outcome, "numbers": rows}
        where = {"elsewhere": list(done.elsewhere), "other code": list(done.code)}
        print_document({**told, **where}, started)
    else:
        for name, far in done.apart.items():
            then, now = (pair.get(name, (None, None)) for pair in (done.then, done.now))
            print(f"  {name}: {with_error(*then)} then, {with_error(*now)} now ({number(far, 2)})")
        for sentence in done.elsewhere:
            print(f"  {sentence}")
        print(f"{found.id}: {done.sentence}.")
    return 1 if done.outcome == DIFFERS else 0
