"""Appendices B.4 and B.5: the two feature-learning steps."""

from featlearn.papers.shi2022.texts.shared import (
    FIRST,
    LONG_CODE,
    MANY_BACKGROUNDS,
    SECOND,
    SECOND_CONSTANTS,
    SECOND_ERROR,
    SMALL_FIRST_STEP,
    TYPICAL,
    backgrounds,
    code,
    order,
)
from featlearn.theory.text import Role, Text, Unknown

TEXTS: dict[str, Text] = {
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
            order("C_A"),
            order("C_B"),
            order(r"c_\beta", weaker="down"),
            order("C_b"),
            order("C_a"),
            backgrounds(0.5),
            code(0.05),
        ),
        uses=("lemma-6", "lemma-9", "lemma-16", "lemma-17"),
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
            order("C_A", run="fitted"),
            order("C_B", run="fitted"),
            order(r"c_\beta", weaker="down"),
        ),
        uses=("lemma-12", "lemma-13", "lemma-14", "lemma-18", "lemma-19"),
    ),
    "lemma-21": Text(
        printed=rf"""With {SECOND_ERROR}: $\partial L/\partial b_i = -a_i^{{(1)}}T_b$ at the
second step, where $|T_b| \le e^{{-c_ek}} + C\epsilon_{{e2}}$.""",
        hypotheses=SECOND,
        constants=(*SECOND_CONSTANTS, order("C", run="fitted")),
        uses=("lemma-12", "lemma-14", "lemma-19", "lemma-20"),
    ),
    "lemma-22": Text(
        printed=r"""$\partial L/\partial a_i = -T_a$ at the second step, where $|T_a| \le
C\eta^{(1)}\tilde\sigma/\gamma + e^{-c_ek}(Dm)^{c_d}$.""",
        hypotheses=SECOND,
        constants=(
            *SECOND_CONSTANTS[1:],
            order("C", run="fitted"),
            order("c_d", run="0"),
        ),
        uses=("lemma-12", "lemma-18", "lemma-19"),
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
            order(r"c_\delta", Role.HYPOTHESIS, "down", run=10.0),
            backgrounds(0.5),
            code(0.02),
            order("c_4", Role.HYPOTHESIS, run=0.2),
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
            order("C_0"),
            order(r"C_\infty"),
            order("C_2"),
            order("C_a"),
            order("C_w"),
            order("C_b"),
        ),
        uses=("lemma-5", "lemma-9", "lemma-18", "lemma-20", "lemma-21", "lemma-22"),
    ),
    "lemma-16": Text(
        printed=r"""$\partial L/\partial b_i = -a_i^{(0)}T_b$ at the start, $|T_b| \le
C\epsilon_e$.""",
        hypotheses=(TYPICAL, MANY_BACKGROUNDS, LONG_CODE, r"\sigma_\xi^{(1)} < 1/k"),
        constants=(order("C", run="fitted"), backgrounds(1.0), code(0.02)),
        uses=("lemma-11", "lemma-12", "lemma-13", "lemma-14"),
    ),
    "lemma-17": Text(
        printed=r"""$\partial L/\partial a_i = -T_a$ at the start, $|T_a| \le C\max_\ell|q_\ell|$.
(No hypothesis is printed; the proof uses the one below.)""",
        hypotheses=(MANY_BACKGROUNDS,),
        constants=(
            order(
                "C",
                proof=r"\sqrt{1 + \sum_{j \ne \ell \in A}E|\phi_j\phi_\ell|}",
                line="(116)",
                run=r"k/(2\tilde\sigma), \ \max \text{ over } A",
            ),
            backgrounds(0.5),
        ),
        uses=("lemma-12", "lemma-14"),
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
            order("c_e", Role.PROBABILITY, "down", run=r"\infty"),
            order("C", run="fitted"),
            order("C_b", run="fitted"),
            backgrounds(0.5),
            code(0.03),
            SMALL_FIRST_STEP,
        ),
        uses=("lemma-16", "lemma-17", "lemma-18"),
    ),
}
