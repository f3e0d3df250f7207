r"""The statements of the papers as text: claim, hypotheses and constants.

The papers' own texts were not at hand: claims were read from a summary (see the docs page), and
what says *derived* was derived here. Data only.
"""

from featlearn.theory.text import Role, Text, Unknown

BITS = (
    r"x \ \text{uniform on } \{\pm1\}^d, \ y = h(z), \ z = (x_{i_1}, \dots, x_{i_P})",
    r"f = \frac1N\sum_ja_js(\langle w_j,x\rangle), \ \text{squared loss, fresh batches}",
)
FLOW = (
    r"the flow of $(a,u,s)$: $f(z) = E_\rho[a\,E_Gs(u\cdot z + sG)]$, $\dot a = "
    r"E[(h-f)s(u\cdot z+sG)]$, $\dot u = a\,E[(h-f)s'(u\cdot z+sG)z]$"
)

TEXTS: dict[str, Text] = {
    "merged-staircase": Text(
        printed=r"""$h$ is a merged staircase if the supports of its Fourier expansion can be
ordered so that $|S_i \setminus (S_1 \cup \dots \cup S_{i-1})| \le 1$; its leap is the least, over
orders, of the largest such number. (Derived: the order that always takes the support with fewest
new bits next has that least maximum.)""",
    ),
    "flow-limit": Text(
        printed=rf"""For $\eta t \le T$, with high probability, the distance of SGD (width $N$,
batch $b$, step $\eta$) from {FLOW} is at most $e^{{KT^7}}(\sqrt{{(P+\log d)/d}} + \sqrt{{\log
N/N}} + \max(\sqrt{{(d+\log N)/b}}, 1)\sqrt\eta)$.""",
        hypotheses=BITS,
        constants=(
            Unknown(symbol="K", role=Role.CONCLUSION, weaker="up", run="fitted at one T"),
            Unknown(
                symbol=r"1-\delta", role=Role.PROBABILITY, weaker="down", run="the mean over seeds"
            ),
        ),
    ),
    "necessary": Text(
        printed=rf"""Along {FLOW} from $u = 0$, coordinates outside the largest merged staircase
stay at $u = 0$ for ever, so that the risk is at least the sum of the squared coefficients of
supports that have one of them. (From a start of size $\epsilon$ they escape after a time linear
in $\log(1/\epsilon)$; the papers' claim in samples, here derived in time.)""",
        hypotheses=(r"d = \infty, \ u(0) = 0",),
        uses=("merged-staircase", "flow-limit"),
    ),
    "growth": Text(
        printed=r"""For $h = \sum_k\alpha_kz_1\cdots z_k$, first layer alone: $|u_k| =
\Theta(t^{2^{k-1}})$ as $t \to 0$. (Derived: to leading order $u_k = 2^{1-2^{k-1}}(at)^{2^{k-1}}
\prod_{i\le k}(\alpha_im_i)^{2^{\max(k-1-i,0)}}$, $m_r = s^{(r)}(b)$.)""",
        hypotheses=(r"u(0) = 0, \ s = 0, \ a \ \text{fixed}, \ m_r \ne 0",),
        constants=(
            Unknown(
                symbol=r"\Theta",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"2^{1-2^{k-1}}a^{2^{k-1}}\prod_{i\le k}(\alpha_im_i)^{2^{\max(k-1-i,0)}}",
            ),
        ),
    ),
    "tied": Text(
        printed=r"""$h = z_1+z_2+z_1z_3+z_2z_4$ is a merged staircase, and the flow does not learn
it: $u_1 = u_2$ and $u_3 = u_4$ in every neuron. (Derived: for any activation the risk stays at
least $E\operatorname{Var}(h \mid z_1+z_2, z_3+z_4) = 1$ of 4, and the residual keeps
$\frac12(z_1-z_2)(z_3-z_4)$.) Other coefficients free it.""",
        hypotheses=(r"d = \infty, \ u(0) = 0",),
        uses=("merged-staircase", "flow-limit"),
    ),
    "linear-floor": Text(
        printed=r"""Linear methods need $\Omega(d^D)$ samples or features for a term of degree
$D$. (Derived, with its constant: over the places of the bits, $N$ features hold on average at
most $N/\binom dD$ of a term of degree $D$.)""",
        constants=(
            Unknown(
                symbol=r"\Omega",
                role=Role.CONCLUSION,
                weaker="down",
                run=r"\binom dD/d^D",
            ),
        ),
    ),
    "leap-time": Text(
        printed=r"""One-pass SGD needs $\tilde\Theta(d^{\max(L-1,1)})$ samples for a target of
leap $L$ (proved for layers trained one by one in some cases, conjectured in general). (Derived,
in time of the flow started at $|u| = d^{-1/2}$: bounded for $L \le 1$ without a tie, $a+b\log d$
for $L = 2$ or a tie, $a+b\,d^{(L-2)/2}$ beyond.)""",
        hypotheses=BITS,
        constants=(
            Unknown(
                symbol=r"\tilde\Theta",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"T = a + b \log d \text{ or } a + b\,d^{(L-2)/2}, \ \text{derived}",
            ),
        ),
        uses=("merged-staircase", "flow-limit"),
    ),
}
