r"""Appendices B.1 to B.3, with their twins in appendix F: the start, the gradients, moments."""

from featlearn.papers.shi2022.texts.shared import (
    order,
)
from featlearn.theory.text import Role, Text

TEXTS: dict[str, Text] = {
    "lemma-7": Text(
        printed=r"""The tent $\delta_{s,a,b}(z) = a\sigma_r(z-s+b) - 2a\sigma_r(z-s) +
a\sigma_r(z-s-b)$, $\sigma_r(z) = \max(z,0)$, is $ab - a|z-s|$ for $|z-s| \le b$ and 0
elsewhere.""",
        hypotheses=(r"a, b \ge 0",),
    ),
    "lemma-9": Text(
        printed=r"""With probability at least $1 - \delta - 2e^{-c(D-k)}$ over $w^{(0)}$,
$\|q_{-A}\|^2 \in [\tfrac12, \tfrac32](D-k)\sigma_w^2$ and $\max_\ell|q_\ell| \le
\sigma_w\sqrt{2\log(D/\delta)}$; with probability at least $1-\delta$ each $|b^{(0)}| \le
\sigma_b\sqrt{2\log(1/\delta)}$ and $|a^{(0)}| \le \sigma_a\sqrt{2\log(1/\delta)}$. (Lemma 10: for
all $m$ neurons at once with $Dm$ and $m$ in the logarithms. Lemmas 36 and 37: the same, with a
constant $c_F$, where $|\langle M_i, M_j\rangle| \le \mu/\sqrt d$ and $D\mu/\sqrt d \le
\tfrac1{16}$.)""",
        constants=(
            order("c", Role.PROBABILITY, "down", run=0.047),
            order("c_F", Role.PROBABILITY, "down", run=0.033),
        ),
    ),
    "lemma-11": Text(
        printed=r"""For a typical neuron $P(\sum_{\ell\notin A}\phi_\ell q_\ell \ge c_1s) \ge c_2 -
C\log^{3/2}(Dm/\delta)/\sqrt{(D-k)\sigma_\phi^2\tilde\sigma^2}$ with $s^2 =
(D-k)\sigma_\phi^2\sigma_w^2$. So if $p_o \ge c_pk^2/D$ and $k \ge c_k\log^2(Dm/\delta)$ it is at
least $c_2 - C/k^{1/4}$ with $\sigma_w$ in the place of $s$.""",
        hypotheses=(
            r"\max_\ell|q_\ell| \le \sigma_w\sqrt{2\log(Dm/\delta)}, \ "
            r"\|q_{-A}\|^2 \ge \tfrac12(D-k)\sigma_w^2",
        ),
        constants=(
            order("c_1", weaker="down", run=0.25),
            order("c_2", weaker="down", run=r"1 - \Phi(\sqrt2/4) = 0.36"),
            order("C", run=r"1.12, \ \log^{1/2} \text{ in the place of } \log^{3/2}"),
        ),
        uses=("lemma-9",),
    ),
    "lemma-12": Text(
        printed=r"""$\partial L/\partial w_i = -a_iE[yI[yg \le 1]P_\xi(\langle w_i,x\rangle + b_i +
\xi \in (0,1))x]$, $\partial L/\partial b_i = -a_iE[yI[yg \le 1]P_\xi(\langle w_i,x\rangle + b_i
\in (0,1))]$, $\partial L/\partial a_i = -E[yI[yg \le 1]E_\xi\sigma(\langle w_i,x\rangle + b_i +
\xi)]$. (Lemma 38: the same with $\alpha_yy$ for $y$, $\alpha_v = 1/(2P(y=v))$.)""",
        corrected=r"""The second with $+\,\xi$ in the probability, as in the first: (24) and (320)
have lost it.""",
    ),
    "lemma-13": Text(
        printed=r"""Let $\nu \sim N(0,\sigma^2)$, $B \supseteq A$ and $\phi_B$ fixed. Then for all
$b$ $|P(\langle\phi,q\rangle + \nu \ge b) - P(\langle\phi_{-B},q_{-B}\rangle + \nu \ge b)| \le
C_1|\langle\phi_B,q_B\rangle|/s + C_3(\sigma^3 + \sigma_\phi^2\|q_{-B}\|_3^3/\tilde\sigma)/s^3$,
$s^2 = \sigma_\phi^2\|q_{-B}\|_2^2 + \sigma^2$; also with $\sigma = 0$.""",
        hypotheses=("A2",),
        constants=(
            order("C_1", proof=2.0, line="(32), first term", run=0.4),
            order("C_3", run=1.79),
        ),
    ),
    "lemma-14": Text(
        printed=r"""$Ey = 0$, $E|y| = 1$, $E|\phi_j| = 2\sigma_\phi^2\tilde\sigma$ for $j \notin
A$, $E[y\phi_j] = \gamma/\tilde\sigma$ for $j \in A$, $E|y\phi_j| \le 1/\tilde\sigma$. (Lemma 39:
the same in appendix F with $\alpha_yy$ for $y$, its $\gamma$ and a rate for every $j$.)""",
        hypotheses=("A0", "A1", "A2"),
    ),
}
