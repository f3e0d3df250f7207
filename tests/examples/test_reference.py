"""The reference has every public name, on the page of its stage; help has every field's text."""

import dataclasses
import importlib
import inspect
import pydoc
import re
from pathlib import Path
from typing import Any

import pytest

import featlearn
from featlearn._fields import describe_fields, field_texts

fl: Any = featlearn
FOLDER = Path(__file__).parents[2] / "docs" / "reference"
NAMED = [
    (page.stem, module, name)
    for page in sorted(FOLDER.glob("*.md"))
    for module, name in re.findall(r":: (featlearn[\w.]*)\.(\w+)$", page.read_text(), re.M)
]
DATACLASSES = [
    name
    for name in fl.__all__
    if inspect.isclass(getattr(fl, name)) and dataclasses.is_dataclass(getattr(fl, name))
]


def test_every_public_name_stands_in_the_reference_exactly_once():
    assert sorted(name for _, module, name in NAMED if module == "featlearn") == sorted(fl.__all__)


def test_every_public_name_stands_on_the_page_of_its_stage():
    for page, module, name in NAMED:
        if module == "featlearn":
            _, stage, *_ = fl._HOME[name][0].split(".")
            assert page == (stage if stage in fl.STAGES else "everywhere"), name


def test_every_name_of_the_reference_exists():
    for _, module, name in NAMED:
        whole = importlib.import_module(module)
        assert hasattr(whole, name) or importlib.import_module(f"{module}.{name}")


@pytest.mark.parametrize("name", DATACLASSES)
def test_every_field_has_a_text_that_help_shows(name):
    cls = getattr(fl, name)
    told = " ".join(pydoc.plain(pydoc.render_doc(cls)).replace("|", " ").split())
    for field, text in field_texts(cls).items():
        assert text, f"{name}.{field}: write a sentence under it"
        assert f"{field}: {' '.join(text.replace('|', ' ').split())}" in told


def test_a_field_without_a_text_is_found():
    @dataclasses.dataclass
    class Bare:
        """A class."""

        points: int = 5
        law: object = None

    assert field_texts(Bare)["points"] == ""
    assert "experiment" in field_texts(Bare)["law"]
    assert "points" not in (describe_fields(Bare).__doc__ or "")


def test_a_docstring_is_completed_once():
    assert (describe_fields(describe_fields(fl.HeldOut)).__doc__ or "").count("Fields:") == 1
