"""The kernels against float64: every shape, activation, kind of machine, number of threads."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import PackedBatch
from featlearn.networks import QUADRATIC, RELU, RELU6, TRUNCATED, Activation, Params
from featlearn.training.native import calls
from featlearn.training.native.library import KINDS

CLOSE = 2e-6
"""Relative to the norm of the whole array: a float32 sum of some thousand terms in groups of eight
is off by some 1e-7 of it; one sign taken wrongly in 10^4 would be 1e-2."""


NUMPY = {
    RELU: (lambda z: np.maximum(z, 0), lambda z: z > 0),
    RELU6: (lambda z: np.clip(z, 0, 6), lambda z: (z > 0) & (z < 6)),
    TRUNCATED: (lambda z: np.clip(z, 0, 1), lambda z: (z > 0) & (z < 1)),
    QUADRATIC: (lambda z: z**2, lambda z: 2 * z),
}
"""Values and slopes once more, by another library."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """Inputs of both products, and what they give in float64 from the kernels' own signs of z."""

    batch: PackedBatch
    params: Params
    delta: Any
    activation: Activation

    def found(self):
        """What the kernels say: z, sums, g_w, g_a, g_b."""
        s, a = calls.known(self.activation), self.params.a
        blocks, sums = calls.forward(self.batch, self.params, s)
        z = np.concatenate(np.asarray(blocks), axis=1)[:, : len(a)]
        if s != calls.UNKNOWN:
            return z, sums, *calls.backward(self.batch, blocks, jnp.asarray(self.delta), a, s)
        value, slope = (each(z) for each in NUMPY[self.activation])
        g_w, g_b = calls.pulled_through(self.batch, jnp.asarray(self.delta[:, None] * a * slope))
        return z, value @ a, g_w, self.delta @ value, g_b

    def errors(self) -> list[float]:
        """Relative errors of all five against float64; slopes at the z that the kernels found."""
        z, *found = map(np.asarray, self.found())
        words, d = np.asarray(self.batch.words), self.batch.d
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, :d]
        x = np.float32(self.batch.size) * (2.0 * bits - 1)
        w, a, delta = (np.asarray(v, float) for v in (self.params.w, self.params.a, self.delta))
        truth = x @ w.T + (0.0 if self.params.b is None else np.asarray(self.params.b, float))
        value, slope = NUMPY[self.activation][0](truth), NUMPY[self.activation][1](z)
        G = delta[:, None] * a * slope
        wanted = (truth, value @ a, G.T @ x, delta @ value, G.sum(axis=0))
        size = float(self.batch.size) * np.ones(x.shape[1])
        # The norms that sums of these terms would have with independent signs: where they cancel
        # by chance, as one number alone may, rounding is to be compared with the terms.
        terms = (
            np.outer(np.ones(len(x)), np.sqrt((w**2) @ size**2)),
            value * a,
            np.linalg.norm(G, axis=0)[:, None] * size,
            delta[:, None] * value,
            G,
        )
        return [
            float(np.linalg.norm(u - v)) / max(np.linalg.norm(v).item(), np.linalg.norm(t).item())
            for u, v, t in zip((z, *found), wanted, terms, strict=True)
        ]


def case(rng, d, p, m, *, activation=RELU, biases=False, size=1.0, spare=0) -> Case:
    words = rng.integers(0, 2**32, (m, -(-d // 32) + spare), dtype=np.uint32)
    numbers = [rng.normal(size=shape).astype(np.float32) for shape in ((p, d), p, p, m)]
    numbers[0] /= np.float32(size * d**0.5)
    w, a, b, y = map(jnp.asarray, numbers)
    batch = PackedBatch(d=d, words=jnp.asarray(words), y=y, size=size)
    params = Params(w=w, a=a, b=b if biases else None)
    return Case(batch=batch, params=params, delta=numbers[3], activation=activation)


def cases(rng, number):
    """Random shapes, the sides of tables, blocks and words among them."""
    for _ in range(number):
        d, p, m = (int(rng.integers(1, most)) for most in (300, 80, 200))
        if rng.random() < 0.1:
            m = int(rng.integers(990, 1100))
        yield case(
            rng,
            d,
            p,
            m,
            activation=(RELU, RELU6, TRUNCATED, QUADRATIC)[rng.integers(4)],
            biases=bool(rng.integers(2)),
            size=(1.0, 0.25)[rng.integers(2)],
            spare=int(rng.integers(2)),
        )


def test_both_products_are_those_of_float64_at_random_shapes(native, rng):
    assert max(max(each.errors()) for each in cases(rng, 40)) < CLOSE


@pytest.mark.slow
def test_both_products_are_those_of_float64_at_500_random_shapes(native, rng):
    assert max(max(each.errors()) for each in cases(rng, 500)) < CLOSE


@pytest.mark.parametrize("sizes", [(512, 100, 2048), (100, 200, 400), (257, 33, 6001)])
@pytest.mark.parametrize("activation", [RELU, RELU6, QUADRATIC], ids=lambda a: a.name)
def test_both_products_are_those_of_float64_at_sizes_in_use(native, rng, sizes, activation):
    assert max(case(rng, *sizes, activation=activation, biases=True).errors()) < CLOSE


def test_a_wrong_bit_would_be_seen(native, rng):
    right = case(rng, 100, 20, 50)
    words = right.batch.words.at[7, 1].set(right.batch.words[7, 1] ^ 4)
    wrong = calls.forward(replace(right.batch, words=words), right.params, calls.known(RELU))[0]
    z = np.asarray(right.batch.x, float) @ np.asarray(right.params.w, float).T
    error = np.linalg.norm(calls.by_point(wrong, 20) - z) / np.linalg.norm(z)
    assert error > 100 * CLOSE


@pytest.mark.parametrize("shape", [(1, 1), (3, 33), (7, 320), (1000, 100), (300, 4000)])
def test_random_words_are_those_of_jax(native, key, shape):
    m, n = shape
    wanted = jax.random.bits(key, (m, -(-n // 32)), jnp.uint32)
    np.testing.assert_array_equal(calls.random_words(m, n, key), wanted)


def test_random_words_are_those_of_jax_with_other_generators(native):
    other = jax.random.key(0, impl="rbg")
    wanted = jax.random.bits(other, (4, 2), jnp.uint32)
    np.testing.assert_array_equal(calls.random_words(4, 40, other), wanted)
    with jax.threefry_partitionable(False):
        key = jax.random.key(1)
        wanted = jax.random.bits(key, (4, 2), jnp.uint32)
        np.testing.assert_array_equal(calls.random_words(4, 40, key), wanted)


def test_at_a_kink_the_slope_is_0(native):
    """z is a whole number here, exactly: -2, 0 and 2 at a neuron of two equal weights."""
    words = jnp.arange(4, dtype=jnp.uint32)[:, None]
    batch = PackedBatch(d=2, words=words, y=jnp.zeros(4))
    params = Params(w=jnp.ones((1, 2)), a=jnp.ones(1), b=jnp.zeros(1))
    for activation, slopes in ((RELU, [0, 0, 0, 1]), (RELU6, [0, 0, 0, 1])):
        s = calls.known(activation)
        z, _ = calls.forward(batch, params, s)
        assert z[0, :, 0].tolist() == [-2, 0, 0, 2]
        for i, slope in enumerate(slopes):
            delta = jnp.zeros(4).at[i].set(1.0)
            assert calls.backward(batch, z, delta, params.a, s)[2].tolist() == [slope]
    top = calls.Known(number=calls.CLIPPED, top=2.0)
    z, sums = calls.forward(batch, params, top)
    assert sums.tolist() == [0, 0, 0, 2]
    assert calls.backward(batch, z, jnp.ones(4), params.a, top)[2].tolist() == [0]


def test_a_sum_of_equal_entries_is_exact_whatever_their_size(native):
    """Signs are added first and sized afterwards: 33 entries of 0.1 cancel to one, not nearly."""
    batch = PackedBatch(d=33, words=jnp.array([[0xFFFF, 0]], jnp.uint32), y=jnp.zeros(1), size=0.1)
    params = Params(w=jnp.ones((1, 33)), a=jnp.ones(1), b=jnp.full(1, 0.1))
    z, _ = calls.forward(batch, params, calls.known(RELU))
    assert z[0, 0, 0] == 0


def test_what_is_not_finite_stays_so(native, rng):
    one = case(rng, 40, 20, 30, biases=True)
    for bad in (np.nan, np.inf):
        params = replace(one.params, w=one.params.w.at[3, 5].set(bad))
        s = calls.known(RELU)
        z, sums = calls.forward(one.batch, params, s)
        assert not np.isfinite(calls.by_point(z, 20)[:, 3]).any()
        assert np.isnan(np.asarray(sums)).any()
        assert np.isfinite(np.delete(np.asarray(calls.by_point(z, 20)), 3, axis=1)).all()


def test_the_numbers_are_the_same_for_every_kind_of_machine_and_all_threads(kernels, rng):
    several = [case(rng, *sizes, biases=True) for sizes in ((130, 70, 1030), (300, 200, 700))]
    found = set()
    for kind in range(kernels.featlearn_best_kind() + 1):
        for threads in (1, 2, 5):
            assert kernels.featlearn_use_kind(kind) == 0
            kernels.featlearn_use_threads(threads)
            found.add(digest([each.found() for each in several]))
    assert len(found) == 1
    assert kernels.featlearn_use_kind(len(KINDS)) == 1  # refused


GOLDEN = {1: "966ff55d35c3bf20"}
"""The numbers of each engine, as a digest: where this fails, raise ENGINE in kernels.cpp."""


def test_the_numbers_of_this_engine_are_those_it_always_had(native):
    rng = np.random.default_rng(20)
    whole = [
        case(rng, d, p, m, activation=activation, biases=True, size=0.5)
        for d, p, m in ((70, 40, 100), (300, 20, 1030))
        for activation in (RELU, RELU6, QUADRATIC)
    ]
    number = int(native.removeprefix("native-"))
    known = GOLDEN.get(number)
    # The middle of unknown activations is JAX's: only what the kernels themselves give counts.
    found = digest([each.found()[:3:2] for each in whole])
    assert found == known


def digest(values) -> str:
    text = hashlib.sha256()
    for leaf in jax.tree.leaves(values):
        text.update(np.ascontiguousarray(leaf).tobytes())
    return text.hexdigest()[:16]


def test_a_program_for_another_engine_is_refused(native, rng, monkeypatch):
    monkeypatch.setattr(calls, "_number", lambda: np.int64(10**6))
    one = case(rng, 5, 3, 4)
    with pytest.raises(jax.errors.JaxRuntimeError, match="another native engine"):
        jax.block_until_ready(calls.forward(one.batch, one.params, calls.known(RELU)))


def test_shapes_that_do_not_fit_are_refused(native, rng):
    one = case(rng, 40, 3, 4)
    narrow = replace(one.batch, words=one.batch.words[:, :1])
    with pytest.raises(jax.errors.JaxRuntimeError, match="do not fit"):
        jax.block_until_ready(calls.forward(narrow, one.params, calls.known(RELU)))


def test_the_number_of_the_engine_is_in_the_program(native, rng):
    one = case(rng, 40, 3, 4)
    text = jax.jit(lambda b: calls.forward(b, one.params, calls.known(RELU))).lower(one.batch)
    number = native.removeprefix("native-")
    assert f"engine = {number} : i64" in text.as_text()


def test_a_batch_of_calls_is_one_call_after_the_other(native, rng):
    one = case(rng, 40, 20, 30)
    s = calls.known(RELU)
    scaled = jnp.stack([one.params.w, 2 * one.params.w])
    _, sums = jax.vmap(lambda w: calls.forward(one.batch, replace(one.params, w=w), s))(scaled)
    np.testing.assert_array_equal(2 * sums[0], sums[1])
