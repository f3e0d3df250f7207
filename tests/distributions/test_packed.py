"""Points as bits are the very points that `sample` gives from the same key."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import LeakyParity, PackedBatch, Packs, Parity, rotation
from featlearn.distributions.bits import random_words, unpacked
from featlearn.distributions.packed import bits_at, with_bits

LAWS = [
    *(Parity(d=d, k=k) for d, k in ((2, 2), (31, 1), (32, 3), (33, 2), (70, 40))),
    Parity(d=40, sign=1),
    *(LeakyParity(d=d, k=3) for d in (3, 29, 30, 31, 32, 33, 62, 64)),
    *(LeakyParity(d=50, k=5, half=half) for half in ("uniform", "leaky", "mixture")),
    LeakyParity(d=70, k=3, relevant=(0, 33, 69), scale=0.5),
]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_points_as_bits_are_the_points_of_the_sample(law, key):
    points, bits = law.sample(50, key=key), law.packed(50, key=key)
    assert law.packs
    assert isinstance(law, Packs)
    np.testing.assert_array_equal(points.x, bits.x)
    np.testing.assert_array_equal(points.y, bits.y)


def test_numbers_and_rotated_cubes_do_not_pack(key):
    assert not Parity(d=4, noise="gaussian").packs
    assert not Parity(d=4, signal="gaussian").packs
    assert not Parity(d=4, basis=rotation(4, key=key)).packs


def test_another_source_of_words_gives_other_points(key):
    def nothing(m, n, key):
        return jnp.zeros_like(random_words(m, n, key))

    law = Parity(d=40)
    assert (law.packed(5, key=key, words=nothing).x == -1).all()
    assert (law.packed(5, key=key, words=nothing).y == -1).all()  # -(-1)(-1)


def test_bits_go_in_and_come_out(key, rng):
    words = random_words(20, 100, key)
    places = rng.choice(100, size=7, replace=False).tolist()
    new = jnp.asarray(rng.choice([-1.0, 1.0], 20), jnp.float32)
    changed = with_bits(words, places, new)
    np.testing.assert_array_equal(bits_at(changed, places), np.tile(new[:, None], 7))
    others = [j for j in range(100) if j not in places]
    np.testing.assert_array_equal(bits_at(changed, others), bits_at(words, others))
    np.testing.assert_array_equal(bits_at(words, range(100)), unpacked(words, 100))


def test_the_size_of_entries_is_a_traced_number(key):
    law = LeakyParity(d=9, k=3, scale=0.25)
    batch = jax.jit(lambda law: law.packed(4, key=key))(law)
    assert isinstance(batch, PackedBatch)
    assert set(np.abs(np.asarray(batch.x)).ravel()) == {0.25}
