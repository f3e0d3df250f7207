r"""Figure 1: the decision boundary over noisy XOR clusters in the plane.

d 2, sigma^2 1/50, 15 % flips, n 5000, m 500, alpha 0.05, omega^2 1/(32 m), T 3000.
"""

import jax.numpy as jnp
import numpy as np

from featlearn._config import fields
from featlearn._streams import stream
from featlearn.figures.record import Axis, Figure, Panel, Raster, Series
from featlearn.networks import Params
from featlearn.papers.frei2022.ledger import scope_note
from featlearn.papers.frei2022.setting import PLANE, REFERENCES, XorClusters
from featlearn.reproduction.item import Context, Item, Reproduction, Setting
from featlearn.reproduction.rows import conclusion, measured

SHOWN = 500
"""Training points drawn; the paper too draws "only a subset"."""
REACH, GRID = 1.7, 171


def reproduce(context: Context) -> Reproduction:
    """Train, count, and draw the first seed."""
    result = context.lab.run(PLANE, seeds=2 if context.quick else 5, watch=context.watch)
    config, dataset = result.config, result.dataset
    end = dataset.isel(step=-1)
    clean = 100 * end["clean_accuracy"].values
    noisy = 100 * (1 - end["noisy_accuracy"].values)
    both = (dataset["clean_accuracy"] == 1) & (dataset["noisy_accuracy"] == 0)
    first = [float(dataset["step"].values[seen.values.argmax()]) for seen in both]
    rows = (
        *(
            conclusion(
                context,
                ITEM.id,
                quantity,
                values,
                "every point",
                bool((values == 100).all()),
                why=f"least of a seed {values.min():.5g} %",
                unit="%",
            )
            for quantity, values in (
                ("clean points right at T", clean),
                ("noisy points wrong at T", noisy),
            )
        ),
        measured(
            context,
            ITEM.id,
            "first recorded step with both",
            first,
            why="the paper shows step 3000 only; the boundary is there long before",
            unit="steps",
        ),
    )
    w, a = end["weights_w"].values[0], end["weights_a"].values[0]
    return Reproduction(
        rows=rows,
        figures=(drawing(config, w, a, result.seeds[0]),),
        notes=(scope_note("Figure 1", config),),
        config=fields(config),
    )


def drawing(config: XorClusters, w: np.ndarray, a: np.ndarray, seed: int) -> Figure:
    """Sides of the boundary and a subset of the training points, coloured by the label seen."""
    ticks = np.linspace(-REACH, REACH, GRID)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    network = config.network()
    params = Params(w=jnp.asarray(w), a=jnp.asarray(a))
    f = np.asarray(network.forward(params, jnp.asarray(grid))).reshape(GRID, GRID)
    sample = config.distribution().sample(config.samples, key=stream(seed, "sample"))
    x, y = np.asarray(sample.x[:SHOWN], float), np.asarray(sample.y[:SHOWN])
    points = [
        Series(name=name, x=x[y == label, 0], y=x[y == label, 1], role=role, kind="points")
        for name, label, role in (("label +1", 1, "positive"), ("label −1", -1, "negative"))
    ]
    # Low values of a signed field are blue, as the points labelled +1 are: hence -f.
    field = Raster(x=ticks, y=ticks, z=-f.astype(float), role="signed")
    panel = Panel(
        x=Axis(label="x_{1}", limits=(-REACH, REACH)),
        y=Axis(label="x_{2}", limits=(-REACH, REACH)),
        series=tuple(points),
        raster=field,
        equal=True,
    )
    return Figure(
        id="frei2022-figure-1",
        title="Decision boundary over noisy XOR clusters",
        caption=f"−f after {config.total_steps} steps, so that blue is the side of +1, and {SHOWN} "
        f"of the {config.samples} training points in the colour of the label that is seen. Every "
        "clean point lies on the side of its colour, every flipped one on the other.",
        panels=(panel,),
    )


ITEM = Item(
    id="frei2022.figure-1",
    title="Decision boundary over noisy XOR clusters in the plane",
    reproduce=reproduce,
    references=REFERENCES,
    settings=(Setting("figure 1", "theorem-1", lambda: PLANE.config),),
)
