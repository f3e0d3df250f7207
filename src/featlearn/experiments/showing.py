"""A result in a notebook: a table of its summary, and its curves.

The table has a row a quantity: mean over the seeds, standard error, how many seeds reached it. The
curves are xarray's own, over the recorded steps: a line a seed, or a line a neuron of one seed.
"""

from html import escape
from typing import TYPE_CHECKING, Any

from featlearn._check import require, require_one_of
from featlearn._config import fields, flag

if TYPE_CHECKING:
    import xarray as xr

    from featlearn.experiments.run import Result


def as_html(result: "Result") -> str:
    """The summary as a table, the configuration folded away beneath it."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{_number(estimate.mean)}</td>"
        f"<td>{_number(estimate.stderr)}</td><td>{estimate.reached}/{len(estimate.values)}</td></tr>"
        for name, estimate in result.summary.items()
    )
    config = "".join(
        f"<tr><td>{escape(flag(name))}</td><td>{escape(str(value))}</td></tr>"
        for name, value in fields(result.config).items()
    )
    head = "<tr><th>quantity</th><th>mean</th><th>± standard error</th><th>seeds</th></tr>"
    return (
        f"<b>{escape(result.id)}</b> {escape(result.hash)} ({escape(result.status)})"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        f"<details><summary>configuration</summary><table><tbody>{config}</tbody></table></details>"
    )


def curves(dataset: "xr.Dataset", name: str, seed: int | None, **style: Any) -> Any:
    """A recorded quantity over steps; returns what xarray's `plot.line` returns."""
    drawable = sorted(str(k) for k, value in dataset.data_vars.items() if "step" in value.dims)
    require_one_of(name, drawable, "plot(name)")
    values = dataset[name]
    apart = [dim for dim in values.dims if dim not in ("seed", "step")]
    require(
        len(apart) <= 1,
        "plot(name)",
        "a quantity over steps, with at most one axis beside the seeds",
        f"{name} over {', '.join(map(str, values.dims))}",
        "Select one with result.dataset[name].sel(...).plot().",
    )
    if apart and "seed" in values.dims:
        values = values.sel(seed=values["seed"].values[0] if seed is None else seed)
    elif seed is not None:
        values = values.sel(seed=[seed])
    hue = apart[0] if apart else "seed"
    return values.plot.line(x="step", hue=hue, **{"add_legend": not apart, **style})


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
