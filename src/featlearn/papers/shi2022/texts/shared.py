r"""Hypotheses and constants that several statements of the paper share."""

from featlearn.theory.text import Role, Unknown

TRAINING = (
    r"w_i \sim N(0, k^{-2} I), \ b_i \sim N(0, k^{-4}), \ a_i \sim "
    r"N(0, (\tilde\sigma^2/(\gamma k^2))^2), \ w_{m+i} = w_i, \ b_{m+i} = b_i, \ a_{m+i} = -a_i"
)
FIRST = r"\lambda_w^{(1)} = 1/(2\eta^{(1)}), \ \lambda_a^{(1)} = 0"
TYPICAL = (
    r"\max_\ell |q_\ell| \le \sigma_w \sqrt{2\log(Dm/\delta)}, \ "
    r"\|q_{-A}\|^2 \in [\tfrac12, \tfrac32] (D-k) \sigma_w^2 \ \text{for every neuron}"
)
"""The sets of typical starts, lemmas 9 and 10; they have probability 1 - O(delta)."""
MANY_BACKGROUNDS = r"p_o \ge c_p k^2/D"
LONG_CODE = r"k \ge c_k \log^2(Dm/\delta)"
PARITY = (r"3 < k \le D/16", r"k \ \text{odd}")


def order(
    symbol: str,
    role: Role = Role.CONCLUSION,
    weaker: str = "up",
    *,
    proof: float | str | None = None,
    line: str = "",
    run: float | str | None = None,
) -> Unknown:
    """A constant that the paper hides in an order."""
    return Unknown(
        symbol=symbol,
        role=role,
        weaker="up" if weaker == "up" else "down",
        proof=proof,
        line=line,
        run=run,
    )


def backgrounds(run: float | None = None) -> Unknown:
    """c_p of p_o >= c_p k²/D."""
    return order("c_p", Role.HYPOTHESIS, run=run)


def code(run: float | None = None) -> Unknown:
    """c_k of k >= c_k log²(Dm/delta)."""
    return order("c_k", Role.HYPOTHESIS, run=run)


BETA = order(r"c_\beta", weaker="down", run="fitted")
EXPONENT = order("c_e", weaker="down", run=r"\infty")
"""exp(-c_e k): the share of points with y g > 1, of which there are none in the run."""
SMALL_FIRST_STEP = order(r"c_\eta", Role.HYPOTHESIS, "down", run=1.0)

ERROR = (
    r"$\epsilon_e = (k\log^{1/2}(Dm/\delta) + \log^{3/2}(Dm/\delta))/"
    r"\sqrt{\sigma_\phi^2\tilde\sigma^2(D-k)}$"
)
SECOND_ERROR = (
    r"$\epsilon_{e2} = C_2\,\eta^{(1)}|a^{(0)}|k(\gamma+\epsilon_e)/(\tilde\sigma^2\sigma_\xi)"
    r" + e^{-c_e k}$"
)
SECOND = (
    TYPICAL,
    LONG_CODE,
    r"k \le c_D D",
    r"\sigma_a \le \tilde\sigma^2/(\gamma k^2)",
    r"\eta^{(1)} \le c_\eta \gamma/(km\sigma_a)",
    r"\sigma_\xi^{(2)} = k^{-3/2}",
)
SECOND_CONSTANTS = (
    order("C_2", run=1.0),
    EXPONENT,
    code(0.03),
    order("c_D", Role.HYPOTHESIS, "down", run=1.0),
    SMALL_FIRST_STEP,
)
