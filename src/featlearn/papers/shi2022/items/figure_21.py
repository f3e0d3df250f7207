"""Figure 21: filters of ResNet(256) in its four residual blocks (appendix E.4.1)."""

from featlearn.papers.shi2022.filters import PUBLISHED, map_item

ITEM = map_item("shi2022.figure-21", PUBLISHED[1])
