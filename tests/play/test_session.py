"""A session trains as a run does, bit by bit, however it is watched, paused and stepped."""

import math
import time
from typing import Any

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.experiments.run import run
from featlearn.play import session as module
from featlearn.play.knobs import configured
from featlearn.play.session import Session
from featlearn.reproduction.catalogue import find_experiment
from tests.play.conftest import SMALL

XOR = find_experiment("glasgow2023.xor")


def opened(seed: int = 3, **texts: str) -> Session:
    config, number = configured(XOR, {**SMALL, **texts, "seed": str(seed)})
    return Session(XOR, config, number)


def until(session: Session, *states: str) -> dict[str, Any]:
    end = time.monotonic() + 60
    while session.state not in states and time.monotonic() < end:
        time.sleep(0.01)
    assert session.state in states
    return session.document()


def finished(session: Session) -> dict[str, Any]:
    session.start()
    return until(session, "finished", "failed")


@pytest.fixture(scope="module")
def result():
    changes: dict[str, Any] = {
        "d": 6,
        "width": 8,
        "steps": 12,
        "records": 3,
        "batch_ratio": 2.0,
        "test": 20,
    }
    return run(XOR, seeds=1, first_seed=3, **changes)


@pytest.fixture(autouse=True)
def without_rests(monkeypatch):
    monkeypatch.setattr(module, "PER_SECOND", math.inf)


def short(value: float) -> float:
    return float(f"{float(value):.5g}")


def test_every_number_and_the_summary_are_those_of_a_run(result):
    told = finished(opened())
    frames = {frame["step"]: frame for frame in told["frames"]}
    assert sorted(frames) == list(range(13)), "every step is looked at, the run's records too"
    for step in result.dataset["step"].values.tolist():
        one = result.dataset.isel(seed=0).sel(step=step)
        assert frames[step]["curves"]["test_loss"] == short(one["test_loss"])
        assert frames[step]["neurons"]["along_mu1"] == [short(v) for v in one["along_mu1"].values]
    summary = {name: estimate.values[0] for name, estimate in result.summary.items()}
    assert told["summary"] == summary, "not rounded: the same bits"


def test_pausing_and_stepping_move_no_bit():
    session = opened()
    assert session.state == "ready"
    for step in (1, 2, 3):
        session.step()
        assert until(session, "paused")["step"] == step
    session.set_pace(5)
    stepped = finished(session)
    assert [frame["step"] for frame in stepped["frames"]] == [0, 1, 2, 3, 5, 10, 12]
    assert stepped["summary"] == finished(opened())["summary"]
    last = {told["frames"][-1]["curves"]["gamma +mu1"] for told in (stepped, finished(opened()))}
    assert len(last) == 1


def test_another_seed_gives_other_numbers():
    assert finished(opened(4))["summary"] != finished(opened(3))["summary"]


def test_a_pause_stops_a_running_session_and_start_goes_on(monkeypatch):
    monkeypatch.setattr(module, "PER_SECOND", 20.0)
    session = opened()
    session.start()
    while session.document()["step"] < 2:
        time.sleep(0.01)
    session.pause()
    stopped = until(session, "paused")["step"]
    assert 2 <= stopped < 12
    time.sleep(0.15)
    assert session.document()["step"] == stopped
    assert finished(session)["step"] == 12


def test_a_session_that_ended_is_not_begun_again():
    session = opened()
    finished(session)
    with pytest.raises(InputError) as told:
        session.start()
    assert str(told.value) == "session: expected one that can go on, got finished. Reset it."


def test_a_closed_session_lets_its_thread_go():
    session = opened()
    session.step()
    until(session, "paused")
    assert session.close(patience=5.0)


def test_a_failure_is_a_sentence(monkeypatch):
    def fails(*args, **kwargs):
        raise FloatingPointError("no such number\nand more")

    monkeypatch.setattr(module, "train", fails)
    told = finished(opened())
    assert told["state"] == "failed"
    assert told["error"] == (
        "training: expected steps one can compute, got FloatingPointError: no such number."
    )


def test_pictures_are_thinned_and_the_rest_sent_once(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 4)
    session = opened()
    told = finished(session)
    assert 2 <= len(told["frames"]) <= 5
    assert session.document(after=told["last"])["frames"] == []


def test_the_signal_share_of_every_neuron_is_shown_though_no_run_records_it(result):
    assert "signal_share" not in result.dataset
    neurons = finished(opened())["frames"][0]["neurons"]
    share = np.array(neurons["along_mu1"]) ** 2 + np.array(neurons["along_mu2"]) ** 2
    share /= np.array(neurons["norm"]) ** 2
    np.testing.assert_allclose(neurons["signal_share"], share, rtol=1e-3)
