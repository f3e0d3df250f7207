"""The shuffle: a permutation, and one as likely as the other."""

from collections import Counter
from itertools import permutations

import jax
import numpy as np
import pytest
from scipy.stats import chi2

from featlearn._streams import stream
from featlearn.training.shuffle import rounds, shuffled


@pytest.mark.parametrize("n", [1, 2, 3, 1000, 65_536, 65_537])
def test_it_is_a_permutation(n: int) -> None:
    """Also where the places fill the low bits, and one beyond."""
    order = np.asarray(shuffled(n, key=stream(0, "data")))
    assert np.array_equal(np.sort(order), np.arange(n))


def test_all_orders_of_four_are_equally_likely() -> None:
    """Chi-squared over the 24 orders of 24 000 shuffles, at the level of one in a thousand.

    A shuffle with one order twice as likely as the others adds 1000 to a statistic of 23 ± 7.
    """
    keys = jax.random.split(stream(1, "data"), 24_000)
    seen = Counter(
        map(tuple, np.asarray(jax.vmap(lambda key: shuffled(4, key=key))(keys)).tolist())
    )
    counts = np.array([seen[order] for order in permutations(range(4))])
    assert ((counts - 1000) ** 2 / 1000).sum() < chi2.isf(1e-3, 23)


@pytest.mark.parametrize("n", [3000, 50_000])
def test_ties_leave_no_trace(n: int) -> None:
    """Ties of one round keep the order of the places: pairs of neighbours would rise too often.

    A single round of 16 random bits gives 0.563 in the place of 0.5 at n = 50 000. Here the share
    of rising neighbours is within four deviations of one half.
    """
    keys = jax.random.split(stream(2, "data"), 20)
    rising = np.mean([np.mean(np.diff(np.asarray(shuffled(n, key=key))) > 0) for key in keys])
    assert abs(rising - 0.5) < 4 * np.sqrt(1 / 12 / (20 * n))
    assert rounds(n) >= 2


def test_places_do_not_remember_where_they_were() -> None:
    """The correlation of a thing with its place is that of independent ones."""
    n = 50_000
    order = np.asarray(shuffled(n, key=stream(3, "data")))
    assert abs(np.corrcoef(order, np.arange(n))[0, 1]) < 4 / np.sqrt(n)
