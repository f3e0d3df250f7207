"""Two-layer networks on images: the experiment, its items, and files that are damaged or absent."""

import json

import numpy as np
import pytest

from featlearn.cli.main import main
from featlearn.figures.neuron_map import gathering_panel, weights_panel
from featlearn.measurements import gathering
from featlearn.papers.shi2022.images import ImageTraining
from tests.distributions.image_files import write_mnist


@pytest.fixture(autouse=True)
def _no_data_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.delenv("FEATLEARN_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))


def test_the_hash_follows_the_files_and_not_their_folder(tmp_path):
    for place in ("one", "two"):
        write_mnist(tmp_path / place, np.random.default_rng(1))
    configs = [ImageTraining(dataset="mnist", data=str(tmp_path / p)) for p in ("one", "two")]
    one, two = (config.experiment().key.name for config in configs)
    assert one == two
    write_mnist(tmp_path / "two", np.random.default_rng(2))
    assert configs[1].experiment().key.name != one


def test_neurons_on_digits_gather_into_two_clusters(tmp_path, capsys):
    argv = ["run", "shi2022.images", "--steps", "100", "--records", "3", "--seeds", "2"]
    assert main([*argv, "--out", str(tmp_path / "out"), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["clusters_end"]["values"] == [2.0, 2.0]
    assert summary["test_accuracy"]["mean"] > 0.95


def test_a_damaged_file_ends_with_two_and_its_name(tmp_path, rng, capsys):
    write_mnist(tmp_path / "mnist", rng)
    broken = tmp_path / "mnist" / "train-images-idx3-ubyte.gz"
    broken.write_bytes(broken.read_bytes()[:-20])
    out = str(tmp_path / "out")
    for argv in (
        ["reproduce", "shi2022.figure-3", "--data", str(tmp_path), "--out", out],
        ["run", "shi2022.images", "--dataset", "mnist", "--data", str(tmp_path), "--out", out],
    ):
        assert main(argv) == 2
        told = capsys.readouterr().err
        assert told == f"featlearn: {broken}: expected a whole gzip file, got a damaged one. " + (
            "Get it again.\n"
        )


def test_a_set_that_was_asked_for_by_name_must_be_there(tmp_path, rng, capsys):
    write_mnist(tmp_path / "mnist", rng)
    argv = ["reproduce", "shi2022.figure-18", "--data", str(tmp_path), "--out", str(tmp_path)]
    assert main(argv) == 2
    assert "`featlearn data get cifar10` fetches them." in capsys.readouterr().err


def test_weights_are_drawn_as_images_side_by_side(rng):
    w = np.concatenate(
        [np.tile(np.arange(12.0) + 1, (5, 1)), -np.tile(np.arange(12.0) + 1, (5, 1))]
    )
    found = gathering(w)
    panel = weights_panel(found.centres, (2, 6, 1), "two")
    assert panel.raster is not None
    z = panel.raster.z
    assert z.shape == (2, 13)
    assert np.isnan(z[:, 6]).all()
    assert z[0, 5] == pytest.approx(1.0)  # the last pixel, in the lowest row
    np.testing.assert_allclose(z[:, 7:], -z[:, :6])
    mapped = gathering_panel({"start": rng.normal(size=w.shape), "end": w}, found)
    assert [series.role for series in mapped.frames[1].series] == ["cluster-1", "cluster-2"]


def test_what_is_here_is_listed_with_its_source(tmp_path, rng, capsys):
    write_mnist(tmp_path / "mnist", rng)
    assert main(["data", "--data", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    sets = {each["name"]: each for each in document["sets"]}
    assert sets["mnist"]["folder"] == str(tmp_path / "mnist")
    assert not sets["mnist"]["official"]
    assert sets["svhn"]["state"] == "not here"
    assert sets["cifar10"]["urls"] == ["https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"]
    assert main(["data", "--data", str(tmp_path)]) == 0
    assert "comes with scikit-learn" in capsys.readouterr().out
