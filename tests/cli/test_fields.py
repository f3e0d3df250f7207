"""The adaptor from a configuration to flags: giving one flag moves no other field."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from featlearn._check import InputError
from featlearn._config import fields, replace
from featlearn.cli.fields import own_fields, parameters, with_fields
from featlearn.cli.main import main

USER = """
import featlearn as fl
from featlearn.papers.glasgow2023.xor import Xor

MINE = fl.NamedExperiment(
    id="my.xor",
    title="A named value whose fields are not the defaults of its class",
    config=Xor(d=5, width=7, steps=3, records=2, test=11, eta=0.11, rotated=True, noise="gaussian"),
)
"""


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        ([], {}),
        (["--d", "6"], {"d": 6}),
        (["--no-rotated"], {"rotated": False}),
        (["--noise", "boolean"], {"noise": "boolean"}),
        (["--batch", "9"], {"batch": 9}),
        (["--batch=none"], {}),
        (["--eta=0.5", "--width", "3"], {"eta": 0.5, "width": 3}),
    ],
)
def test_one_field_given_leaves_all_others_as_the_named_value_has_them(
    flags, changed, tmp_path, monkeypatch
):
    (tmp_path / "mine.py").write_text(USER)
    seen = []

    def run(named, changes, **more):
        seen.append((named, changes))
        return 0

    monkeypatch.setattr("featlearn.cli.run.run", run)
    assert main(["run", "mine.py:MINE", *flags]) == 0
    named, changes = seen[0]
    given = fields(replace(named.config, changes, "here"))
    assert given == {**fields(named.config), **changed}
    assert (given["width"], given["test"]) == (changed.get("width", 7), 11)


@dataclass(frozen=True, kw_only=True)
class One:
    """A configuration."""

    d: int = 3
    """Inputs."""
    law: Literal["a", "b"] = "a"


@dataclass(frozen=True, kw_only=True)
class Many:
    """Another, in which d is a list."""

    d: tuple[int, ...] = (3, 4)
    k: float | None = None


def test_a_field_of_two_types_is_read_as_each_configuration_has_it():
    names = [parameter.name for parameter in parameters([One(), Many()], defaults=False)]
    assert names == ["d", "law", "k"] or set(names) == {"d", "law", "k"}
    assert own_fields(One(), {"d": "8", "k": "1"}) == {"d": 8}
    assert own_fields(Many(), {"d": "8,40", "law": "a"}) == {"d": (8, 40)}
    assert own_fields(Many(), {"k": "none"}) == {"k": None}
    with pytest.raises(InputError) as told:
        own_fields(One(), {"d": "8,40"})
    assert str(told.value) == "--d: expected an integer, got '8,40'."


def test_a_field_may_not_take_the_name_of_an_option():
    @dataclass(frozen=True, kw_only=True)
    class Taken:
        seeds: int = 3

    def command(*, seeds: int = 5, **changes: Any) -> int:
        return seeds

    with pytest.raises(InputError) as told:
        with_fields(command, parameters([Taken()]), "")
    assert str(told.value) == (
        "fields: expected names that are no options of the command, got seeds."
    )
