"""What can be refused is refused before anything is computed, in one sentence, in any order."""

import json

import pytest

from featlearn.cli.main import main
from featlearn.reproduction import sweep as sweeping

MINE = """\
from dataclasses import dataclass
from featlearn.papers.glasgow2023.xor import XOR
import dataclasses

EXPERIMENT = dataclasses.replace(XOR, id="mine.xor")


@dataclass(frozen=True, kw_only=True)
class Named:
    quantity: int = 3

    def experiment(self):
        return XOR.config.experiment()


TAKEN = dataclasses.replace(XOR, id="mine.taken", config=Named())
"""


class WouldComputeError(BaseException):
    """Where a command would begin to compute; no command may catch it."""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path / 'mine.py'}:EXPERIMENT"


@pytest.fixture(autouse=True)
def nothing_is_computed(monkeypatch):
    def refuse(*words, **more):
        raise WouldComputeError

    monkeypatch.setattr(sweeping, "complete", refuse)


def sentence(capsys, *words):
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "Traceback" not in out + err
    return err


SWEEP = ("sweep", "glasgow2023.xor", "--over", "d=10,20")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--figure", "x.foo"), "--figure x.foo: expected a file that ends in .pdf, .svg or .png"),
        (("--quantity", "test_loss"), "--quantity: expected a --figure to draw it in, got none."),
        (("--figure", "x.png", "--quantity", "los"), "quantity: expected one of test_accuracy, "),
        (("--figure", "noext"), "--figure noext: expected a file that ends in .pdf, .svg or .png"),
        (("--csv", "here.txt/x.csv"), "expected a file in a folder that one can write to"),
        (("--figure", "here.txt/x.pdf"), "expected a file in a folder that one can write to"),
    ],
)
def test_a_file_that_cannot_be_written_stops_a_sweep(capsys, tmp_path, more, told):
    (tmp_path / "here.txt").write_text("a file")
    assert told in sentence(capsys, *SWEEP, *more)


def test_a_page_below_a_file_stops_a_reproduction(capsys, tmp_path):
    (tmp_path / "here.txt").write_text("a file")
    told = sentence(capsys, "reproduce", "frei2022.theorem-1", "--report", "here.txt/x.html")
    assert told.startswith("featlearn: --report here.txt/x.html: expected a file in a folder")


@pytest.mark.parametrize("between", ["0.05", "", "3"])
def test_the_ends_of_a_search_are_two(capsys, between):
    words = ("--field", "eta", "--reach", "test_accuracy>=0.9", "--between", between)
    assert "--between: expected low..high" in sentence(capsys, "search", "glasgow2023.xor", *words)


@pytest.mark.parametrize(
    "words",
    [
        ("--over", "d=10,20", "glasgow2023.remark-2.1", "--seeds", "1"),
        ("--seeds", "1", "--over", "d=10,20", "MINE"),
        ("--over", "d=10,20", "MINE", "--width", "20"),
    ],
)
def test_a_sweep_finds_its_target_wherever_it_stands(words, mine):
    with pytest.raises(WouldComputeError):
        main(["sweep", *(mine if word == "MINE" else word for word in words)])


def test_a_search_takes_the_fields_of_ones_own_experiment(capsys, mine):
    words = ("--field", "eta", "--reach", "nothing>=1", "--between", "0.1..1", "--width", "20")
    assert "nothing" in sentence(capsys, "search", mine, *words)


def test_a_field_with_the_name_of_an_option_is_told(capsys, mine):
    taken = mine.replace("EXPERIMENT", "TAKEN")
    told = sentence(capsys, "sweep", taken, "--over", "quantity=1,2")
    assert "fields: expected names that are no options of the command, got quantity" in told


def test_a_name_that_a_file_has_not_is_told_with_those_it_has(capsys, mine):
    told = sentence(capsys, "sweep", mine.replace("EXPERIMENT", "WRONG"), "--over", "d=1,2")
    assert "the name of an experiment or Statement in" in told
    assert "EXPERIMENT" in told


def test_a_configuration_that_cannot_build_its_experiment_is_told(capsys, tmp_path):
    (tmp_path / "mine.py").write_text(MINE + "BAD = dataclasses.replace(XOR, config=None)\n")
    told = sentence(capsys, "run", f"{tmp_path / 'mine.py'}:BAD")
    assert (
        "expected a config that is a dataclass with the method experiment(), got NoneType" in told
    )


def test_fields_of_a_parent_have_their_help(capsys):
    assert main(["check", "glasgow2023.definition-4.2", "--help"]) == 0
    assert "Fresh samples per step, divided by d." in capsys.readouterr().out


def test_an_address_that_is_none_is_told_at_once(capsys):
    pytest.importorskip("distributed")
    words = ("--cluster", "nonsense")
    told = sentence(capsys, *SWEEP, *words)
    assert told.startswith("featlearn: --cluster nonsense: expected the address of a running Dask")


def test_sizes_beyond_memory_are_told(capsys):
    words = ("--width", "10000", "--steps", "2", "--records", "2", "--seeds", "1")
    told = sentence(capsys, "run", "glasgow2023.xor", *words, "--d", "100000000")
    assert "glasgow2023.xor: expected sizes that fit into memory, got" in told


def test_a_store_with_brackets_in_its_name_is_printed_as_it_is(capsys):
    words = "run glasgow2023.xor --d 4 --width 4 --steps 2 --records 2 --test 10 --seeds 1"
    assert main([*words.split(), "--out", "[/x]"]) == 0
    assert "[/x]" in capsys.readouterr().out


def test_other_seeds_are_not_judged_by_the_recorded_ones(capsys):
    main(["check", "glasgow2023.lemma-B.3", "--first-seed", "7", "--seeds", "1", "--json"])
    (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]
    assert verdict["expected"] is None
