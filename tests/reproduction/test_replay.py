"""Archives: the same bits again, agreement where bits differ, and no code without trust."""

import contextlib
import io
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from featlearn._check import InputError
from featlearn.cli.main import main
from featlearn.reproduction.archive import Archive, pack, read, write
from featlearn.reproduction.numbers import apart
from featlearn.reproduction.replay import replay
from featlearn.results.store import Store
from tests.hardening.stores import RUN, STATEMENT, say, the_engine_as_it_is

MINE = '''\
from pathlib import Path
import featlearn as fl

Path("it-ran").write_text("yes")

def mine(d: int = 5, eta: float = 0.1):
    """A run of my own."""
    law = fl.Parity(d=d, k=2)
    net = fl.TwoLayer(
        d=d, width=4, w=fl.Sphere(radius=0.3), a=fl.Signs(size=0.3), scaling="mean-field"
    )
    how = fl.SGD(eta=eta, batch=8, steps=3, loss=fl.logistic)
    return fl.Experiment(law, net, how, record=[fl.HeldOut(samples=20)])
'''


@pytest.fixture(autouse=True)
def engine():
    with the_engine_as_it_is():
        yield


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> Archive:
    """The archive of a toy run, written and read."""
    here = tmp_path_factory.mktemp("packed")
    with pytest.MonkeyPatch.context() as patch, the_engine_as_it_is():
        patch.chdir(here)
        say([*RUN, "--out", "store"])
        write(pack("glasgow2023.xor", Store(root=here / "store")), here / "a.zip")
    return read(here / "a.zip")


def test_a_run_is_replayed_to_the_same_bits(packed):
    found = replay(packed)
    assert found.outcome == "same bits"
    assert found.elsewhere == found.code == ()
    assert found.now == found.then
    assert packed.seeds == (0, 1)
    assert found.sentence == "same bits, with the same code on the same machine and versions"


def test_the_text_of_every_module_behind_it_is_in_it(packed, tmp_path):
    write(replace(packed, sources={"featlearn.x.py": "text"}), tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as file:
        assert file.read("source/featlearn.x.py") == b"text"
    assert "featlearn.training.loop" in packed.modules
    assert "featlearn.distributions.parity" in packed.modules


def test_other_bits_are_judged_by_their_errors(packed):
    moved = packed.value.copy(deep=True)
    moved["test_loss"][...] = moved["test_loss"] * (1 + 1e-6)
    assert replay(replace(packed, value=moved)).outcome == "within error"
    loss, error = packed.numbers["test_loss"]
    assert loss is not None
    far = {**packed.numbers, "test_loss": (loss + 1.0, error)}
    found = replay(replace(packed, value=moved, numbers=far))
    assert found.outcome == "differs"
    assert found.apart["test_loss"] > 1 >= found.apart["test_accuracy"]


def test_another_machine_and_other_code_are_told(packed):
    modules = {**packed.modules, "featlearn.training.loop": "0" * 64}
    about = {**packed.provenance, "cpu": "a slide rule", "threads": 999}
    found = replay(replace(packed, modules=modules, provenance=about))
    assert found.outcome == "same bits"
    assert found.code == ("featlearn.training.loop",)
    assert any(line.startswith("cpu a slide rule then, ") for line in found.elsewhere)
    assert any(line.startswith("threads 999 then, ") for line in found.elsewhere)
    assert "elsewhere" in found.sentence


def test_a_number_that_only_one_side_has_differs():
    assert apart({"x": (1.0, 0.1)}, {})["x"] == float("inf")
    assert apart({"x": (None, None)}, {"x": (None, None)})["x"] == 0
    assert apart({"x": (None, None)}, {"x": (1.0, None)})["x"] == float("inf")


def test_a_statement_is_replayed_from_the_command_line(tmp_path):
    (tmp_path / "mine.py").write_text(STATEMENT)
    say(["check", "mine.py:CLAIM", "--out", "store"])
    say(["archive", "mine.py:CLAIM", "--out", "store", "--to", "claim.zip"])
    (tmp_path / "mine.py").unlink()
    code, _, sentence = say(["replay", "claim.zip"])
    assert code == 2
    assert sentence == (
        "featlearn: replay my.claim: expected --trust, for it would run code that came with the "
        "archive, got mine.py. Read source/own in the archive first.\n"
    )
    code, document, _ = say_replay(["replay", "claim.zip", "--trust"])
    assert (code, document["outcome"]) == (0, "same bits")


def say_replay(words: list[str]) -> tuple[int, dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--json"])
    return code, json.loads(out.getvalue()), err.getvalue()


def test_code_that_came_along_does_not_run_without_trust(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    words = ["run", "mine.py:mine", "--seeds", "2", "--out", "store"]
    code, _, errors = say_replay(words)
    assert code == 0, errors
    say_replay(["archive", "mine.py:mine", "--out", "store", "--to", "m.zip"])
    shutil.rmtree(tmp_path / "store")
    for name in ("mine.py", "it-ran"):
        (tmp_path / name).unlink()
    code, _, _ = say_replay(["replay", "m.zip"])
    assert code == 2
    assert not (tmp_path / "it-ran").exists()
    code, document, _ = say_replay(["replay", "m.zip", "--trust"])
    assert (code, document["outcome"]) == (0, "same bits")
    assert (tmp_path / "it-ran").exists()


def forged(file: Path, packed: Archive, **changes) -> Path:
    """An archive whose description says something else."""
    write(packed, file)
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name) for name in old.namelist()}
    told = {**json.loads(members["archive.json"]), **changes}
    members["archive.json"] = json.dumps(told).encode()
    with zipfile.ZipFile(file, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)
    return file


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "format": ({"format": 9}, "expected an archive of format 1, got 9"),
    "kind": ({"kind": "virus"}, "expected one of run, evidence, item, got 'virus'"),
    "id": ({"id": "../../x"}, "expected letters, digits"),
    "unknown id": ({"id": "nobody.nothing"}, "got 'nobody.nothing'"),
    "field": ({"config": {"d": "rm -rf"}}, "d: expected an integer, got 'rm -rf'"),
    "seeds": ({"seeds": ["a"]}, "expected seeds that are whole numbers, got others"),
    "more fields": (
        {"colour": "red"},
        "the description of an archive, got another colour",
    ),
    "a number": ({"numbers": {"x": [1]}}, "a number and its error, got [1]"),
    "item": ({"kind": "item"}, "expected a stored value of the kind item, got another (KeyError)"),
    "evidence": ({"kind": "evidence"}, "expected a stored value of the kind evidence, got another"),
    "versions": ({"provenance": {"versions": [1]}}, "of an archive, got another provenance"),
    "numbers": ({"numbers": 3}, "the description of an archive, got another numbers"),
    "file elsewhere": ({"target": "../../evil.py:X"}, "the text of the file that it names"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_archive_is_one_sentence(case, packed, tmp_path):
    changes, told = FORGED[case]
    with pytest.raises(InputError) as raised:
        replay(read(forged(tmp_path / "f.zip", packed, **changes)), trust=True)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no zip"])
def test_what_is_no_archive_is_one_sentence(content, tmp_path):
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(InputError, match="expected an archive of featlearn"):
        read(tmp_path / "x.zip")


def test_what_unfolds_beyond_reason_is_refused_before_it_is_unfolded(packed, tmp_path):
    """40 MB of zeros take 40 kB of a file; it was 6 GB of memory for one of 3 MB."""
    write(packed, tmp_path / "a.zip")
    with (
        zipfile.ZipFile(tmp_path / "a.zip") as old,
        zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as new,
    ):
        new.writestr("archive.json", old.read("archive.json"))
        new.writestr("value.npz", bytes(40_000_000))
    with pytest.raises(InputError, match=r"value\.npz: expected at most \d+ bytes, got 40000000"):
        read(tmp_path / "bomb.zip")


def test_a_result_of_other_code_cannot_be_packed(tmp_path):
    say([*RUN, "--out", "store"])
    (file,) = (tmp_path / "store").rglob("sources.json")
    text = file.read_text()
    digest = json.loads(text)
    for modules in digest.values():
        modules["featlearn.training.loop"] = "0" * 64
    file.write_text(json.dumps(digest))
    with pytest.raises(InputError, match="other code"):
        pack("glasgow2023.xor", Store(root=tmp_path / "store"))
