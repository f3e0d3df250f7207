"""Our files of zarr format 2 against the libraries that read them."""

import numpy as np
import pytest
import xarray as xr

from featlearn.results import zarr2
from featlearn.results.zarr2 import write_zarr2


@pytest.fixture
def dataset(rng):
    return xr.Dataset(
        {
            "weights": (("seed", "step", "neuron"), rng.normal(size=(3, 4, 5)).astype("f4")),
            "loss": (("seed", "step"), np.where(np.eye(3, 4) > 0, np.nan, -0.0), {"meaning": "l"}),
            "count": (("neuron",), np.arange(5)),
            "right": (("seed",), np.array([True, False, True])),
            "scalar": ((), np.float64(0.1)),
            "nothing": (("none", "seed"), np.zeros((0, 3))),
        },
        {"seed": np.array([0, 1, 7]), "step": np.array([0, 1, 10, 100])},
        {"cluster_labels": ["+mu1", "-mu1"]},
    )


@pytest.mark.parametrize("limit", [2**24, 0], ids=["one chunk", "a chunk a seed"])
def test_xarray_reads_back_every_bit_name_and_attribute(dataset, tmp_path, monkeypatch, limit):
    monkeypatch.setattr(zarr2, "CHUNK_BYTES", limit)
    write_zarr2(dataset, tmp_path / "data.zarr")
    for consolidated in (True, False):
        back = xr.open_zarr(tmp_path / "data.zarr", consolidated=consolidated).load()
        xr.testing.assert_identical(back, dataset)
        assert {name: back[name].dtype for name in back} == {
            name: dataset[name].dtype for name in dataset
        }


def test_the_same_dataset_gives_the_same_bytes(dataset, tmp_path):
    for name in ("a", "b"):
        write_zarr2(dataset, tmp_path / name)
    files = [
        {
            f.relative_to(tmp_path / name): f.read_bytes()
            for f in (tmp_path / name).rglob("*")
            if f.is_file()
        }
        for name in ("a", "b")
    ]
    assert files[0] == files[1]
