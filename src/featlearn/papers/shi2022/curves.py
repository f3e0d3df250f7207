"""Accuracy against steps for network, NTK and random features (figures 1, 5, 7, 9, 11, 13)."""

from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.figures.story import SignalHistory

ROLES = {
    "Network": "network",
    "NTK": "ntk",
    "RF": "random-features",
    "Network w/o structure": "negative",
}


def accuracy_figure(identity: str, label: str, results: dict[str, Result]) -> Figure:
    """Held-out accuracy, mean over seeds with its range."""
    series = []
    for name, role in ROLES.items():
        values = 100 * results[name].dataset["test_accuracy"]
        step = values["step"].values.astype(float)
        series.append(
            Series(
                name=name,
                x=1 + step,
                y=values.mean("seed").values.astype(float),
                low=values.min("seed").values.astype(float),
                high=values.max("seed").values.astype(float),
                role=role,
            )
        )
    seeds = results["Network"].dataset.sizes["seed"]
    panel = Panel(
        x=Axis(label="1 + step", scale="log"),
        y=Axis(label="test accuracy (%)", limits=(0.0, 102.0)),
        series=tuple(series),
        title=label,
    )
    return Figure(
        id=f"shi2022.{identity}",
        title="Features that are learned, and features that are not",
        caption=f"Held-out accuracy, mean and range over {seeds} seeds. "
        " An output of exactly 0, as after the first step, counts as an error.",
        panels=(panel,),
    )


def story(network: Result) -> SignalHistory:
    """Squared cosines of all neurons of the first seed with sum_A M_j."""
    one = network.dataset.isel(seed=0)
    return SignalHistory(
        feature="w along ±sum_A M_j",
        clock="one step",
        unit=1.0,
        steps=one["step"].values.astype(float),
        share=one["cosine"].transpose("step", "neuron").values.astype(float) ** 2,
    )
