"""What names a result: the description, the code behind it, the program that it compiles to."""

import featlearn as fl
from featlearn._source import sources
from featlearn.experiments import program
from featlearn.papers.catalogue import experiments, papers
from featlearn.papers.daniely2020.parity import Parities
from featlearn.papers.glasgow2023.xor import Xor

NET = fl.TwoLayer(d=4, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")


def experiment(loss=fl.logistic, eta: float = 0.2, **changes):
    how = fl.SGD(eta=eta, batch=16, steps=6, loss=loss)
    parts = {"training": how, "record": [fl.HeldOut(samples=50)], **changes}
    return fl.Experiment(law=fl.Parity(d=4), network=NET, **parts)


def test_a_step_size_is_in_the_key_and_the_program_is_lowered_once_for_all():
    one, other = experiment().key, experiment(eta=0.1).key
    assert one.name != other.name
    assert one.source == other.source
    assert one.program == experiment().key.program != other.program
    before = len(program._digests)
    assert experiment(eta=0.3).key.program
    assert len(program._digests) == before


def test_numbers_that_python_computes_are_in_the_program(monkeypatch):
    decayed = fl.SGD(eta=0.2, batch=16, steps=6, loss=fl.logistic, decay=fl.DecoupledDecay(lam=0.1))
    before = experiment(training=decayed).key.program
    monkeypatch.setattr("featlearn.training.decay.keep", lambda eta, lam: 0.5)
    assert experiment(training=decayed).key.program != before


def test_a_formula_is_in_the_program():
    def fourth(f, y):
        return (f - y) ** 4

    def fourth_otherwise(f, y):
        return (f - y) ** 2 * (f - y) ** 2

    programs = {experiment(loss=fl.loss(each)).key.program for each in (fourth, fourth_otherwise)}
    assert len(programs | {experiment().key.program}) == 3


def test_summaries_and_labels_are_not_in_the_key_and_records_are():
    plain = experiment().key.name
    assert experiment(summary=[fl.Last(quantity="test_loss")]).key.name == plain
    assert experiment(labels={"cluster": ("a", "b", "c", "d")}).key.name == plain
    assert experiment(at=7).key.name != plain
    assert experiment(record=[fl.HeldOut(samples=51)]).key.name != plain


def test_a_step_that_calls_python_back_has_its_source_for_a_program():
    key = Parities(d=11, k=3, width=8, steps=2, batch=4, test=10, records=2).experiment().key
    assert key.program == key.source[:12]


def test_only_what_an_experiment_is_made_of_is_behind_it():
    reached = sources(
        *(getattr(Xor().experiment(), part) for part in ("law", "network", "training"))
    )
    assert {"featlearn.distributions.parity", "featlearn.training.descent"} <= set(reached)
    assert {"featlearn.training.loop", "featlearn._streams"} <= set(reached), "the runner"
    assert not [name for name in reached if ".papers." in name or "clusters" in name]
    assert len(reached) < 60


def test_the_helpers_of_a_statement_are_behind_its_evidence_and_the_judges_are_not():
    statement = papers()["glasgow2023"].statement("lemma-C.4")
    reached = statement.key(statement.config).modules
    own = "featlearn.papers.glasgow2023.statements.lemma_c_4"
    assert {own, "featlearn.distributions.rademacher"} <= set(reached)
    judged = [name for name in reached if name.startswith("featlearn.theory")]
    assert judged == [], "evidence does not depend on its judges, who are asked anew"


def test_every_named_experiment_has_a_key_of_its_own():
    names = [
        named.config.experiment().key.name
        for name, named in experiments().items()
        if "resnet" not in name
    ]
    assert len(set(names)) == len(names)
