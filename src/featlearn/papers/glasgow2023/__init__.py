"""Glasgow (2023): SGD finds, then tunes, features in two-layer networks, on XOR."""

from featlearn.papers.glasgow2023.beyond import BEYOND
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.papers.paper import Paper

PAPER = Paper(
    id="glasgow2023",
    title="SGD Finds then Tunes Features in Two-Layer Neural Networks with near-Optimal "
    "Sample Complexity: A Case Study in the XOR problem",
    authors="Margalit Glasgow",
    year=2023,
    experiments=(XOR, *BEYOND),
    statements={
        "remark-2.1": "Training does not see a rotation of the cube",
        "theorem-3.1": "O~(d) samples suffice",
        "lemma-4.1": "What the network is at the end of phase 1",
        "definition-4.2": "Signal-heavy networks, and how near to one a run comes",
        "equation-4.3": "Near the start the signal grows and the opposite part shrinks alike",
        "remark-4.3": "What training the second layer is good for",
        "lemma-4.4": "One step of phase 2: the weakest margin grows fastest",
        "lemma-B.2": "A neuron drawn on the sphere is well spread",
        "theorem-B.5": "Sums of random signs against Gaussians: Berry-Esseen, and lemma B.3",
        "lemma-B.12": "Minibatch gradients stay near the population's",
        "lemma-B.13": "What one step can do to a neuron",
        "lemma-C.2": "Early on, the loss pulls as its linearisation does",
        "lemma-C.3": "On one coordinate L and L0 differ far less",
        "lemma-C.4": "Population gradients of the linearised loss, exactly",
        "lemma-C.5": "How far l' is from its linearisation, and how much one bit moves it",
        "lemma-D.5": "Clean gradients are near the true ones",
        "lemma-D.6": "The clean gradient along the signal",
        "lemma-D.7": "Clean gradients push back what is not signal",
        "claim-D.9": "A long orthogonal part is rarely out-shouted",
        "lemma-D.10": "No neuron grows faster than the weakest cluster's rate",
        "lemma-D.11": "The norm of any neuron after a step",
        "claim-D.15": "Every heavy neuron grows at its cluster's rate",
        "proposition-F.1": "No rotation-invariant learner does with less than ~d samples",
    },
    items={
        "xor": "Two phases: SGD finds the features of XOR, then tunes them",
        "sample-complexity": "Samples to 95 %: SGD against kernels, and the floor",
        "phase-times": "T1 against log d and 1/η, and what else moves it",
    },
    quick=("xor", "remark-2.1", "lemma-C.4"),
)
