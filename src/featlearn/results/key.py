"""The key of a result: its description, the code behind it, and the program that is compiled.

Key       a digest of the description: law, network, training and record, with all fields. It does
          not include seeds, summaries, labels and titles.
Source    a digest of all modules reached by imports (`featlearn._source`). If it is equal, a stored
          result may be read.
Program   a digest of what is compiled. If the source differs but the program is equal (after a
          helper was renamed or a module moved), the stored result is adopted, not computed again.
"""

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from featlearn._source import digest_of_modules


@dataclass(frozen=True, kw_only=True)
class ResultKey:
    """The key of a result; the digest of its program is computed when `program` is first used."""

    description: object
    modules: dict[str, str]
    """The modules behind the result, name -> digest of its code."""
    find_program: Callable[[], str] | None = None
    """Finds the program; None if the computation is not one compiled program: then `source` is
    used."""

    @functools.cached_property
    def source(self) -> str:
        """One digest of the code of all modules."""
        return digest_of_modules(self.modules)

    @functools.cached_property
    def name(self) -> str:
        """Twelve hexadecimal digits that name the description."""
        text = json.dumps(self.description, sort_keys=True, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @functools.cached_property
    def program(self) -> str:
        """Twelve hexadecimal digits that name the program."""
        return (self.find_program() if self.find_program else self.source)[:12]
