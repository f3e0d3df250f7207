"""The simulation free of d against theory: one step exactly, and the limit of small steps."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats
from scipy.integrate import solve_ivp

from featlearn.distributions import Parity
from featlearn.networks import QUADRATIC, Gaussian, Params, Signs, TwoLayer
from featlearn.training import Descent, Fresh, Plain, in_coordinates, loss
from featlearn.training.loop import advance

REPEATS = 5_000


def simulated(d: int, m: int, eta: float, **network: Any) -> Any:
    """XOR with Gaussian noise and two neurons, in coordinates."""
    descent = Descent(
        law=Parity(d=d, noise="gaussian"),
        network=TwoLayer(
            d=d, width=2, w=Gaussian(sd=1.0), a=Signs(size=1.0), scaling="mean-field", **network
        ),
        loss=loss("doubled-logistic" if network else "hinge"),
        data=Fresh(batch=m),
        steps=10**6,
        rule=Plain(eta=eta),
    )
    return in_coordinates(descent)


@pytest.mark.parametrize("d", [12, 10**9])
def test_the_products_after_a_step_have_their_exact_law(d, key):
    r"""Neurons ±c e_1 share the points out by the sign of x_1, and the hinge pulls by -y/m.

    So the noise in neuron j is eta a/m times the sum of N_j independent normal vectors in R^(d-2),
    N_1 + N_2 = m: its square is (eta a/m)^2 N_j chi^2_{d-2}, N_1 binomial, and the squared cosine
    of the two is Beta(1/2, (d-3)/2), whatever N_1.
    """
    m, eta, a = 40, 0.5, 0.5
    phase = simulated(d, m, eta)
    w = jnp.zeros((2, 4)).at[:, 0].set(jnp.array([0.1, -0.1]))
    params = Params(w=w, a=jnp.array([a, a]))

    def one(key):
        return phase.step(phase.start(params, None), 0, None, key=key).params.w[:, 2:]

    rest = np.asarray(jax.jit(jax.vmap(one))(jax.random.split(key, REPEATS)), float)
    Q = rest @ rest.transpose(0, 2, 1)
    unit, freedom = (eta * a / m) ** 2, d - 2
    n = np.arange(m + 1)
    weight = scipy.stats.binom.pmf(n, m, 0.5)[1:]

    def below(x):
        return weight @ scipy.stats.chi2.cdf(np.asarray(x)[None] / n[1:, None], freedom)

    cosine = Q[:, 0, 1] ** 2 / (Q[:, 0, 0] * Q[:, 1, 1])
    beta = scipy.stats.beta(0.5, (freedom - 1) / 2)
    assert scipy.stats.kstest(Q[:, 0, 0] / unit, below).pvalue > 1e-6
    assert scipy.stats.kstest(cosine, beta.cdf).pvalue > 1e-6
    if d > 10**6:
        # N_1 can be read off, and what is left is the chi-square by itself: spread 4.5e-5, where
        # float32 weights round to 1e-7.
        square = Q[:, 0, 0] / unit
        counts = np.round(square / freedom)
        assert scipy.stats.kstest(square / counts, "chi2", args=(freedom,)).pvalue > 1e-6


def flow(noise: float):
    """d/dt of (signal columns, products, a) for two quadratic neurons as eta -> 0, eta d/m = noise.

    z_j = u_j + v_j with u the signal's part and v ~ N(0, Q); f = (a_1 z_1^2 + a_2 z_2^2)/2; with
    l' the slope of the loss and s' = 2 z,

        S_j' = -a_j E[l' s'_j u],   Q_jl' = -(H_jl + H_lj) + noise a_j a_l E[l'^2 s'_j s'_l],
        a_j' = -E[l' z_j^2],        H_jl = a_j E[l' s'_j v_l].
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    pairs = np.stack(np.meshgrid(nodes, nodes), -1).reshape(-1, 2)
    of_pair = np.outer(weights, weights).ravel() / (4 * weights.sum() ** 2)
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])

    def slope(t, state):
        S, Q, a = state[:4].reshape(2, 2), state[4:8].reshape(2, 2), state[8:]
        v = pairs @ np.linalg.cholesky(Q).T
        move, grow, push = np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2)
        for u in corners:
            y, z = -u[0] * u[1], v + S @ u
            f = z**2 @ a / 2
            pull = -2 * y / (1 + np.exp(y * f))
            g = (of_pair * pull)[:, None] * 2 * z * a
            move -= np.outer(g.sum(0), u)
            H = g.T @ v
            grow -= H + H.T
            grow += noise * (of_pair * pull**2 * (2 * z * a).T) @ (2 * z * a)
            push -= (of_pair * pull) @ z**2
        return np.concatenate([move.ravel(), grow.ravel(), push])

    return slope


def test_small_steps_in_high_dimension_follow_the_deterministic_flow():
    """At eta = 0.01 and d = 10^6 the flow is met within 1 %; without its noise term it is not."""
    eta, d, m, time = 0.01, 10**6, 20_000, 0.6
    phase = simulated(d, m, eta, activation=QUADRATIC)
    S = np.array([[0.2, -0.1], [0.1, 0.3]])
    Q = np.array([[0.3, 0.1], [0.1, 0.2]])
    a = np.array([0.5, -0.4])
    w = np.concatenate([S, np.linalg.cholesky(Q)], axis=1)
    params = Params(w=jnp.asarray(w, jnp.float32), a=jnp.asarray(a, jnp.float32))
    steps = round(time / eta)
    state = advance(phase, phase.start(params, None), 0, steps, None, jax.random.key(3))
    end = state.params
    rest = np.asarray(end.w[:, 2:], float)
    ours = np.concatenate([np.ravel(end.w[:, :2]), np.ravel(rest @ rest.T), end.a])
    start = np.concatenate([S.ravel(), Q.ravel(), a])

    def gap(noise):
        found = solve_ivp(flow(noise), (0, time), start, rtol=1e-7, atol=1e-9)
        return float(np.abs(found.y[:, -1] - ours).max())

    # What is of order 1 moves by order 1; eta leaves an error of its own order, m one of 0.005.
    assert gap(eta * d / m) < 0.02
    assert gap(0.0) > 0.1
