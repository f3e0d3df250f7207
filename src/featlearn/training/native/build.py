"""How the kernels are compiled: one call of a C++ compiler, some seconds.

The package's build hook (`hatch_build.py`) reads this file by its path, so nothing here may
import featlearn. The C++ headers are those of the installed jaxlib.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "kernels.cpp"
COMPILED = FOLDER / "kernels.so"
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-ffp-contract=off", "-fvisibility=hidden", "-pthread", "-Wno-psabi")
"""No contraction: the numbers must not depend on what the machine can do."""


class NotCompiled(Exception):
    """Raised if the kernels were not compiled; the message is a clause that says why."""


def source_text_digest() -> str:
    """A digest of the kernels' source; a compiled file contains the digest of its own source."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()


def compiler(environment: Mapping[str, str] = os.environ) -> str:
    """Return the C++ compiler: $CXX if that is set, else the first known one that is found."""
    named = environment.get("CXX")
    for name in (named,) if named else COMPILERS:
        if found := shutil.which(name):
            return found
    looked = named or ", ".join(COMPILERS)
    raise NotCompiled(f"no C++ compiler was found ({looked})")


def headers() -> Path:
    """Return the folder of XLA's headers, which are part of jaxlib."""
    try:
        import jax.ffi
    except ImportError:
        raise NotCompiled("jax was not there to compile against") from None
    return Path(jax.ffi.include_dir())


def compile_kernels(
    target: Path = COMPILED,
    *,
    flags: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> Path:
    """Compile the kernels into a shared library; the old file is replaced only if that succeeds."""
    command = [compiler(environment), *FLAGS, "-shared", "-fPIC", "-DFEATLEARN_WITH_XLA"]
    command += [f'-DFEATLEARN_SOURCE="{source_text_digest()}"', "-isystem", str(headers())]
    beside = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        told = subprocess.run(
            [*command, *flags, "-o", str(beside), str(SOURCE)],
            capture_output=True,
            text=True,
            check=False,
        )
        if told.returncode:
            lines = [line for line in told.stderr.splitlines() if "error" in line]
            said = (lines or told.stderr.splitlines() or ["no message"])[0]
            raise NotCompiled(f"{Path(command[0]).name} refused them ({said})")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return target
