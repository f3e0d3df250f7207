"""Compress texts for the page: deflated, then base64; the browser undoes both when it needs the
text.

A page with many figures stays small, and opens before any of them is read.
"""

import base64
import json
import zlib
from typing import Any

from markupsafe import Markup


def packed(text: str | bytes) -> Markup:
    """Return a text, compressed to characters that a script element can contain.

    Example:
        >>> unpacked(packed("a < b"))
        'a < b'
    """
    content = text.encode() if isinstance(text, str) else text
    return Markup(base64.b64encode(zlib.compress(content, 9)).decode("ascii"))


def packed_json(document: Any) -> Markup:
    """Return a document as compressed JSON."""
    return packed(json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False))


def unpacked(text: str) -> str:
    """Return the text from which `packed` made the argument."""
    return zlib.decompress(base64.b64decode(text)).decode()
