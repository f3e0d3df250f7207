"""The option --engine, which every command has: jax, native or native-N."""

import contextlib
import os
import re
import sys
from collections.abc import Iterator

from featlearn._check import require

OPTION = "--engine"
VARIABLE = "FEATLEARN_ENGINE"
NAMES = re.compile(r"jax|native(-\d+)?")


def without_engine(tokens: list[str]) -> tuple[str | None, list[str]]:
    """The engine that a command line asks for, and the other words.

    Example:
        >>> without_engine(["run", "--engine", "jax", "--d", "9"])
        ('jax', ['run', '--d', '9'])
    """
    engine: str | None = None
    others: list[str] = []
    words = iter(tokens)
    for word in words:
        if word == OPTION or word.startswith(f"{OPTION}="):
            require(engine is None, OPTION, "one value", "several")
            engine = word.partition("=")[2] if "=" in word else next(words, "")
            known = NAMES.fullmatch(engine) is not None
            require(known, OPTION, "jax, native or native-N", repr(engine))
        else:
            others.append(word)
    return engine, others


@contextlib.contextmanager
def asked_for(engine: str | None) -> Iterator[None]:
    """Use that engine in this process and the workers it starts; None changes nothing."""
    if engine is None:
        yield
        return
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = engine
    _forget()
    try:
        yield
    finally:
        _forget()
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


def _forget() -> None:
    """Forget which engine was found before, without importing anything heavy."""
    if module := sys.modules.get("featlearn.training.engine"):
        module.forget_engine()
