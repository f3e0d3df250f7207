r"""The statements of the paper as text: claim, hypotheses and constants, as printed and corrected.

Data only, for whoever shows or cites them. A *constant* has a role (hypothesis, conclusion,
probability, size), the direction in which the claim gets weaker, and its value as printed, as the
proof has it with the line, and as it is run here; None where there is none.
"""

from dataclasses import dataclass

ROLES = ("hypothesis", "conclusion", "probability", "size")


@dataclass(frozen=True, kw_only=True)
class Constant:
    """One symbol, one unknown."""

    symbol: str
    role: str
    weaker: str
    """"up" or "down": where it moves as the claim gets weaker."""
    printed: str | None = None
    proof: str | None = None
    """The proof's value, with its line."""
    run: str | None = None
    """The value that is used here."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement as text."""

    printed: str
    corrected: str = ""
    """Where the print is wrong; empty where it is not."""
    hypotheses: tuple[str, ...] = ()
    constants: tuple[Constant, ...] = ()
    uses: tuple[str, ...] = ()
    """The statements that its proof rests on."""
    roles = ROLES


ALL = (
    r"\|\mu\|^2 \ge C n^{0.51}\sqrt p",
    r"p \ge C n^2 \|\mu\|^2",
    r"\eta \le 1/C",
    r"\alpha \le 1/(Cnp)",
    r"\omega n m^{3/2} p \le \alpha\|\mu\|^2",
    r"m \ge C n^{0.02}",
)
"""A1 to A6."""
GOOD = (*ALL, r"(a, W^{(0)}, X) \in \mathcal G_{\mathrm{good}}")

UNIVERSAL = Constant(
    symbol="C",
    role="hypothesis",
    weaker="up",
    proof="150 (A.23), 360 (A.26)",
    run="1 and 150",
)
EPSILON = Constant(
    symbol=r"\varepsilon",
    role="hypothesis",
    weaker="down",
    printed=r"(0, 10^{-3}/4)",
    run="10^{-3}/4",
)
FAILURE = Constant(
    symbol=r"O(n^{-\varepsilon})", role="probability", weaker="up", run="0.1 (n^-eps is 0.998)"
)

CLAIMS: dict[str, Claim] = {
    "theorem-3.1": Claim(
        printed=r"""With probability at least $1-n^{-\Omega(1)}-O(1/\sqrt m)$:
(i) $y_i = \operatorname{sgn} f(x_i; W^{(t)})$ for all $i \in [n]$ and $1 \le t \le \sqrt n$;
(ii) $\tfrac12(1-n^{-\Omega(1)}) \le P(y \ne \operatorname{sgn} f(x; W^{(1)})) \le
\tfrac12(1+n^{-\Omega(1)})$;
(iii) $P(y \ne \operatorname{sgn} f(x; W^{(t)})) \le \exp(-\Omega(n^{0.99}\|\mu\|^4/p))$ for
$C n^{0.01} \le t \le \sqrt n$.""",
        hypotheses=ALL,
        constants=(
            UNIVERSAL,
            Constant(
                symbol=r"\Omega(1) \text{ in (ii)}",
                role="conclusion",
                weaker="down",
                proof=r"\varepsilon (A.13)",
                run="1/4",
            ),
            Constant(
                symbol=r"\Omega \text{ in (iii)}",
                role="conclusion",
                weaker="down",
                proof=r"1/(2 \cdot 240^2) (A.71, A.9)",
                run=r"1/(2 \cdot 240^2)",
            ),
            Constant(
                symbol=r"n^{-\Omega(1)} + O(1/\sqrt m)",
                role="probability",
                weaker="up",
                run=r"n^{-1/4} + 1/\sqrt m",
            ),
            Constant(
                symbol=r"C n^{0.01}",
                role="size",
                weaker="up",
                proof="150 n^{0.01}: empty below n = 27 600",
                run=r"\sqrt n/2",
            ),
        ),
        uses=("definition-4.5", "lemma-4.7", "theorem-4.8", "equation-4.3"),
    ),
    "lemma-4.1": Claim(
        printed=r"""With probability at least $1-O(n^{-\varepsilon})$, for all $i \ne k$ and $\nu$:
(B1) $\max_\nu \langle x_k-\bar x_k,\nu\rangle \le 10\sqrt{\log n}\|\mu\|$ and
$|\|x_k\|^2-p-\|\mu\|^2| \le 10\sqrt{p\log n}$;
(B2) $|\langle x_i,x_k\rangle-\langle\bar x_i,\bar x_k\rangle| \le 10\sqrt{p\log n}$;
(B3) $|c_\nu+n_\nu-n/4| \le \sqrt{\varepsilon n\log n}$ and
$|n_\nu-\eta(c_\nu+n_\nu)| \le \sqrt{\varepsilon\eta n\log n}$;
(B4) $|c_\nu+n_\nu-c_{-\nu}-n_{-\nu}| \ge n^{1/2-\varepsilon}$ and
$|n_\nu-n_{-\nu}| \ge \eta n^{1/2-\varepsilon}$.""",
        hypotheses=ALL[:2],
        constants=(EPSILON, FAILURE),
        uses=("lemma-A.17",),
    ),
    "corollary-4.2": Claim(
        printed=r"$|\cos(x_i,x_k)| \le 2/(Cn^2)$ for all $1 \le i \ne k \le n$.",
        hypotheses=(*ALL[:2], "B1", "B2"),
        constants=(UNIVERSAL,),
        uses=("lemma-4.1",),
    ),
    "lemma-4.3": Claim(
        printed=r"""With probability at least $1-O(n^{-\varepsilon})$:
(C1) $\|W^{(0)}\|_F^2 \le \tfrac32\omega^2mp$;
(C2) $|\mathcal J_{Pos}| \ge m/3$ and $|\mathcal J_{Neg}| \ge m/3$.""",
        hypotheses=(*ALL[:2], ALL[5]),
        constants=(EPSILON, FAILURE),
    ),
    "lemma-4.4": Claim(
        printed=r"""Given $a \in \mathcal G_A$, $X \in \mathcal G_{data}$, with probability at least
$1-O(n^{-\varepsilon})$: (D1) every $x_i$ activates at least $m/7$ neurons of each sign;
(D2) for all $\nu$, $\kappa \in [0,\tfrac12)$ at least $mn^{-10\varepsilon}$ neurons of each sign
are $(\nu,\kappa)$-aligned; (D3) all but a share $10n^{-20\varepsilon}$ of each sign are
$(\pm\nu,20\varepsilon)$-aligned; (D4) $\sum_j (c_\nu-n_\nu-d_{-\nu,j}^{(0)}) \ge \tfrac n{10}
|\mathcal J|$ over the $(\nu,\kappa)$-aligned neurons $\mathcal J$ of each sign.""",
        hypotheses=(*ALL[:3], ALL[5], r"X \in \mathcal G_{data}", r"a \in \mathcal G_A"),
        constants=(UNIVERSAL, EPSILON, FAILURE),
        uses=("lemma-4.1", "corollary-4.2", "lemma-A.15", "lemma-A.16"),
    ),
    "definition-4.5": Claim(
        printed=r"""A good run: $(a, W^{(0)}, X) \in \mathcal G_{good}$: B1–B4, C1, C2, D1–D4;
$P(\mathcal G_{good}) \ge 1-O(n^{-\varepsilon})$.""",
        constants=(EPSILON, FAILURE),
        uses=("lemma-4.1", "lemma-4.3", "lemma-4.4"),
    ),
    "equation-4.3": Claim(
        printed=r"""$f(x; W^{(1)}) \approx \frac{\alpha}{2n}\sum_j a_j
\phi(a_j\langle\sum_i s_{ij}y_ix_i, x\rangle) \to \frac{\alpha}{8n}\langle\sum_i y_ix_i, x\rangle$
almost surely as $m \to \infty$.""",
        hypotheses=GOOD,
        constants=(
            Constant(
                symbol=r"\approx",
                role="conclusion",
                weaker="up",
                run=r"a distance of order m^{-1/2}",
            ),
        ),
        uses=("lemma-4.6",),
    ),
    "lemma-4.6": Claim(
        printed=r"""Let $\{a_j\}$, $\{b_j\}$ be independent sequences, $a_j$ i.i.d. uniform on
$\pm1/\sqrt m$, $E b_j = b$, $E|b_j| < \infty$. Then $\sum_j a_j\phi(a_jb_j) \to b/2$
almost surely.""",
        corrected=r"""Let moreover the $b_j$ be i.i.d. (Without it: $b_j = B$, one fair sign for
all, has $b = 0$ and limit $B/2$.)""",
    ),
    "lemma-4.7": Claim(
        printed=r"""For $1 \le t \le \sqrt n$: $\frac1{|\mathcal J_1|}\sum_{j\in\mathcal J_1}\langle
w_j^{(t)},+\mu_1\rangle = \Omega(\frac{\alpha\|\mu\|^2}{\sqrt m}t)$ and $\frac1{|\mathcal J_2|}
\sum_{j\in\mathcal J_2}|\langle w_j^{(t)},\mu_1\rangle| = O(\frac{\alpha\|\mu\|^2}{\sqrt m}+
\frac{\alpha\|\mu\|^2\sqrt{\log n}}{\sqrt{mn}}t)$.""",
        corrected=r"""For $2 \le t \le \sqrt n$; at $t = 1$ the first mean is
$\Theta(n^{-1/2})\frac{\alpha\|\mu\|^2}{\sqrt m}$.""",
        hypotheses=GOOD,
        constants=(
            UNIVERSAL,
            Constant(
                symbol=r"\Omega",
                role="conclusion",
                weaker="down",
                proof="(t-1)/40 (A.66)",
                run="(t-1)/40",
            ),
            Constant(
                symbol="O",
                role="conclusion",
                weaker="up",
                proof=r"[n+1+(\Delta+1)(t-2)]/(2n) (A.69)",
                run=r"[n+1+(\Delta+1)(t-2)]/(2n)",
            ),
            Constant(
                symbol=r"\kappa",
                role="size",
                weaker="down",
                printed=r"20\varepsilon",
                run="1/2, without the technical condition",
            ),
        ),
        uses=("definition-4.5",),
    ),
    "theorem-4.8": Claim(
        printed=r"""For $Cn^{10\varepsilon} \le t \le \sqrt n$,
$P(y \ne \operatorname{sgn} f(x; W^{(t)})) \le \exp(-\Omega(n^{1-20\varepsilon}\|\mu\|^4/p))$.""",
        hypotheses=GOOD,
        constants=(
            UNIVERSAL,
            EPSILON,
            Constant(
                symbol=r"\Omega",
                role="conclusion",
                weaker="down",
                proof=r"1/(2 \cdot 240^2) (A.71, A.9)",
                run=r"1/(2 \cdot 240^2)",
            ),
        ),
        uses=("definition-4.5", "lemma-4.7"),
    ),
    "lemma-A.14": Claim(
        printed=r"""$\max\{\tfrac12\operatorname{Var}g, \tfrac14(Eg)^2\} \le
\operatorname{Var}(a\phi(ag)) \le \max\{\operatorname{Var}g, \tfrac12(Eg)^2\}$ and
$E|a\phi(ag)-Ea\phi(ag)|^3 \le 32\max\{E|g-Eg|^3, |Eg|^3\}$.""",
        hypotheses=(r"a \text{ Rademacher, independent of } g", r"\|g\|_3 < \infty"),
    ),
    "lemma-A.15": Claim(
        printed=r"""$\tfrac12 E f(b') \le E f(b) \le 2E f(b')$ for all $f \ge 0$,
$b_i = 1(z_i>0)$.""",
        hypotheses=(r"Z \sim N(0,\Sigma), \Sigma_{ii} = 1, |\Sigma_{ij}| \le 1/(Cn^2), C > 8",),
        uses=("lemma-A.16",),
    ),
    "lemma-A.16": Claim(
        printed=r"""$(\tfrac12-\tfrac2{Cn})^n \le P(z_i>0, i\in\mathcal A; z_i<0, i\notin\mathcal A)
\le (\tfrac12+\tfrac2{Cn})^n$.""",
        hypotheses=(r"Z \sim N(0,\Sigma), \Sigma_{ii} = 1, |\Sigma_{ij}| \le 1/(Cn^2)",),
        uses=("lemma-A.17",),
    ),
    "lemma-A.17": Claim(
        printed=r"""$\Phi'(t)/t \le P(|X_1| \ge t\sigma) \le e^{-t^2/2}$ for $t \ge 1$;
$P(|\frac1{n\sigma^2}\sum X_k^2-1| \ge t) \le 2e^{-nt^2/8}$ for $t \in (0,1)$.""",
        hypotheses=(r"X_k \text{ i.i.d. } N(0,\sigma^2)",),
    ),
}
