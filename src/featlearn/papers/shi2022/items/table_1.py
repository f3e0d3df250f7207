"""Table 1: parity labelling, six methods (Shi, Wei & Liang 2022, appendix E.1.1)."""

from featlearn.papers.shi2022.guarantee import Guaranteed
from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Item, Setting

BLOCKS = (
    Block(
        label="",
        named=PARITY,
        changes={},
        figure="figure-5",
        cells={
            "Network": (100.0, 100.0, 0.997),
            "NTK": (84.0, 86.4, None),
            "RF": (74.7, 76.0, 0.114),
            "One Step": (51.3, 52.2, 0.848),
            "Two Step": (100.0, 100.0, 0.997),
            "Network w/o structure": (100.0, 52.0, 0.253),
        },
    ),
)


def as_guaranteed() -> Guaranteed:
    """The table's setting as one of theorem 1."""
    config = PARITY.config
    return Guaranteed(
        dictionary=config.dictionary,
        k=config.k,
        width=config.width,
        samples=config.samples,
        steps=config.steps,
    )


ITEM = Item(
    id="shi2022.table-1",
    title="Parity labelling: network and two steps succeed, fixed features do not",
    reproduce=lambda context: table("shi2022.table-1", BLOCKS, context),
    references=("shi2022",),
    settings=(Setting("table 1", "theorem-1", as_guaranteed),),
)
