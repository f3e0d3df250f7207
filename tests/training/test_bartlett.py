"""Bartlett's factor and its chi-squares against their laws, from 1 to 10^9 degrees of freedom."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from featlearn.training.bartlett import bartlett, chi_squares

REPEATS = 20_000


@pytest.mark.parametrize("freedom", [1.0, 2.0, 5.0, 1e4, 1e9])
def test_chi_squares_have_their_law_at_any_degrees_of_freedom(freedom, key):
    with jax.enable_x64(True):
        draws = np.asarray(chi_squares(np.full(REPEATS, freedom), key=key))
    assert draws.dtype == np.float64
    assert scipy.stats.kstest(draws, "chi2", args=(freedom,)).pvalue > 1e-6


def test_the_factor_is_that_of_normal_vectors(key):
    p, n = 3, 11
    draws = jax.jit(jax.vmap(lambda k: bartlett(p, n, key=k)))(jax.random.split(key, REPEATS))
    A = np.asarray(draws)
    assert A.dtype == np.float32
    for i in range(p):
        assert scipy.stats.kstest(A[:, i, i] ** 2, "chi2", args=(n - i,)).pvalue > 1e-6
        for j in range(i):
            assert scipy.stats.kstest(A[:, i, j], "norm").pvalue > 1e-6
            assert np.all(A[:, j, i] == 0)


def test_a_compiled_step_in_float32_may_use_it_in_float64(key):
    """The spread of 10^9 degrees of freedom is resolved: float32 has 500 values in ten sd."""

    @jax.jit
    def offset(key):
        with jax.enable_x64(True):
            A = bartlett(2, 10**9, key=key)
            return (A[0, 0] - jnp.sqrt(1e9)).astype(jnp.float32)

    draws = np.asarray(jax.vmap(offset)(jax.random.split(key, 4000)))
    assert len(np.unique(draws)) > 3900
    assert scipy.stats.kstest(draws * np.sqrt(2), "norm").pvalue > 1e-6
