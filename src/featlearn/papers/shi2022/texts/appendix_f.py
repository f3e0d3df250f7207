"""Appendix F: the general setting."""

from featlearn.papers.shi2022.texts.shared import (
    FIRST,
    code,
    order,
)
from featlearn.theory.text import Role, Text

TEXTS: dict[str, Text] = {
    "theorem-34": Text(
        printed=r"""Theorem 1 with an incoherent dictionary, $|\langle M_i,M_j\rangle| \le
\mu/\sqrt d$, input noise of sd $\sigma_\zeta$ and classes of any size, weighted by $1/(2P(y=v))$
in the first two steps: with probability at least $1-\delta$ there is a $t \le T = m^{4/3}$ with
$P(\operatorname{sign} g^{(t)}(x) \ne y) \le L_D(g^{(t)}) \le \epsilon$. (For any $T$: at most
$C_L(k^8/m^{2/3} + k^3T/m^2 + k^2m^{2/3}/T)$ if $m \ge \max(c_4k^4, D, d)$.)""",
        hypotheses=(
            r"\delta \le c_\delta/k^3",
            r"\mu \le c_\mu\sqrt d/D",
            r"\sigma_\zeta \le c_\zeta\min(1/\tilde\sigma, \tilde\sigma/\sqrt d)",
            r"k \ge c_k\log^2(Dmd/(\delta\gamma p_{\min}))",
            r"m \ge \max(c_mk^{12}/\epsilon^{3/2}, D, d)",
            r"\eta^{(1)} = \gamma^2p_{\min}\tilde\sigma/(km^3), \ " + FIRST,
            r"\eta^{(2)} = 1, \ \lambda_a^{(2)} = \lambda_w^{(2)} = \tfrac12, \ "
            r"\sigma_\xi^{(1)} = \sigma_\xi^{(2)} = k^{-3/2}",
            r"\eta^{(t)} = k^2/(Tm^{1/3}), \ \lambda^{(t)} \le k^3/(\tilde\sigma m^{1/3}), \ "
            r"\sigma_\xi^{(t)} = 0, \ t > 2",
        ),
        constants=(
            order(r"c_\delta", Role.HYPOTHESIS, "down"),
            order(r"c_\mu", Role.HYPOTHESIS, "down"),
            order(r"c_\zeta", Role.HYPOTHESIS, "down"),
            code(),
            order("c_m", Role.HYPOTHESIS),
            order("c_4", Role.HYPOTHESIS),
            order("C_L"),
        ),
        uses=("theorem-1",),
    ),
}
