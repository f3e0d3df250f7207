"""make bench-against REV=…: this tree and another commit, contender against contender in one run.

The other commit is checked out below build/ with its own kernels, if it has any, and runs with its
own benchmarks; both use this environment's packages. Each side is resolved to its own engine.
"""

import argparse
import importlib.util
import io
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from benchmarks.harness import BUSY, Entry, compete, load

ROOT = Path(__file__).parents[1]
WORKLOADS = (
    *(("glasgow.ours", s) for s in ((512, 1000, 2048), (512, 100, 2048), (2000, 200, 8000))),
    ("glasgow.ours", (100, 200, 400)),
    ("glasgow.ours_seeds", (100, 200, 400, 16)),
    ("daniely.ours", (301, 5, 600)),
    ("frei.ours", (5000, 500, 2, 100)),
    ("shi.ours", (5,)),
)


def checkout(revision: str) -> Path:
    """That commit in a folder of its own, its kernels compiled."""
    tree = ROOT / "build" / "against"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    asked = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    packed = subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(tree, filter="data")
    file = tree / "src" / "featlearn" / "training" / "native" / "build.py"
    if file.exists():
        spec = importlib.util.spec_from_file_location("build_of_the_other", file)
        assert spec is not None
        assert spec.loader is not None
        build = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(build)
        build.compile_kernels()
    return tree


def main() -> int:
    """Print a row for every workload; refuse on a busy machine unless told --anyway."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against")
    parser.add_argument("revision", help="a commit, a branch, a tag")
    parser.add_argument("--anyway", action="store_true", help="even on a busy machine")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="workloads whose name begins so")
    told = parser.parse_args()
    if (busy := load()) > BUSY and not told.anyway:
        print(f"benchmarks: expected a load of at most {BUSY}, got {busy:.2f}. Wait, or --anyway.")
        return 2
    tree = checkout(told.revision)
    print(f"| workload | here | {told.revision} | that over this |")
    print("|---|---:|---:|---:|", flush=True)
    for name, sizes in WORKLOADS:
        if name.startswith(told.only):
            here, there = compete(
                Entry(name=name, arguments=sizes),
                Entry(name=name, arguments=sizes, tree=tree),
                rounds=told.rounds,
            )
            label = f"{name} {', '.join(map(str, sizes))}"
            row = f"| {label} | {1e3 * here:.3f} ms | {1e3 * there:.3f} ms | {there / here:.2f} |"
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
