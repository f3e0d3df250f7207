"""Items of ResNets on a tiny CIFAR-10 in the official format: sizes told, nothing compared."""

from dataclasses import replace

import numpy as np
import pytest

from featlearn._check import Absent
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022 import filters, resnet_studies
from featlearn.papers.shi2022.filters import maps
from featlearn.papers.shi2022.items import table_7
from featlearn.papers.shi2022.resnet import RESNET
from featlearn.papers.shi2022.resnet_studies import CIFAR, SVHN, Case, Size, study_item
from featlearn.reproduction.item import Context
from featlearn.results.inventory import inventory

torch = pytest.importorskip("torch", reason="ResNets need the extra `vision`")


@pytest.fixture
def context(tmp_path, rng, monkeypatch):
    """Forty images, those of class 1 brighter; networks of one filter, one epoch."""
    folder = tmp_path / "cifar10"
    folder.mkdir()
    for name, count in (("data_batch_1.bin", 40), ("test_batch.bin", 20)):
        labels = rng.permutation(np.arange(count) % 10)
        labels[:24] %= 2
        pixels = rng.integers(0, 128, size=(count, 3072)) + 100 * (labels == 1)[:, None]
        rows = np.concatenate([labels[:, None], pixels], axis=1).astype(np.uint8)
        (folder / name).write_bytes(rows.tobytes())
    named = RESNET
    quick = replace(named, config=replace(named.config, epochs=1, batch=8, records=2))
    monkeypatch.setattr(filters, "RESNET", quick)
    tiny = tuple(replace(each, quick=4) for each in filters.PUBLISHED)
    monkeypatch.setattr(table_7, "PUBLISHED", tiny)
    size = Size(images=24, held_out=12, epochs=1, sizes=(1, 2), seeds=1)
    monkeypatch.setattr(resnet_studies, "QUICK", size)
    return Context(size="quick", lab=Lab.at(tmp_path / "store"), data=tmp_path)


def test_filters_and_gradients_have_every_published_number_and_no_comparison(context):
    table, figure = (
        table_7.reproduce(context),
        maps(context, "shi2022.figure-20", replace(filters.PUBLISHED[0], quick=4)),
    )
    assert [row.paper for row in table.rows] == 2 * list(filters.PUBLISHED[0].gradients)
    published = [number for caption in filters.PUBLISHED[0].captions for number in caption]
    assert [row.paper for row in figure.rows] == [95.75, *published]
    for row in (*table.rows, *figure.rows):
        assert row.status == "not run"
        assert row.recipe.startswith("ResNet(4), ")
        assert " images, eta = 0.0" in row.recipe
        assert "ResNet(128) on 10000 images in the paper: not compared" in row.why
        assert row.measured is not None
        assert abs(row.measured) <= (100 if row.unit == "%" else 1.0001)
    assert [drawn.id[-2:] for drawn in figure.figures] == ["0a", "0b", "0c", "0d"]
    for drawn in figure.figures:
        assert drawn.frames == ("at the start", "after 3 epochs", "after 20 epochs")


def test_algorithm_1_runs_end_to_end_on_resnets_and_says_on_what(context):
    item = study_item("shi2022.figure-22", "", (Case(setting=CIFAR), Case(setting=SVHN)))
    assert item.data is not None
    assert len(item.data(context.data)) == 32
    made = item.reproduce(context)
    assert len(made.figures) == 1
    (note,) = made.notes
    assert note.startswith("SVHN + Gaussians, alpha = 0.5 is left out: ")
    teacher, *parts = made.rows
    assert teacher.paper == 5
    assert teacher.measured in (1, 2)
    assert teacher.status == "not run"
    assert teacher.why.startswith("24 of 50000 images and 1 epochs here; ")
    assert len(parts) == 6
    assert {row.size for row in made.rows} == {"quick, 24 images"}
    assert len([e for e in inventory(context.lab.store.root) if e.kind == "fit"]) == 5


def test_without_any_of_its_files_an_item_is_absent(context, tmp_path):
    item = study_item("shi2022.figure-22", "", (Case(setting=SVHN),))
    assert item.data is not None
    with pytest.raises(Absent, match="featlearn data get svhn"):
        item.data(tmp_path)


def test_rows_of_a_matrix_of_cosines_have_these_cosines(rng):
    w = rng.normal(size=(6, 9))
    unit = w / np.linalg.norm(w, axis=1, keepdims=True)
    found = filters.factor(unit @ unit.T)
    np.testing.assert_allclose(found @ found.T, unit @ unit.T, atol=1e-12)
