"""Which engine computes: asked for, preferred, or the one that is left; said in one line."""

import jax
import pytest

from featlearn._check import InputError
from featlearn.training import engine
from featlearn.training.engine import (
    choose_engine,
    forget_engine,
    named_engine,
    native,
    preferred_engine,
    resolved_engine,
    share_threads,
    usable,
    using_engine,
)
from featlearn.training.native.library import Library, Unusable


@pytest.fixture(autouse=True)
def engine_as_before(monkeypatch):
    """Whatever a test chooses is undone, and asking begins anew in it."""
    monkeypatch.setattr(engine, "_chosen", None)
    monkeypatch.setattr(engine, "_most_threads", None)
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    yield
    jax.clear_caches()


def kernels(kind: int) -> Library:
    class Loaded:
        def featlearn_use_threads(self, threads):
            self.threads = threads.value

    return Library(number=7, kind=kind, loaded=Loaded())


def test_jax_is_always_there():
    with using_engine("jax") as name:
        assert name == resolved_engine() == "jax"
        assert not native()


def test_the_environment_chooses(monkeypatch):
    monkeypatch.setenv(engine.VARIABLE, "jax")
    assert resolved_engine() == "jax"


def test_the_kernels_are_preferred_where_they_are_quick(monkeypatch):
    monkeypatch.setattr(engine, "PREFERRED", "native")
    monkeypatch.setattr(engine, "library", lambda: kernels(1))
    assert preferred_engine() == ("native-7", "")
    monkeypatch.setattr(engine, "library", lambda: kernels(0))
    assert preferred_engine() == ("jax", "this machine has no AVX2")
    assert named_engine("native", where="--engine") == "native-7"  # asked for, it serves
    monkeypatch.setattr(engine, "PREFERRED", "jax")
    assert preferred_engine() == ("jax", "")


def test_kernels_that_cannot_be_used_are_one_line_and_no_failure(monkeypatch, capsys):
    def broken():
        raise Unusable("the kernels are not compiled")

    monkeypatch.setattr(engine, "PREFERRED", "native")
    monkeypatch.setattr(engine, "library", broken)
    assert [resolved_engine() for _ in range(3)] == ["jax"] * 3
    line = "featlearn: the engine is jax, for the kernels are not compiled.\n"
    assert capsys.readouterr().err == line


def test_an_engine_that_is_asked_for_and_not_there_is_refused(monkeypatch):
    def broken():
        raise Unusable("the kernels are not compiled")

    monkeypatch.setattr(engine, "library", broken)
    monkeypatch.setenv(engine.VARIABLE, "native")
    with pytest.raises(InputError) as error:
        resolved_engine()
    assert str(error.value) == (
        "FEATLEARN_ENGINE: expected an engine native, got none: the kernels are not compiled. "
        "Ask for jax, or see `featlearn doctor`."
    )


def test_another_number_is_refused(monkeypatch):
    monkeypatch.setattr(engine, "library", lambda: kernels(1))
    with pytest.raises(InputError) as error:
        named_engine("native-6", where="worker")
    assert str(error.value) == (
        "worker: expected native-7, got native-6. Ask for jax, or see `featlearn doctor`."
    )
    with pytest.raises(InputError, match="expected jax, native or native-N, got 'numpy'"):
        named_engine("numpy", where="--engine")


def test_the_kernels_are_for_a_cpu(monkeypatch):
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert usable() == "the native kernels are for a CPU, and JAX is on gpu"


def test_after_a_while_all_is_as_before(monkeypatch):
    monkeypatch.setattr(engine, "library", lambda: kernels(1))
    with using_engine("jax"):
        with using_engine("native"):
            assert native()
        assert not native()
        assert resolved_engine() == "jax"
    forget_engine()
    monkeypatch.setenv(engine.VARIABLE, "native")
    assert resolved_engine() == "native-7"


def test_threads_are_shared_out_among_trainings(monkeypatch):
    found = kernels(1)
    monkeypatch.setattr(engine, "library", lambda: found)
    monkeypatch.setattr(engine, "own_cores", lambda: 8)
    choose_engine("native")
    for at_once, share in ((1, 8), (2, 4), (3, 2), (16, 1)):
        assert share_threads(at_once) == share == found.loaded.threads
    engine.limit_threads(2)
    assert share_threads(1) == 2
