"""Figure 22 (b, c), as figure 4 (b, c): CIFAR-10 and SVHN mixed with Gaussians, by algorithm 1.

Panel (a), MNIST, is in figure-4.
"""

from featlearn.papers.shi2022.resnet_studies import CIFAR, SVHN, Case, study_item

ITEM = study_item(
    "shi2022.figure-22",
    "CIFAR-10 and SVHN mixed with Gaussians: a ResNet learns the real part better",
    (Case(setting=CIFAR), Case(setting=SVHN)),
)
