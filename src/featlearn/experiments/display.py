"""Show a result to people: its summary as a table, in a terminal or a notebook, and its curves.

The table has one row per quantity: mean over the seeds, standard error, how many seeds reached it.
The curves are drawn by xarray over the recorded steps: one line per seed, or one line per neuron of
one seed.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from featlearn._check import require, require_one_of
from featlearn._config import fields, flag

if TYPE_CHECKING:
    import xarray as xr

    from featlearn.experiments.result import Result


def as_text(result: "Result") -> str:
    """Return the summary as text with one line per quantity."""
    rows = [("quantity", "mean", "± standard error", "seeds"), *_rows(result)]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = [
        "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([f"{result.id} {result.hash} ({result.status})", *lines, *diverged(result)])


def as_html(result: "Result") -> str:
    """Return the summary as an HTML table, with the configuration in a part that unfolds below
    it.
    """
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in _rows(result)
    )
    config = "".join(
        f"<tr><td>{escape(flag(name))}</td><td>{escape(str(value))}</td></tr>"
        for name, value in fields(result.config).items()
    )
    head = "<tr><th>quantity</th><th>mean</th><th>± standard error</th><th>seeds</th></tr>"
    ended = "".join(f"<p>{escape(line)}</p>" for line in diverged(result))
    folded = f"<details><summary>configuration</summary><table><tbody>{config}</tbody></table>"
    return (
        f"<b>{escape(result.id)}</b> {escape(result.hash)} ({escape(result.status)})"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>{ended}"
        + (f"{folded}</details>" if config else "")
    )


def diverged(result: "Result") -> list[str]:
    """Return one line of text that names the seeds that diverged, in a list that is empty if none
    did.
    """
    if not result.diverged:
        return []
    listed = ", ".join(f"seed {seed} at step {step}" for seed, step in result.diverged.items())
    return [f"diverged: {listed}"]


def _rows(result: "Result") -> list[tuple[str, str, str, str]]:
    return [
        (name, _number(e.mean), _number(e.stderr), f"{e.reached}/{len(e.values)}")
        for name, e in result.summary.items()
    ]


def require_seed(seed: int, seeds: Sequence[int], where: str) -> None:
    """Raise `InputError` unless the seed is one of those that were run."""
    require(seed in seeds, where, "one of the seeds " + ", ".join(map(str, seeds)), repr(seed))


def curves(dataset: "xr.Dataset", name: str, seed: int | None, **style: Any) -> object:
    """Draw a recorded quantity over steps; return what xarray's `plot.line` returns."""
    drawable = sorted(str(k) for k, value in dataset.data_vars.items() if "step" in value.dims)
    require_one_of(name, drawable, "plot(name)")
    if seed is not None:
        require_seed(seed, dataset["seed"].values.tolist(), "plot(seed)")
    values = dataset[name].drop_vars("diverged_at", errors="ignore")  # xarray's title lists it
    chosen = {dim: style.pop(str(dim)) for dim in values.dims if dim in style}
    values = values.sel(chosen) if chosen else values
    apart = [dim for dim in values.dims if dim not in ("seed", "step")]
    require(
        len(apart) <= 1,
        "plot(name)",
        "a quantity over steps, with at most one axis beside the seeds",
        f"{name} over {', '.join(map(str, values.dims))}",
        f"Select a place: plot({name!r}, {apart[0] if apart else ''}=…).",
    )
    if apart and "seed" in values.dims:
        values = values.sel(seed=values["seed"].values[0] if seed is None else seed)
    elif seed is not None:
        values = values.sel(seed=[seed])
    hue = apart[0] if apart else "seed"
    few = values.sizes.get(hue, 1) <= 10
    return values.plot.line(x="step", hue=hue, **{"add_legend": few, **style})


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
