"""Write the skeleton of a new paper: setting, statement with its control, item, texts, tests,
page.
"""

import re
from pathlib import Path
from string import Template

from featlearn._check import require

HERE = Path(__file__).parent / "skeleton"
FILES = {
    "init.txt": "src/featlearn/papers/{id}/__init__.py",
    "setting.txt": "src/featlearn/papers/{id}/setting.py",
    "texts.txt": "src/featlearn/papers/{id}/texts.py",
    "statement.txt": "src/featlearn/papers/{id}/statements/theorem_1.py",
    "item.txt": "src/featlearn/papers/{id}/items/figure_1.py",
    "expected.txt": "src/featlearn/papers/{id}/expected.json",
    "references.txt": "src/featlearn/papers/{id}/references.bib",
    "page.txt": "docs/papers/{id}.md",
    "test.txt": "tests/papers/{id}/test_{id}.py",
}
"""Template -> its path in a checkout of featlearn."""
PACKAGES = {
    "src/featlearn/papers/{id}/statements/__init__.py": '"""One file per statement."""\n',
    "src/featlearn/papers/{id}/items/__init__.py": '"""One file per item."""\n',
}


def write_skeleton(identity: str, root: Path, *, title: str = "", authors: str = "") -> list[Path]:
    """Write a skeleton that passes all tests; return the files that were written, in order.

    Args:
        identity: the id, a name and a year: author2024.
        root: a checkout of featlearn.
        title: the title of the paper.
        authors: its authors, separated by commas.
    """
    named = re.fullmatch(r"([a-z]+)(\d{4})", identity)
    require(named is not None, "new-paper", "an id such as author2024", repr(identity))
    assert named is not None
    home = root / "src" / "featlearn" / "papers"
    hint = "Run it in a checkout; docs/how-to/add-a-paper.md has packages of one's own."
    require(home.is_dir(), f"new-paper {identity}", "a checkout of featlearn", str(root), hint)
    require(
        not (home / identity).exists(), f"new-paper {identity}", "a new id", "one that is there"
    )
    who = named[1].capitalize()
    words = {
        "id": identity,
        "who": who,
        "year": named[2],
        "title": title or f"The title of {who} {named[2]}",
        "authors": authors or f"A. {who}",
    }
    written = []
    texts = {
        to: Template((HERE / name).read_text(encoding="utf-8")).substitute(words)
        for name, to in FILES.items()
    }
    for to, text in {**texts, **PACKAGES}.items():
        file = root / to.format(id=identity)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.append(file)
    return written
