"""Products of digits: the network beside three models with fixed features, two step sizes each.

The text that we have gives no number for it, so the paper's column is what its conference version
shows: the network learns, the others stay near chance. MNIST where its files are and the size is
full, else the 8 x 8 digits that scikit-learn carries.
"""

from pathlib import Path
from typing import Any

from featlearn._config import fields
from featlearn.distributions.images import checksum_of, find
from featlearn.experiments.run import Result
from featlearn.papers.daniely2020 import figures
from featlearn.papers.daniely2020.mnist_parity import MNIST_PARITY, MODELS
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, side
from featlearn.results.ledger import Ours, Row, RowJudgement, side_of

SIZES: dict[str, dict[str, Any]] = {
    "quick": {"seeds": 2, "steps": 1500, "test": 4000, "records": 12},
    "full": {"seeds": 3},
}
ETAS = (1.0, 0.001)
"""Adadelta's default step size: of its library at first, and since."""
NEAR_CHANCE, LEARNED = 0.6, 0.7
"""Accuracies up to which a model is near chance, and from which it has learned."""
NAMES = {
    "network": ("network", "network"),
    "ntk": ("gated NTK", "ntk"),
    "relu-features": ("relu features", "random-features"),
    "cosine-features": ("cosines", "first-layer"),
}
"""Of a model: what it is called, and the role it is drawn in."""
NOTES = (
    "The step size is Adadelta's default, which was 1 in the library's first versions and is 0.001 "
    "since; the paper does not say which, so that both are run.",
    "The step sizes, width, batch and number of steps are the original's; the two limits, .6 for "
    "near chance and .7 for learned, were set after a look at the 8 x 8 digits.",
)


def reproduce(context: Context) -> Reproduction:
    """Train every model with both step sizes."""
    there = not context.quick and find("mnist", context.data) is not None
    dataset, data = ("mnist", context.data) if there else ("digits", None)
    runs: dict[float, dict[str, Result]] = {eta: {} for eta in ETAS}
    total, done = len(ETAS) * len(MODELS), 0
    for eta in ETAS:
        for model in MODELS:
            runs[eta][model] = context.lab.run(
                MNIST_PARITY,
                dataset=dataset,
                data=None if data is None else str(data),
                model=model,
                eta=eta,
                **SIZES[context.size],
            )
            done += 1
            if context.watch:
                context.watch(done / total)
    command = f"featlearn reproduce {ITEM.id} --size {context.size}"
    rows = tuple(
        _row(dataset, eta, model, result, context)
        for eta, results in runs.items()
        for model, result in results.items()
    )
    first = runs[ETAS[0]]["network"]
    drawn = {
        eta: {NAMES[model]: result.dataset for model, result in results.items()}
        for eta, results in runs.items()
    }
    figure = figures.products(drawn, first.config.distribution("test").chance, command)
    told = {**fields(first.config), "seeds": len(first.seeds), "data": None}
    return Reproduction(rows=rows, figures=(figure,), notes=NOTES, config=told)


def outcome(model: str, accuracy: Ours) -> RowJudgement:
    """Whether an accuracy is what the paper shows for the model.

    Example:
        >>> clear = Ours(mean=0.9, stderr=0.001, seeds=5)
        >>> outcome("network", clear).status.value, outcome("ntk", clear).status.value
        ('agrees', 'differs')
    """
    learns = model == "network"
    return side_of(accuracy, LEARNED if learns else NEAR_CHANCE, above=learns)


def _row(dataset: str, eta: float, model: str, result: Result, context: Context) -> Row:
    accuracy = side(result.summary["test_accuracy"])
    name, quantity = NAMES[model][0], f"test accuracy, {dataset}"
    return conclusion(
        context,
        ITEM.id,
        quantity,
        accuracy,
        "learns" if model == "network" else "near chance",
        outcome(model, accuracy),
        recipe=f"{name}, eta {eta:g}",
        cell=f"{ITEM.id}/{quantity}/{name}",
        size=f"{context.size}, {dataset}",
        why=f"after {result.config.steps} steps",
    )


def _files(data: Path | None) -> str:
    return checksum_of("mnist" if find("mnist", data) else "digits", data)


ITEM = Item(
    id="daniely2020.mnist-parity",
    title="Parity of digits side by side: a network beside fixed features",
    reproduce=reproduce,
    references=("daniely2020",),
    data=_files,
)
