"""What a stranger finds first: citation, contact, types, and a CI that calls the Makefile."""

import re
import tomllib
from pathlib import Path

from featlearn.cli.catalogue import HOME, TITLE, YEAR, own_entry
from featlearn.cli.main import main

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def citation(field: str) -> str:
    """A field of CITATION.cff that is one line."""
    found = re.search(rf"^{field}: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert found is not None, field
    return found[1].strip('"')


def test_the_citation_says_what_the_project_and_the_command_say():
    assert citation("title") == TITLE
    assert citation("version") == PROJECT["version"]
    assert citation("license") == PROJECT["license"]
    assert citation("url") == citation("repository-code") == HOME == PROJECT["urls"]["Homepage"]
    assert citation("date-released").startswith(str(YEAR))
    assert f"version = {{{PROJECT['version']}}}" in own_entry()


def test_featlearn_is_cited_with_what_it_ran_and_alone(capsys):
    assert main(["cite", "glasgow2023.xor"]) == 0
    told = capsys.readouterr().out
    assert "@software{featlearn," in told
    assert "glasgow2023" in told
    assert main(["cite", "featlearn"]) == 0
    assert capsys.readouterr().out == f"{own_entry()}\n"


def test_types_are_shipped():
    assert (ROOT / "src" / "featlearn" / "py.typed").read_text() == ""


def test_every_job_of_the_public_ci_calls_a_target_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    commands = re.findall(r"^\s+- run: (.*)$", workflow, re.MULTILINE)
    assert {"make test", "make test-floors", "make docs", "make package"} <= set(commands)
    for command in commands:
        program, target = command.split()
        assert program == "make"
        assert target in targets


def test_lower_bounds_stand_for_every_dependency():
    for each in PROJECT["dependencies"]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+", each), each


def test_links_between_the_pages_at_the_top_lead_somewhere():
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (ROOT / target).exists(), f"{page.name}: {target}"
