"""Write a state of the playground as a link: experiment, values, seed and step, but never the
token.
"""

from urllib.parse import parse_qsl, urlencode, urlsplit

from featlearn._check import InputError

LONGEST = 4000
"""Letters of a link."""


def read_link(text: str) -> tuple[str, str]:
    """Read an experiment id or a link to the page; return the id, and the state in the link ("" for
    none).

    Example:
        >>> read_link("glasgow2023.xor")
        ('glasgow2023.xor', '')
        >>> read_link("http://127.0.0.1:8642/?experiment=glasgow2023.xor&d=50&step=40")
        ('glasgow2023.xor', 'experiment=glasgow2023.xor&d=50&step=40')
    """
    if not text.startswith(("?", "http://127.0.0.1:", "http://localhost:")):
        return text, ""
    try:
        pairs = parse_qsl(urlsplit(text[:LONGEST]).query, strict_parsing=True)
    except ValueError:
        pairs = []
    found = dict(pairs)
    if "experiment" not in found:
        told = "one that names no experiment"
        hint = "Use its button `Copy link`."
        raise InputError("play", "a link that the playground gave", told, hint)
    return found["experiment"], urlencode(found)
