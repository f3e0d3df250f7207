"""What every initialisation must satisfy; a new class is a new row."""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn import networks
from featlearn.networks import (
    BalancedSigns,
    Constant,
    FoldedGaussian,
    Gaussian,
    Glorot,
    Initialisation,
    Signs,
    Sphere,
    Ternary,
    Uniform,
)

MEMBERS = [
    Sphere(radius=0.5),
    Gaussian(sd=0.5),
    FoldedGaussian(sd=0.5, d=9),
    Ternary(),
    Signs(size=0.5),
    BalancedSigns(size=0.5),
    Uniform(bound=0.5),
    Glorot(),
    Constant(value=0.5),
]
NOT_RANDOM = (BalancedSigns, Constant)
SHAPES = [(5, 3), (4, 33), (5,)]


@pytest.fixture(params=MEMBERS, ids=str)
def member(request):
    return request.param


def test_every_initialisation_of_the_package_has_a_row():
    offered = {
        each
        for each in vars(networks).values()
        if inspect.isclass(each) and hasattr(each, "draw") and each is not Initialisation
    }
    assert offered <= {type(each) for each in MEMBERS}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_draws_the_shape_it_is_asked_for(member, shape, key):
    if isinstance(member, FoldedGaussian) and shape != (5, 3):
        pytest.skip("it folds rows of a matrix with at most d + 1 columns")
    assert isinstance(member, Initialisation)
    drawn = member.draw(shape, key=key)
    assert drawn.shape == shape
    assert drawn.dtype == jnp.float32
    # A weakly typed start would make every phase compile twice.
    assert not drawn.weak_type


def test_the_key_alone_decides_the_draw(member, key):
    one, again = (member.draw((5, 3), key=key) for _ in range(2))
    other = member.draw((5, 3), key=jax.random.fold_in(key, 1))
    np.testing.assert_array_equal(one, again)
    assert np.array_equal(one, other) is isinstance(member, NOT_RANDOM)
