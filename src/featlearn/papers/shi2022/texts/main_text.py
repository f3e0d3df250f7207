"""The main text: theorems 1 to 4, lemmas 5 and 6."""

from featlearn.papers.shi2022.texts.shared import (
    BETA,
    ERROR,
    FIRST,
    LONG_CODE,
    MANY_BACKGROUNDS,
    PARITY,
    TRAINING,
    TYPICAL,
    backgrounds,
    code,
    order,
)
from featlearn.theory.text import Role, Text, Unknown

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
            code(),
            backgrounds(),
            order("c_m", Role.HYPOTHESIS),
            order("c_4", Role.HYPOTHESIS),
            order("c_d", Role.HYPOTHESIS, "down"),
            order("C_L"),
        ),
        uses=("lemma-23", "lemma-24", "lemma-25"),
    ),
    "theorem-2": Text(
        printed=r"""Let $\Psi: X \to [-1,1]^N$ be fixed before the data. There is a law of the
family for which every $h(\tilde x) = \langle\Psi(\tilde x), w\rangle$ with $\|w\| \le B$ has
hinge loss at least $p_o(1 - \sqrt{2N}B/2^k)$. (The proof gives more: over the sets $A$, features
and bound fixed first, the mean of the least loss is at least $p_o(1 - B\sqrt{N/\binom Dk})$.)""",
        hypotheses=PARITY,
        uses=("theorem-29",),
    ),
    "theorem-29": Text(
        printed=r"""Let $z$ be uniform on $\{\pm1\}^D$, $y_A = \prod_{i\in A}z_i$ and $\Psi:
\{\pm1\}^D \to [-1,1]^N$. There is a set $A$ of size $k$ for which every $h(z) =
\langle\Psi(z), w\rangle$ with $\|w\| \le B$ has hinge loss at least $1 - \sqrt{2N}B/2^k$.""",
        hypotheses=(r"k \le D/16", r"k \ \text{odd}"),
        constants=(
            Unknown(
                symbol=r"\sqrt{2N}/2^k",
                role=Role.CONCLUSION,
                weaker="up",
                printed=r"\sqrt{2N}/2^k",
                run=r"\sqrt{N/\binom Dk}, \ \text{mean over } A",
            ),
        ),
    ),
    "corollary-3": Text(
        printed=r"""Let $f$ be a function of a shift-invariant kernel of norm at most $L$, or $f =
\sum_i \alpha_i K(z_i, \cdot)$ with $\|\alpha\| \le L$. There is a law of the family for which $f$
has hinge loss at least $p_o(1 - P_1(d,L)/2^k) - 1/P_2(d,L)$, $P_1$ and $P_2$ polynomials.""",
        hypotheses=PARITY,
        constants=(
            order("P_1", run=r"2^kL/\sqrt{\binom Dk}, \ \text{derived for } K(x,x) = 1"),
            order("P_2", weaker="down", run=r"\infty"),
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
            order(
                "C_A",
                proof=4.0,
                line="(32): 2t over the standard deviation, with the |q| and ||q|| of lemma 9; "
                "the Berry-Esseen term asks for more",
                run="fitted",
            ),
            order(
                "C_B",
                proof=8.0,
                line="(32) again, over E|phi_j| = 2 sigma_phi² sigma~ of lemma 14",
                run="fitted",
            ),
            BETA,
            backgrounds(1.0),
            code(0.02),
        ),
        uses=("lemma-9", "lemma-11", "lemma-12", "lemma-13", "lemma-14"),
    ),
}
