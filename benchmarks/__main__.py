"""make bench: ratios against bare matrix products and against PyTorch, for all four papers.

python -m benchmarks                      every section, as the text of docs/performance.md
python -m benchmarks frei shi             some of them
python -m benchmarks --write docs/performance.md
                                          the page, its plot, and a line of benchmarks/history.jsonl
python -m benchmarks --anyway             on a busy machine, where no timing means anything
"""

import argparse
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.harness import BUSY, Contender, Entry, compete, load, memory, race
from benchmarks.history import HISTORY, PLOT, draw, note, record

XOR_SIZES = ((512, 1000, 2048), (512, 100, 2048), (2000, 200, 8000), (100, 200, 400))
"""Dimension, width and batch of Glasgow's experiment: three bound by compute, one by overhead."""
BARE = ("glasgow.bare_numpy", "glasgow.bare_jax", "glasgow.bare_torch")


TORCH_AT_ITS_BEST = ("glasgow.torch_drawn", "glasgow.torch_compiled")
SMALL = (64, 16, 64)
"""Sizes at which a step takes no memory to speak of."""
CORES = (1, 2)


def glasgow() -> Iterator[str]:
    """XOR by minibatches: one network, sixteen seeds, a sweep."""
    yield (
        "| XOR, one network | ours, a step | over bare products | PyTorch over ours "
        "| PyTorch at its best over ours | a second core: ours, products, PyTorch "
        "| memory: ours, PyTorch |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for sizes in XOR_SIZES:
        label = "d={}, p={}, m={}".format(*sizes)
        names = ("glasgow.ours", "glasgow.torch", *TORCH_AT_ITS_BEST, *BARE)
        times = race([Contender(name=n, arguments=sizes, cores=c) for n in names for c in CORES])
        by = {c: {t.name: s for t, s in times.items() if t.cores == c} for c in CORES}

        def best(*of: str, by: dict[int, dict[str, float]] = by) -> float:
            return min(by[cores][name] for cores in CORES for name in of)

        def gain(*of: str, by: dict[int, dict[str, float]] = by) -> str:
            return f"{min(by[1][name] for name in of) / min(by[2][name] for name in of):.2f}"

        us, torch = best("glasgow.ours"), best("glasgow.torch")
        bare, strongest = best(*BARE), best("glasgow.torch", *TORCH_AT_ITS_BEST)
        second = ", ".join((gain("glasgow.ours"), gain(*BARE), gain("glasgow.torch")))
        taken = [memory(name, sizes, SMALL, 1) for name in ("glasgow.ours", "glasgow.torch")]
        yield (
            f"| {label} | {1e3 * us:.2f} ms | {us / bare:.2f} | {torch / us:.2f} "
            f"| {strongest / us:.2f} | {second} | {taken[0]:.0f}, {taken[1]:.0f} MB |"
        )
        note(f"{label}: over bare products", us / bare)
        note(f"{label}: PyTorch over ours", torch / us)
        note(f"{label}: PyTorch at its best over ours", strongest / us)
    yield ""
    seeds = (*XOR_SIZES[-1], 16)
    us, torch = compete(
        Entry(name="glasgow.ours_seeds", arguments=seeds, cores=(2,)),
        Entry(name="glasgow.torch_seeds", arguments=seeds),
    )
    note("16 seeds: PyTorch over ours", torch / us)
    yield f"16 seeds: {16e3 * us:.2f} ms a step of all, {torch / us:.2f} x PyTorch in a row."
    yield ""
    points = (*XOR_SIZES[-1], 64, 500)
    sweep, loop = compete(
        Entry(name="glasgow.ours_sweep", arguments=points, cores=(2,)),
        Entry(name="glasgow.ours_loop", arguments=points),
        rounds=3,
    )
    yield (
        f"64 configurations in one sweep: {sweep:.3f} s each, {loop / sweep:.2f} x one process "
        f"in a loop."
    )


def million() -> Iterator[str]:
    """A step of XOR with Gaussian noise at fixed p and m, whatever d; and one of a million."""
    p, m, steps = 50, 20_000, 20
    names = (10**4, 10**6, 10**9)
    times = compete(*(Entry(name="glasgow.free_of_d", arguments=(d, p, m, steps)) for d in names))
    yield "| d, at p=50, m=20 000 | ms a step | over d = 10^4 |"
    yield "|---|---:|---:|"
    for d, us in zip(names, times, strict=True):
        yield f"| {d:.0e} | {1e3 * us:.2f} | {us / times[0]:.3f} |"
    yield ""
    (us,) = compete(Entry(name="glasgow.free_of_d", arguments=(10**6, 50, 250_000, 4)), rounds=3)
    yield f"d = 10^6, m = d/4, p = 50: {1e3 * us:.0f} ms a step."


def frei() -> Iterator[str]:
    """Full-batch descent: figure 1 in the plane, and the span of the data at two dimensions."""
    plane = (5000, 500, 2, 100)
    us, torch = compete(
        *(Entry(name=name, arguments=plane) for name in ("frei.ours", "frei.torch"))
    )
    note("Frei, Chatterji & Bartlett, figure 1: PyTorch over ours", torch / us)
    yield (
        f"Figure 1 (n 5000, m 500, d 2, full batch): {1e3 * us:.3f} ms a step, {torch / us:.1f} x "
        f"PyTorch."
    )
    yield ""
    small, large = compete(
        *(Entry(name="frei.ours", arguments=(200, 400, d, 300)) for d in (2000, 20_000))
    )
    yield (
        f"In the span of the data (n 200, m 400): {1e3 * small:.3f} ms a step at d = 2000, "
        f"{large / small:.2f} x that at d = 20 000."
    )


def daniely() -> Iterator[str]:
    """The exact step at a million bits, and Adam after it."""
    million = Entry(name="daniely.first_step", arguments=(10**6, 7, 100), cores=(2,))
    (step,) = compete(million, rounds=1)
    yield f"Start and exact first step, n = 10^6, k = 7, q = 100: {step:.1f} s."
    yield ""
    names = ("daniely.ours", "daniely.torch")
    us, torch = compete(*(Entry(name=name, arguments=(301, 5, 600)) for name in names))
    note("Daniely & Malach, Adam: PyTorch over ours", torch / us)
    yield f"Adam on fresh batches, d = 301: {1e3 * us:.2f} ms a step, {torch / us:.2f} x PyTorch."


def shi() -> Iterator[str]:
    """Table 1's network, all steps."""
    us, torch = compete(
        Entry(name="shi.ours", arguments=(5,), cores=(2,)),
        Entry(name="shi.torch", arguments=(1,)),
        rounds=2,
    )
    note("Shi, Wei & Liang, table 1: PyTorch over ours", torch / us)
    yield f"Table 1, Network, 600 steps, 5 seeds: {5 * us:.1f} s, {torch / us:.2f} x PyTorch."


def growth() -> Iterator[str]:
    """How the cost of a step of XOR grows with each size."""
    base = {"d": 512, "p": 200, "m": 2048}
    yield "| d, p, m | ms a step | ratio to the row above, where work is x 4 |"
    yield "|---|---:|---:|"
    for name in base:
        several = [{**base, name: base[name] * factor // 4} for factor in (1, 4, 16)]
        times = compete(
            *(Entry(name="glasgow.ours", arguments=tuple(sizes.values())) for sizes in several),
            rounds=3,
        )
        ratios = ["", *(f"{b / a:.2f}" for a, b in itertools.pairwise(times))]
        for sizes, us, ratio in zip(several, times, ratios, strict=True):
            label = ", ".join(f"{key}={value}" for key, value in sizes.items())
            yield f"| {label} | {1e3 * us:.2f} | {ratio} |"
    yield ""
    numbers = (1, 2, 4, 16)
    times = compete(
        *(
            Entry(name="glasgow.ours_seeds", arguments=(*XOR_SIZES[-1], seeds), cores=(2,))
            for seeds in numbers
        ),
        rounds=3,
    )
    for seeds, us in zip(numbers, times, strict=True):
        yield f"- {seeds} seeds at d=100, p=200, m=400: {1e3 * seeds * us:.2f} ms a step of all"


SECTIONS: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "glasgow": ("Glasgow 2023", glasgow),
    "million": ("Exact simulation free of d", million),
    "frei": ("Frei, Chatterji & Bartlett 2022", frei),
    "daniely": ("Daniely & Malach 2020", daniely),
    "shi": ("Shi, Wei & Liang 2022", shi),
    "growth": ("How cost grows", growth),
}

HEAD = """# Performance

Written by `make bench`; every ratio has both its sides from one run. A contender has a process of
its own, rounds are interleaved, the minimum of several counts, and each gets one core and both and
is judged by the better. PyTorch is written as a user would write it: autograd, `torch.randint`,
`torch.optim`; at its best it also draws its batches in the fastest of five ways, and goes through
`torch.compile`. Bare products are the two matrix products of a step in the fastest of numpy, JAX
and PyTorch. A second core: what one core takes over what two take. Memory is what a process has at
these sizes beyond what it has at small ones, on one core. Seconds are those of the machine below;
the ratios travel better.

Where points are signs and a compiler was there at installation, a step is none of those products:
[tables of signed sums](engines.md) take their place.
"""


def main() -> int:
    """Print the sections; refuse on a busy machine unless told --anyway."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], metavar="SECTION")
    parser.add_argument("--write", type=Path, help="also write the page here")
    parser.add_argument("--anyway", action="store_true", help="even on a busy machine")
    told = parser.parse_args()
    busy = load()
    if busy > BUSY and not told.anyway:
        print(f"benchmarks: expected a load of at most {BUSY}, got {busy:.2f}. Wait, or --anyway.")
        return 2
    lines = []
    for text in page(told.sections or list(SECTIONS), busy):
        print(text, flush=True)
        lines.append(text)
    if told.write is not None:
        record(HISTORY, load=busy)
        draw(HISTORY, told.write.parent / PLOT)
        lines += ["", "## Over time", "", f"![Every ratio at every run of `make bench`]({PLOT})"]
        told.write.write_text("\n".join(lines) + "\n")
    return 0


def page(sections: list[str], busy: float) -> Iterator[str]:
    """The lines of docs/performance.md."""
    import platform

    import jax

    from featlearn.training.engine import resolved_engine

    yield HEAD
    yield (
        f"Python {platform.python_version()}, jax {jax.__version__}, engine {resolved_engine()}, "
        f"{platform.machine()}, {os.cpu_count()} cores; load average at the start {busy:.2f}."
    )
    for name in sections:
        title, section = SECTIONS[name]
        yield f"\n## {title}\n"
        yield from section()


if __name__ == "__main__":
    sys.exit(main())
