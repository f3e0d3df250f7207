"""Barak et al. (2022): hidden progress in learning sparse parities."""

from featlearn.papers.barak2022.parity import PARITY
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="barak2022",
    title="Hidden Progress in Deep Learning: SGD Learns Parities Near the Computational Limit",
    authors="Boaz Barak, Benjamin L. Edelman, Surbhi Goel, Sham Kakade, Eran Malach and "
    "Cyril Zhang",
    year=2022,
    experiments=(PARITY,),
    statements={
        "fourier-gap": "The population gradient of a neuron on a parity has a Fourier gap",
        "theorem-4": "One large step from signs finds the k bits",
        "theorem-5": "No small embedding serves all parities",
        "theorem-6": "The disjoint PolyNet spends nearly all its time near chance",
        "no-early-success": "No early successes: solving a parity is no random search",
        "hidden-progress": "Weights on the bits grow while loss and accuracy are flat",
    },
    items={
        "trials": "Very many runs of one parity: the histogram of times",
        "progress": "What moves while loss and accuracy are flat",
        "conditions": "Widths, batches and noisy labels: what sets the time",
        "grokking": "A small sample with weight decay: test accuracy long after training's",
    },
    quick=("trials", "progress", "fourier-gap", "theorem-6"),
)
