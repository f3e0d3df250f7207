"""The gallery: every example has its place in it, and its notebook runs from the first cell on."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def gallery() -> ModuleType:
    """The module of docs/ that makes the pages of the gallery."""
    spec = importlib.util.spec_from_file_location(
        "gallery_of_examples", ROOT / "docs" / "gallery_of_examples.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GALLERY = gallery()
RUN = [name for name in GALLERY.SCRIPTS if name not in GALLERY.NOT_RUN]


def test_every_example_has_one_place_in_the_gallery():
    listed = [name for _, names in GALLERY.SECTIONS.values() for name in names.split()]
    assert sorted(listed) == sorted(path.stem for path in EXAMPLES.glob("*.py"))
    assert {*GALLERY.NOT_RUN, *GALLERY.SMALL} <= {*listed}


def test_pages_have_a_title_their_sections_and_the_same_code(tmp_path):
    GALLERY.write_pages(EXAMPLES, tmp_path)
    page = (tmp_path / "questions" / "features_or_kernel.py").read_text()
    assert page.splitlines()[2] == "=" * len(page.splitlines()[1])
    assert "# The setting: one network, trained by SGD on fresh samples\n# ----" in page
    code = (EXAMPLES / "features_or_kernel.py").read_text().partition('"""\n\n# %%')[2]
    for line in code.splitlines()[1:]:
        assert line.startswith("# %%") or line in page


def test_what_is_not_run_says_why():
    page = GALLERY.as_page(EXAMPLES / "sweep_on_a_cluster.py")
    assert ".. note:: Not run when these pages are built: it starts worker processes" in page


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_the_notebook_of_an_example_runs(name, tmp_path, monkeypatch):
    """The notebook that sphinx-gallery makes of the page, in a kernel of its own, at toy size."""
    pytest.importorskip("sphinx_gallery", reason="`make docs` installs it")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    from sphinx_gallery.gen_gallery import DEFAULT_GALLERY_CONF
    from sphinx_gallery.notebook import jupyter_notebook
    from sphinx_gallery.py_source_parser import split_code_and_text_blocks

    GALLERY.write_pages(EXAMPLES, tmp_path / "pages")
    page = tmp_path / "pages" / GALLERY.SCRIPTS[name] / f"{name}.py"
    _, parts = split_code_and_text_blocks(str(page))
    made = jupyter_notebook(parts, dict(DEFAULT_GALLERY_CONF), str(tmp_path))
    notebook = nbformat.reads(json.dumps(made), as_version=4)
    for variable, value in {GALLERY.TOY: "1", "MPLBACKEND": "Agg"}.items():
        monkeypatch.setenv(variable, value)
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in cells)
