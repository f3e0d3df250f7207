"""Table 7: the gradients of a filter in the first 30 steps point to similar directions (E.4.1).

The filter is the one nearest to the centre of the green group at the end of training. The paper
does not say of which block; it speaks of filters of 9216 numbers, as block 4 of ResNet(128) has
them, and that block is taken. At the quick size one network is trained, at full size both; each
with two step sizes, for the paper does not give its own.
"""

from featlearn.papers.shi2022.filters import FILES, PUBLISHED, STEP_SIZES, gradient_rows
from featlearn.reproduction.item import Context, Item, Reproduction

ID = "shi2022.table-7"


def reproduce(context: Context) -> Reproduction:
    """The six cosines."""
    networks = PUBLISHED[:1] if context.quick else PUBLISHED
    rows = [
        each
        for network in networks
        for eta in STEP_SIZES
        for each in gradient_rows(context, ID, network, eta)
    ]
    return Reproduction(rows=tuple(rows))


ITEM = Item(
    id=ID,
    title="Early gradients of a ResNet's filter point to similar directions",
    reproduce=reproduce,
    references=("shi2022",),
    data=FILES,
    gpu=True,
)
