"""How do I get this into my paper? A figure of your own from recorded runs, as PDF, PNG and CSV.

Names are meanings ("signal", "orthogonal"): the look follows from them, so that a quantity has one
colour in every figure. Expect signal.pdf at column width, signal-page.pdf at page width, and the
numbers in signal.csv.
"""

import os
from pathlib import Path

import featlearn as fl
from featlearn.figures.files import write
from featlearn.figures.record import Axis, Figure, Panel, Series

toy = bool(os.environ.get("FEATLEARN_TOY"))
result = fl.run("glasgow2023.xor", d=10 if toy else 100, steps=10 if toy else 200, seeds=3)
step = result.dataset["step"].values.astype(float)


def band(name):
    """Median neuron over time, and the middle half of all neurons of all seeds."""
    low, middle, high = result.dataset[name].quantile([0.25, 0.5, 0.75], ["seed", "neuron"]).values
    return Series(name=name, x=step, y=middle, low=low, high=high, role=name)


figure = Figure(
    id="signal",
    title="Signal and orthogonal part of the neurons",
    caption=f"XOR in d = {result.config.d}; lines are medians, bands the middle half of neurons.",
    panels=(
        Panel(
            x=Axis(label="steps"),
            y=Axis(label="norm", scale="log"),
            series=(band("signal"), band("orthogonal")),
        ),
    ),
)
for file in write(figure, Path("figures"), formats=("pdf", "png", "csv")):
    print(file)
