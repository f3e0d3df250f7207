"""The command line keeps compiled programs in the user's cache: here in one that is thrown away."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def a_cache_that_is_thrown_away(tmp_path_factory):
    """Nothing is written outside the temporary folders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path_factory.mktemp("xla")))
        yield
