"""Calls from two devices at once, two threads each: every one ends, with the numbers of one thread.

A process of its own, as devices are counted when JAX begins.
"""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
import jax, jax.numpy as jnp, numpy as np
jax.config.update("jax_num_cpu_devices", 2)
from featlearn.distributions import Parity
from featlearn.networks import RELU, Params
from featlearn.training.engine import choose_engine
from featlearn.training.native import calls
from featlearn.training.native.library import library

choose_engine("native")
kernels, times, s = library().loaded, int(sys.argv[1]), calls.known(RELU)
law, key = Parity(d=480), jax.random.key(0)
start = jax.random.normal(key, (96, 480)) / 20

def step(t, w):
    batch = law.packed(512, key=jax.random.fold_in(key, t), words=calls.random_words)
    params = Params(w=w, a=jnp.ones(96), b=None)
    z, sums = calls.forward(batch, params, s)
    return w - 1e-4 * calls.backward(batch, z, sums - batch.y, params.a, s)[0]

loop = jax.jit(lambda w, n: jax.lax.fori_loop(0, n, step, w))

def work(device, threads):
    kernels.featlearn_use_threads(threads)
    with jax.default_device(device):
        found[device.id] = np.asarray(loop(jax.device_put(start, device), times))

found = {}
work(jax.devices()[0], 1)
alone = found[0]
several = [threading.Thread(target=work, args=(each, 2)) for each in jax.devices()]
for each in several: each.start()
for each in several: each.join()
assert len(found) == 2 and all((each == alone).all() for each in found.values())
print("calls", 2 * 2 * times)
"""


def calls_that_end(times: int) -> int:
    """Run it; how many calls of forward and backward from two devices were made."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(times)],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout.split()[-1])


def test_calls_from_two_devices_end_and_agree(native):
    assert calls_that_end(100) == 400


@pytest.mark.slow
def test_ten_thousand_calls_from_two_devices_end_and_agree(native):
    assert calls_that_end(2500) == 10_000
