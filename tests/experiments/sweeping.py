"""What the tests of sweeps share: small sweeps by command line, and stores compared by content."""

import subprocess
import sys
from pathlib import Path

SMALL = ["--d", "30", "--width", "5", "--records", "3", "--test", "40", "--seeds", "2"]


def command(*words: str) -> list[str]:
    """The command line of featlearn in a process of its own."""
    return [sys.executable, "-m", "featlearn.cli.main", *words]


def small_sweep(out: Path, *words: str, points: int = 3, steps: int = 8) -> list[str]:
    """A sweep of a second or two; the points differ in a number, so that they share a program."""
    over = "eta=" + ",".join(f"0.{i}" for i in range(1, points + 1))
    size = [*SMALL, "--steps", str(steps), "--out", str(out)]
    return command("sweep", "glasgow2023.xor", "--over", over, *size, *words)


def contents(out: Path) -> dict[str, bytes]:
    """All numbers of a store by file; who wrote them, when, and locks left out."""
    ignored = ("about.json", "manifest.json", "lock")
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in ignored
    }


def run(words: list[str], **options) -> subprocess.CompletedProcess[str]:
    """Run to the end and insist that it worked."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done
