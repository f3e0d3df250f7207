"""A mistake on the command line is one sentence and exit code 2; nothing is harmed by it."""

import hashlib
import json
import shlex

import pytest

from featlearn.cli.main import main

XOR = "run glasgow2023.xor"
SEE = "See `featlearn run glasgow2023.xor --help`."

SENTENCES = {
    f"{XOR} --d 1": "d: expected at least 2, got 1. XOR needs two signal coordinates.",
    f"{XOR} --d abc": f"--d: expected an integer, got 'abc'. {SEE}",
    f"{XOR} --d 2.5": f"--d: expected an integer, got '2.5'. {SEE}",
    f"{XOR} --width 0": "width: expected at least 1 neuron, got 0.",
    f"{XOR} --eta -1": "eta: expected a positive number, got -1.0.",
    f"{XOR} --eta nan": "eta: expected a positive number, got nan.",
    f"{XOR} --eta inf": "eta: expected a positive number, got inf.",
    f"{XOR} --noise salt": "--noise: expected one of 'boolean', 'gaussian', got 'salt'. " + SEE,
    f"{XOR} --batch x": f"--batch: expected an integer or none, got 'x'. {SEE}",
    f"{XOR} --seeds 0": "seeds: expected at least 1, got 0.",
    f"{XOR} --seeds x": f"--seeds: expected an integer, got 'x'. {SEE}",
    f"{XOR} --seeds 1_0": f"--seeds: expected an integer, got '1_0'. {SEE}",
    f"{XOR} --seeds ٣": f"--seeds: expected an integer, got '٣'. {SEE}",
    f"{XOR} --d {'9' * 5000}": f"--d: expected an integer, got '{'9' * 599}… (5002 characters). "
    f"{SEE}",
    "sweep glasgow2023.xor --over d=1 --workers 1_0": "--workers: expected an integer or none, "
    "got '1_0'. See `featlearn sweep glasgow2023.xor --help`.",
    "store clean --older-than ٣": "--older-than: expected a number or none, got '٣'. See "
    "`featlearn store clean --help`.",
    f"{XOR} --first-seed -1": "first-seed: expected 0 or more, got -1.",
    f"{XOR} --first-seed 2147483647 --seeds 2": "first-seed + seeds: expected at most 2^31, "
    "got 2147483649.",
    f"{XOR} --d": f"--d: expected a value, got nothing. {SEE}",
    f"{XOR} --d 5 --d 6": f"--d: expected one value, got several. {SEE}",
    f"{XOR} more": f"run glasgow2023.xor: expected no further words, got more. {SEE}",
    f"{XOR} --widht 3": "run glasgow2023.xor: expected a known option, got --widht. "
    "Did you mean --width?",
    f"{XOR} --widht=3": "run glasgow2023.xor: expected a known option, got --widht. "
    "Did you mean --width?",
    "run nowhere.py:XOR": "nowhere.py: expected a Python file, got none.",
    "check nowhere.py:XOR": "nowhere.py: expected a Python file, got none.",
    "check glasgow2023.lemma-C.4x": "statement: expected a statement or a paper, "
    "got 'glasgow2023.lemma-C.4x'. Did you mean glasgow2023.lemma-C.4?",
    "check glasgow2023.lemma-c.4": "statement: expected a statement or a paper, "
    "got 'glasgow2023.lemma-c.4'. Did you mean glasgow2023.lemma-C.4?",
    "check lemma-C.4": "statement: expected a statement or a paper, "
    "got 'lemma-C.4'. Did you mean glasgow2023.lemma-C.4?",
    "check mine.py": "statement: expected a statement or a paper, got 'mine.py'. "
    "Name what is in the file: mine.py:NAME.",
    "check glasgow2023.xor": "statement: expected a statement or a paper, "
    "got 'glasgow2023.xor'. It is an experiment. Try `run`.",
    "check glasgow2023.lemma-C.4 --d 2": "d: expected dimensions of at least 3, got (2,).",
    "check glasgow2023.lemma-C.4 --d 4,x": "--d: expected a list of integers, got '4,x'. "
    "See `featlearn check glasgow2023.lemma-C.4 --help`.",
    "check glasgow2023.lemma-C.4 --stesp 3": "check glasgow2023.lemma-C.4: expected a "
    "known option, got --stesp. Did you mean --seeds?",
    "check glasgow2023.lemma-C.4 --width 3": "check glasgow2023.lemma-C.4: expected a known "
    "option, got --width. See `featlearn check glasgow2023.lemma-C.4 --help`.",
    "check glasgow2023.lemma-C.4 --seeds 0": "seeds: expected at least 1, got 0.",
    "cite glasgow2032": "cite: expected a paper, an experiment, a statement or an item, got "
    "'glasgow2032'. Did you mean glasgow2023?",
    "papers --jsn": "papers: expected a known option, got --jsn. Did you mean --json?",
}


@pytest.mark.parametrize("line", SENTENCES)
def test_the_sentence_is_whole_and_nothing_is_written(line, capsys, tmp_path):
    assert main(shlex.split(line)) == 2
    told = capsys.readouterr()
    assert told.err == f"featlearn: {SENTENCES[line]}\n"
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_id_of_another_kind_is_told_with_its_command(capsys):
    assert main(["run", "glasgow2023.lemma-C.4"]) == 2
    told = capsys.readouterr().err
    assert told.endswith(", got 'glasgow2023.lemma-C.4'. It is a statement. Try `check`.\n")
    assert main(["run", "glasgow2023"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("It is a paper. `featlearn papers` lists what is in it.\n")


def test_an_unknown_command_is_told_with_all_that_are_known(capsys):
    assert main(["chekc"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("featlearn: command: expected one of ")
    assert "check" in told.split(", got ")[0]
    assert told.endswith(", got 'chekc'. Did you mean check?\n")


def test_an_unknown_experiment_is_told_with_the_nearest_and_not_with_all_thirty(capsys):
    assert main(["run", "glasgow2023.xr"]) == 2
    nearest = "got 'glasgow2023.xr'. Did you mean glasgow2023.xor?"
    assert capsys.readouterr().err == f"featlearn: run: expected an experiment, {nearest}\n"


def test_with_json_the_mistake_is_a_document(capsys):
    assert main(f"{XOR} --d 1 --json".split()) == 2
    told = capsys.readouterr()
    assert json.loads(told.out) == {
        "error": {
            "where": "d",
            "expected": "at least 2",
            "got": "1",
            "try": "XOR needs two signal coordinates.",
        }
    }
    assert (
        told.err == "featlearn: d: expected at least 2, got 1. XOR needs two signal coordinates.\n"
    )


ODD = """
--
---
-
-x
--d
""
run ""
run -
run --
run --d 3
run --json
run glasgow2023
run glasgow2023.
run .xor
run glasgow2023.lemma-C.4
run glasgow2023.xor -d 3
run glasgow2023.xor --d=
run glasgow2023.xor --d ""
run glasgow2023.xor --d "3 4"
run glasgow2023.xor --d 3,4
run glasgow2023.xor --d 0x10 --width 0
run glasgow2023.xor --d 1e3
run glasgow2023.xor --d 99999999999999999999999 --width 0
run glasgow2023.xor --eta ""
run glasgow2023.xor --eta 1,2
run glasgow2023.xor --eta one
run glasgow2023.xor --eta 1e400
run glasgow2023.xor --no-d
run glasgow2023.xor --no-eta 3
run glasgow2023.xor --rotated=maybe
run glasgow2023.xor --rotated maybe
run glasgow2023.xor --no-rotated=1 --d 1
run glasgow2023.xor --trained none
run glasgow2023.xor --records 1
run glasgow2023.xor --seeds
run glasgow2023.xor --seeds 1e3
run glasgow2023.xor --first-seed x
run glasgow2023.xor --out
run glasgow2023.xor --json --json
run glasgow2023.xor --fresh=perhaps
run glasgow2023.xor --config.d 3
run glasgow2023.xor --d.e 3
run :x
run .py:x
run x.py:
run x.py
check ""
check --d
check --nothing 3
check glasgow2023 --nothing 3
check glasgow2023.lemma-C.4 --d ""
check glasgow2023.lemma-C.4 --d ,,
check glasgow2023.lemma-C.4 --d 4 --samples 0
check glasgow2023.lemma-C.4 --d 20
check glasgow2023.lemma-C.4 --seeds -3
check .py:
check a:b
cite ""
cite --x
papers more
papers --json=3
ünïcode
run ünïcode --ø 3
"""


@pytest.mark.parametrize("line", ODD.strip().splitlines())
def test_odd_command_lines_end_in_one_sentence(line, capsys):
    assert main(shlex.split(line)) == 2
    told = capsys.readouterr().err
    assert told.startswith("featlearn: ")
    assert told.count("\n") == 1
    assert ": expected " in told
    assert ", got " in told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 / 0", "a file that imports, got ZeroDivisionError: division by zero."),
        ("import sys; sys.exit(3)", "a file that imports, got SystemExit: 3."),
        ("XER = 3", "the name of an experiment in mine.py, got 'XOR'. The file has: none."),
    ],
)
def test_a_file_of_ones_own_that_cannot_be_used_is_told(text, expected, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(text)
    assert main(["run", "mine.py:XOR"]) == 2
    where = "mine.py:XOR" if "name" in expected else "mine.py"
    assert capsys.readouterr().err == f"featlearn: {where}: expected {expected}\n"


TOY = f"{XOR} --d 4 --width 4 --steps 2 --records 2 --test 10 --seeds 2 --out store".split()


def tree(folder):
    """Path -> checksum of everything below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def a_file_in_the_way(folder):
    (folder / "store").write_text("mine")
    return "--out store: expected a folder one can write to, got File exists. Choose another --out."


def a_path_under_a_file(folder):
    (folder / "store").write_text("mine")
    (folder / "store").rename(folder / "file")
    (folder / "store").symlink_to(folder / "file" / "below")
    return "--out store: expected a folder one can write to, got "


def a_folder_with_other_things(folder):
    (folder / "store").mkdir()
    (folder / "store" / "thesis.tex").write_text("mine")
    return (
        "--out store: expected an empty folder or a featlearn store, got a folder with thesis.tex. "
        "Choose another --out."
    )


def a_store_of_another_program(folder):
    (folder / "store").mkdir()
    (folder / "store" / "featlearn.json").write_text('{"program": "other"}')
    return "--out store: expected a featlearn store, got the store of another program."


def a_store_of_the_future(folder):
    (folder / "store").mkdir()
    (folder / "store" / "featlearn.json").write_text('{"program": "featlearn", "format": 99}')
    told = "a store of format 3, got 99. It stays as it is; choose another --out."
    return f"--out store: expected {told}"


def a_broken_mark(folder):
    (folder / "store").mkdir()
    (folder / "store" / "featlearn.json").write_text('{"program": "feat')
    return (
        "store/featlearn.json: expected a whole JSON file, got JSONDecodeError. If the store is "
        'yours, write {"program": "featlearn", "format": 3} into it.'
    )


@pytest.mark.parametrize(
    "harm",
    [
        a_file_in_the_way,
        a_path_under_a_file,
        a_folder_with_other_things,
        a_store_of_another_program,
        a_store_of_the_future,
        a_broken_mark,
    ],
)
def test_a_folder_that_is_no_store_is_left_alone(harm, tmp_path, capsys):
    sentence = harm(tmp_path)
    before = tree(tmp_path)
    assert main(TOY) == 2
    assert capsys.readouterr().err.startswith(f"featlearn: {sentence}")
    assert tree(tmp_path) == before


def test_a_damaged_result_is_told_left_alone_and_computed_again_when_asked(tmp_path, capsys):
    assert main(TOY) == 0
    (folder,) = (tmp_path / "store").rglob("seeds-0-1")
    whole = tree(folder)
    here = folder.relative_to(tmp_path)
    chunk = folder / "data.npz"
    capsys.readouterr()

    def refused(sentence):
        before = tree(tmp_path)
        assert main(TOY) == 2
        assert capsys.readouterr().err == f"featlearn: {here}{sentence}\n"
        assert tree(tmp_path) == before

    again = "Use --fresh to compute it again."
    original = chunk.read_bytes()
    chunk.unlink()
    name = "data.npz"
    refused(f": expected the file {name}, got a half-written result. {again}")
    chunk.write_bytes(original[:-1] + bytes([original[-1] ^ 1]))
    refused(f"/{name}: expected the contents its manifest lists, got other contents. {again}")
    chunk.write_bytes(original)
    extra = "more.npz"
    (folder / extra).write_bytes(b"x")
    refused(f": expected only the files its manifest lists, got {extra}. {again}")
    (folder / extra).unlink()
    (folder / "manifest.json").unlink()
    refused(f": expected a whole result with manifest.json, got none. {again}")
    assert main([*TOY, "--fresh"]) == 0
    data = {name: sum for name, sum in whole.items() if name.startswith("data")}
    assert data.items() <= tree(folder).items()
    assert main(TOY) == 0
