"""All blocks of tables 1 to 5, for the studies that look at several of them."""

from collections.abc import Iterator

from featlearn.papers.shi2022.items import table_1, table_2, table_3, table_4, table_5
from featlearn.papers.shi2022.table_cells import Block

TABLES: dict[str, tuple[Block, ...]] = {
    "table-1": table_1.BLOCKS,
    "table-2": table_2.BLOCKS,
    "table-3": table_3.BLOCKS,
    "table-4": table_4.BLOCKS,
    "table-5": table_5.BLOCKS,
}


def every_block(*tables: str) -> Iterator[tuple[str, Block]]:
    """The blocks of these tables, or of all, each with the name of its table.

    Example:
        >>> [(table, block.label) for table, block in every_block("table-1", "table-3")]
        [('table-1', ''), ('table-3', 'd = 100'), ('table-3', 'd = 2000')]
    """
    for table in tables or tuple(TABLES):
        for block in TABLES[table]:
            yield table, block


def in_words(table: str, block: Block) -> str:
    """A block as it stands before a quantity of a study.

    Example:
        >>> in_words("table-3", TABLES["table-3"][0])
        'table 3, d = 100'
    """
    return ", ".join(filter(None, (table.replace("-", " "), block.label)))


def cell_of(table: str, block: Block, method: str, quantity: str) -> str:
    """The name of a printed cell in the ledger."""
    return f"shi2022.{table}/{block.name(method)} {quantity}"
