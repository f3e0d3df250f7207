"""The parity itself: the network with three recipes beside the models with fixed features.

The paper proves and does not measure, so its column says what the theorems lead one to expect: a
small error of the network (theorem 2), none of fixed features of moderate number (theorem 1).
"""

from dataclasses import replace
from typing import Any

from featlearn._config import fields
from featlearn.experiments.named import NamedExperiment
from featlearn.experiments.run import Estimate, Result
from featlearn.papers.daniely2020 import figures
from featlearn.papers.daniely2020.fixed import ROLES, compare
from featlearn.papers.daniely2020.parity import LITERAL, PARITY, PRINTED
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, side
from featlearn.results.ledger import Row, side_of

SIZES: dict[str, dict[str, Any]] = {
    "quick": {
        "seeds": 2,
        "N": 1024,
        "samples": 2000,
        "practical": {"d": 101, "k": 3, "width": 200, "steps": 2000, "test": 4000},
        "literal": {"d": 101, "k": 3, "width": 200, "steps": 200, "batch": 2000, "test": 4000},
        "printed": {"d": 101, "k": 3, "width": 200, "steps": 2000, "test": 4000},
        "more": (),
        "fixed": ({"d": 101, "k": 3, "test": 4000},),
    },
    "full": {
        "seeds": 5,
        "N": 8192,
        "samples": 4000,
        "practical": {"d": 301, "k": 5},
        "literal": {"d": 301, "k": 5, "width": 600, "batch": 1000, "seeds": 2},
        "printed": {"d": 301, "k": 5, "seeds": 2},
        "more": (
            {"d": 301, "k": 3},
            {
                "d": 301,
                "k": 7,
                "width": 2400,
                "batch": 200,
                "test": 4000,
                "records": 12,
                "seeds": 2,
            },
        ),
        "fixed": ({"d": 301, "k": 5, "test": 4000}, {"d": 301, "k": 3, "test": 4000}),
    },
}
"""By size: seeds, the most features N, the points that they are fitted to; the fields of the three
recipes, of more networks with the practical schedule (either with seeds of their own, or not), and
of the laws that fixed features are fitted to, the first of which is that of the recipes."""
LEARNED, STUCK = 0.98, 0.80
"""Accuracies on the uniform half above which the parity is learned, below which it is not."""
NOTES = (
    "The literal schedule is the paper's: plain descent with η = k²/(T√q) after the first step, on "
    "fresh batches that stand for the population. The read-out problem is ill-conditioned, so that "
    "it sits on the plateau of the best threshold for any number of steps one can wait for. "
    "The practical schedule has the same first step and then Adam, with η falling linearly to 0.",
    "The printed start (twins −w, −b, −a) has f ≠ 0, so its first step is not the one of the "
    "proofs; it is taken on a large fresh batch, the closed form being for f = 0.",
    "Fixed-feature models see a sample far smaller than the network's stream of fresh points; the "
    "item `daniely2020.wall` varies the number of features, and theorem 1 holds for any sample. "
    "More points would not help on the uniform half: the parities of k bits are orthonormal there, "
    "so that the squares of their projections on N features add up to N at most, on average "
    "N/C(d, k) a parity: .0018 for N = 8192, d = 301, k = 3, and 4e-7 for k = 5.",
)


def reproduce(context: Context) -> Reproduction:
    """Train with three recipes, fit the fixed features, draw both."""
    chosen = SIZES[context.size]
    recipes: dict[str, tuple[NamedExperiment, str]] = {
        "practical": (PARITY, "network"),
        "literal": (LITERAL, "own"),
        "printed": (PRINTED, "orthogonal"),
    }
    runs: dict[str, Result] = {
        name: _train(named, chosen[name], chosen, context) for name, (named, _) in recipes.items()
    }
    config = runs["practical"].config
    law = config.distribution()
    rows = [_of_network(name, result, context) for name, result in runs.items()]
    for more in chosen["more"]:
        result = _train(PARITY, more, chosen, context)
        rows.append(_of_network("practical", result, context, **more))
    levels: dict[str, float] = {}
    for place, fixed in enumerate(chosen["fixed"]):
        told = fixed if place else {}
        for name, (dimension, ours) in _fits(fixed, chosen, context).items():
            rows.append(_of_fixed(name, dimension, ours, context, **told))
            levels.setdefault(name, ours.mean or 0.0)
    figure = figures.learning(
        {name: (runs[name].dataset, role) for name, (_, role) in recipes.items()},
        {name: (level, ROLES[name]) for name, level in levels.items()},
        2 * law.monotone_accuracy - 1,
        _command(context),
    )
    return Reproduction(
        rows=tuple(rows),
        figures=(figure,),
        notes=NOTES,
        config={**fields(config), "seeds": chosen["seeds"]},
        story=figures.story(runs["practical"].dataset),
    )


def _train(
    named: NamedExperiment, recipe: dict[str, Any], chosen: dict[str, Any], context: Context
) -> Result:
    """The runs of one recipe, with the item's seeds where it has none of its own."""
    told = {"seeds": chosen["seeds"], **recipe}
    return context.lab.run(named, watch=context.watch, **told)


def _fits(
    law: dict[str, Any], chosen: dict[str, Any], context: Context
) -> dict[str, tuple[int | None, Estimate]]:
    """Of each fixed-feature model: its dimension, and its accuracy on the uniform half."""
    config = replace(PARITY.config, **law)
    fixed = {"config": config, "N": chosen["N"], "samples": chosen["samples"]}
    seeds = range(min(3, chosen["seeds"]))
    fits = context.lab.compute_each(compare, [{**fixed, "seed": seed} for seed in seeds])
    return {
        name: (first.dimension, Estimate(values=tuple(fit[name].uniform for fit in fits)))
        for name, first in fits[0].items()
    }


def _quantity(k: int | None = None, **others: object) -> str:
    """What a row measures; k is told where it is not that of the three recipes."""
    return "accuracy on the uniform half" + ("" if k is None else f", k = {k}")


def _command(context: Context) -> str:
    return f"featlearn reproduce daniely2020.parity --size {context.size}"


def _of_network(recipe: str, result: Result, context: Context, **law: Any) -> Row:
    accuracy = side(result.summary["uniform_accuracy"])
    whole = result.summary["test_accuracy"].mean
    quantity = _quantity(**law)
    return conclusion(
        context,
        ITEM.id,
        quantity,
        accuracy,
        "small error (theorem 2)",
        side_of(accuracy, LEARNED),
        recipe=f"network, {recipe}",
        cell=f"{ITEM.id}/{quantity}/network",
        judged=recipe == "practical",
        why=f"on D_A {whole:.4g}; d = {result.config.d}, width {result.config.width}",
        reason="see daniely2020.theorem-2, which asks for far larger sizes",
    )


def _of_fixed(
    name: str, dimension: int | None, found: Estimate, context: Context, **law: Any
) -> Row:
    accuracy, quantity = side(found), _quantity(**law)
    N = "a kernel" if dimension is None else f"N = {dimension}"
    return conclusion(
        context,
        ITEM.id,
        quantity,
        accuracy,
        "not learned (theorem 1)",
        side_of(accuracy, STUCK, above=False),
        recipe=name,
        cell=f"{ITEM.id}/{quantity}/{name}",
        why=f"{N}, fitted to its optimum on {SIZES[context.size]['samples']} points of D_A",
    )


ITEM = Item(
    id="daniely2020.parity",
    title="A network learns the parity, fixed features do not",
    reproduce=reproduce,
    references=("daniely2020", "forster2002"),
)
