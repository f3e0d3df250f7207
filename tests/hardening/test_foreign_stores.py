"""A store, a report and a download are data from somebody else: nothing outside is touched."""

import io
import json
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions.images import formats
from featlearn.figures.files import from_document, to_document, write
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.report import tables
from featlearn.reproduction.sweep import sweep
from featlearn.results import codec
from featlearn.results.files import spreadsheet_cell
from tests.hardening.stores import RUN, say, the_engine_as_it_is
from tests.report.outcomes import ITEM

LINE = Series(name="=1+2", x=np.arange(3.0), y=-np.arange(3.0))
FIGURE = Figure(
    id="f",
    title="",
    caption="",
    panels=(Panel(x=Axis(label="x"), y=Axis(label="y"), series=(LINE,)),),
)


@pytest.fixture(autouse=True)
def engine():
    with the_engine_as_it_is():
        yield


def entry_of(store: Path) -> Path:
    """The one entry of a store that the command RUN wrote."""
    (file,) = store.rglob("entry.json")
    return file.parent


@pytest.mark.parametrize("depth", [0, 1, 2], ids=["program", "key", "id"])
def test_an_entry_that_is_a_symbolic_link_is_refused_and_its_target_untouched(depth, tmp_path):
    """Leftovers are removed from an entry: of somebody's home that would be every hidden file."""
    code, _, _ = say([*RUN, "--out", "store"])
    assert code == 0
    linked = [entry_of(tmp_path / "store"), *entry_of(tmp_path / "store").parents][depth]
    home = tmp_path / "home"
    home.mkdir()
    (home / ".profile").write_text("mine")
    linked.rename(tmp_path / "aside")
    linked.symlink_to(home)
    code, _, sentence = say([*RUN, "--out", "store", "--fresh"])
    assert code == 2
    assert "a symbolic link" in sentence
    assert [path.name for path in home.iterdir()] == [".profile"]
    assert (home / ".profile").read_text() == "mine"


def test_checkpoints_do_not_follow_a_link(tmp_path):
    say([*RUN, "--out", "store"])
    (tmp_path / "home").mkdir()
    (entry_of(tmp_path / "store") / "partial").symlink_to(tmp_path / "home")
    code, _, sentence = say([*RUN, "--out", "store", "--fresh"])
    assert code == 2
    assert "a symbolic link" in sentence
    assert list((tmp_path / "home").iterdir()) == []


def test_only_leftovers_of_our_own_are_removed(tmp_path):
    say([*RUN, "--out", "store"])
    entry = entry_of(tmp_path / "store")
    (entry / ".note").write_text("mine")
    (entry / ".value.0123abcd").mkdir()
    say([*RUN, "--out", "store"])
    assert (entry / ".note").read_text() == "mine"
    assert not (entry / ".value.0123abcd").exists()


@pytest.mark.parametrize("name", ["../../../X", "/tmp/X", "a/b", "..", ""])
def test_a_figure_is_written_into_its_folder_alone(name, tmp_path):
    document = {**to_document(FIGURE), "id": name}
    with pytest.raises(InputError, match=r"^Figure\(id\): expected letters"):
        write(from_document(document), tmp_path / "figures")
    assert list(tmp_path.iterdir()) == []


CELLS = ["=1+2", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1"]


@pytest.mark.parametrize("text", CELLS)
def test_no_cell_is_a_formula(text):
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-0.5, 3, None, "-0.5", "1e-3", "-1e400", "plain", ""])
def test_numbers_and_plain_texts_stay_as_they_are(value):
    expected = "'-1e400" if value == "-1e400" else value
    assert spreadsheet_cell(value) == expected


def test_figures_ledgers_and_sweeps_write_no_formula(tmp_path):
    figure = write(FIGURE, tmp_path, formats=("csv",))[-1].read_text()
    rows = tuple(replace(row, why="=1+2") for row in ITEM.reproduction.rows)
    ledger = tables.csv([replace(ITEM, reproduction=replace(ITEM.reproduction, rows=rows))])
    swept = sweep(
        "glasgow2023.xor",
        over={"eta": [-1.0, 0.1]},
        seeds=1,
        d=5,
        width=4,
        steps=2,
        records=2,
        test=10,
    )
    point = replace(swept.points[0], values={"reason": "=1+2"})
    table = replace(swept, points=(point, *swept.points[1:])).csv()
    for text in (figure, ledger, table):
        assert "'=1+2" in text
        assert ",=1+2" not in text
    assert "-1.0" in table


def npy(header: str, body: bytes = b"") -> bytes:
    """An array file with that header."""
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


ARRAYS = {
    "pickled": (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), "numbers or texts"),
    "larger than its file": (
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (90000000,)}", b"x" * 80),
        "bytes of its file",
    ),
    "of records": (
        npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", b"x" * 8),
        "numbers or texts",
    ),
}


@pytest.mark.parametrize("case", ARRAYS)
def test_arrays_are_read_by_an_allow_list_of_our_own(case, tmp_path, monkeypatch):
    """Even where NumPy would read them: its own guard is out of the way here."""
    content, told = ARRAYS[case]
    file = tmp_path / "data.npz"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("structure.json", json.dumps({"array": "a"}))
        archive.writestr("a.npy", content)
    monkeypatch.setattr(
        np.lib.format, "read_array", lambda *words, **more: pytest.fail("it was read")
    )
    with pytest.raises(InputError, match=told):
        codec.load(file)


def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path, monkeypatch):
    import gzip

    monkeypatch.setattr(formats, "MOST_UNPACKED", 1000)
    bomb = tmp_path / "train-images-idx3-ubyte.gz"
    bomb.write_bytes(gzip.compress(bytes(10**6)))
    with pytest.raises(InputError, match="at most 1000 bytes when unpacked"):
        formats.content(bomb)
    archive = tmp_path / "tiny-imagenet-200.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("train/n1/images/a.JPEG", bytes(10**6))
    with pytest.raises(InputError, match="at most 1000 bytes unpacked"):
        formats.tiny_imagenet(tmp_path, "train")


def test_an_image_of_other_sides_is_refused_before_it_is_decoded(tmp_path):
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (300, 200)).save(buffer, "JPEG")
    with pytest.raises(InputError, match=r"64 x 64 pixels, got \(200, 300\)"):
        formats._jpeg("x", buffer.getvalue)
