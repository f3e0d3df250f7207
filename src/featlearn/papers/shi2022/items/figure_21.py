"""Figure 21: filters of ResNet(256) in its four residual blocks (appendix E.4.1)."""

from featlearn.papers.item import Context, Item, Reproduction
from featlearn.papers.shi2022.filters import (
    PUBLISHED,
    accuracy_row,
    caption_rows,
    data_of,
    map_figures,
    trained,
)

ID = "shi2022.figure-21"
NETWORK = PUBLISHED[1]


def reproduce(context: Context) -> Reproduction:
    """The cosines of the captions, and the maps."""
    result = trained(context, NETWORK)
    rows = [accuracy_row(context, ID, result, NETWORK)]
    rows += caption_rows(context, ID, result, NETWORK)
    return Reproduction(rows=tuple(rows), figures=map_figures(context, ID, result, NETWORK))


ITEM = Item(
    id=ID,
    title="Filters of ResNet(256) on CIFAR-10 airplane/automobile gather in groups",
    reproduce=reproduce,
    references=("shi2022",),
    data=data_of,
)
