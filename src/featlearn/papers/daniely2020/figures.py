"""The pictures of Daniely & Malach's experiment, as records; nothing is computed but layout."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from jaxtyping import Float

from featlearn.figures.record import Axis, Figure, Mark, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.figures.story import SignalHistory

SHOWN = 60
"""Coordinates that the picture of the weights shows, those of A first."""


def weights(
    good: Float[np.ndarray, " inputs"],
    bad: Float[np.ndarray, " inputs"],
    before: Float[np.ndarray, " inputs"],
    k: int,
    command: str = "",
) -> Figure:
    """w of one neuron at the start, and of a good and a bad one after the first step."""
    n = min(SHOWN, len(good))
    place = np.arange(n, dtype=float)
    where = Mark(label="A", at=-0.5, until=k - 0.5)

    def panel(title: str, w: Float[np.ndarray, " inputs"], role: str) -> Panel:
        series = Series(name="", x=place, y=w[:n].astype(float), role=role, kind="bars")
        return Panel(
            x=Axis(label="coordinate j"),
            y=Axis(label="weight w_j"),
            series=(series,),
            marks=(where,),
            title=title,
        )

    return Figure(
        id="daniely2020.weights",
        title="One gradient step finds the relevant bits",
        caption="Weights of a neuron over its coordinates, those of A first: at the start, after "
        "the first population step where the weights on A summed to 0 (exactly nothing outside A), "
        "and where they did not (a little is left outside).",
        panels=(
            panel("start", before, "reference"),
            panel("after, balanced on A", good, "positive"),
            panel("after, not balanced", bad, "negative"),
        ),
        command=command,
    )


def kinks(
    values: Float[np.ndarray, " neurons"], balanced: np.ndarray, k: int, command: str = ""
) -> Figure:
    """Where on sum_A the neurons switch on after the first step."""
    edges = np.linspace(-2 * k, 2 * k, 8 * k + 1)
    series = tuple(
        Series(
            name=name,
            x=edges,
            y=np.append(np.histogram(values[chosen], edges)[0], 0) / max(1, len(values)),
            role=role,
            kind="steps",
        )
        for name, chosen, role in (
            ("balanced on A", balanced, "positive"),
            ("not balanced", ~balanced, "negative"),
        )
    )
    marks = tuple(Mark(label="", at=float(r)) for r in range(-k, k + 1, 2))
    return Figure(
        id="daniely2020.kinks",
        title="The kinks of the neurons cover the values of the sum over A",
        caption="Share of neurons by the value of sum_A sqrt(d) x_j at which they switch on after "
        "the first step; vertical lines: the values that the sum can take. Kinks between and "
        "on all of them are what a read-out needs to make the parity (lemma 10); the biases of "
        "unbalanced neurons move so far that most of their kinks lie outside.",
        panels=(
            Panel(
                x=Axis(label="kink, as a value of sum_A sqrt(d) x_j"),
                y=Axis(label="share of neurons"),
                series=series,
                marks=marks,
            ),
        ),
        command=command,
    )


def learning(
    runs: Mapping[str, tuple[xr.Dataset, str]],
    fixed: Mapping[str, tuple[float, str]],
    plateau: float,
    command: str = "",
) -> Figure:
    """Accuracy on the uniform half over steps, with the fixed-feature models as levels."""
    lines = [
        _over_steps(name, data, "uniform_accuracy", role) for name, (data, role) in runs.items()
    ]
    last = max(line.x[-1] for line in lines)
    for name, (level, role) in fixed.items():
        across = np.array([1.0, last])
        lines.append(Series(name=name, x=across, y=np.full(2, level), role=role))
    return Figure(
        id="daniely2020.learning",
        title="The network learns the parity, fixed features stay at the plateau",
        caption="Accuracy on the uniform half over steps (band: all seeds); fixed-feature models "
        "are fitted to their optimum and drawn as levels. The marked plateau is that of the "
        "threshold on sum_A that is best on D_A.",
        panels=(
            Panel(
                x=Axis(label="1 + step", scale="log"),
                y=Axis(label="uniform-half accuracy", limits=(0.0, 1.02)),
                series=tuple(lines),
                marks=(Mark(label="best threshold", at=plateau, axis="y", role="floor"),),
            ),
        ),
        command=command,
    )


def wall(
    curves: Mapping[int, Mapping[str, Float[np.ndarray, "N seeds"]]],
    N: Float[np.ndarray, " N"],
    plateaus: Mapping[int, float],
    roles: Mapping[str, str],
    command: str = "",
) -> Figure:
    """Accuracy on the uniform half against the number of fixed features, a panel for each k."""
    panels = tuple(
        Panel(
            x=Axis(label="features N", scale="log"),
            y=Axis(label="uniform-half accuracy", limits=(0.0, 1.02)),
            series=tuple(
                over_seeds(name, N, values.T, role=roles[name]) for name, values in models.items()
            ),
            marks=(Mark(label="best threshold", at=plateaus[k], axis="y", role="floor"),),
            title=f"k = {k}",
        )
        for k, models in curves.items()
    )
    return Figure(
        id="daniely2020.wall",
        title="More fixed features do not learn a larger parity",
        caption="Fixed-feature models fitted to their optimum on a sample of D_A, judged on the "
        "uniform half, against their number of features; bands over seeds.",
        panels=panels,
        command=command,
    )


def products(
    runs: Mapping[float, Mapping[tuple[str, str], xr.Dataset]], chance: float, command: str = ""
) -> Figure:
    """Test accuracy over steps on products of digits, a panel for each step size of Adadelta."""
    panels = tuple(
        Panel(
            x=Axis(label="1 + step", scale="log"),
            y=Axis(label="test accuracy", limits=(0.4, 1.02)),
            series=tuple(
                _over_steps(name, data, "test_accuracy", role)
                for (name, role), data in models.items()
            ),
            marks=(Mark(label="chance", at=chance, axis="y", role="floor"),),
            title=f"eta = {eta:g}",
        )
        for eta, models in runs.items()
    )
    return Figure(
        id="daniely2020.products",
        title="The network learns the parity of digits, fixed features hardly do",
        caption="Accuracy on combinations of held-out digits over steps of Adadelta with both "
        "defaults of its step size (band: all seeds); chance is the better constant answer.",
        panels=panels,
        command=command,
    )


def _over_steps(name: str, data: xr.Dataset, quantity: str, role: str) -> Series:
    """The mean of a quantity over seeds, between the least and the largest."""
    values = data[quantity].values.astype(float)
    return over_seeds(name, 1 + data["step"].values.astype(float), values, role=role)


def story(data: xr.Dataset) -> SignalHistory:
    """Squared cosines of all neurons of the first seed with the indicator of A."""
    one = data.isel(seed=0)
    return SignalHistory(
        feature="w along the sum of the relevant bits",
        clock="one step",
        unit=1.0,
        steps=one["step"].values.astype(float),
        share=one["cos"].transpose("step", "neuron").values.astype(float) ** 2,
    )
