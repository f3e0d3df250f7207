r"""Figures of XOR: what training does to the loss, to the neurons and to the four margins.

    w_sig, w_opp, w_perp   parts of a neuron        gamma_mu   margin y(mu) f(mu)
    tau1 = 1/sqrt(2 pi)    rate of phase 1: ||w_sig||^2 grows like (1 + 2 eta tau1)^t

Each function reads the arrays of a run of `glasgow2023.xor` and gives a record; lay a curve of your
own over it with `Figure.overlay`.
"""

import math

import numpy as np
import xarray as xr

from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Series
from featlearn.figures.story import SignalHistory
from featlearn.papers.glasgow2023.xor import Xor

TAU1 = 1 / math.sqrt(2 * math.pi)
QUANTILES = (0.1, 0.5, 0.9)
STEP = Axis(label="step t")


def phases(ends: tuple[float | None, float | None], last: float) -> tuple[Mark, ...]:
    """The two phases shaded; one that never ended runs to the last step and says so."""
    first, second = ends
    marks = [_phase("1: find", 0.0, first, last, "phase-1")]
    if first is not None and (second is None or second > first):
        marks.append(_phase("2: tune", first, second, last, "phase-2"))
    return tuple(marks)


def _phase(name: str, begin: float, end: float | None, last: float, role: str) -> Mark:
    label = name if end is not None else f"{name} (not over)"
    return Mark(label=label, at=begin, until=last if end is None else end, role=role)


def learning(dataset: xr.Dataset, marks: tuple[Mark, ...] = ()) -> Figure:
    """Held-out loss and accuracy over the steps."""
    loss = Panel(
        x=STEP,
        y=Axis(label="held-out loss", scale="log"),
        series=(_over_seeds(dataset["test_loss"], "", "loss"),),
        marks=marks,
    )
    chance = Mark(label="", at=0.5, axis="y", role="floor")
    accuracy = Panel(
        x=STEP,
        y=Axis(label="held-out accuracy", limits=(0.4, 1.02)),
        series=(_over_seeds(dataset["test_accuracy"], "", "accuracy"),),
        marks=(*marks, chance),
    )
    return Figure(
        id="xor-learning",
        title="Nothing for a long time, then everything",
        caption="Loss and accuracy on held-out points: mean over seeds, band from the lowest to "
        "the highest seed. Phase 1 finds the features while the loss hardly moves; phase 2 tunes "
        "them. Dotted: chance.",
        panels=(loss, accuracy),
    )


def parts(dataset: xr.Dataset, config: Xor, marks: tuple[Mark, ...] = ()) -> Figure:
    """Signal, opposite and orthogonal part of the neurons over the steps."""
    names = {"signal": "w_{sig}", "opposite": "w_{opp}", "orthogonal": "w_{⊥}"}
    series = [_over_neurons(dataset[name], f"‖{letter}‖", name) for name, letter in names.items()]
    steps = dataset["step"].values.astype(float)
    start = series[0].y[0]
    early = steps[start * _growth(config, steps) <= 2 * config.theta]
    predicted = Series(
        name="predicted, (1+2ητ_{1})^{t/2}",
        x=early,
        y=start * _growth(config, early),
        role="paper",
    )
    panel = Panel(
        x=STEP,
        y=Axis(label="norm of the part", scale="log"),
        series=(*series, predicted),
        marks=marks,
    )
    low, _, high = (f"{100 * q:.0f}" for q in QUANTILES)
    return Figure(
        id="xor-parts",
        title="Every neuron turns into a feature",
        caption="The part of a neuron along its own direction (signal), along the other one "
        f"(opposite), and the rest (orthogonal): median over all neurons and seeds, band from the "
        f"{low}th to the {high}th percentile. Thin dashes: growth at the rate of phase 1.",
        panels=(panel,),
    )


def _growth(config: Xor, steps: np.ndarray) -> np.ndarray:
    return (1 + 2 * config.eta * TAU1) ** (steps / 2)


def plane(dataset: xr.Dataset, marked: tuple[float | None, ...] = (), seed: int = 0) -> Figure:
    """Every neuron of one seed in the plane of mu1 and mu2, step by step."""
    one = dataset.isel(seed=seed)
    steps = [int(step) for step in one["step"].values]
    frames = tuple(_positions(one.sel(step=step), step) for step in steps)
    wanted = [0, *(end for end in marked if end is not None), steps[-1]]
    stills = tuple(int(np.abs(np.array(steps) - step).argmin()) for step in wanted)
    panel = Panel(
        x=Axis(label="w along μ_{1}"),
        y=Axis(label="w along μ_{2}"),
        frames=frames,
        stills=stills,
        equal=True,
    )
    return Figure(
        id="xor-plane",
        title="From noise to four directions",
        caption=f"All {one.sizes['neuron']} neurons of seed {int(one['seed'])} in the plane of the "
        "two signal directions, coloured by the sign of their second-layer weight; the axes grow "
        "with them. They start as noise and end along ±μ_{1} if a ≥ 0, along ±μ_{2} if a < 0.",
        panels=(panel,),
    )


def _positions(at: xr.Dataset, step: int) -> Frame:
    u1, u2 = (at[name].values.astype(float) for name in ("along_mu1", "along_mu2"))
    positive = at["a"].values >= 0
    groups = (("a ≥ 0", positive, "positive"), ("a < 0", ~positive, "negative"))
    return Frame(
        label=f"step {step}",
        reach=float(f"{1.1 * max(np.abs(u1).max(), np.abs(u2).max()):.2g}"),
        series=tuple(
            Series(name=name, x=u1[of], y=u2[of], role=role, kind="points")
            for name, of, role in groups
        ),
    )


def margins(dataset: xr.Dataset, marks: tuple[Mark, ...] = ()) -> Figure:
    """The margin at each of the four centres over the steps."""
    roles = ("+mu1", "-mu1", "+mu2", "-mu2")
    names = ("+μ_{1}", "−μ_{1}", "+μ_{2}", "−μ_{2}")
    series = tuple(
        _over_seeds(dataset["gamma"].isel(cluster=place), name, role)
        for place, (name, role) in enumerate(zip(names, roles, strict=True))
    )
    panel = Panel(x=STEP, y=Axis(label="margin γ_{μ} = y(μ) f(μ)"), series=series, marks=marks)
    return Figure(
        id="xor-margins",
        title="The four clusters are learned together",
        caption="Margin at each of the four cluster centres: mean over seeds, band from the lowest "
        "to the highest seed. A cluster that lags has the larger pull of the loss, and catches up.",
        panels=(panel,),
    )


def story(dataset: xr.Dataset, config: Xor) -> SignalHistory:
    """The signal share ||w_sig||^2/||w||^2 of every neuron of the first seed; T is T1."""
    one = dataset.isel(seed=0)
    time = math.log(config.d) / (2 * config.eta * TAU1)
    share = (one["signal"].astype(float) / one["norm"].astype(float)) ** 2
    return SignalHistory(
        feature="w along ±μ of its own label",
        clock=f"log(d)/(2ητ_{{1}}) = {time:.3g} steps",
        unit=time,
        steps=one["step"].values.astype(float),
        share=share.transpose("step", "neuron").values,
    )


def _over_seeds(values: xr.DataArray, name: str, role: str) -> Series:
    """Mean over seeds, and the range."""
    return Series(
        name=name,
        x=values["step"].values.astype(float),
        y=values.mean("seed").values.astype(float),
        low=values.min("seed").values.astype(float),
        high=values.max("seed").values.astype(float),
        role=role,
    )


def _over_neurons(values: xr.DataArray, name: str, role: str) -> Series:
    """Quantiles over neurons and seeds together."""
    low, middle, high = values.quantile(QUANTILES, ("seed", "neuron")).values.astype(float)
    steps = values["step"].values.astype(float)
    return Series(name=name, x=steps, y=middle, low=low, high=high, role=role)
