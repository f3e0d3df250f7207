"""Table 2: interval labelling, six methods (Shi, Wei & Liang 2022, appendix E.1.2).

With t2 = k the interval [20, 30] is the plain threshold s >= 20, of which a monotone classifier is
perfect; without structure P(y = 1) = .049, so that the constant classifier has 95.1 %.
"""

from featlearn.papers.shi2022.patterns import INTERVAL
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.tables import table
from featlearn.reproduction.item import Item

BLOCKS = (
    Block(
        label="",
        named=INTERVAL,
        changes={},
        figure="figure-7",
        cells={
            "Network": (100.0, 100.0, 1.00),
            "NTK": (100.0, 100.0, None),
            "RF": (76.4, 73.2, 0.153),
            "One Step": (44.1, 41.0, 0.901),
            "Two Step": (100.0, 100.0, 0.994),
            "Network w/o structure": (100.0, 100.0, 0.965),
        },
    ),
)

ITEM = Item(
    id="shi2022.table-2",
    title="Interval labelling: a threshold, which fixed features can learn too",
    reproduce=lambda context: table("shi2022.table-2", BLOCKS, context),
    references=("shi2022",),
)
