"""How a record is shown: as curves in panels, and as columns with one number per neuron.

Only the axes of a quantity decide how it is shown: a single number is a curve, one number per
cluster gives one curve for each cluster, one number per neuron is a column. So a new experiment
needs no code in this module.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featlearn.figures.style import ROLES, in_letters
from featlearn.training import Quantity

NEURONS = 300
"""The most neurons that are shown; of more neurons every second, third, … is shown."""
PLACES = 8
"""An axis with more positions is summarised by its least, middle and largest value."""
PAIRS = (
    ("along_mu1", "along_mu2"),
    ("correlation mu1", "correlation mu2"),
    ("on_A", "outside_A"),
    ("signal", "background"),
)
"""Pairs of columns for the picture of the neurons, the best first; else the first two columns."""
CYCLE = ("plain", "ntk", "random-features", "linear", "kernel", "first-layer", "own", "reference")
"""Roles for curves whose name is not a role."""

Record = Mapping[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A curve, or a column with one number per neuron, and the part of a quantity that it shows."""

    key: str
    quantity: str
    meaning: str
    label: str
    """Its label, which distinguishes it from the others in a panel."""
    place: int | str | None = None
    """The position along the other axis than the neurons; "least", "middle" or "largest" of
    many."""


@dataclass(frozen=True, kw_only=True)
class View:
    """The curves and columns that the page shows of an experiment."""

    quantities: dict[str, Quantity]
    curves: tuple[Column, ...]
    neurons: tuple[Column, ...]
    width: int
    """How many neurons there are."""

    @property
    def shown(self) -> slice:
        """The neurons that are shown, as a slice; of many neurons only every n-th is shown."""
        return slice(None, None, max(1, -(-self.width // NEURONS)))

    def frame(self, step: int, record: Record) -> dict[str, Any]:
        """Return one picture: the number of every curve and the numbers of every column."""
        return {
            "step": step,
            "curves": {each.key: _rounded(self._values(each, record)) for each in self.curves},
            "neurons": {
                each.key: [_rounded(value) for value in self._values(each, record)[self.shown]]
                for each in self.neurons
            },
        }

    def document(self) -> dict[str, Any]:
        """Return the layout of the pictures as JSON."""
        keys = [each.key for each in self.neurons]
        pair = next((pair for pair in PAIRS if set(pair) <= set(keys)), (*keys, *keys)[:2])
        return {
            "panels": _panels(self.curves),
            "columns": [
                {
                    "key": each.key,
                    "label": in_letters(words(each.key)),
                    "meaning": in_letters(each.meaning),
                }
                for each in self.neurons
            ],
            "axes": list(pair),
            "sign": "a" if "a" in keys else None,
            "share": "signal_share" if "signal_share" in keys else next(iter(keys), None),
            "width": self.width,
            "shown": len(range(self.width)[self.shown]),
        }

    def _values(self, column: Column, record: Record) -> Any:
        value = np.asarray(record[column.quantity])
        if column.place is None:
            return value
        dims = self.quantities[column.quantity].dims
        axis = next(i for i, dim in enumerate(dims) if dim != "neuron")
        if isinstance(column.place, int):
            return value.take(column.place, axis)
        share = {"least": 0.0, "middle": 0.5, "largest": 1.0}[column.place]
        return np.quantile(value, share, axis)


def view(
    quantities: dict[str, Quantity], labels: Mapping[str, Sequence[str]], record: Record
) -> View:
    """Return the view of an experiment, made from its quantities and a first record of them.

    Example:
        >>> found = {"loss": Quantity(dims=(), meaning="a loss")}
        >>> view(found, {}, {"loss": np.array(0.51234567)}).frame(3, {"loss": np.array(0.5)})
        {'step': 3, 'curves': {'loss': 0.5}, 'neurons': {}}
    """
    curves: list[Column] = []
    neurons: list[Column] = []
    width = 0
    for name, quantity in quantities.items():
        others = [dim for dim in quantity.dims if dim != "neuron"]
        if len(others) > 1:
            continue
        shape = dict(zip(quantity.dims, np.shape(record[name]), strict=True))
        width = shape.get("neuron", width)
        size = shape[others[0]] if others else 0
        parts = _parts(name, quantity.meaning, size, labels.get(others[0]) if others else None)
        (neurons if "neuron" in quantity.dims else curves).extend(parts)
    return View(
        quantities=quantities, curves=tuple(curves), neurons=tuple(neurons), width=int(width)
    )


def words(key: str) -> str:
    """Return a key as readable text.

    Example:
        >>> words("test_accuracy"), words("correlation mu1")
        ('test accuracy', 'correlation mu1')
    """
    return key.replace("_", " ")


def _parts(name: str, meaning: str, size: int, places: Sequence[str] | None) -> list[Column]:
    if not size:
        return [Column(key=name, quantity=name, meaning=meaning, label=words(name))]
    if size > PLACES:
        named: list[tuple[str, int | str]] = [(p, p) for p in ("least", "middle", "largest")]
    else:
        named = [(places[i] if places else str(i + 1), i) for i in range(size)]
    return [
        Column(key=f"{name} {label}", quantity=name, meaning=meaning, label=label, place=place)
        for label, place in named
    ]


def _panels(curves: Sequence[Column]) -> list[dict[str, Any]]:
    """Group curves into panels; all accuracies share one panel, as do all margins and all
    losses.
    """
    titles: dict[str, list[Column]] = {}
    for each in curves:
        title = _title(each)
        crowd = [one for one in titles.get(title, []) if one.quantity != each.quantity]
        apart = title == "Margins" and crowd and each.place is not None
        titles.setdefault(words(each.quantity) if apart else title, []).append(each)
    first = [title for title in ("Accuracy", "Margins", "Loss") if title in titles]
    return [
        {
            "title": title,
            "main": title in first,
            "curves": [
                {
                    "key": each.key,
                    "label": in_letters(each.label),
                    "meaning": in_letters(each.meaning),
                    "role": role,
                }
                for each, role in zip(titles[title], _roles(titles[title]), strict=True)
            ],
        }
        for title in (*first, *(title for title in titles if title not in first))
    ]


def _title(column: Column) -> str:
    for word, title in (("accuracy", "Accuracy"), ("loss", "Loss"), ("margin", "Margins")):
        if column.quantity.endswith(word):
            return title
    return "Margins" if column.meaning.startswith("margin ") else words(column.quantity)


def _roles(columns: Sequence[Column]) -> list[str]:
    """Return a role (which decides the colour) for each curve: its name if that is a role, else a
    free one.
    """
    own = [
        next((w for w in (each.label, each.quantity.split("_")[0]) if w in ROLES), None)
        for each in columns
    ]
    found: list[str] = []
    for role in own:
        free = [r for r in CYCLE if r not in (*own, *found)]
        found.append(role if role and role not in found else (free or [CYCLE[-1]])[0])
    return found


def _rounded(value: Any) -> float | None:
    """Round a number to five digits, enough for a picture; None if it is not finite."""
    number = float(value)
    return float(f"{number:.5g}") if np.isfinite(number) else None
