"""What is recorded belongs to something: a row of expected.json names an item and a recipe.

On images a recipe names how many there are: of other files nothing is recorded.
"""

import re

from featlearn.papers.shi2022 import PAPER
from featlearn.reproduction.recorded import read

RECIPES = {
    *("practical", "literal", "convex", "validated", "converged", "best"),
    *("exact", "float32", "float32-scaled", "constant", "weighted", "memorise", "control"),
    *("plain", "momentum", "adam", "RF", "One Step", "grid", "solver", "sgd", "fitted", "left-out"),
}


def test_every_recorded_row_names_an_item_and_a_recipe():
    for key, outcome in PAPER.expected()["rows"].items():
        item, recipe = key.split("/", 1)[0], key.rsplit("/", 1)[1]
        assert item in PAPER.items
        assert recipe in RECIPES or re.search(r"\b\d+ images\b", recipe)
        assert read(outcome).statuses


def test_bibliography_has_every_reference():
    known = PAPER.references()
    for name in PAPER.statements:
        assert set(PAPER.statement(name).references) <= set(known)
