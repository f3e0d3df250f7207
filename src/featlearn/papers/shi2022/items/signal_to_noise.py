"""Signal to noise of every neuron after one step and after two: in the population, and in a sample.

Lemma 20 says that the second step improves the ratio of the components on A to those outside. In
the population it does, by ten orders of magnitude. In a sample of n points both steps carry the
noise of the sample: the ratio is of order sqrt(n) after both, and the second gains a factor only.
"""

from dataclasses import replace

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.measurements import components
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.two_steps import signal_to_noise, two_steps
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Row, ours, side_of

ID = "shi2022.signal-to-noise"


def reproduce(context: Context) -> Reproduction:
    """Medians over neurons at several sample sizes, and in the population."""
    sizes = (1000, 10_000) if context.quick else (1000, 5000, 25_000, 100_000)
    seeds = range(2 if context.quick else 5)
    medians = np.zeros((len(sizes), len(seeds), 2))
    for i, n in enumerate(sizes):
        config = replace(PARITY.config, samples=n, batch=min(1000, n), recipe="literal", width=200)
        law = config.experiment().law
        for j, seed in enumerate(seeds):
            for step, params in enumerate(early_weights(config, seed)[1:]):
                q = np.asarray(components(params.w, law), np.float64)
                medians[i, j, step] = np.median(signal_to_noise(q, law.k))
    exact = np.array([_population(seed) for seed in seeds])
    rows = []
    for label, values in (
        ("population", exact),
        *((f"n = {n}", medians[i]) for i, n in enumerate(sizes)),
    ):
        rows.append(_row(f"{label}, after the first step", values[:, 0], None, context))
        gain = values[:, 1] / values[:, 0]
        rows.append(_row(f"{label}, after the second step", values[:, 1], gain, context))
    figure = Figure(
        id=ID,
        title="The second step improves the features, as far as the sample lets it",
        caption="Median over neurons of |mean component on A| / rms component outside, table 1's "
        "setting with theorem 26's constants and 200 neurons.",
        panels=(
            Panel(
                x=Axis(label="sample size n", scale="log"),
                y=Axis(label="signal to noise", scale="log"),
                series=tuple(
                    over_seeds(
                        f"after the {told} step",
                        np.array(sizes, float),
                        medians[:, :, step].T,
                        role=role,
                    )
                    for step, (told, role) in enumerate((("first", "train"), ("second", "test")))
                ),
            ),
        ),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


def _population(seed: int) -> list[float]:
    steps = two_steps(dictionary=100, k=5, m=100, neurons=6, seed=seed)
    return [float(np.median(signal_to_noise(each.T, 5))) for each in (steps.one, steps.two)]


def _row(quantity: str, values: np.ndarray, gain: np.ndarray | None, context: Context) -> Row:
    name = f"median signal to noise, {quantity}"
    if gain is None:
        return measured(context, ID, name, values, why="the paper gives no number")
    return conclusion(
        context,
        ID,
        name,
        values,
        "improves (lemma 20)",
        side_of(ours(np.log(gain)), 0.0),
        why=f"{gain.mean():.3g} times that after the first step, judged by the logarithm",
    )


ITEM = Item(
    id=ID,
    title="Signal to noise after the first and the second step",
    reproduce=reproduce,
    references=("shi2022",),
)
