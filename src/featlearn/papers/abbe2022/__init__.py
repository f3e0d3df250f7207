"""Abbe, Boix-Adserà & Misiakiewicz (2022, 2023): merged staircases and leaps."""

from featlearn.papers.abbe2022.staircase import STAIRCASE
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="abbe2022",
    title="The merged-staircase property: a necessary and nearly sufficient condition for SGD "
    "learning of sparse functions on two-layer neural networks",
    authors="Emmanuel Abbe, Enric Boix-Adserà and Theodor Misiakiewicz",
    year=2022,
    experiments=(STAIRCASE,),
    statements={
        "merged-staircase": "The leap of a target, by the order of fewest new bits",
        "flow-limit": "SGD stays near the flow without dimension",
        "necessary": "Outside the staircase nothing moves; at finite d it escapes after log d",
        "growth": "On a staircase the k-th bit grows as t^(2^(k-1)), with its constant",
        "tied": "A merged staircase that is not learned: a tie leaves an error of exactly 1",
        "linear-floor": "Methods with fixed features hold N/C(d, D) of a term of degree D",
        "leap-time": "The time to learn is bounded, logarithmic or a power of d, by the leap",
    },
    items={
        "targets": "Twelve targets, by the calculator, by the flow and by SGD",
        "overlay": "SGD on the flow: coordinates light up one after the other",
        "kernels": "Samples of the tangent kernel against d on the same targets",
    },
    quick=("overlay", "merged-staircase", "growth", "tied"),
)
