"""Figure 20: filters of ResNet(128) in its four residual blocks (appendix E.4.1)."""

from featlearn.papers.shi2022.filters import PUBLISHED, map_item

ITEM = map_item("shi2022.figure-20", PUBLISHED[0])
