"""Xu, Wang, Frei, Vardi & Hu (2023): grokking and benign overfitting on XOR clusters."""

from featlearn.papers.xu2023.setting import CLUSTERS, MET, SMALL_STEPS
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="xu2023",
    title="Benign Overfitting and Grokking in ReLU Networks for XOR Cluster Data",
    authors="Zhiwei Xu, Yutong Wang, Spencer Frei, Gal Vardi and Wei Hu",
    year=2023,
    experiments=(CLUSTERS, SMALL_STEPS, MET),
    statements={
        "theorem-3.1": "Every label is fitted after one step, at chance on new points; later "
        "hardly any is wrong",
        "lemma-4.1": "Points lie where they should, nearly orthogonal; counts that cannot be as "
        "asked",
        "corollary-4.2": "Training points are nearly orthogonal: |cos| <= 2/(C n^2)",
        "lemma-4.3": "The start is short, and a third of the neurons has each sign",
        "lemma-4.4": "Every point activates a seventh of the neurons; hardly any neuron is aligned "
        "as asked",
        "definition-4.5": "A good run: all properties of sample and start at once, of which there "
        "is none",
        "equation-4.3": "After one step the network is a linear classifier, up to m^-1/2",
        "lemma-4.6": "A sum of a relu(a b) over independent b tends to half the mean of b",
        "lemma-4.7": "Neurons of the right sign align with their centre, those of the wrong sign "
        "forget it",
        "theorem-4.8": "On runs with balanced clusters the certified error is below the theorem's",
        "lemma-A.14": "Variance and third moment of a relu(a g) for a fair sign a",
        "lemma-A.15": "Expectations over signs of nearly independent Gaussians, within a factor 2",
        "lemma-A.16": "Every pattern of signs of nearly independent Gaussians has nearly 2^-n",
        "lemma-A.17": "Tails of a Gaussian and of a chi-square",
        "slips": "What the text has wrong, each with its smallest counterexample",
        "scope": "Which C the assumptions leave, and from which n on the proofs speak",
    },
    items={
        "figure-1": "Train and test accuracy over time, for two step sizes",
        "figure-2": "The decision boundary in the plane of the centres, and the neurons",
        "figure-3": "Projections of positive neurons on the two directions",
        "figure-4": "The same with a small step",
        "assumptions-met": "Figure 1 with A1 to A6 met, n from 40 to 2000",
        "missed-clusters": "Why whole clusters are missed: counts of points and of flips",
        "open-questions": "What the paper leaves open: start, signal, width, long training, both "
        "layers",
        "map": "One map over signal and dimension: grokking, early stopping, harmful overfitting",
    },
    quick=("figure-1", "lemma-4.6", "scope"),
)
