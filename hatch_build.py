"""The build hook: compiles the native kernels where a C++ compiler and jax are found.

Without them the package is whole all the same and trains by JAX; one line says so. A wheel with
kernels inside is for one platform and any Python 3, as they are no extension module.
"""

import importlib.util
import os
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NATIVE = Path("src") / "featlearn" / "training" / "native"
WITHOUT = "FEATLEARN_WITHOUT_NATIVE"
"""Set in the environment: a wheel for every platform, without kernels."""


class Kernels(BuildHookInterface[Any]):
    """Compiles into the source tree, from where an editable install and a wheel take it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a build, of a wheel or of an editable install."""
        build = _build(Path(self.root) / NATIVE / "build.py")
        try:
            if os.environ.get(WITHOUT):
                raise build.NotCompiled(f"{WITHOUT} is set")
            build.compile_kernels()
        except build.NotCompiled as reason:
            build.COMPILED.unlink(missing_ok=True)
            self.app.display_warning(f"featlearn: no native kernels, for {reason}; JAX serves")
            return
        build_data["pure_python"] = False
        build_data["artifacts"].append(f"/{(NATIVE / build.COMPILED.name).as_posix()}")
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        self.app.display_info("featlearn: native kernels compiled")


def _build(file: Path) -> Any:
    """The module that says how, read by its path: the package is not installed yet."""
    spec = importlib.util.spec_from_file_location("featlearn_native_build", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
