"""Figure 15: hidden representation labelling, 50 random codes a label (appendix E.3.1).

The claim is that the weights form clusters. Put as a number: the median over neurons of the cosine
with the nearest other neuron that is not its twin, before training and after one and two steps; and
the cosine with the direction Cov(y, x), which is what one step adds to every neuron.
"""

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.distributions import random_codes
from featlearn.experiments.experiment import Experiment
from featlearn.figures.neuron_map import map_panel
from featlearn.figures.record import Figure
from featlearn.measurements.neuron_map import directions
from featlearn.networks import TRUNCATED, FoldedGaussian, Gaussian, TwoLayer
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import ours, side_of
from featlearn.training import SGD, DecoupledDecay, Weights

ID = "shi2022.figure-15"
D, K, INPUTS, WIDTH = 250, 50, 500, 300
SMOOTHING = 0.1
"""The paper's k^-2 at k = 50 is below the spacing of the sums; any small number gives this map."""
ETA1, ETA2 = 1e-6, 1.0


def early(samples: int, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Weights after 0, 1 and 2 steps, and the direction Cov(y, x)."""
    law = random_codes(d=D + 1, dictionary=D, k=K, per_label=50, key=stream(seed, "codes"))
    network = TwoLayer(
        d=D + 1,
        width=WIDTH,
        w=FoldedGaussian(sd=1 / K, d=INPUTS),
        a=Gaussian(sd=1.0),
        b=Gaussian(sd=SMOOTHING),
        activation=TRUNCATED,
        scaling="one",
        pairing="mirrored",
    )
    phases = tuple(
        SGD(
            eta=eta,
            steps=1,
            loss="hinge",
            samples=samples,
            smoothing=SMOOTHING,
            decay=DecoupledDecay(lam=dict.fromkeys(forgotten, 0.5 / eta)),
        )
        for eta, forgotten in ((ETA1, ("w",)), (ETA2, ("w", "a")))
    )
    experiment = Experiment(law, network, phases, record=(Weights(),), at=(0, 1, 2))
    records = {t: r for at in experiment.plan.train(seed=seed) for t, r in at.records.items()}
    star = np.zeros(D + 1)
    star[:K] = np.asarray(jax.device_get(law.label_covariance))
    return [np.asarray(records[t]["weights_w"], float) for t in (0, 1, 2)], star


def reproduce(context: Context) -> Reproduction:
    """One map, and how close neurons lie."""
    samples, seeds = (5000, 2) if context.quick else (50_000, 3)
    found = []
    for seed in range(seeds):
        weights, star = early(samples, seed)
        unit = directions(star[None])[0]
        found.append([np.median(np.abs(directions(w) @ unit)) for w in weights])
        if seed == 0:
            labels = ("at the start", "after one step", "after two steps")
            panel = map_panel(dict(zip(labels, weights, strict=True)), star, "hidden codes")
    values = np.array(found)
    names = [f"median |cosine| with Cov(y, x), after {step} steps" for step in range(3)]
    start = "the start, which is random"
    rows = [
        measured(context, ID, names[0], values[:, 0], recipe="practical", why=start),
        *(
            conclusion(
                context,
                ID,
                names[step],
                values[:, step],
                "the weights form clusters",
                side_of(ours(values[:, step]), 0.8),
                recipe="practical",
                why="two clusters, along plus and minus the covariance of label and input: .8 is "
                "read as that",
            )
            for step in (1, 2)
        ),
    ]
    figure = Figure(
        id=ID,
        title="Labels on hidden codes: the weights form clusters",
        caption="Neurons by multidimensional scaling of 1 - cosine, with ±Cov(y, x).",
        panels=(panel,),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


ITEM = Item(
    id=ID,
    title="Labels on hidden codes: weights form clusters",
    reproduce=reproduce,
    references=("shi2022",),
)
