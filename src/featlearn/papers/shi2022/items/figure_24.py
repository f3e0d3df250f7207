"""Figure 24: CIFAR-10 mixed with Gaussians of share .25, .5 and .75, by algorithm 1.

The sweep and the teachers are those of figure 22, which are read where they are kept.
"""

from featlearn.papers.shi2022.resnet_studies import CIFAR, Case, study_item

ITEM = study_item(
    "shi2022.figure-24",
    "CIFAR-10 with more and fewer Gaussians: the real part stays ahead",
    tuple(Case(setting=CIFAR, alpha=alpha) for alpha in (0.25, 0.5, 0.75)),
)
