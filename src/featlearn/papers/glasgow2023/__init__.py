"""Glasgow (2023): SGD finds, then tunes, features in two-layer networks, on XOR."""

from featlearn.papers.glasgow2023.xor import XOR
from featlearn.papers.paper import Paper

PAPER = Paper(
    id="glasgow2023",
    title="SGD Finds then Tunes Features in Two-Layer Neural Networks with near-Optimal "
    "Sample Complexity: A Case Study in the XOR problem",
    authors="Margalit Glasgow",
    year=2023,
    experiments=(XOR,),
    statements={
        "remark-2.1": "Training does not see a rotation of the cube",
        "lemma-C.4": "Population gradients of the linearised loss, exactly",
    },
    items={"xor": "Two phases: SGD finds the features of XOR, then tunes them"},
    quick=("xor", "remark-2.1", "lemma-C.4"),
)
