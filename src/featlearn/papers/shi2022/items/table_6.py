"""Table 6 and figure 16: neurons cover the centres of a mixture of Gaussians (appendix E.3.2).

The paper gives settings and a picture: "each Gaussian center is covered by some neurons". Put as
a number: the share of the 2^k centres with which some neuron has a cosine of .8. It adds that such
a neuron carries the label of its centre; `same_sign` is the share of centres where it does.
"""

from dataclasses import replace

import numpy as np

from featlearn.distributions import GaussianParity
from featlearn.figures.neuron_map import SHOWN
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.measurements.neuron_map import cosine_map
from featlearn.papers.shi2022.gaussians import GAUSSIANS
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion

ID = "shi2022.table-6"
SETTINGS = {
    "d = 100, k = 4, sigma_r = 1": replace(GAUSSIANS.config, d=100, k=4, sigma_r=1.0),
    "d = 25, k = 4, sigma_r = .7": replace(GAUSSIANS.config, d=25, k=4, sigma_r=0.7),
    "d = 100, k = 5, sigma_r = 1": replace(GAUSSIANS.config, d=100, k=5, sigma_r=1.0),
}


def reproduce(context: Context) -> Reproduction:
    """Coverage in the three settings, and a map of neurons and centres."""
    chosen = dict(list(SETTINGS.items())[1:2]) if context.quick else SETTINGS
    rows, panels = [], []
    for label, setting in chosen.items():
        config = replace(setting, keep_weights=True, records=2)
        result = context.lab.run(
            replace(GAUSSIANS, config=config), seeds=2 if context.quick else 3, watch=context.watch
        )
        covered = result.summary["covered"]
        accuracy = result.summary["test_accuracy"].mean
        sign = result.summary["same_sign"].mean or 0.0
        all_covered = all(value is not None and value >= 0.999 for value in covered.values)
        best = 100 * (1 - config.law().bayes_error)
        rows.append(
            conclusion(
                context,
                ID,
                f"{label}, share of centres covered",
                covered,
                "each centre is covered",
                all_covered,
                recipe="practical",
                why=f"test accuracy {100 * (accuracy or 0):.1f} %, at best {best:.1f} %; "
                f"the nearest neuron has its centre's sign at {sign:.2f} of them; a cosine of .8 "
                "is asked",
            )
        )
        end = result.dataset.isel(seed=0, step=-1)
        panels.append(_map(label, end["weights_w"].values, end["weights_a"].values, config.law()))
    figure = Figure(
        id="shi2022.figure-16",
        title="Neurons and the centres of the Gaussians",
        caption="Multidimensional scaling of 1 - cosine: the longest neurons after training, and "
        "the centres of both labels.",
        panels=tuple(panels),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


def _map(label: str, w: np.ndarray, a: np.ndarray, law: GaussianParity) -> Panel:
    centres, labels = np.asarray(law.means, np.float64), np.asarray(law.mean_labels)
    longest = np.argsort(-np.abs(a) * np.linalg.norm(w, axis=1))[:SHOWN]
    points = cosine_map(np.vstack([w[longest], centres]))
    neurons, stars = points[: len(longest)], points[len(longest) :]
    groups = (
        ("neurons", "plain", neurons),
        ("centres, label +1", "positive", stars[labels > 0]),
        ("centres, label -1", "negative", stars[labels < 0]),
    )
    return Panel(
        x=Axis(label="first coordinate"),
        y=Axis(label="second coordinate"),
        series=tuple(
            Series(name=name, x=xy[:, 0], y=xy[:, 1], role=role, kind="points")
            for name, role, xy in groups
        ),
        title=label,
        equal=True,
    )


ITEM = Item(
    id=ID,
    title="Neurons cover the centres of a mixture of Gaussians",
    reproduce=reproduce,
    references=("shi2022",),
)
