r"""The statements of the paper as text: claim, hypotheses and constants, as printed and corrected.

Data only. Orders (O, Omega, Theta) are one unknown each, named here by what they multiply.
"""

from featlearn.theory.text import Role, Text, Unknown

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


def _order(
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


def _backgrounds(run: float | None = None) -> Unknown:
    return _order("c_p", Role.HYPOTHESIS, run=run)


def _code(run: float | None = None) -> Unknown:
    return _order("c_k", Role.HYPOTHESIS, run=run)


BETA = _order(r"c_\beta", weaker="down", run="fitted")
EXPONENT = _order("c_e", weaker="down", run=r"\infty")
"""exp(-c_e k): the share of points with y g > 1, of which there are none in the run."""
SMALL_FIRST_STEP = _order(r"c_\eta", Role.HYPOTHESIS, "down", run=1.0)

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
    _order("C_2", run=1.0),
    EXPONENT,
    _code(0.03),
    _order("c_D", Role.HYPOTHESIS, "down", run=1.0),
    SMALL_FIRST_STEP,
)

TEXTS: dict[str, Text] = {
    "theorem-1": Text(
        printed=r"""With probability at least $1-\delta$ there is a step $t \le T = m^{4/3}$ with
$P(\operatorname{sign} g^{(t)}(x) \ne y) \le L_D(g^{(t)}) \le \epsilon$, for every law of the
family. (Theorem 26: for any $T$ the loss is at most $C_L (k^8/m^{2/3} + k^3T/m^2 + k^2m^{2/3}/T)$
if only $m \ge \max(c_4k^4, D)$.)""",
        hypotheses=(
            r"k \ge c_k \log^2(D/(\delta\gamma))",
            MANY_BACKGROUNDS,
            r"\max(c_m k^{12}/\epsilon^{3/2}, D) \le m \le D^{c_d}",
            TRAINING,
            r"\eta^{(1)} = \gamma^2\tilde\sigma^2/(km^3), \ " + FIRST,
            r"\eta^{(2)} = 1, \ \lambda_a^{(2)} = \lambda_w^{(2)} = \tfrac12, \ "
            r"\sigma_\xi^{(1)} = \sigma_\xi^{(2)} = k^{-2}",
            r"\eta^{(t)} = k^2/(Tm^{1/3}), \ \lambda^{(t)} \le k^3/(\tilde\sigma m^{1/3}), \ "
            r"\sigma_\xi^{(t)} = 0, \ t > 2",
        ),
        constants=(
            _code(),
            _backgrounds(),
            _order("c_m", Role.HYPOTHESIS),
            _order("c_4", Role.HYPOTHESIS),
            _order("c_d", Role.HYPOTHESIS, "down"),
            _order("C_L"),
        ),
        uses=("lemma-23", "lemma-24", "lemma-25"),
    ),
    "theorem-2": Text(
        printed=r"""Let $\Psi: X \to [-1,1]^N$ be fixed before the data. There is a law of the
family for which every $h(\tilde x) = \langle\Psi(\tilde x), w\rangle$ with $\|w\| \le B$ has
hinge loss at least $p_o(1 - \sqrt{2N}B/2^k)$. (The proof gives more: over the sets $A$, features
and bound fixed first, the mean of the least loss is at least $p_o(1 - B\sqrt{N/\binom Dk})$.)""",
        hypotheses=PARITY,
    ),
    "corollary-3": Text(
        printed=r"""Let $f$ be a function of a shift-invariant kernel of norm at most $L$, or $f =
\sum_i \alpha_i K(z_i, \cdot)$ with $\|\alpha\| \le L$. There is a law of the family for which $f$
has hinge loss at least $p_o(1 - P_1(d,L)/2^k) - 1/P_2(d,L)$, $P_1$ and $P_2$ polynomials.""",
        hypotheses=PARITY,
        constants=(
            _order("P_1", run=r"2^kL/\sqrt{\binom Dk}, \ \text{derived for } K(x,x) = 1"),
            _order("P_2", weaker="down", run=r"\infty"),
        ),
        uses=("theorem-2",),
    ),
    "theorem-4": Text(
        printed=r"""In the statistical query model, learning the parities of $k$ of $D$
independent fair bits to an error below $\frac12 - \binom Dk^{-3}$ takes at least $\frac12\binom
Dk^{1/3}$ queries, or a precision $1/\tau$ of that size.""",
        hypotheses=(r"\tilde\phi_j \ \text{independent and fair (A1')}",),
    ),
    "lemma-5": Text(
        printed=r"""For every law of the family there is a network $g^*(x) = \sum_{i=1}^n
a_i^*\sigma(\langle w_i^*, x\rangle + b_i^*)$ with $y = g^*(x)$ for all $(x,y)$, $n = 3(k+1)$,
$|a_i^*| \le 32k$, $1/(32k) \le |b_i^*| \le 1/2$, $w_i^* = \tilde\sigma\sum_{j\in A}M_j/(4k)$ and
$|\langle w_i^*, x\rangle + b_i^*| \le 1$.""",
        uses=("lemma-7",),
    ),
    "lemma-6": Text(
        printed=rf"""With {ERROR}, in full as lemma 15: $\partial L/\partial w_i =
-a_i^{{(0)}}\sum_j M_jT_j$ at the start, where $|T_j - \beta\gamma/\tilde\sigma| \le
C_A\epsilon_e/\tilde\sigma$ with $c_\beta \le \beta \le 1$ for $j \in A$, and $|T_j| \le
C_B\sigma_\phi^2\epsilon_e\tilde\sigma$ for the others.""",
        hypotheses=(TYPICAL, MANY_BACKGROUNDS, LONG_CODE, r"\sigma_\xi^{(1)} < 1/k"),
        constants=(
            _order(
                "C_A",
                proof=4.0,
                line="(32): 2t over the standard deviation, with the |q| and ||q|| of lemma 9; "
                "the Berry-Esseen term asks for more",
                run="fitted",
            ),
            _order(
                "C_B",
                proof=8.0,
                line="(32) again, over E|phi_j| = 2 sigma_phi² sigma~ of lemma 14",
                run="fitted",
            ),
            BETA,
            _backgrounds(1.0),
            _code(0.02),
        ),
        uses=("lemma-13", "lemma-14"),
    ),
    "lemma-18": Text(
        printed=r"""After the first step $w_i = \sum_\ell q_\ell M_\ell$ with $|q_\ell -
\eta^{(1)}a_i^{(0)}\beta\gamma/\tilde\sigma| \le C_A|\eta^{(1)}a_i^{(0)}|\epsilon_e/\tilde\sigma$,
$\beta \ge c_\beta$, for $\ell \in A$ and $|q_\ell| \le
C_B\sigma_\phi^2|\eta^{(1)}a_i^{(0)}|\epsilon_e\tilde\sigma$ for the others; $b_i^{(1)} =
b_i^{(0)} + \eta^{(1)}a_i^{(0)}T_b$ with $|T_b| \le C_b\epsilon_e$; $a_i^{(1)} = a_i^{(0)} +
\eta^{(1)}T_a$ with $|T_a| \le C_a\sigma_w\sqrt{\log(Dm/\delta)}$.""",
        hypotheses=(
            FIRST,
            r"\sigma_\xi^{(1)} = k^{-3/2}",
            TYPICAL,
            MANY_BACKGROUNDS,
            LONG_CODE,
        ),
        constants=(
            _order("C_A"),
            _order("C_B"),
            _order(r"c_\beta", weaker="down"),
            _order("C_b"),
            _order("C_a"),
            _backgrounds(0.5),
            _code(0.05),
        ),
        uses=("lemma-6", "lemma-16", "lemma-17"),
    ),
    "lemma-20": Text(
        printed=rf"""With {SECOND_ERROR}: $\partial L/\partial w_i = -a_i^{{(1)}}\sum_j M_jT_j$ at
the second step, where for $j \in A$ $|T_j - \beta\gamma/\tilde\sigma| \le
C_A(\epsilon_{{e2}}/\tilde\sigma + \eta^{{(1)}}/\sigma_\xi +
\eta^{{(1)}}|a_i^{{(0)}}|\epsilon_e/(\tilde\sigma\sigma_\xi))$, $\beta \ge c_\beta$, and for the
others $|T_j| \le e^{{-c_ek}}/\tilde\sigma + C_B\sigma_\phi^2\epsilon_{{e2}}\tilde\sigma$.""",
        hypotheses=SECOND,
        constants=(
            *SECOND_CONSTANTS,
            _order("C_A", run="fitted"),
            _order("C_B", run="fitted"),
            _order(r"c_\beta", weaker="down"),
        ),
        uses=("lemma-13", "lemma-14", "lemma-18", "lemma-19"),
    ),
    "lemma-21": Text(
        printed=rf"""With {SECOND_ERROR}: $\partial L/\partial b_i = -a_i^{{(1)}}T_b$ at the
second step, where $|T_b| \le e^{{-c_ek}} + C\epsilon_{{e2}}$.""",
        hypotheses=SECOND,
        constants=(*SECOND_CONSTANTS, _order("C", run="fitted")),
        uses=("lemma-14", "lemma-19", "lemma-20"),
    ),
    "lemma-22": Text(
        printed=r"""$\partial L/\partial a_i = -T_a$ at the second step, where $|T_a| \le
C\eta^{(1)}\tilde\sigma/\gamma + e^{-c_ek}(Dm)^{c_d}$.""",
        hypotheses=SECOND,
        constants=(
            *SECOND_CONSTANTS[1:],
            _order("C", run="fitted"),
            _order("c_d", run="0"),
        ),
        uses=("lemma-19",),
    ),
    "lemma-23": Text(
        printed=r"""With probability at least $1-\delta$ over the start there are $\tilde a_i$
such that $\tilde g(x) = \sum_i\tilde a_i\sigma(\langle w_i^{(2)}, x\rangle + b_i^{(2)})$ has
$L_D(\tilde g) = 0$, with $\|\tilde a\|_0 \le C_0m/k$, $\|\tilde a\|_\infty \le C_\infty k^5/m$,
$\|\tilde a\|_2^2 \le C_2k^9/m$; moreover $\|a^{(2)}\|_\infty \le C_a/(km^2)$, $\|w_i^{(2)}\|_2
\le C_w\tilde\sigma/k$, $|b_i^{(2)}| \le C_b/k^2$.""",
        hypotheses=(
            r"\eta^{(1)} = \gamma^2\tilde\sigma/(km^3), \ " + FIRST,
            r"\eta^{(2)} = 1, \ \lambda_a^{(2)} = \lambda_w^{(2)} = \tfrac12, \ "
            r"\sigma_\xi^{(1)} = \sigma_\xi^{(2)} = k^{-3/2}",
            r"\delta \le c_\delta/k^3",
            MANY_BACKGROUNDS,
            r"k \ge c_k\log^2(Dm/(\delta\gamma))",
            r"m \ge \max(c_4k^4, D)",
        ),
        constants=(
            _order(r"c_\delta", Role.HYPOTHESIS, "down", run=10.0),
            _backgrounds(0.5),
            _code(0.02),
            _order("c_4", Role.HYPOTHESIS, run=0.2),
            Unknown(
                symbol=r"\eta^{(1)}",
                role=Role.SIZE,
                weaker="down",
                printed=r"\gamma^2\tilde\sigma/(km^3)",
                run=r"\gamma^2\tilde\sigma^2/(km^3)",
            ),
            Unknown(
                symbol=r"\sigma_\xi",
                role=Role.SIZE,
                weaker="down",
                printed="k^{-3/2}",
                run="k^{-2}",
            ),
            _order("C_0"),
            _order(r"C_\infty"),
            _order("C_2"),
            _order("C_a"),
            _order("C_w"),
            _order("C_b"),
        ),
        uses=("lemma-5", "lemma-18", "lemma-20", "lemma-21", "lemma-22"),
    ),
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
            _order(r"c_\delta", Role.HYPOTHESIS, "down"),
            _order(r"c_\mu", Role.HYPOTHESIS, "down"),
            _order(r"c_\zeta", Role.HYPOTHESIS, "down"),
            _code(),
            _order("c_m", Role.HYPOTHESIS),
            _order("c_4", Role.HYPOTHESIS),
            _order("C_L"),
        ),
        uses=("theorem-1",),
    ),
    # Steps of the proofs that are not checked.
    "lemma-7": Text(
        printed=r"""The tent $\delta_{s,a,b}(z) = a\sigma_r(z-s+b) - 2a\sigma_r(z-s) +
a\sigma_r(z-s-b)$, $\sigma_r(z) = \max(z,0)$, is $ab - a|z-s|$ for $|z-s| \le b$ and 0
elsewhere.""",
        hypotheses=(r"a, b \ge 0",),
    ),
    "lemma-13": Text(
        printed=r"""Let $\nu \sim N(0,\sigma^2)$, $B \supseteq A$. Then for all $b$
$|P(\langle\phi,q\rangle + \nu \ge b) - P(\langle\phi_{-B},q_{-B}\rangle + \nu \ge b)| \le
C(|\langle\phi_B,q_B\rangle|/s + (\sigma^3 + \sigma_\phi^2\|q_{-B}\|_3^3/\tilde\sigma)/s^3)$, $s^2
= \sigma_\phi^2\|q_{-B}\|_2^2 + \sigma^2$.""",
        constants=(_order("C", proof=2.0, line="(32), first term"),),
    ),
    "lemma-14": Text(
        printed=r"""$Ey = 0$, $E|y| = 1$, $E|\phi_j| = 2\sigma_\phi^2\tilde\sigma$ for $j \notin
A$, $E[y\phi_j] = \gamma/\tilde\sigma$ for $j \in A$, $E|y\phi_j| \le 1/\tilde\sigma$.""",
        hypotheses=("A0", "A1", "A2"),
    ),
    "lemma-16": Text(
        printed=r"""$\partial L/\partial b_i = -a_i^{(0)}T_b$ at the start, $|T_b| \le
C\epsilon_e$.""",
        hypotheses=(TYPICAL, MANY_BACKGROUNDS, LONG_CODE),
        constants=(_order("C"), _backgrounds(), _code()),
        uses=("lemma-13", "lemma-14"),
    ),
    "lemma-17": Text(
        printed=r"""$\partial L/\partial a_i = -T_a$ at the start,
$|T_a| \le C\max_\ell|q_\ell|$.""",
        hypotheses=(TYPICAL, MANY_BACKGROUNDS, LONG_CODE),
        constants=(_order("C"), _backgrounds(), _code()),
    ),
    "lemma-19": Text(
        printed=r"""With probability at least $1 - e^{-c_ek}$ over $(x,y)$, $yg^{(1)}(x) < 1$
after the first step; moreover $|\langle w_i^{(1)}, x\rangle| \le C\eta^{(1)}\tilde\sigma/\gamma$
and $|b_i^{(1)} - b_{m+i}^{(1)}| \le C_b|\eta^{(1)}a_i^{(0)}|\epsilon_e$.""",
        hypotheses=(
            TYPICAL,
            MANY_BACKGROUNDS,
            LONG_CODE,
            r"\sigma_a \le \tilde\sigma^2/(\gamma k^2)",
            r"\eta^{(1)} \le c_\eta\gamma/(km\sigma_a)",
            r"\sigma_\xi^{(2)} \le 1/k",
        ),
        constants=(
            _order("c_e", Role.PROBABILITY, "down"),
            _order("C"),
            _order("C_b"),
            _backgrounds(),
            _code(),
            _order(r"c_\eta", Role.HYPOTHESIS, "down"),
        ),
        uses=("lemma-18",),
    ),
    "lemma-24": Text(
        printed=r"""For $t > 2$ with $\lambda^{(t)} = \lambda$, $\eta^{(t)} = \eta$ and
$\sigma_\xi^{(t)} = 0$: $|a_i^{(t)}| \le \eta t + C_a/(km^2)$, $\|w_i^{(t)} - w_i^{(2)}\| \le
C_wt\eta\lambda\tilde\sigma/k + \eta^2t^2 + C_tt/(km^2)$ and $|b_i^{(t)} - b_i^{(2)}| \le
C_bt\eta\lambda/k^2 + \eta^2t^2 + C_st/(km^2)$ (places in a bad scan of the text).""",
        hypotheses=(r"\lambda, \eta \in (0,1)",),
        constants=tuple(_order(f"C_{each}") for each in "awbts"),
        uses=("lemma-23",),
    ),
    "lemma-25": Text(
        printed=r"""With $g_{\tilde a}^{(t)} = \sum_i\tilde a_i\sigma(\langle w_i^{(t)},x\rangle +
b_i^{(t)})$ the loss of $g_{\tilde a}^{(t)}$ differs from that of $g_{\tilde a}^{(2)}$ by at most
$\|\tilde a\|_2\sqrt{\|\tilde a\|_0}(C_wt\eta\lambda\tilde\sigma/k + \eta^2t^2 + C_tt/(km^2))$.""",
        constants=(_order("C_w"), _order("C_t")),
        uses=("lemma-24",),
    ),
}
