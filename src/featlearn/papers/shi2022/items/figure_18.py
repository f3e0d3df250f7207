"""Figure 18: neurons on airplanes and automobiles of CIFAR-10 form two clusters."""

from featlearn.papers.shi2022.on_images import Claim, image_item

ITEM = image_item(
    "shi2022.figure-18",
    "CIFAR-10 airplane/automobile: the weights form two clusters",
    Claim(dataset="cifar10", clusters=2),
)
