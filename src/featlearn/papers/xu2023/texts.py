r"""The statements of the paper as text: claim, hypotheses and constants, as printed and corrected.

Data only. Every epsilon is in (0, 10^-3/4), as section 4 prints; the run takes the largest, which
is the most favourable. What the proofs ask of n is in `featlearn.papers.xu2023.assumptions`.
"""

from featlearn.theory.text import Role, Text, Unknown

ALL = (
    r"\|\mu\|^2 \ge C n^{0.51}\sqrt p",
    r"p \ge C n^2 \|\mu\|^2",
    r"\eta \le 1/C",
    r"\alpha \le 1/(Cnp)",
    r"\omega n m^{3/2} p \le \alpha\|\mu\|^2",
    r"m \ge C n^{0.02}",
)
"""A1 to A6."""
GOOD = (*ALL, r"(a, W^{(0)}, X) \in \mathcal G_{good}")
PROMISED = r"$1-C_1n^{-\varepsilon}$"

UNIVERSAL = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=150.0,
    line="A.23; A.26 asks for 360",
    run=1.0,
)
FREE = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", run=1.0)
"""The same in statements whose proof asks for no number of it."""
EPSILON = Unknown(
    symbol=r"\varepsilon",
    role=Role.HYPOTHESIS,
    weaker="down",
    printed=r"(0, 10^{-3}/4)",
    run=r"10^{-3}/4",
)
FAILURE = Unknown(
    symbol="C_1",
    role=Role.PROBABILITY,
    weaker="up",
    run=r"0.1 n^{\varepsilon}",
)
"""Of O(n^-eps); n^-eps is .998, so that the run asks for a probability of .9."""


def _certified(symbol: str = r"c_\Omega") -> Unknown:
    """The constant of the exponent of the test error."""
    return Unknown(
        symbol=symbol,
        role=Role.CONCLUSION,
        weaker="down",
        proof=r"1/(2 \cdot 240^2)",
        line="A.71 and A.9",
        run=r"1/(2 \cdot 240^2)",
    )


TEXTS: dict[str, Text] = {
    "theorem-3.1": Text(
        printed=r"""With probability at least $1-n^{-c_1}-C_m/\sqrt m$:
(i) $y_i = \operatorname{sgn} f(x_i; W^{(t)})$ for all $i \in [n]$ and $1 \le t \le \sqrt n$;
(ii) $\frac12(1-n^{-c_2}) \le P(y \ne \operatorname{sgn} f(x; W^{(1)})) \le \frac12(1+n^{-c_2})$;
(iii) $P(y \ne \operatorname{sgn} f(x; W^{(t)})) \le \exp(-c_\Omega n^{0.99}\|\mu\|^4/p)$ for $C
n^{0.01} \le t \le \sqrt n$.""",
        hypotheses=ALL,
        constants=(
            UNIVERSAL,
            Unknown(symbol="c_1", role=Role.PROBABILITY, weaker="down", run=0.25),
            Unknown(symbol="C_m", role=Role.PROBABILITY, weaker="up", run=1.0),
            Unknown(
                symbol="c_2",
                role=Role.CONCLUSION,
                weaker="down",
                proof=r"\varepsilon",
                line="A.13",
                run=0.25,
            ),
            _certified(),
            Unknown(
                symbol="t_0",
                role=Role.SIZE,
                weaker="up",
                printed=r"Cn^{0.01}",
                proof=r"150 n^{0.01}",
                line="A.23: beyond sqrt n below n = 27 600",
                run=r"\sqrt n/2",
            ),
        ),
        uses=("definition-4.5", "lemma-4.7", "theorem-4.8", "equation-4.3"),
    ),
    "lemma-4.1": Text(
        printed=rf"""With probability at least {PROMISED}, for all $i \ne k$ and $\nu$:
(B1) $\max_\nu \langle x_k-\bar x_k,\nu\rangle \le 10\sqrt{{\log n}}\|\mu\|$ and
$|\|x_k\|^2-p-\|\mu\|^2| \le 10\sqrt{{p\log n}}$;
(B2) $|\langle x_i,x_k\rangle-\langle\bar x_i,\bar x_k\rangle| \le 10\sqrt{{p\log n}}$;
(B3) $|c_\nu+n_\nu-n/4| \le \sqrt{{\varepsilon n\log n}}$ and $|n_\nu-\eta(c_\nu+n_\nu)| \le
\sqrt{{\varepsilon\eta n\log n}}$;
(B4) $|c_\nu+n_\nu-c_{{-\nu}}-n_{{-\nu}}| \ge n^{{1/2-\varepsilon}}$ and $|n_\nu-n_{{-\nu}}| \ge
\eta n^{{1/2-\varepsilon}}$.""",
        hypotheses=ALL[:2],
        constants=(FREE, EPSILON, FAILURE),
        uses=("lemma-A.17",),
    ),
    "corollary-4.2": Text(
        printed=r"$|\cos(x_i,x_k)| \le 2/(Cn^2)$ for all $1 \le i \ne k \le n$.",
        hypotheses=(*ALL[:2], "B1", "B2"),
        constants=(FREE, FAILURE),
        uses=("lemma-4.1",),
    ),
    "lemma-4.3": Text(
        printed=rf"""With probability at least {PROMISED}:
(C1) $\|W^{{(0)}}\|_F^2 \le \frac32\omega^2mp$;
(C2) $|\mathcal J_{{Pos}}| \ge m/3$ and $|\mathcal J_{{Neg}}| \ge m/3$.""",
        hypotheses=(*ALL[:2], ALL[5]),
        constants=(FREE, EPSILON, FAILURE),
    ),
    "lemma-4.4": Text(
        printed=rf"""Given $a \in \mathcal G_A$, $X \in \mathcal G_{{data}}$, with probability at
least {PROMISED}: (D1) every $x_i$ activates at least $m/7$ neurons of each sign;
(D2) for all $\nu$, $\kappa \in [0,\frac12)$ at least $mn^{{-10\varepsilon}}$ neurons of each sign
are $(\nu,\kappa)$-aligned; (D3) all but a share $10n^{{-20\varepsilon}}$ of each sign are
$(\pm\nu,20\varepsilon)$-aligned; (D4) $\sum_j (c_\nu-n_\nu-d_{{-\nu,j}}^{{(0)}}) \ge \frac
n{{10}} |\mathcal J|$ over the $(\nu,\kappa)$-aligned neurons $\mathcal J$ of each sign.""",
        hypotheses=(*ALL[:3], ALL[5], r"X \in \mathcal G_{data}", r"a \in \mathcal G_A"),
        constants=(UNIVERSAL, EPSILON, FAILURE),
        uses=("lemma-4.1", "corollary-4.2", "lemma-A.15", "lemma-A.16"),
    ),
    "definition-4.5": Text(
        printed=rf"""A good run: $(a, W^{{(0)}}, X) \in \mathcal G_{{good}}$ if B1 to B4, C1, C2
and D1 to D4 hold; $P(\mathcal G_{{good}}) \ge$ {PROMISED}.""",
        hypotheses=ALL,
        constants=(FREE, EPSILON, FAILURE),
        uses=("lemma-4.1", "lemma-4.3", "lemma-4.4"),
    ),
    "equation-4.3": Text(
        printed=r"""$f(x; W^{(1)}) \approx \frac{\alpha}{2n}\sum_j a_j \phi(a_j\langle\sum_i
s_{ij}y_ix_i, x\rangle) \to \frac{\alpha}{8n}\langle\sum_i y_ix_i, x\rangle$ almost surely as $m
\to \infty$.""",
        hypotheses=GOOD,
        constants=(
            FREE,
            Unknown(
                symbol=r"\mathcal G_{good}",
                role=Role.SIZE,
                weaker="down",
                printed="definition 4.5",
                run="all runs",
            ),
            Unknown(
                symbol=r"\approx",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"\text{a distance of order } m^{-1/2}",
            ),
        ),
        uses=("lemma-4.6",),
    ),
    "lemma-4.6": Text(
        printed=r"""Let $\{a_j\}$, $\{b_j\}$ be independent sequences, $a_j$ i.i.d. uniform on
$\pm1/\sqrt m$, $E b_j = b$, $E|b_j| < \infty$. Then $\sum_j a_j\phi(a_jb_j) \to b/2$ almost
surely.""",
        corrected=r"""The same for $b_j$ that are moreover i.i.d. (Without it: $b_j = B$, one fair
sign for all, has $b = 0$ and the limit $B/2$.)""",
    ),
    "lemma-4.7": Text(
        printed=r"""For $1 \le t \le \sqrt n$: $\frac1{|\mathcal J_1|}\sum_{j\in\mathcal
J_1}\langle w_j^{(t)},+\mu_1\rangle \ge c_\Omega\frac{\alpha\|\mu\|^2}{\sqrt m}t$ and
$\frac1{|\mathcal J_2|} \sum_{j\in\mathcal J_2}|\langle w_j^{(t)},\mu_1\rangle| \le
C_O(\frac{\alpha\|\mu\|^2}{\sqrt m}+ \frac{\alpha\|\mu\|^2\sqrt{\log n}}{\sqrt{mn}}t)$; $\mathcal
J_1$ the positive $(+\mu_1,\kappa)$-aligned neurons, $\mathcal J_2$ the negative
$(\pm\mu_1,\kappa)$-aligned ones, $\kappa = 20\varepsilon$.""",
        corrected=r"""The same for $2 \le t \le \sqrt n$; at $t = 1$ the first mean is
$\Theta(n^{-1/2})\frac{\alpha\|\mu\|^2}{\sqrt m}$, for which no constant $c_\Omega$ will do.""",
        hypotheses=GOOD,
        constants=(
            UNIVERSAL,
            Unknown(
                symbol=r"c_\Omega",
                role=Role.CONCLUSION,
                weaker="down",
                proof=r"(t-1)/(40t)",
                line="A.66",
                run=r"(t-1)/(40t)",
            ),
            Unknown(
                symbol="C_O",
                role=Role.CONCLUSION,
                weaker="up",
                proof=r"[n+1+(\Delta+1)(t-2)]/(2n)",
                line="A.69, the whole bound",
                run=r"[n+1+(\Delta+1)(t-2)]/(2n)",
            ),
            Unknown(
                symbol=r"\mathcal G_{good}",
                role=Role.SIZE,
                weaker="down",
                printed="definition 4.5",
                run="all runs",
            ),
            Unknown(
                symbol=r"\kappa",
                role=Role.SIZE,
                weaker="down",
                printed=r"20\varepsilon",
                run=r"\tfrac12, \ \text{without the technical condition}",
            ),
            Unknown(symbol="C_1", role=Role.PROBABILITY, weaker="up", run=r"0.1 n^{\varepsilon}"),
        ),
        uses=("definition-4.5",),
    ),
    "theorem-4.8": Text(
        printed=r"""For $Cn^{10\varepsilon} \le t \le \sqrt n$, $P(y \ne \operatorname{sgn} f(x;
W^{(t)})) \le \exp(-c_\Omega n^{1-20\varepsilon}\|\mu\|^4/p)$.""",
        hypotheses=GOOD,
        constants=(
            UNIVERSAL,
            EPSILON,
            _certified(),
            FAILURE,
            Unknown(
                symbol=r"\mathcal G_{good}",
                role=Role.SIZE,
                weaker="down",
                printed="definition 4.5",
                run="runs whose clusters are balanced",
            ),
        ),
        uses=("definition-4.5", "lemma-4.7"),
    ),
    "lemma-A.14": Text(
        printed=r"""$\max\{\frac12\operatorname{Var}g, \frac14(Eg)^2\} \le
\operatorname{Var}(a\phi(ag)) \le \max\{\operatorname{Var}g, \frac12(Eg)^2\}$ and
$E|a\phi(ag)-Ea\phi(ag)|^3 \le 32\max\{E|g-Eg|^3, |Eg|^3\}$.""",
        hypotheses=(r"a \ \text{a fair sign, independent of } g", r"E|g|^3 < \infty"),
    ),
    "lemma-A.15": Text(
        printed=r"""$\frac12 E f(b') \le E f(b) \le 2E f(b')$ for all $f \ge 0$, $b_i = 1(z_i>0)$
and $b_i' = 1(z_i'>0)$, $Z' \sim N(0, I)$.""",
        hypotheses=(
            r"Z \sim N(0,\Sigma), \ \Sigma_{ii} = 1, \ |\Sigma_{ij}| \le 1/(Cn^2), \ C > 8",
        ),
        constants=(Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", printed=8.0, run=9.0),),
        uses=("lemma-A.16",),
    ),
    "lemma-A.16": Text(
        printed=r"""$(\frac12-\frac2{Cn})^n \le P(z_i>0, i\in\mathcal A; z_i<0, i\notin\mathcal A)
\le (\frac12+\frac2{Cn})^n$ for every $\mathcal A \subseteq [n]$. (The proof takes $n$
sufficiently large.)""",
        hypotheses=(r"Z \sim N(0,\Sigma), \ \Sigma_{ii} = 1, \ |\Sigma_{ij}| \le 1/(Cn^2)",),
        uses=("lemma-A.17",),
    ),
    "lemma-A.17": Text(
        printed=r"""$\Phi'(t)/t \le P(|X_1| \ge t\sigma) \le e^{-t^2/2}$ for $t \ge 1$;
$P(|\frac1{n\sigma^2}\sum_k X_k^2-1| \ge t) \le 2e^{-nt^2/8}$ for $t \in (0,1)$.""",
        hypotheses=(r"X_k \ \text{i.i.d. } N(0,\sigma^2)",),
    ),
    "slips": Text(
        printed=r"""What the text has wrong, as printed: $E|I_\nu(k)-I_{-\nu}(k)|^l = \frac14$
(A.2.1); $\frac18-5\eta \ge \frac19$ without a condition on $C$ (A.26); D'4 "equivalent to D4",
without $n_\nu$; three definitions of alignment (4.2, A.12, A.5.2); $f \approx
\alpha\|\mu\|^2e/(2n)$ (A.89 to A.93); $(1-\frac4{Cn})^n \ge 1-\frac4{Cn}$ (A.15); lemma 4.7 at $t
= 1$.""",
        corrected=r"""$\frac12$; $C \ge 360$; with $n_\nu$; that of section 4.2;
$\alpha\|\mu\|^2e/(4n)$; $1-\frac4C$; from $t = 2$ on.""",
    ),
    "scope": Text(
        printed=r"""A1 to A6 "given a large enough universal constant $C$". The figures: $p =
40\,000$, $n = 200$, $\|\mu\| = 2.5\sqrt{p/n}$, $m = 1000$, $\eta = 0.05$, $\omega = 10^{-15}$,
$\alpha = 10^{-12}$ or $10^{-16}$.""",
        hypotheses=ALL,
        constants=(FREE, EPSILON),
    ),
}
