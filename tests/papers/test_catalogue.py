"""Finding things by id, and the library's two verbs."""

import pytest

import featlearn as fl
from featlearn.papers import catalogue


def test_every_listed_statement_has_its_id_its_place_and_a_recorded_verdict():
    glasgow = catalogue.papers()["glasgow2023"]
    for name in glasgow.statements:
        statement = glasgow.statement(name)
        assert statement.id == f"glasgow2023.{name}"
        assert statement.title == glasgow.statements[name]
        assert set(statement.references) <= set(glasgow.references())


def test_recorded_verdicts_are_those_of_the_four_words():
    names = {verdict.name for verdict in fl.Verdict}
    for paper in catalogue.papers().values():
        for name, verdict in paper.expected()["verdicts"].items():
            assert name in paper.statements
            assert verdict is None or verdict in names


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
        "MINE = fl.NamedExperiment(id='my.x', title=str(VALUE), config=None)\n"
    )
    found = catalogue.find_experiment("json.py:MINE")
    assert (found.id, found.title) == ("my.x", "3")
    import json

    assert json.loads("1") == 1
    (tmp_path / "json.py").write_text((tmp_path / "json.py").read_text().replace("my.x", "my.y"))
    assert catalogue.find_experiment("json.py:MINE").id == "my.y"
