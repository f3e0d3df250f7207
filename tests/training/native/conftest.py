"""Tests of the native kernels need them: without a compiler there are none to test."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def native() -> Iterator[str]:
    """The native engine for the time of a test, or the reason why it is skipped."""
    from featlearn.training.engine import usable, using_engine

    found = usable()
    if isinstance(found, str):
        pytest.skip(found)
    with using_engine("native") as engine:
        yield engine


@pytest.fixture
def kernels(native):
    """The kernels themselves, left with the kind and the threads that they had."""
    from featlearn.training.native.library import library

    loaded = library().loaded
    kind, threads = loaded.featlearn_kind(), loaded.featlearn_threads()
    yield loaded
    loaded.featlearn_use_kind(kind)
    loaded.featlearn_use_threads(threads)
