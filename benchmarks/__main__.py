"""make bench: our training against bare matrix products and against PyTorch, as ratios."""

import sys

from benchmarks.harness import BUSY, Contender, load, race

SIZES = ((512, 1000, 2048), (512, 100, 2048), (2000, 200, 8000), (100, 200, 400))
BARE = ("bare_numpy", "bare_jax", "bare_torch")
CORES = (1, 2)


def best(times: dict[Contender, float], *names: str) -> float:
    """The fastest of the named contenders, with whichever number of cores suits it."""
    return min(seconds for contender, seconds in times.items() if contender.name in names)


def compete(names: tuple[str, ...], arguments: tuple[int, ...]) -> dict[Contender, float]:
    """All of the named, each with one and with two cores."""
    return race(
        [
            Contender(name=name, arguments=arguments, cores=cores)
            for name in names
            for cores in CORES
        ]
    )


def single(sizes: tuple[int, int, int]) -> None:
    """One network, one size."""
    times = compete(("ours", "torch", *BARE), sizes)
    us, products, torch = best(times, "ours"), best(times, *BARE), best(times, "torch")
    print(
        f"| d={sizes[0]}, p={sizes[1]}, m={sizes[2]} | {1e3 * us:.2f} ms | {us / products:.2f} "
        f"| {torch / us:.2f} |",
        flush=True,
    )


def many() -> None:
    """Sixteen seeds of the smallest size, and a sweep of 64 points."""
    sizes = (*SIZES[-1], 16)
    times = race(
        [
            Contender(name="ours_seeds", arguments=sizes, cores=2),
            Contender(name="torch_seeds", arguments=sizes, cores=1),
            Contender(name="torch_seeds", arguments=sizes, cores=2),
        ]
    )
    us, torch = best(times, "ours_seeds"), best(times, "torch_seeds")
    print(f"16 seeds, {1e3 * 16 * us:.2f} ms a step of all: {torch / us:.2f} x PyTorch in a row")
    points = (*SIZES[-1], 64, 500)
    times = race(
        [
            Contender(name="ours_sweep", arguments=points, cores=2),
            Contender(name="ours_loop", arguments=points, cores=1),
            Contender(name="ours_loop", arguments=points, cores=2),
        ],
        rounds=3,
    )
    sweep, loop = best(times, "ours_sweep"), best(times, "ours_loop")
    print(f"64 configurations, {sweep:.3f} s each: {loop / sweep:.2f} x one process in a loop")


def main() -> int:
    """Print the tables; refuse on a busy machine unless told --anyway."""
    busy = load()
    print(f"load average {busy:.2f}")
    if busy > BUSY and "--anyway" not in sys.argv:
        print(f"benchmarks: expected a load of at most {BUSY}, got {busy:.2f}. Wait, or --anyway.")
        return 2
    print("| size | ours, a step | over bare products | PyTorch over ours |")
    print("|---|---:|---:|---:|")
    for sizes in SIZES:
        single(sizes)
    many()
    return 0


if __name__ == "__main__":
    sys.exit(main())
