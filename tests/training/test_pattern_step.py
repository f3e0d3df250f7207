"""The population's gradient by characteristic functions against enumeration."""

import jax
import numpy as np
import pytest
from scipy.stats import norm

from featlearn.distributions import independent, mixture
from featlearn.training.pattern_step import first_step

LAWS = {
    "mixture": mixture(d=10, dictionary=10, k=3),
    "independent": independent(d=9, dictionary=9, k=4, p_a=0.7, p_o=0.3, positive=(2, 3)),
    "unbalanced": mixture(d=8, dictionary=8, k=3).with_negative_share(0.8),
}


@pytest.mark.parametrize("size", [0.3, 4.0])  # at 4 pre-activations reach far beyond the window
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_every_component_is_the_sum_over_all_points(law, size, rng):
    q, b, r = size * rng.normal(size=(3, law.dictionary)), rng.normal(size=3) * 0.4, 0.08
    with jax.enable_x64(True):
        points = law.support()
        x, y, p = (np.asarray(part, float) for part in (points.x, points.y, points.weight))

    def window(z):
        return norm.cdf(z / r) - norm.cdf((z - 1) / r)

    def smooth(z):
        return sum(
            c * r * (u * norm.cdf(u) + norm.pdf(u)) for c, u in ((1, z / r), (-1, (z - 1) / r))
        )

    z = x @ q.T + b
    found = first_step(q, b, law, r)
    np.testing.assert_allclose(found.T, (p * y * window(z).T) @ x, atol=1e-13)
    np.testing.assert_allclose(found.T_b, (p * y) @ window(z), atol=1e-13)
    np.testing.assert_allclose(found.T_a, (p * y) @ smooth(z), atol=1e-13)
    background = x[:, law.k :] @ q[:, law.k :].T + b
    np.testing.assert_allclose(found.beta, p @ window(background), atol=1e-13)


def test_a_law_whose_background_is_not_independent_is_refused():
    with pytest.raises(ValueError, match="expected orthonormal patterns with an independent"):
        first_step(np.ones((1, 8)), np.ones(1), mixture(d=8, dictionary=8, k=3, p_o=0.3), 0.1)
