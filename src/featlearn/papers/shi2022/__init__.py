"""Shi, Wei & Liang (2022): features emerge from the structure of the input."""

from featlearn.papers.paper import Paper
from featlearn.papers.shi2022.gaussians import GAUSSIANS
from featlearn.papers.shi2022.patterns import INTERVAL, PARITY

PAPER = Paper(
    id="shi2022",
    title="A Theoretical Analysis on Feature Learning in Neural Networks: Emergence from Inputs "
    "and Advantage over Fixed Features",
    authors="Zhenmei Shi, Junyi Wei and Yingyu Liang",
    year=2022,
    experiments=(PARITY, INTERVAL, GAUSSIANS),
    statements={
        "theorem-1": "Gradient descent learns every law of the family",
        "theorem-2": "No linear model on fixed features learns all parities",
        "corollary-3": "No bounded function of a shift-invariant kernel learns all parities",
        "theorem-4": "Without input structure, statistical queries must be many or precise",
        "lemma-5": "A network of 3(k+1) neurons equals the label",
        "lemma-6": "The first gradient consists of the relevant patterns",
        "lemma-18": "The network after the first step, exactly",
        "lemma-20": "The second step improves the signal-to-noise ratio",
        "lemma-21": "The biases hardly move in the second step",
        "lemma-22": "The second layer stays small after the second step",
        "lemma-23": "A classifier with zero loss exists on the features after two steps",
        "theorem-34": "The guarantee with incoherent patterns, input noise and unbalanced classes",
    },
    items={
        "table-1": "Parity labelling: network and two steps succeed, fixed features do not",
        "table-2": "Interval labelling: a threshold, which fixed features can learn too",
        "table-3": "The dimension of the input does not matter",
        "table-4": "Unbalanced classes, with appendix F's weighted loss in the first two steps",
        "table-5": "Smaller samples",
        "table-6": "Neurons cover the centres of a mixture of Gaussians",
        "one-step-float32": "The One Step column and the rounding of float32",
        "signal-to-noise": "Signal to noise after the first and the second step",
        "maps": "Maps of the neurons after no, one and two steps",
        "figure-15": "Labels on hidden codes: weights form clusters",
    },
    quick=("lemma-5", "lemma-18", "table-1"),
)
