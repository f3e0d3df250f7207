"""Texts packed into the page: deflated, then base64; the browser undoes both when it needs them.

A page of many figures stays small, and opens before any of them is read.
"""

import base64
import json
import zlib
from typing import Any

from markupsafe import Markup


def packed(text: str | bytes) -> Markup:
    """A text as one that can stand in a script element.

    Example:
        >>> unpacked(packed("a < b"))
        'a < b'
    """
    content = text.encode() if isinstance(text, str) else text
    return Markup(base64.b64encode(zlib.compress(content, 9)).decode("ascii"))


def packed_json(document: Any) -> Markup:
    """A document, packed."""
    return packed(json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False))


def unpacked(text: str) -> str:
    """The text that `packed` packed."""
    return zlib.decompress(base64.b64decode(text)).decode()
