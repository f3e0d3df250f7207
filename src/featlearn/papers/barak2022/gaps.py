r"""Fourier coefficients of majority, exactly at any n: the gap that a parity's gradient has.

    maj(x) = sign(x_1 + … + x_n), n odd         zeta_j = E[maj chi_S],  |S| = j

zeta_j = 2 E[x_1…x_j 1(sum > 0)], an alternating binomial (`distributions.alternating_binomial`). A
neuron with weights ±1 has relu'(w.x) = (1 + maj(w o x))/2, so on the parity of k bits its gradient
is zeta_(k-1)/2 on relevant coordinates and zeta_(k+1)/2 on the others, up to signs. To leading
order in n the gap |zeta_(k-1)| - |zeta_(k+1)| is (k-3)!! sqrt(2/pi) n^(-(k-1)/2), k even.
"""

import math

import numpy as np

from featlearn.distributions.alternating_binomial import alternating_step


def majority_coefficient(n: int, order: int) -> float:
    """zeta_order of the majority of n bits, n odd; 0 for an even order.

    Example:
        >>> [round(majority_coefficient(3, order), 12) for order in (1, 3)]
        [0.5, -0.5]
    """
    if order > n or order % 2 == 0:
        return 0.0
    step = alternating_step(order, np.array([n - order]), np.array([0.0]))
    return float(2 * step[0])


def fourier_gap(n: int, k: int) -> float:
    """|zeta_(k-1)| - |zeta_(k+1)|; below 0 where the order reverses."""
    return abs(majority_coefficient(n, k - 1)) - abs(majority_coefficient(n, k + 1))


def leading_gap(n: int, k: int) -> float:
    """(k-3)!! sqrt(2/pi) n^(-(k-1)/2)."""
    double = math.prod(range(k - 3, 0, -2))
    return double * math.sqrt(2 / math.pi) * n ** (-(k - 1) / 2)
