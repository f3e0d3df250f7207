"""A worker computes with the engine of whoever sent the job, or refuses."""

import pytest

import featlearn as fl
from featlearn._check import InputError
from featlearn.experiments import pools
from featlearn.experiments.job import ExperimentJob
from featlearn.experiments.named import named
from featlearn.training import engine

NET = fl.TwoLayer(d=4, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
HOW = fl.SGD(eta=0.2, batch=16, steps=3, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=4), NET, HOW, record=[fl.HeldOut(samples=20)], at=(0, 3))


@pytest.fixture
def job() -> ExperimentJob:
    """One seed of a small training."""
    return ExperimentJob(identity="x", config=named(EXPERIMENT).config, seeds=(0,))


def test_a_worker_that_lacks_the_engine_refuses(job, monkeypatch):
    monkeypatch.setattr(engine, "_chosen", "native-999999")
    packed = pools.pack(job)
    monkeypatch.setattr(engine, "_chosen", None)
    monkeypatch.setattr(engine, "usable", lambda: "the kernels are not compiled")
    with pytest.raises(InputError) as error:
        pools.compute_packed(packed)
    assert str(error.value) == (
        "worker: expected an engine native-999999, got none: the kernels are not compiled. "
        "Ask for jax, or see `featlearn doctor`."
    )


def test_a_worker_takes_the_engine_that_it_is_told(job, monkeypatch):
    if isinstance(found := engine.usable(), str):
        pytest.skip(found)
    monkeypatch.setattr(engine, "_chosen", "jax")
    with engine.using_engine("native"):
        packed = pools.pack(job)
    with engine.using_engine("jax"):
        assert pools.compute_packed(packed)["seed"].values.tolist() == [0]
        assert engine.resolved_engine() == found.engine


def test_the_engine_is_filed_with_what_it_computed(tmp_path):
    from featlearn.results.provenance import environment

    if isinstance(found := engine.usable(), str):
        pytest.skip(found)
    for asked, name in (("native", found.engine), ("jax", "jax")):
        with engine.using_engine(asked):
            assert environment()["engine"] == name
            fl.run(EXPERIMENT, seeds=1, out=tmp_path / asked)
        (about,) = (tmp_path / asked).rglob("about.json")
        assert f'"engine": "{name}"' in about.read_text()
