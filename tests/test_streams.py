"""Streams: one purpose does not move another, and the same one always comes back."""

import itertools

import jax
import numpy as np

from featlearn._streams import stream

PURPOSES = ("init", "sample", "test", "data-0", "data-1", "rotation")


def test_every_seed_and_purpose_has_a_stream_of_its_own():
    keys = [
        tuple(jax.random.key_data(stream(seed, purpose)).tolist())
        for seed, purpose in itertools.product(range(20), PURPOSES)
    ]
    assert len(set(keys)) == len(keys)


def test_the_same_seed_and_purpose_give_the_same_numbers():
    one, again = (jax.random.normal(stream(3, "init"), (5,)) for _ in range(2))
    np.testing.assert_array_equal(one, again)
