r"""Figure 2: harmful and benign overfitting, n >> d against d >> n.

    m 400, sigma^2 = d^-1.2, 15 % flips, omega^2 = 0.01/(m d), alpha 0.1, 6000 validation points.

The paper gives neither n nor d nor the number of steps. Ours are the smallest at which both panels
are complete: (n, d) = (200, 10) has lost 5 points of validation accuracy after 100 000 steps, and
(100, 1000) has fitted every flip before 80 000. With (400, 20) a loss of 5 points takes 300 000
steps; with (1000, 50) and (200, 2000) overfitting has not begun after 20 000.
"""

import numpy as np
import xarray as xr

from featlearn._config import fields
from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Mark, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.papers.frei2022.ledger import scope_note
from featlearn.papers.frei2022.setting import HIGH, LOW, REFERENCES
from featlearn.reproduction.item import Context, Item, Reproduction, Setting
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import Row, ours, side_of

STAY = 1.0
"""Points of the ceiling within which accuracy counts as optimal."""
SETTLED = 10
"""From this step on the features are there; before it accuracy is that of a random network."""


def reproduce(context: Context) -> Reproduction:
    """Train both panels, count, and draw."""

    def trained(named: NamedExperiment, steps: int) -> Result:
        return context.lab.run(
            named,
            seeds=2 if context.quick else 5,
            watch=context.watch,
            steps=steps if context.quick else named.config.steps,
        )

    low, high = trained(LOW, 40_000), trained(HIGH, 80_000)
    return Reproduction(
        rows=(*low_rows(context, low), *high_rows(context, high)),
        figures=(drawing(low, high),),
        notes=(
            "The ceiling is the accuracy of appendix D's rule sgn(|μ1·x| − |μ2·x|) on the same "
            "validation points; it is the Bayes rule for this law.",
            scope_note("Figure 2, n ≫ d,", LOW.config),
            scope_note("Figure 2, d ≫ n,", HIGH.config),
        ),
        config=fields(low.config),
    )


def gap(dataset: xr.Dataset, name: str) -> np.ndarray:
    """Accuracy less the ceiling, in points, per seed and step."""
    return np.asarray(100 * (dataset[name] - dataset["ceiling_accuracy"]).values)


def low_rows(context: Context, result: Result) -> tuple[Row, ...]:
    """n >> d: validation falls while training climbs above the ceiling."""
    below = -gap(result.dataset, "test_accuracy")
    fall, climb = below[:, -1] - below.min(axis=1), gap(result.dataset, "train_accuracy")[:, -1]
    recipe = told(result)
    lost = np.minimum(below[:, -1], fall)
    return (
        conclusion(
            context,
            ITEM.id,
            "n >> d: validation accuracy below the ceiling at the end",
            below[:, -1],
            "decreases",
            side_of(ours(lost), 0.0),
            why=f"{fall.mean():.1f} points are lost since its best",
            unit="points",
            recipe=recipe,
        ),
        conclusion(
            context,
            ITEM.id,
            "n >> d: training accuracy above the ceiling at the end",
            climb,
            "overfits",
            side_of(ours(climb), 0.0),
            why="above the ceiling only by fitting flips",
            unit="points",
            recipe=recipe,
        ),
    )


def high_rows(context: Context, result: Result) -> tuple[Row, ...]:
    """d >> n: validation stays at the ceiling while training reaches all points."""
    settled = result.dataset["step"].values >= SETTLED
    off = np.abs(gap(result.dataset, "test_accuracy")[:, settled]).max(axis=1)
    train = 100 * result.dataset["train_accuracy"].values[:, -1]
    recipe = told(result)
    return (
        conclusion(
            context,
            ITEM.id,
            "d >> n: training accuracy at the end",
            train,
            "every point",
            bool((train == 100).all()),
            why=f"least of a seed {train.min():.5g} %",
            unit="%",
            recipe=recipe,
        ),
        conclusion(
            context,
            ITEM.id,
            f"d >> n: largest distance of validation from the ceiling from step {SETTLED} on",
            off,
            "stays optimal",
            side_of(ours(off), STAY, above=False),
            why=f"optimal is read as within {STAY:g} point",
            unit="points",
            recipe=recipe,
        ),
    )


def told(result: Result) -> str:
    """The sizes of a panel."""
    config = result.config
    return f"n={config.samples}, d={config.d}, {config.steps} steps"


def panel(result: Result, title: str) -> Panel:
    """Training and validation accuracy over the seeds, with the ceiling."""
    dataset = result.dataset.isel(step=slice(1, None))
    steps = dataset["step"].values.astype(float)
    series = []
    for name, label, role in (
        ("train_accuracy", "training", "train"),
        ("test_accuracy", "validation", "test"),
    ):
        values = dataset[name].values.astype(float)
        series.append(over_seeds(label, steps, values, role=role))
    ceiling = float(dataset["ceiling_accuracy"].mean())
    return Panel(
        x=Axis(label="step", scale="log"),
        y=Axis(label="accuracy", limits=(0.7, 1.01)),
        series=tuple(series),
        marks=(Mark(label="ceiling", at=ceiling, axis="y", role="floor"),),
        title=f"{title}: n = {result.config.samples}, d = {result.config.d}",
    )


def drawing(low: Result, high: Result) -> Figure:
    """The two panels side by side."""
    return Figure(
        id="frei2022-figure-2",
        title="Harmful and benign overfitting",
        caption=f"Mean over {len(low.seeds)} seeds, bands from the least to the largest. The "
        "ceiling is the accuracy of appendix D's rule on the same validation points.",
        panels=(panel(low, "n ≫ d"), panel(high, "d ≫ n")),
    )


ITEM = Item(
    id="frei2022.figure-2",
    title="Overfitting harms for n >> d and is benign for d >> n",
    reproduce=reproduce,
    references=REFERENCES,
    settings=(
        Setting("n >> d", "theorem-1", lambda: LOW.config),
        Setting("d >> n", "theorem-1", lambda: HIGH.config),
    ),
)
