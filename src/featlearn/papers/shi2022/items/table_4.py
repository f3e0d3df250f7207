"""Table 4: shares of the negative class of .8 and .9 (Shi, Wei & Liang 2022, appendix E.2.2)."""

from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Item

BLOCKS = (
    Block(
        label="negative share .8",
        named=PARITY,
        changes={"negative": 0.8},
        figure="figure-11a",
        cells={
            "Network": (100.0, 100.0, 0.999),
            "NTK": (62.9, 82.7, None),
            "RF": (72.7, 70.4, 0.293),
            "One Step": (78.3, 75.7, 0.950),
            "Two Step": (100.0, 100.0, 0.999),
            "Network w/o structure": (100.0, 61.7, 0.218),
        },
    ),
    Block(
        label="negative share .9",
        named=PARITY,
        changes={"negative": 0.9},
        figure="figure-11b",
        cells={
            "Network": (100.0, 100.0, 0.997),
            "NTK": (84.0, 81.7, None),
            "RF": (73.6, 72.4, 0.296),
            "One Step": (92.3, 89.2, 0.956),
            "Two Step": (100.0, 100.0, 0.997),
            "Network w/o structure": (100.0, 71.8, 0.286),
        },
    ),
)

ITEM = Item(
    id="shi2022.table-4",
    title="Unbalanced classes, with appendix F's weighted loss in the first two steps",
    reproduce=lambda context: table("shi2022.table-4", BLOCKS, context),
    references=("shi2022",),
)
