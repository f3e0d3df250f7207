"""Signs out of random bits: fair, independent, and all of them where they are enumerated."""

import itertools

import numpy as np
import pytest

from featlearn.distributions import every_sign, signs


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 64, 100])
def test_signs_have_the_shape_asked_for_and_no_other_value(n, key):
    s = signs(7, n, key=key)
    assert s.shape == (7, n)
    assert set(np.unique(s)) <= {-1.0, 1.0}


def test_signs_are_fair_in_every_column(key):
    m, n = 10_000, 100
    means = np.asarray(signs(m, n, key=key)).mean(axis=0)
    # The standard error is 0.01. All 100 columns within five: a false alarm once in 2e4 keys.
    # Power: a column that is constant misses by 100, a coin of 0.53 by 6.
    assert np.abs(means).max() < 5 / np.sqrt(m)


def test_signs_are_uncorrelated_within_a_row_and_between_rows(key):
    m, n = 10_000, 100
    s = np.asarray(signs(m, n, key=key))
    # 4950 pairs of columns (so six standard errors, not five) and each column against itself
    # k rows later. Power: a word used for two columns or two rows gives a product of 1, that is
    # 100 standard errors.
    within = np.abs((s.T @ s) / m - np.eye(n)).max()
    later = max(np.abs((s[k:] * s[:-k]).mean(axis=0)).max() for k in (1, 2, 31, 32))
    assert within < 6 / np.sqrt(m)
    assert later < 6 / np.sqrt(m)


def test_triples_of_signs_are_uncorrelated_too(key):
    m, n = 20_000, 34
    s = np.asarray(signs(m, n, key=key))
    # A linear dependence of bits (c = a xor b) leaves all pairs uncorrelated but not the triple:
    # its product would have mean ±1, 141 standard errors. 5984 triples: six standard errors.
    means = np.stack([(s[:, [i]] * s).T @ s / m for i in range(n)])
    i, j, k = np.indices(means.shape)
    assert np.abs(means[(i < j) & (j < k)]).max() < 6 / np.sqrt(m)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_every_sign_is_the_whole_cube_once(n):
    cube = {tuple(row) for row in np.asarray(every_sign(n)).tolist()}
    assert cube == set(itertools.product((-1.0, 1.0), repeat=n))
    assert len(every_sign(n)) == 2**n
