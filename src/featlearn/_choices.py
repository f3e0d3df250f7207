"""Words with a fixed meaning that several stages compare; each set of words is defined here once.

They are strings, so that stored files, the command line and messages show them unchanged; the type
checker knows which strings are allowed.
"""

from typing import Literal

Side = Literal["<=", ">="]
"""Which way an inequality goes: measured SIDE limit."""
SIDES: tuple[Side, ...] = ("<=", ">=")

Origin = Literal["new", "read", "adopted", "completed", "computed", "failed", "skipped"]
"""How a result came about.

"new": the store has none yet. "read": stored, by the same source. "adopted": stored, by another
source that compiles to the same program. "completed": some of it was read, the rest computed.
"computed": all of it, now. "failed": an error ended it. "skipped": it needs what is not here.
"""

EntryKind = Literal["run", "evidence", "item", "sweep", "fit", "computed"]
"""What an entry of the store holds; "computed" is the value of `lab.compute`."""

Size = Literal["quick", "full"]
"""How large a reproduction is."""
