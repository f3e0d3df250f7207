"""Write a session of the playground as a notebook: the same run in Python, and plots of its
result.
"""

import json
from typing import Any

from featlearn._config import changed_fields
from featlearn.experiments.named import NamedExperiment
from featlearn.play.knobs import command

SHOWN = ("test_accuracy", "test_loss", "train_accuracy")


def notebook(named: NamedExperiment, config: Any, seed: int) -> str:
    """Return the notebook as JSON, in version 4.5 of its format."""
    changes = [
        f"    {name}={value!r},\n" for name, value in changed_fields(config, named.config).items()
    ]
    run = (
        f"result = fl.run(\n    {named.id!r},\n{''.join(changes)}"
        f"    seeds=1,\n    first_seed={seed},\n)\nresult"
    )
    plot = (
        f"shown = [name for name in {list(SHOWN)!r} if name in result.dataset]\n"
        "for name in shown or list(result.dataset)[:1]:\n"
        "    result.plot(name)\n"
        "    plt.show()"
    )
    cells = [
        _words(
            f"# {named.title}\n\nMade by `featlearn play`; the same numbers, bit by bit, as\n\n"
            f"```\n{command(named, config, seed)}\n```"
        ),
        _code("import matplotlib.pyplot as plt\n\nimport featlearn as fl"),
        _code(run),
        _code(plot),
        _words("Every neuron and every recorded step are in `result.dataset`, labelled."),
        _code("result.dataset"),
    ]
    about = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    listed = [{**cell, "id": f"cell-{place}"} for place, cell in enumerate(cells)]
    document = {"cells": listed, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1) + "\n"


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    return {
        "cell_type": "code",
        "metadata": {},
        "source": lines,
        "execution_count": None,
        "outputs": [],
    }
