"""One idea, one file: a source file that grows past the limit is split, or says here why not."""

from pathlib import Path

LIMIT = 400
EXCEPTIONS: dict[str, str] = {}
"""Path below src/featlearn -> why it is better whole."""

ROOT = Path(__file__).parents[2] / "src" / "featlearn"


def lines_by_file(root: Path) -> dict[str, int]:
    """Number of lines of each Python file below `root`."""
    return {
        path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(root.rglob("*.py"))
    }


def complaints(sizes: dict[str, int], exceptions: dict[str, str]) -> list[str]:
    """A sentence for each long file without a reason, and for each reason without a long file."""
    long = {name: size for name, size in sizes.items() if size > LIMIT}
    return [
        f"{name}: expected at most {LIMIT} lines, got {size}. Split it, or write why not."
        for name, size in long.items()
        if not exceptions.get(name, "").strip()
    ] + [
        f"{name}: excepted, but no file of that name is longer than {LIMIT} lines. Drop the entry."
        for name in exceptions
        if name not in long
    ]


def test_long_files_have_a_written_reason():
    assert complaints(lines_by_file(ROOT), EXCEPTIONS) == []


def test_a_long_file_is_found_on_disk(tmp_path):
    (tmp_path / "loop.py").write_text("x = 1\n" * (LIMIT + 1))
    (tmp_path / "short.py").write_text("x = 1\n" * LIMIT)
    message = "loop.py: expected at most 400 lines, got 401. Split it, or write why not."
    assert complaints(lines_by_file(tmp_path), {}) == [message]


def test_only_a_reason_excuses_a_long_file():
    sizes = {"loop.py": LIMIT + 1}
    assert complaints(sizes, {"loop.py": "One loop, read in one piece."}) == []
    assert len(complaints(sizes, {"loop.py": " "})) == 1


def test_an_exception_that_is_no_longer_needed_is_found():
    message = "a.py: excepted, but no file of that name is longer than 400 lines. Drop the entry."
    assert complaints({"a.py": LIMIT}, {"a.py": "It was long."}) == [message]
