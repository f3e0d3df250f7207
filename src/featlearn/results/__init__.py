"""What a run leaves behind: labelled arrays, verdicts, provenance, the store."""

from featlearn.results.store import Entry as Entry
from featlearn.results.store import Store as Store
