"""Figure 19: neurons on zeros and ones of SVHN form four clusters."""

from featlearn.papers.shi2022.on_images import Claim, image_item

ITEM = image_item(
    "shi2022.figure-19",
    "SVHN 0/1: the weights form four clusters",
    Claim(dataset="svhn", clusters=4),
)
