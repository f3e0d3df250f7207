"""Figure 17: neurons of a two-layer network on zeros and ones of MNIST form two clusters."""

from featlearn.papers.shi2022.on_images import Claim, image_item

ITEM = image_item(
    "shi2022.figure-17",
    "MNIST 0/1: the weights form two clusters",
    Claim(dataset="mnist", clusters=2, stand_in="digits"),
)
