"""The command `featlearn doctor`: what this machine computes with, and why."""

import time
from typing import Any

from featlearn.cli.output import print_document
from featlearn.cli.run import Json


def doctor(*, json: Json = False) -> int:
    """Print what this machine computes with, and why: engine, kernels, threads, versions."""
    started = time.perf_counter()
    from featlearn.experiments.engine import prepare

    prepare()
    found = findings()
    if json:
        print_document({"doctor": found}, started)
    else:
        for name, value in found.items():
            print(f"{name:<12} {value}")
    return 0


def findings() -> dict[str, Any]:
    """The name of each finding, and the finding."""
    import os

    import jax
    import jaxlib.version

    from featlearn.training.engine import VARIABLE, native, resolved_engine, share_threads, usable
    from featlearn.training.native.build import NotCompiled, compiler
    from featlearn.training.native.library import KINDS, Library, Unusable, running_ffi_version

    kernels = usable()
    try:
        interface = "{}.{}".format(*running_ffi_version())
    except Unusable as reason:
        interface = str(reason)
    try:
        found = os.path.basename(compiler())  # noqa: PTH119 - a name, not a path to open
    except NotCompiled as reason:
        found = str(reason)
    if isinstance(kernels, Library):
        fit, kind = f"{kernels.engine}, compiled and fit", KINDS[kernels.kind]
    else:
        fit, kind = f"not used: {kernels}", "as JAX finds"
    return {
        "engine": f"{resolved_engine()}: {_why(native(), kernels, os.environ.get(VARIABLE))}",
        "kernels": fit,
        "instructions": kind,
        "threads": f"{share_threads(1)} for one run, shared out where several go on at once",
        "compiler": found,
        "interface": f"XLA FFI {interface}",
        "jax": f"{jax.__version__}, jaxlib {jaxlib.version.__version__}",
        "devices": ", ".join(map(str, jax.devices())),
    }


def _why(native: bool, kernels: Any, asked: str | None) -> str:
    from featlearn.training.engine import PREFERRED, VARIABLE

    if asked:
        return f"asked for, by --engine or {VARIABLE}"
    if native:
        return "signs go through tables of sums, all else through JAX"
    if isinstance(kernels, str):
        return f"matrix products, for {kernels}"
    return "matrix products, as preferred" if PREFERRED == "jax" else "this machine has no AVX2"
