"""Accuracy against steps with and without structure (figures 1, 5, 7, 9, 11, 13)."""

from featlearn.experiments.run import Result
from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.figures.story import SignalHistory

PANELS = {
    "with input structure": {"Network": "network", "NTK": "ntk", "RF": "random-features"},
    "without": {
        "Network w/o structure": "network",
        "NTK w/o structure": "ntk",
        "RF w/o structure": "random-features",
    },
}
"""Panel -> method -> role."""


def accuracy_figure(identity: str, label: str, results: dict[str, Result]) -> Figure:
    """Held-out accuracy of network, NTK and random features, mean over seeds with its range.

    The quick size has no curves of NTK and random features without structure.
    """
    panels = []
    for title, roles in PANELS.items():
        series = []
        for name, role in roles.items():
            if name not in results:
                continue
            values = 100 * results[name].dataset["test_accuracy"].transpose("seed", "step")
            step = 1.0 + values["step"].values
            series.append(over_seeds(name, step, values.values.astype(float), role=role))
        panels.append(
            Panel(
                x=Axis(label="1 + step", scale="log"),
                y=Axis(label="test accuracy (%)", limits=(0.0, 102.0)),
                series=tuple(series),
                title=", ".join(filter(None, (label, title))),
            )
        )
    seeds = results["Network"].dataset.sizes["seed"]
    return Figure(
        id=f"shi2022.{identity}",
        title="Features that are learned, and features that are not",
        caption=f"Held-out accuracy, mean and range over {seeds} seeds, every method at its "
        "validated step size. An output of exactly 0, as after the first step, counts as an error.",
        panels=tuple(panels),
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
