"""make mutants: slips one at a time, against the tests of their folder.

python -m mutants                        what is chosen and not known yet, then the summary
python -m mutants --module losses        only modules whose path has that in it
python -m mutants --limit 20             stop after so many
python -m mutants --survivors            only tell what is known: the summary and all survivors
python -m mutants --list                 the chosen slips, without running any
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mutants import forks, swap
from mutants.choice import SHARE, Stale, all_slips, chosen, rank, written_by_hand
from mutants.coverage import measured
from mutants.explained import explanations
from mutants.jury import Jury, begin, jury, jury_by_words
from mutants.outcomes import CAUGHT, Outcomes
from mutants.slips import Slip
from mutants.summary import summary, survivors
from mutants.tree import COPIED, ROOT, Tree, judges_of, mirror, modules

TARGET = 0.95
SNAPSHOT = "snapshot"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the slips; 1 if less than the target is caught, 2 if a list is stale."""
    given = _parsed(arguments)
    if not given.list and given.out.resolve() / SNAPSHOT != ROOT:
        _go_on_in_a_copy(given.out.resolve(), arguments)
    hand = written_by_hand()
    every = {module: all_slips(module, hand) for module in modules()}
    reasons = explanations([slip for slips in every.values() for slip in slips])
    wanted = [name for name in every if not given.module or any(p in name for p in given.module)]
    slips = [
        slip
        for name in wanted
        for slip in chosen(every[name], seed=given.seed, share=given.share)
        if not given.hand or slip.kind == "hand"
    ]
    if given.list:
        for slip in slips:
            print(f"{slip.path}:{slip.line} [{slip.kind}]\n  - {slip.before}\n  + {slip.after}")
        print(f"{len(slips)} of {sum(map(len, every.values()))} slips")
        return 0
    folder = given.out.resolve()
    forks.warm_up(folder / "compiled")
    trees = [Tree(folder / f"tree-{slot}") for slot in range(given.processes)]
    files = {name: judges_of(name) for name in sorted({slip.path for slip in slips})}
    if given.untraced:
        panels = {slip.name: jury_by_words(slip, files[slip.path]) for slip in slips}
    else:
        coverage = measured(folder, trees[0], sorted({f for some in files.values() for f in some}))
        panels = {slip.name: jury(slip, files[slip.path], coverage) for slip in slips}
    outcomes = Outcomes(folder / "outcomes.jsonl")
    entries = {
        slip.name: entry for slip in slips if (entry := outcomes.get(slip, panels[slip.name]))
    }
    if not given.survivors:
        # In the order of their ranks: a run that is cut short has tried a sample of all.
        todo = sorted(slips, key=lambda slip: rank(slip, given.seed))
        todo = [slip for slip in todo if given.fresh or slip.name not in entries]
        if todo:
            swap.preload(trees[0].folder)
        entries |= _tried(todo[: given.limit], panels, trees, outcomes, folder)
    for line in (*survivors(slips, entries, reasons), "", *summary(slips, entries, reasons)):
        print(line)
    caught = sum(entry["outcome"] in CAUGHT for entry in entries.values())
    excused = sum(
        name in reasons and entry["outcome"] not in CAUGHT for name, entry in entries.items()
    )
    return 0 if caught >= TARGET * (len(entries) - excused) else 1


def _go_on_in_a_copy(folder: Path, arguments: Sequence[str] | None) -> None:
    """Run from a copy of the tree, so that editing the tree in the meantime changes nothing."""
    for name in COPIED:
        mirror(ROOT / name, folder / SNAPSHOT / name)
    os.chdir(folder / SNAPSHOT)
    given = sys.argv[1:] if arguments is None else [*arguments]
    os.execv(sys.executable, [sys.executable, "-m", "mutants", *given, "--out", str(folder)])


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("--module", action="append", help="part of a path; may be repeated")
    parser.add_argument("--limit", type=int, help="try at most so many slips")
    parser.add_argument("--survivors", action="store_true", help="run nothing, tell what is known")
    parser.add_argument("--list", action="store_true", help="the chosen slips; run nothing")
    parser.add_argument("--hand", action="store_true", help="only those written by hand")
    parser.add_argument("--fresh", action="store_true", help="try again what is known")
    parser.add_argument(
        "--untraced", action="store_true", help="choose tests by the words in them, and briefly"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the choice")
    parser.add_argument("--share", type=float, default=SHARE, help="of each module's slips")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutants")
    return parser.parse_args(arguments)


def _tried(
    todo: list[Slip], panels: dict[str, Jury], trees: list[Tree], outcomes: Outcomes, folder: Path
) -> dict[str, dict[str, Any]]:
    """Try slips, as many at a time as there are trees."""
    entries: dict[str, dict[str, Any]] = {}
    anew: set[str] = set()
    """Slips that are tried with their module imported anew."""
    waiting, running = list(reversed(todo)), dict[int, tuple[Slip, forks.Child]]()
    began = time.monotonic()
    try:
        while waiting or running:
            for slot, tree in enumerate(trees):
                if slot in running or not waiting:
                    continue
                slip = waiting.pop()
                panel = panels[slip.name]
                if not panel.files:
                    nobody = {"outcome": "survived", "seconds": 0.0}
                    entries[slip.name] = outcomes.add(slip, panel, nobody)
                    continue
                fast = slip.name not in anew
                if not fast:
                    tree.lay(slip)
                running[slot] = slip, begin(slip, panel, tree, folder, slot, in_place=fast)
            for slot, (slip, child) in list(running.items()):
                if (report := child.finished(0.2)) is None:
                    continue
                del running[slot]
                if slip.name in anew:
                    trees[slot].restore(slip)
                elif report["outcome"] in ("needs its module anew", "died") or (
                    report["outcome"] == "survived" and panels[slip.name].budget is None
                ):
                    anew.add(slip.name)
                    waiting.append(slip)
                    continue
                entry = entries[slip.name] = outcomes.add(slip, panels[slip.name], report)
                _tell(slip, entry, len(entries), len(todo), time.monotonic() - began)
    finally:
        for slot, (slip, child) in running.items():
            child.stop()
            trees[slot].restore(slip)
    return entries


def _tell(slip: Slip, entry: dict[str, Any], done: int, of: int, seconds: float) -> None:
    left = seconds / done * (of - done) / 60
    print(
        f"{done}/{of}  {entry['outcome']:8} {entry['seconds']:6.1f} s  about {left:.0f} min left  "
        f"{slip.path}:{slip.line}  {slip.after[:70]}",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    try:
        code = main()
    except Stale as stale:
        print(stale, file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        code = 130
    sys.stdout.flush()
    os._exit(code)  # threads of the libraries are not waited for
