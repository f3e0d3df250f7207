"""What every measurement must satisfy; a new class is a new row."""

import inspect

import jax
import numpy as np
import pytest

from featlearn import measurements
from featlearn.distributions import Boolean, Clusters, LeakyParity, Parity, mixture
from featlearn.measurements import (
    BitParts,
    CleanAndNoisy,
    ClusterTest,
    Correlations,
    Coverage,
    EveryPoint,
    GradientError,
    HeldOut,
    LearnedTerms,
    Margins,
    OnPopulation,
    OnSample,
    PatternParts,
    Relevance,
    SampleMargins,
    SignalHeavy,
    SignalParts,
    SignalShare,
)
from featlearn.networks import Gaussian, TwoLayer
from featlearn.training import LOSSES, Measurement

D, WIDTH = 8, 6
NETWORK = TwoLayer(
    d=D,
    width=WIDTH,
    w=Gaussian(sd=1.0),
    a=Gaussian(sd=1.0),
    b=Gaussian(sd=1.0),
    scaling="mean-field",
)
XOR, LEAKY = Parity(d=D), LeakyParity(d=D, k=3)
CLUSTERS, PATTERNS = Clusters(d=D, sigma=0.1, flips=0.2), mixture(d=D, dictionary=D, k=3)
BITS = Boolean(d=D, target="x1 + x1*x2")
LOSS = LOSSES["logistic"]
MEMBERS = [
    SignalParts(law=XOR, threshold=0.5),
    SignalHeavy(law=XOR, H=0.1),
    Margins(law=XOR, network=NETWORK, loss=LOSS),
    HeldOut(law=XOR, network=NETWORK, loss=LOSS, samples=20),
    OnSample(law=XOR, network=NETWORK, loss=LOSS, samples=20),
    OnPopulation(law=LEAKY, network=NETWORK, loss=LOSS),
    Relevance(law=LEAKY),
    GradientError(law=LEAKY, network=NETWORK, loss=LOSS, batch=20),
    PatternParts(law=PATTERNS),
    Coverage(centres=XOR.means, labels=XOR.mean_labels),
    Correlations(law=CLUSTERS),
    CleanAndNoisy(law=CLUSTERS, network=NETWORK, loss=LOSS, samples=20),
    ClusterTest(law=CLUSTERS, network=NETWORK, samples=40),
    SampleMargins(law=CLUSTERS, network=NETWORK, samples=20),
    EveryPoint(law=CLUSTERS, network=NETWORK, samples=20),
    SignalShare(directions=XOR.relevant_directions),
    BitParts(law=BITS),
    LearnedTerms(law=BITS, network=NETWORK, samples=20),
]
SIZES = {"neuron": WIDTH, "cluster": 4, "input": D, "direction": 2, "term": 2, "point": 20}


@pytest.fixture(params=MEMBERS, ids=lambda each: type(each).__name__)
def member(request):
    return request.param


def test_every_measurement_of_the_package_has_a_row():
    offered = {
        each
        for each in vars(measurements).values()
        if inspect.isclass(each) and hasattr(each, "measure")
    }
    assert offered <= {type(each) for each in MEMBERS}


def test_what_is_measured_is_what_is_described(member, key):
    assert isinstance(member, Measurement)
    measured = member.measure(NETWORK.init(key=key), key=key)
    assert set(measured) == set(member.quantities)
    for name, quantity in member.quantities.items():
        assert measured[name].shape == tuple(SIZES[dim] for dim in quantity.dims), name
        assert quantity.meaning


def test_compiled_or_not_it_measures_the_same(member, key):
    params = NETWORK.init(key=key)
    plain = member.measure(params, key=key)
    compiled = jax.jit(lambda one, params, key: one.measure(params, key=key))(member, params, key)
    # Compiled sums may round differently.
    jax.tree.map(
        lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), plain, compiled
    )
