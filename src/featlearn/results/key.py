"""What names a result: its description, the code behind it, and the program that it compiles to.

Key       the description alone: law, network, training, record, with every field. Seeds, summaries,
          labels and titles are not in it.
Source    a digest of the modules reached by imports (`featlearn._source`). Equal: a stored result
          may be read.
Program   a digest of what is compiled. Where the source differs and the program does not (a helper
          was renamed, a module moved), the stored result is adopted without being computed again.
"""

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from featlearn._source import digest_of_modules


@dataclass(frozen=True, kw_only=True)
class ResultKey:
    """The three names of a result; the program's is found only when it is asked for."""

    description: object
    modules: dict[str, str]
    """The modules behind the result, each with the digest of its code."""
    find_program: Callable[[], str] | None = None
    """None where nothing is compiled that could be compared: then the source is the program."""

    @functools.cached_property
    def source(self) -> str:
        """One digest of all of them."""
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
