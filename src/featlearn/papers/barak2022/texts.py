r"""The statements of the paper as text: claim, hypotheses and constants.

The paper's own text was not at hand: claims were read as quotations in a review (see the docs
page), and what says *derived* was derived here. Data only.
"""

from featlearn.theory.text import Role, Text, Unknown

TEXTS: dict[str, Text] = {
    "fourier-gap": Text(
        printed=r"""The population gradient of a neuron at $w$ on the parity of $k$ bits consists
of the Fourier coefficients of $x \mapsto s'(w\cdot x)$: of order $k-1$ on relevant coordinates,
$k+1$ on the others. For $w \in \{\pm1\}^n$ and relu they are $\frac12\zeta_{k-1}$ and
$\frac12\zeta_{k+1}$, $\zeta$ those of the majority. (Derived: the gap
$|\zeta_{k-1}|-|\zeta_{k+1}|$ is $(k-3)!!\sqrt{2/\pi}\,n^{-(k-1)/2}(1+o(1))$, and negative for $k
> n/2$.)""",
        hypotheses=(r"n \ \text{odd}", r"k \ \text{even}"),
    ),
    "theorem-4": Text(
        printed=r"""One step of hinge loss from a start of signs with weight decay 1, on $B \ge
C_Bn^k\log(n/\epsilon)$ points, finds the $k$ coordinates; then $C_Tk^3r^2n/\epsilon^2$ steps of
width $r \ge C_r2^kk\log(k/\epsilon)$ reach an expected hinge loss of at most $\epsilon$. (Read as
a quotation. Checked is the first clause, per neuron: the $k$ largest entries are the bits with
probability $1-\epsilon$.)""",
        hypotheses=(
            r"k \ \text{even}",
            r"n \ \text{odd}",
            r"n \ge c_nk^4\log(nk/\epsilon)",
            r"B \ge C_Bn^k\log(n/\epsilon)",
        ),
        constants=(
            Unknown(symbol="c_n", role=Role.HYPOTHESIS, weaker="up", run=0.005),
            Unknown(symbol="C_B", role=Role.HYPOTHESIS, weaker="up", run=1.0),
            Unknown(symbol="C_T", role=Role.CONCLUSION, weaker="up"),
            Unknown(symbol="C_r", role=Role.HYPOTHESIS, weaker="up"),
        ),
        uses=("fourier-gap",),
    ),
    "theorem-5": Text(
        printed=r"""Let $\psi: \{\pm1\}^n \to [-1,1]^D$. If $DR^2 < \epsilon^2\binom nk$, rules
$w_S$ with $\|w_S\| \le R$ do not have an edge of $\epsilon$ for all sets $S$ of $k$ bits.
(Derived, from Parseval: the mean over $S$ of the squared edge $E[\chi_S\langle
w_S,\psi\rangle]^2$ is at most $DR^2/\binom nk$.)""",
        hypotheses=(r"DR^2 < \epsilon^2\binom nk",),
    ),
    "theorem-6": Text(
        printed=r"""Gradient flow on the disjoint PolyNet of $k$ blocks of $n'$ bits reaches the
error $0.49$ at $T(0.49)$ and $0$ at $T(0)$, where $T(0.49)/T(0) \ge 1-C\,n'^{1-k/2}$.""",
        hypotheses=(r"k \ge 3",),
        constants=(
            Unknown(
                symbol="C",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"\text{fitted; the same within } 1.25 \text{ over the sizes}",
            ),
        ),
    ),
    "no-early-success": Text(
        printed=r"""Among $10^6$ runs of SGD on one parity there are no early successes: the time
is not memoryless, as that of a random search would be.""",
        constants=(
            Unknown(
                symbol=r"\text{early}",
                role=Role.SIZE,
                weaker="down",
                run=r"\tfrac14 \text{ of the median}",
            ),
            Unknown(
                symbol=r"\text{no}",
                role=Role.PROBABILITY,
                weaker="down",
                run=r"0.99 \text{ of the runs are later}",
            ),
        ),
    ),
    "hidden-progress": Text(
        printed=r"""While loss and accuracy are flat, progress measures move: the weights on
relevant coordinates grow against the others.""",
        constants=(
            Unknown(
                symbol=r"\text{flat}",
                role=Role.SIZE,
                weaker="down",
                run=r"\text{accuracy below } 0.55",
            ),
            Unknown(
                symbol=r"\text{grow}",
                role=Role.CONCLUSION,
                weaker="down",
                run=r"\text{by any factor above } 1",
            ),
        ),
        uses=("fourier-gap",),
    ),
}
