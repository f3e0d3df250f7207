"""What every test may ask for, and the two things that none may do.

Nothing here imports featlearn: pytest reads this file before jaxtyping's hook is in place, and a
module imported earlier would escape the checking of its shapes.
"""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

# The tests compile thousands of programs and run each for a moment: less than half the
# time with these.
QUICK_TO_COMPILE = (
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_use_fusion_emitters=false"
)
os.environ.setdefault("XLA_FLAGS", QUICK_TO_COMPILE)
# A process of pytest has one core: two threads of NumPy's products would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis  # noqa: E402
import jax  # noqa: E402 - reads XLA_FLAGS
import numpy as np  # noqa: E402
import pytest  # noqa: E402

# No test looks at a clock: on a busy machine any of them may take long.
hypothesis.settings.register_profile("featlearn", deadline=None)
hypothesis.settings.load_profile("featlearn")


def seed_of(request: pytest.FixtureRequest) -> int:
    """A seed made from the test's own name, so that adding a test moves no other's draws."""
    return zlib.crc32(request.node.nodeid.encode())


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A NumPy generator of this test's own."""
    return np.random.default_rng(seed_of(request))


@pytest.fixture
def key(request: pytest.FixtureRequest) -> jax.Array:
    """A JAX key of this test's own."""
    return jax.random.key(seed_of(request))


@pytest.fixture(autouse=True)
def writes_only_below_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests run in a folder of their own, so a relative path such as ``results/`` stays there."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def leaves_the_precision_of_jax_alone() -> Iterator[None]:
    """Fail a test after which `jax_enable_x64` is not what it was; the next one starts clean."""
    before = jax.config.read("jax_enable_x64")
    yield
    after = jax.config.read("jax_enable_x64")
    if after != before:
        jax.config.update("jax_enable_x64", before)
        pytest.fail(
            f"jax_enable_x64: expected {before} as before the test, got {after}. "
            "Try `with jax.enable_x64(True):` around what needs float64."
        )
