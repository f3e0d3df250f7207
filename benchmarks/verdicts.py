"""How often each judge says what, where the truth is known: size and power by simulation.

    python -m benchmarks.verdicts --write docs/what-a-verdict-means.md

A judge is wrong where it says HOLDS of a false claim or FAILS of a true one. The table goes between
the two marks of the page.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

import featlearn as fl
from featlearn.theory import Claim

TRIALS = 2000
SIZES = np.array([10.0, 20.0, 40.0, 80.0, 160.0])
BEGIN, END = "<!-- judges: begin -->", "<!-- judges: end -->"
Draw = Callable[[np.random.Generator, float, int], Claim]


def bound(rng: np.random.Generator, true: float, seeds: int) -> Claim:
    """mean <= 1, standard deviation .2."""
    return fl.bound("x", rng.normal(true, 0.2, seeds), 1.0)


def identity(rng: np.random.Generator, true: float, seeds: int) -> Claim:
    """mean = 1 to within 5 %, standard deviation .05."""
    return fl.mean_identity("x", rng.normal(true, 0.05, seeds), 1.0, resolve=0.05)


def probability(rng: np.random.Generator, true: float, seeds: int) -> Claim:
    """An event of probability at least .9."""
    return fl.high_probability("x", int(rng.binomial(seeds, true)), seeds, 0.9)


def hidden(rng: np.random.Generator, true: float, seeds: int) -> Claim:
    """O(1) where the truth is a power, five sizes over a factor 16, 20 % noise."""
    noise = 1 + 0.2 * rng.normal(size=(len(SIZES), seeds))
    return fl.hidden_constant("x", SIZES, SIZES[:, None] ** true * noise, np.ones(len(SIZES)))


def exponent(rng: np.random.Generator, true: float, seeds: int) -> Claim:
    """A power of 1, five sizes over a factor 16, 10 % noise."""
    noise = np.exp(0.1 * rng.normal(size=(len(SIZES), seeds)))
    return fl.exponent("x", SIZES, SIZES[:, None] ** true * noise, 1.0)


CASES: list[tuple[str, Draw, list[float], list[int]]] = [
    ("bound: mean ≤ 1, sd .2", bound, [0.5, 1.0, 1.2, 2.0], [3, 10]),
    ("sampled identity: mean = 1 to 5 %, sd .05", identity, [1.0, 1.05, 1.10, 1.20], [5, 20]),
    ("high probability: P ≥ .9", probability, [0.99, 0.9, 0.7, 0.5], [20, 59]),
    ("hidden constant: O(1), 20 % noise", hidden, [0.0, 0.1, 0.3, 1.0], [2, 5, 20]),
    ("exponent: 1, 10 % noise", exponent, [1.0, 1.1, 1.2, 1.5], [3, 10]),
]


def table() -> list[str]:
    """The rows of the page's table."""
    rows = [
        "| claim | truth | seeds | HOLDS | FAILS | UNDECIDED |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, draw, truths, counts in CASES:
        for true in truths:
            for seeds in counts:
                rng = np.random.default_rng([int(1000 * true), seeds])
                found = Counter(draw(rng, true, seeds).verdict for _ in range(TRIALS))
                shares = (found[each] / TRIALS for each in (V.HOLDS, V.FAILS, V.UNDECIDED))
                told = " | ".join(f"{share:.1%}" for share in shares)
                rows.append(f"| {name} | {true:g} | {seeds} | {told} |")
    return rows


V = fl.Verdict


def main() -> None:
    """Print the table, or put it into its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the page")
    page = parser.parse_args().write
    rows = "\n".join(table())
    if page is None:
        print(rows)
        return
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{rows}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
