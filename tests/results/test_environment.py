"""What a result was computed with is told, may be insisted on, and is never mixed in one result."""

import json
import shutil

import numpy as np
import pytest

import featlearn as fl
from featlearn.cli.main import main
from featlearn.results.inventory import inventory
from featlearn.results.store import Store, explaining
from tests.results.freeze import STATEMENT, experiment

HERE = {"jax": "1", "jaxlib": "1", "engine": "jax"}


@pytest.fixture
def pretend(monkeypatch):
    """Make this environment another one."""

    def pretend(**changes):
        monkeypatch.setattr("featlearn.results.store.environment", lambda: {**HERE, **changes})

    pretend()
    return pretend


def test_another_version_is_read_and_told(pretend, tmp_path):
    fl.run(experiment, seeds=2, out=tmp_path)
    pretend(jaxlib="2")
    told: list[str] = []
    with explaining(told.append, everything=False):
        assert fl.run(experiment, seeds=2, out=tmp_path).status == "read"
    assert told
    assert "computed with jaxlib 1; here: jax 1, jaxlib 2, engine jax" in told[0]
    told.clear()
    pretend()
    with explaining(told.append, everything=False):
        fl.run(experiment, seeds=2, out=tmp_path)
    assert told == []


def test_the_same_environment_can_be_insisted_on(pretend, tmp_path):
    fl.run(experiment, seeds=2, out=tmp_path)
    fl.check(STATEMENT, out=tmp_path)
    pretend(jax="2")
    strict = Store(root=tmp_path, same_environment=True)
    assert fl.run(experiment, seeds=2, out=strict).status == "computed"
    assert fl.run(experiment, seeds=2, out=strict).status == "read"
    assert fl.check(STATEMENT, out=strict).status == "computed"


def test_the_command_line_says_so_and_takes_the_option(pretend, tmp_path, capsys):
    words = ["check", "daniely2020.lemma-8", "--out", "store"]
    assert main(words) == 0
    pretend(engine="native-7")
    capsys.readouterr()
    assert main(words) == 0
    assert "computed with engine jax; here:" in capsys.readouterr().err
    assert main([*words, "--same-environment", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdicts"][0]["status"] == "computed"


def test_a_result_has_the_seeds_of_one_engine(pretend, tmp_path):
    fl.run(experiment, seeds=2, out=tmp_path)
    pretend(engine="native-7")
    assert fl.run(experiment, seeds=2, out=tmp_path).status == "read", "all are there"
    assert fl.run(experiment, seeds=3, out=tmp_path).status == "computed", "and not completed"
    (entry,) = inventory(tmp_path)
    files = [entry.path / part / "about.json" for part in entry.parts]
    engines = {json.loads(file.read_text())["environment"]["engine"] for file in files}
    assert (entry.seeds, engines) == (3, {"native-7"})


def test_a_description_that_lacks_a_field_which_was_added_since_is_adopted(tmp_path):
    first = fl.run(experiment, seeds=2, out=tmp_path)
    (entry,) = inventory(tmp_path)
    about = json.loads((entry.path / "entry.json").read_text())

    def lacking(description):
        """As it would have been before the network knew its scaling."""
        if isinstance(description, dict):
            return {k: lacking(v) for k, v in description.items() if k != "scaling"}
        return [lacking(v) for v in description] if isinstance(description, list) else description

    older = lacking(about["description"])
    assert older != about["description"]
    (entry.path / "entry.json").write_text(json.dumps({**about, "description": older}))
    shutil.move(entry.path.parent, entry.path.parent.parent / "000000000000")
    again = fl.run(experiment, seeds=2, out=tmp_path)
    assert again.status == "adopted"
    np.testing.assert_array_equal(again.dataset["weights_w"], first.dataset["weights_w"])
    assert fl.run(experiment, seeds=2, out=tmp_path, eta=0.5).status == "computed"
