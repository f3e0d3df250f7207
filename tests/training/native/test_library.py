"""The compiled file is looked at before it is used, and each reason against it is a sentence."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jax.ffi
import pytest

from featlearn.training.native import build, library
from featlearn.training.native.library import Unusable, opened, running_ffi_version


def test_a_file_that_is_not_there_is_a_reason(tmp_path):
    with pytest.raises(Unusable, match=r"^the kernels are not compiled"):
        opened(tmp_path / "kernels.so")


def test_a_file_that_is_no_library_is_a_reason(tmp_path):
    (tmp_path / "kernels.so").write_bytes(b"no library")
    with pytest.raises(Unusable, match=r"^kernels.so cannot be loaded \(OSError\)$"):
        opened(tmp_path / "kernels.so")


def test_a_file_compiled_from_another_text_is_a_reason(native, monkeypatch):
    monkeypatch.setattr(library, "source_text_digest", lambda: "another")
    with pytest.raises(Unusable, match=r"^kernels.so was compiled from another kernels.cpp$"):
        opened(build.COMPILED)


def test_the_running_version_is_that_of_the_header(tmp_path, monkeypatch):
    major, minor = running_ffi_version()
    assert (major, minor) >= (0, 1)
    _header(tmp_path, major, minor + 1)
    monkeypatch.setattr(jax.ffi, "include_dir", lambda: str(tmp_path))
    assert running_ffi_version() == (major, minor + 1)
    monkeypatch.setattr(jax.ffi, "include_dir", lambda: str(tmp_path / "none"))
    with pytest.raises(Unusable, match="does not tell the version"):
        running_ffi_version()


@pytest.mark.parametrize("change", [(1, 0), (0, 1), (0, -1)])
def test_another_version_of_the_interface_is_a_reason(change, native, tmp_path, monkeypatch):
    major, minor = running_ffi_version()
    _header(tmp_path, major + change[0], minor + change[1])
    monkeypatch.setattr(jax.ffi, "include_dir", lambda: str(tmp_path))
    told = (
        rf"interface {major}\.{minor} and this jaxlib has {major + change[0]}\.{minor + change[1]}$"
    )
    with pytest.raises(Unusable, match=told):
        opened(build.COMPILED)


def _header(folder: Path, major: int, minor: int) -> None:
    file = folder / "xla" / "ffi" / "api" / "c_api.h"
    file.parent.mkdir(parents=True)
    file.write_text(f"#define XLA_FFI_API_MAJOR {major}\n#define XLA_FFI_API_MINOR {minor}\n")


@pytest.mark.slow
def test_kernels_for_a_newer_interface_are_left_alone_and_jax_computes(native, tmp_path):
    """Really compiled for a newer version; unseen, they would take the CPU away from JAX."""
    headers = tmp_path / "include"
    shutil.copytree(Path(jax.ffi.include_dir()) / "xla", headers / "xla")
    api = headers / "xla" / "ffi" / "api" / "c_api.h"
    text = re.sub(r"(#define XLA_FFI_API_MINOR\s+)\d+", r"\g<1>999", api.read_text())
    api.write_text(text)
    made = build.compile_kernels(tmp_path / "kernels.so", flags=["-I", str(headers), "-O0"])
    with pytest.raises(Unusable, match=r"0\.999"):
        opened(made)
    program = (
        "import jax.numpy as jnp, pathlib\n"
        "from featlearn.training import engine\n"
        "from featlearn.training.native import library\n"
        f"library.COMPILED = pathlib.Path({str(made)!r})\n"
        "engine.PREFERRED = 'native'\n"
        "print(engine.resolved_engine(), int(jnp.arange(3).sum()))\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "FEATLEARN_ENGINE"}
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert ended.stdout.split() == ["jax", "3"]
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith("featlearn: the engine is jax, for kernels.so was compiled for")


def test_without_a_compiler_the_reason_is_said(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(build.NotCompiled, match=r"^no C\+\+ compiler was found \(g\+\+, clang"):
        build.compiler({})
    with pytest.raises(build.NotCompiled, match=r"\(my-compiler\)$"):
        build.compiler({"CXX": "my-compiler"})


def test_a_text_that_is_refused_leaves_no_file_behind(tmp_path):
    try:
        build.compiler()
    except build.NotCompiled as reason:
        pytest.skip(str(reason))
    with pytest.raises(build.NotCompiled, match="refused them"):
        build.compile_kernels(tmp_path / "kernels.so", flags=["--no-such-flag"])
    assert list(tmp_path.iterdir()) == []
