"""Table 5: sample sizes of 25 000 and 10 000 (Shi, Wei & Liang 2022, appendix E.2.3)."""

from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Item

BLOCKS = (
    Block(
        label="n = 25 000",
        named=PARITY,
        changes={"samples": 25_000},
        figure="figure-13a",
        cells={
            "Network": (100.0, 100.0, 0.997),
            "NTK": (84.0, 84.1, None),
            "RF": (78.6, 74.7, 0.105),
            "One Step": (50.6, 50.0, 0.851),
            "Two Step": (100.0, 100.0, 0.997),
            "Network w/o structure": (100.0, 50.2, 0.230),
        },
    ),
    Block(
        label="n = 10 000, m = 50",
        named=PARITY,
        changes={"samples": 10_000, "width": 100},
        figure="figure-13b",
        cells={
            "Network": (100.0, 100.0, 0.995),
            "NTK": (73.9, 75.0, None),
            "RF": (71.6, 74.3, 0.096),
            "One Step": (50.7, 50.3, 0.974),
            "Two Step": (100.0, 100.0, 0.994),
            "Network w/o structure": (100.0, 52.2, 0.176),
        },
    ),
)

ITEM = Item(
    id="shi2022.table-5",
    title="Smaller samples",
    reproduce=lambda context: table("shi2022.table-5", BLOCKS, context),
    references=("shi2022",),
)
