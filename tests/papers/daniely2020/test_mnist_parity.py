"""Products of digits: the four models, what is read from files, and the item's rows."""

import numpy as np
import pytest

from featlearn._config import replace
from featlearn.cli.main import main
from featlearn.experiments.lab import Lab
from featlearn.experiments.run import run
from featlearn.papers.daniely2020.items import mnist_parity
from featlearn.papers.daniely2020.mnist_parity import MNIST_PARITY, MODELS, DigitProducts
from featlearn.reproduction.item import Context

TOY = {"width": 16, "steps": 3, "batch": 8, "test": 100, "records": 2}


def test_every_model_trains_what_it_says():
    moved = {}
    for model in MODELS:
        network = replace(DigitProducts(), {"model": model}, where="test").network(192)
        moved[model] = set(network.trained)
    everything = {"w", "a", "b"}
    fixed = {"relu-features": {"a"}, "cosine-features": {"a"}}
    assert moved == {"network": everything, "ntk": everything, **fixed}


def test_cosines_have_frequencies_of_sd_four_over_root_d(key):
    params = DigitProducts(model="cosine-features", width=2000).network(192).init(key=key)
    # 384 000 entries: five standard errors are 0.6 %.
    assert float(np.std(params.w)) == pytest.approx(4 / 192**0.5, rel=0.006)
    assert float(np.abs(np.asarray(params.b)).max()) == pytest.approx(np.pi, rel=0.01)


def test_twenty_epochs_of_sixty_thousand_are_the_default():
    config = DigitProducts()
    assert config.steps == 20 * -(-60_000 // config.batch)


def test_the_folder_is_not_part_of_the_hash_but_the_data_set_is(tmp_path):
    plain = DigitProducts().experiment().key.name
    assert DigitProducts(data=str(tmp_path)).experiment().key.name == plain
    assert DigitProducts(k=2).experiment().key.name != plain


def test_absent_files_end_with_code_two_and_the_command_that_fetches_them(tmp_path, capsys):
    flags = ["--dataset", "mnist", "--data", str(tmp_path)]
    assert main(["run", "daniely2020.mnist-parity", *flags]) == 2
    assert "featlearn data get mnist" in capsys.readouterr().err


def test_the_network_tells_even_from_odd_where_there_is_one_digit():
    result = run(MNIST_PARITY, seeds=1, k=1, width=64, steps=300, test=1000, records=3)
    accuracy = result.dataset["test_accuracy"].values[0]
    assert accuracy[-1] > 0.8


@pytest.mark.slow
def test_the_item_has_a_row_for_every_model_and_step_size(monkeypatch):
    monkeypatch.setitem(mnist_parity.SIZES, "quick", {"seeds": 1, **TOY})
    found = mnist_parity.ITEM.reproduce(Context(size="quick", lab=Lab()))
    assert len(found.rows) == 8
    told = {row.recipe: row.status for row in found.rows}
    # After three steps nothing is learned: the network's rows must say so.
    assert told["network, eta 1"] == told["network, eta 0.001"] == "differs"
    assert told["gated NTK, eta 1"] == "agrees"
    assert {row.quantity for row in found.rows} == {"test accuracy, digits"}
    (figure,) = found.figures
    assert [panel.title for panel in figure.panels] == ["eta = 1", "eta = 0.001"]
