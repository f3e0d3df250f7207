"""Finding things by id, and the library's two verbs."""

import dataclasses
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import featlearn as fl
from featlearn.reproduction import catalogue
from featlearn.reproduction.outcome import surprising
from featlearn.reproduction.paper import Paper


@pytest.mark.parametrize("paper", catalogue.papers().values(), ids=lambda paper: paper.id)
def test_every_listed_statement_has_its_id_its_place_and_a_recorded_verdict(paper):
    for name, title in paper.statements.items():
        statement = paper.statement(name)
        assert statement.id == f"{paper.id}.{name}"
        assert statement.title == title
        assert statement.place
        assert name in paper.expected()["verdicts"]
        assert set(statement.references) <= set(paper.references())


@pytest.mark.parametrize("paper", catalogue.papers().values(), ids=lambda paper: paper.id)
def test_every_listed_item_has_its_id_and_known_references(paper):
    for name, title in paper.items.items():
        item = paper.item(name)
        assert item.id == f"{paper.id}.{name}"
        assert item.title == title
        assert set(item.references) <= set(paper.references())


def test_a_folder_without_a_paper_is_told(monkeypatch):
    broken = type(catalogue)("featlearn.papers.nobody1900")
    monkeypatch.setitem(sys.modules, broken.__name__, broken)
    monkeypatch.setattr(catalogue, "_packages", lambda: {"nobody1900": broken.__name__})
    with pytest.raises(fl.InputError, match=r"nobody1900/__init__.py: expected a Paper of the id"):
        catalogue._paper("nobody1900")


def test_of_a_paper_that_is_being_written_nothing_is_recorded():
    young = Paper(id="nobody1900", title="", authors="A Author", year=2024)
    assert young.expected() == {"verdicts": {}, "rows": {}}


def test_what_an_item_rests_on_can_be_cited():
    assert "glasgow2023" in catalogue.cite("glasgow2023.million")


def test_only_experiments_and_statements_of_a_file_are_cited(tmp_path):
    (tmp_path / "mine.py").write_text("C = 3\n")
    with pytest.raises(fl.InputError, match="the name of an experiment or Statement"):
        catalogue.cite(f"{tmp_path / 'mine.py'}:C")


def test_recorded_verdicts_are_words_of_verdicts_by_reading():
    names = {verdict.name for verdict in fl.Verdict}
    readings = {reading.name.lower() for reading in fl.Reading}
    for paper in catalogue.papers().values():
        for name, verdicts in paper.expected()["verdicts"].items():
            assert name in paper.statements
            assert set(verdicts or {}) <= readings
            assert all(word is None or word in names for word in (verdicts or {}).values())


def test_a_paper_is_not_one_statement():
    with pytest.raises(fl.InputError) as told:
        fl.check("glasgow2023")
    assert str(told.value).startswith("check: expected one statement, got ")


def test_an_unknown_experiment_is_told_with_a_suggestion():
    with pytest.raises(fl.InputError) as told:
        fl.run("glasgow2023.xer")
    assert str(told.value).endswith("got 'glasgow2023.xer'. Did you mean glasgow2023.xor?")


def test_a_file_of_ones_own_may_have_the_name_of_a_module_and_import_its_neighbour(tmp_path):
    (tmp_path / "beside_it.py").write_text("VALUE = 3\n")
    (tmp_path / "json.py").write_text(
        "import featlearn as fl\nfrom beside_it import VALUE\n"
        "from featlearn.papers.glasgow2023.xor import XOR\n"
        "MINE = fl.NamedExperiment(id='my.x', title=str(VALUE), config=XOR.config)\n"
    )
    found = catalogue.find_experiment("json.py:MINE")
    assert (found.id, found.title) == ("my.x", "3")
    import json

    assert json.loads("1") == 1
    (tmp_path / "json.py").write_text((tmp_path / "json.py").read_text().replace("my.x", "my.y"))
    assert catalogue.find_experiment("json.py:MINE").id == "my.y"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Of a claim of one's own."""

    k: int = 1


def test_no_item_spells_out_the_command_that_makes_it():
    # `reproduce` adds it, with the size that was made; written by hand it named ids that are not.
    folder = Path(catalogue.__file__).parent
    by_hand = [
        f"{file.name}: {line.strip()}"
        for file in sorted(folder.rglob("*.py"))
        for line in file.read_text().splitlines()
        if re.search(r'command=f?"featlearn reproduce', line) and "--data" not in line
    ]
    assert by_hand == []


def test_a_function_that_returns_a_statement_is_checked_with_its_arguments():
    def claim(limit: float = 1.0):
        def evidence(config, lab):
            return fl.exact_bound("k", float(config.k), limit)

        return fl.Statement(id="my.claim", config=Sizes(), evidence=evidence, seeds=1)

    assert fl.check(claim).verdict is fl.Verdict.HOLDS
    assert fl.check(claim, limit=0.5).verdict is fl.Verdict.FAILS
    assert fl.check(claim, limit=3.0, k=2).verdict is fl.Verdict.HOLDS
    (outcome,) = fl.reproduce(claim())
    assert (outcome.id, outcome.status) == ("my.claim", "computed")
    with pytest.raises(fl.InputError, match="check: expected a statement, got int"):
        fl.check(lambda: 3)  # type: ignore[arg-type, return-value]


def test_a_claim_that_fails_as_printed_is_no_surprise_at_other_sizes():
    judged = fl.check("glasgow2023.lemma-C.4", d=[4], seeds=1)
    assert judged.verdicts["printed"] == "FAILS"
    assert surprising(judged, None) == []
    broken = dataclasses.replace(
        judged,
        readings=tuple(
            dataclasses.replace(each, verdict=fl.Verdict.FAILS) for each in judged.readings
        ),
    )
    assert surprising(broken, None) == ["glasgow2023.lemma-C.4 (corrected): FAILS."]
