"""Figure 23: CIFAR-10 and SVHN mixed with Tiny ImageNet, by algorithm 1.

Tiny ImageNet is averaged down to 32 x 32.
"""

from featlearn.papers.shi2022.resnet_studies import CIFAR, SVHN, Case, study_item

ITEM = study_item(
    "shi2022.figure-23",
    "CIFAR-10 and SVHN mixed with Tiny ImageNet: a ResNet learns the real part better",
    (Case(setting=CIFAR, injected="tiny-imagenet"), Case(setting=SVHN, injected="tiny-imagenet")),
)
