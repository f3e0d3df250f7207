"""featlearn doctor, and --engine of every command."""

import json
import os

import pytest

from featlearn.cli.engine import VARIABLE, asked_for, without_engine
from featlearn.cli.main import main


def test_the_doctor_tells_engine_kernels_and_versions(capsys):
    assert main(["doctor", "--engine", "jax"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["engine"] == "jax: asked for, by --engine or FEATLEARN_ENGINE"
    named = {"engine", "kernels", "instructions", "threads", "compiler", "interface", "jax"}
    assert set(lines) == {*named, "devices"}


def test_the_doctor_tells_a_program(capsys):
    assert main(["doctor", "--json", "--engine=jax"]) == 0
    told = json.loads(capsys.readouterr().out)["doctor"]
    assert told["engine"].startswith("jax")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("papers --engine", "--engine: expected jax, native or native-N, got ''."),
        ("papers --engine numpy", "--engine: expected jax, native or native-N, got 'numpy'."),
        ("papers --engine=jax --engine=jax", "--engine: expected one value, got several."),
        (
            "doctor --engine native-999999",
            "FEATLEARN_ENGINE: expected native-",
        ),
    ],
)
def test_an_engine_that_is_none_is_refused_in_a_sentence(line, sentence, capsys):
    from featlearn.training.engine import usable

    if "999999" in line and isinstance(usable(), str):
        pytest.skip("no kernels here")
    assert main(line.split()) == 2
    assert sentence in capsys.readouterr().err


def test_the_engine_holds_for_one_command(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    with asked_for("jax"):
        assert os.environ[VARIABLE] == "jax"
    assert VARIABLE not in os.environ
    monkeypatch.setenv(VARIABLE, "native")
    with asked_for("jax"):
        assert os.environ[VARIABLE] == "jax"
    assert os.environ[VARIABLE] == "native"


def test_words_around_the_engine_stay():
    assert without_engine(["run", "a", "--engine=native-1", "--d", "3"]) == (
        "native-1",
        ["run", "a", "--d", "3"],
    )
    assert without_engine(["run"]) == (None, ["run"])
