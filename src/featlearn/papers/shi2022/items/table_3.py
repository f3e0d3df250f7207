"""Table 3: input dimensions 100 and 2000 (Shi, Wei & Liang 2022, appendix E.2.1)."""

from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Item

BLOCKS = (
    Block(
        label="d = 100",
        named=PARITY,
        changes={"d": 100},
        figure="figure-9a",
        cells={
            "Network": (100.0, 100.0, 1.000),
            "NTK": (83.1, 81.5, None),
            "RF": (78.9, 78.3, 0.354),
            "One Step": (53.0, 51.1, 0.967),
            "Two Step": (100.0, 100.0, 1.000),
            "Network w/o structure": (100.0, 51.0, 0.331),
        },
    ),
    Block(
        label="d = 2000",
        named=PARITY,
        changes={"d": 2000},
        figure="figure-9b",
        cells={
            "Network": (100.0, 100.0, 0.998),
            "NTK": (75.6, 75.4, None),
            "RF": (80.0, 77.0, 0.056),
            "One Step": (50.22, 50.01, 0.560),
            "Two Step": (100.0, 100.0, 0.998),
            "Network w/o structure": (100.0, 52.5, 0.309),
        },
    ),
)

ITEM = Item(
    id="shi2022.table-3",
    title="The dimension of the input does not matter",
    reproduce=lambda context: table("shi2022.table-3", BLOCKS, context),
    references=("shi2022",),
)
