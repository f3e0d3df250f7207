r"""What the statements of Frei, Chatterji & Bartlett (2022) say, as text.

Symbols are the paper's: alpha step size, eta share of flipped labels, m neurons, n samples, omega
the standard deviation of the initial weights, C(set) the clean points, N the noisy ones. "F:n" is
line n of our copy of the text, whose scan is poor: exponents in (A1) and (A6) are inferred.
"""

from featlearn.theory.text import Role, Text, Unknown

PROOF_C0 = 58624317203.61395
"""4^5 1024^2 e^4, the C_0 of definition 7."""

A1 = r"(A1)\quad d \ge C \max\{\log^2(n/\delta), \log(m/\delta)\}"
A2 = r"(A2)\quad \sigma^2 \le 1/(C^2 d)"
A3 = r"(A3)\quad n \ge C \log(m/\delta)"
A4 = r"(A4)\quad \eta \le 1/C"
A5 = r"(A5)\quad m \ge C \log(1/\delta)"
A6 = r"(A6)\quad 0 < \omega^2 \le 1/(C^2 m d)"
A7 = r"(A7)\quad 1/(2\sqrt{C}) \le \alpha \le 1/\sqrt{C}"
SETTING = (A1, A2, A3, A4, A5, A6, A7)
"""The assumptions, in force from section 2 on."""
T = r"T = 1 + 1/(4\alpha)"
NETWORK = "four clusters, only the first layer is trained, by full-batch descent"
TRAINED = (*SETTING, T, NETWORK)
GOOD = "a good run (definition 7)"

WIDE = "lemma 4 asks for m >= 16 C_0^2 log(32/delta) (F:867), C_0 being that of definition 7"
LEAST = r"1/(4\alpha^2)"
"""The least C that (A7) allows, with which the claims are strongest: 16 where alpha = 1/8."""
C = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    run=LEAST,
)
"""Large enough: the paper names no number. A larger C asks for more and claims less."""
C_START = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"32 \log(4m/\delta)/\log(m/\delta)",
    line="d >= 32 log(4m/delta) makes t <= 1/2 in the proof of lemma 3 (F:783)",
    run=LEAST,
)
C_WIDE = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"16 C_0^2 \log(32/\delta)/\log(1/\delta)",
    line="m >= 16 C_0^2 log(32/delta) in the proof of lemma 4 (F:867)",
    run=LEAST,
)
C_STEP = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"(6144 e^2)^2/4",
    line="alpha <= e^-2 (1 - 1/C_0)^2/6144 in the proof of lemma 11 (F:1378), with (A7); " + WIDE,
    run=LEAST,
)
C_ALIGNED = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"512 C_1 e^2",
    line="C > 512 C_1 exp(2) after equation 40 (F:1848); " + WIDE,
    run=LEAST,
)
C_GROWTH = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"36",
    line="omega sqrt(md) <= alpha/3 from (A6) and (A7) in the proof of lemma 14 (F:1219)",
    run=LEAST,
)
C_FIRST_STEP = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"64 C_1 C_2",
    line="C_1 sigma sqrt d <= 1/(64 C_2) in the proof of lemma 12 (F:1690)",
    run=LEAST,
)
C_FEATURES = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=r"4096 e^2",
    line="omega sqrt(md) <= e^-2/4096 in appendix C (F:2252), with (A6)",
    run=LEAST,
)
C0_ANY = Unknown(
    symbol="C_0",
    role=Role.SIZE,
    weaker="up",
    printed="any",
    line="for any C_0 > 1; definition 7 takes 5.9e10",
    run=2.0,
)
"""Lemmas 3 and 4 are about every C_0 > 1: nothing is hidden."""
C0 = Unknown(
    symbol="C_0",
    role=Role.SIZE,
    weaker="down",
    printed=PROOF_C0,
    line="definition 7: 4^5 1024^2 exp(4) (F:504)",
    run=2.0,
)
"""A larger C_0 puts more neurons into the sets J, of which more is claimed."""
C0_PRINTED = Unknown(
    symbol="C_0",
    role=Role.SIZE,
    weaker="down",
    printed=PROOF_C0,
    line="definition 7: 4^5 1024^2 exp(4) (F:504)",
    run=PROOF_C0,
)
C1 = Unknown(symbol="C_1", role=Role.CONCLUSION, weaker="up", run=2.0)
"""Some universal constant > 2; the concentration of log-concave norms that gives it is cited."""
C2 = Unknown(symbol="C_2", role=Role.CONCLUSION, weaker="up", run=8.0)
"""Some universal constant > 1, through the anti-concentration of log-concave laws."""

SETS = (
    r"$J_\mu$ holds the neurons with $a_j > 0$ (if $\mu = \pm\mu_1$; $a_j < 0$ if $\pm\mu_2$) and "
    r"$\langle w_j^{(0)}/\|w_j^{(0)}\|, \mu\rangle \ge 1/(3 C_0 \sqrt d)$."
)

TEXTS: dict[str, Text] = {
    "theorem-1": Text(
        printed=(
            r"For all $C > 1$ sufficiently large, under (A1) to (A7), with probability at least $1"
            r" - 4\delta$ over start and sample, at time $T = 1 + 1/(4\alpha)$:"
            "\n"
            r"1. $y_i = \mathrm{sgn} f(x_i; W^{(T)})$ for every clean point $i$, and $y_i \ne "
            r"\mathrm{sgn} f(x_i; W^{(T)})$ for every noisy one;"
            "\n"
            r"2. $P(y \ne \mathrm{sgn} f(x; W^{(T)})) \le \eta + C \sqrt{\log(1/\delta)/n}$."
            "\n"
            r"The proof gives the first clause a margin, $|f(x_i)| \ge e^{-2}/(16 \cdot 1024)$."
        ),
        hypotheses=TRAINED,
        constants=(C_STEP,),
        uses=(
            "definition-7",
            "lemma-5",
            "lemma-8",
            "lemma-11",
            "lemma-13",
            "proposition-15",
        ),
    ),
    "proposition-2": Text(
        printed=(
            r"In the setting of theorem 1, with probability at least $1 - 4\delta$, for every "
            r"sample $i$,"
            "\n"
            r"$\frac{\|\phi(W^{(T)} x_i) - \phi(W^{(0)} x_i)\|}{\|\phi(W^{(0)} x_i)\|} \ge "
            r"\frac{1}{C \omega \sqrt{md}} - \frac{1}{C}.$"
            "\n"
            r"Appendix C proves $\ge e^{-2}/(16 \cdot 1024\, \omega \sqrt{md})$; its last line is "
            r"printed with $\le$, a slip of the pen."
        ),
        hypotheses=TRAINED,
        constants=(C_FEATURES,),
        uses=("definition-7", "lemma-3", "lemma-4", "lemma-5", "lemma-12", "lemma-13", "lemma-14"),
    ),
    "lemma-3": Text(
        printed=(
            r"For any $C_0 > 1$ and any unit vector $\mu$, with probability at least $1 - \delta$,"
            "\n"
            r"$\frac12 \omega \sqrt d \le \|w_j^{(0)}\| \le \frac32 \omega \sqrt d$ for all "
            r"neurons $j$, and"
            "\n"
            r"$\#\{j : |\langle w_j^{(0)}, \mu\rangle| \ge \omega/(2 C_0)\} \ge m (1 - \frac{1}{2 "
            r"C_0} - \sqrt{\frac{2 \log(4/\delta)}{m}}).$"
        ),
        hypotheses=(A1,),
        constants=(C_START, C0_ANY),
    ),
    "lemma-4": Text(
        printed=(
            rf"{SETS}"
            "\n"
            rf"For any $C_0 > 1$, if $C$ is sufficiently large, with probability at least $1 - "
            rf"\delta$ each of the four has $|J_\mu| \ge \frac m4 (1 - 1/C_0)^2$, and their union "
            rf"$|J| \ge m (1 - 1/C_0)^2$."
        ),
        hypotheses=(A1, A5),
        constants=(C_WIDE, C0_ANY),
        uses=("lemma-3",),
    ),
    "lemma-5": Text(
        printed=(
            r"There is a universal $C_1 > 2$ such that for all $C > 1$ large enough, with "
            r"probability at least $1 - \delta$ over the sample, for $\mu \in \{\pm\mu_1, "
            r"\pm\mu_2\}$, $\mu^\perp$ orthogonal to it and all points $i$ of its cluster:"
            "\n"
            r"(a) $\langle x_i, \mu\rangle \ge 1 - C_1 \sigma \sqrt d \ge 1 - 1/C_1$ and $|\langle"
            r" x_i, \mu^\perp\rangle| \le C_1 \sigma \sqrt d \le 1/C_1$;"
            "\n"
            r"(b) $\|x_i - \mu\|^2 \le C_1 \sigma^2 d \le 1/C_1$;"
            "\n"
            r"(c) the share of noisy points is at most $\eta + C_1 \sqrt{\log(1/\delta)/n} \le "
            r"\eta + 1/C$;"
            "\n"
            r'(d) $| |I_\mu|/n - 1/4 | \le C_1 \sqrt{\log(1/\delta)/n}$ (printed "for any $0 \le t'
            r' \le T - 1$", of which nothing depends).'
        ),
        hypotheses=(A1, A2, A3, A4),
        constants=(C, C1),
    ),
    "lemma-6": Text(
        printed=(
            r"There is a universal $C_2 > 1$ such that for all $C > 1$ large enough, with "
            r"probability at least $1 - 2\delta$, lemma 5 holds and, for every neuron $j$ and "
            r"centre $\mu$ with $\langle w_j^{(0)}/\|w_j^{(0)}\|, \mu\rangle \ge 1/(3 C_0 \sqrt "
            r"d)$,"
            "\n"
            r"$\sum_{i \in I_\mu^{C}} \phi'(\langle w_j^{(0)}, x_i\rangle) - \sum_{i \in "
            r"I_{-\mu}^{C}} \phi'(\langle w_j^{(0)}, x_i\rangle) \ge \frac{n}{C_2},$"
            "\n"
            r"the sums running over clean points. The proof needs $\sigma \sqrt d \le 3/C_0$."
        ),
        hypotheses=(A1, A2, A3, A4),
        constants=(C, C0, C1, C2),
        uses=("lemma-5",),
    ),
    "definition-7": Text(
        printed=(
            r"A run is good if all parts of lemma 3, lemma 4 with $C_0 = 4^5 \cdot 1024^2 e^4$, "
            r"lemma 5 and lemma 6 hold at once."
            "\n"
            r"For all $C > 1$ large enough a good run has probability at least $1 - 4\delta$."
        ),
        hypotheses=SETTING,
        constants=(C_WIDE, C0_PRINTED, C1, C2),
        uses=("lemma-3", "lemma-4", "lemma-5", "lemma-6"),
    ),
    "lemma-8": Text(
        printed=(
            r"Let $J$ be a set of neurons and $f^J$ the network of these alone. If $\|W\|_F \le "
            r"1$, $y f^J(x; W) \ge 1/C_f$ for some $C_f > 1$, $\|x\| \le 2$ and $|J^c|/m \le 1/(16"
            r" C_f^2)$, then $y f(x; W) \ge 1/(2 C_f)$."
        ),
        hypotheses=(
            r"\|W\|_F \le 1",
            r"y f^J(x; W) \ge 1/C_f",
            r"\|x\| \le 2",
            r"|J^c|/m \le 1/(16 C_f^2)",
        ),
    ),
    "condition-9": Text(
        printed=(
            r"Neuron alignment at time $t$: for every $\mu \in \{\pm\mu_1, \pm\mu_2\}$ and $j \in "
            r"J_\mu$, $\langle w_j^{(t)}, x_k\rangle > 0$ for all points $k$ of the cluster $\mu$ "
            r"and $\le 0$ for all of $-\mu$."
            "\n"
            r"A condition; by definition 7 and lemma 13 it holds at $t = 1, \dots, 1/(4\alpha)$ "
            r"with probability at least $1 - 4\delta$, for all $C > 1$ sufficiently large. That is"
            r" what is checked."
        ),
        hypotheses=TRAINED,
        constants=(C_ALIGNED, C0),
        uses=("definition-7", "lemma-13"),
    ),
    "condition-10": Text(
        printed=(
            r"Almost-orthogonality up to time $\tau$: for all $t \le \tau$, $|\langle w_j^{(t)}, "
            r"\mu_2\rangle| \le 3 \alpha |a_j|$ for $j \in J_{\pm\mu_1}$, and $|\langle w_j^{(t)},"
            r" \mu_1\rangle| \le 3 \alpha |a_j|$ for $j \in J_{\pm\mu_2}$."
            "\n"
            r"A condition; by definition 7 and lemma 13 it holds up to $1/(4\alpha)$ with "
            r"probability at least $1 - 4\delta$, for all $C > 1$ sufficiently large. That is what"
            r" is checked."
        ),
        hypotheses=TRAINED,
        constants=(C_ALIGNED, C0_PRINTED),
        uses=("definition-7", "lemma-13"),
    ),
    "lemma-11": Text(
        printed=(
            r"Let $J = J_{\pm\mu_1} \cup J_{\pm\mu_2}$ and let conditions 9 and 10 hold at times "
            r"$1, \dots, T - 1 = 1/(4\alpha)$. On a good run, for all $C > 1$ large enough, at "
            r"$T$: $\|W^{(T)}\|_F \le 1$,"
            "\n"
            r"$y_i f^J(x_i; W^{(T)}) \ge 1/C_3$ for all clean points and $\le -1/C_3$ for all "
            r"noisy ones, where $C_3 = 4096 e^2/(1 - 1/C_0)^2$."
        ),
        hypotheses=(*TRAINED, GOOD, "conditions 9 and 10 up to 1/(4 alpha)"),
        constants=(C_STEP, C0),
        uses=("definition-7", "lemma-4", "lemma-5", "lemma-14", "condition-9", "condition-10"),
    ),
    "lemma-12": Text(
        printed=(
            r"For $C > 1$ sufficiently large, on a good run condition 9 holds at $t = 1$, and with"
            r" the $C_2$ of lemma 6, for every $\mu$ and every $j \in J_\mu$,"
            "\n"
            r"$\langle w_j^{(1)}/\|w_j^{(1)}\|, \mu\rangle \ge \frac{1}{16 C_2}.$"
        ),
        hypotheses=(*TRAINED, GOOD),
        constants=(C_FIRST_STEP, C0, C1, C2),
        uses=("definition-7", "lemma-3", "lemma-5", "lemma-6", "lemma-14"),
    ),
    "lemma-13": Text(
        printed=(
            r"For $C > 1$ sufficiently large, on a good run, for every $t = 1, \dots, "
            r"1/(4\alpha)$, condition 9 holds at time $t$ and condition 10 up to time $t$."
        ),
        hypotheses=(*TRAINED, GOOD),
        constants=(C_ALIGNED, C0),
        uses=("definition-7", "lemma-5", "lemma-6", "lemma-12", "lemma-14", "equation-40"),
    ),
    "lemma-14": Text(
        printed=(
            r"For $C > 1$ large enough, on a good run, for all $t \ge 1$: $\|w_j^{(t)}\| \le 2 "
            r"|a_j| \alpha t$ for every neuron, and $\|W^{(t)}\|_F \le 2 \alpha t$."
        ),
        hypotheses=(*TRAINED, GOOD),
        constants=(C_GROWTH,),
        uses=("definition-7", "lemma-3", "lemma-5"),
    ),
    "equation-40": Text(
        printed=(
            r"On a good run, for $\mu \in \{\pm\mu_1, \pm\mu_2\}$, $j \in J_\mu$ and $t = 1, "
            r"\dots, 1/(4\alpha)$ (inside the proof of lemma 13),"
            "\n"
            r"(39) $\langle w_j^{(t+1)} - w_j^{(t)}, \mu\rangle \ge \alpha |a_j| e^{-2}/64$,"
            "\n"
            r"(40) $\langle w_j^{(t+1)}/\|w_j^{(t+1)}\|, \mu\rangle \ge e^{-2}/256$."
        ),
        hypotheses=(*TRAINED, GOOD),
        constants=(C_ALIGNED, C0),
        uses=("definition-7", "lemma-5", "lemma-12", "lemma-14", "condition-9"),
    ),
    "proposition-15": Text(
        printed=(
            r"For $F_R = \{x \mapsto f(x; W) : \|W\|_F \le R\}$ and $a_j \in \{\pm 1/\sqrt m\}$, "
            r"the Rademacher complexity of $n$ independent points is"
            "\n"
            r"$R(F_R) \le \frac{2 R \sqrt{E \|x\|^2}}{\sqrt n}.$"
        ),
        hypotheses=(r"a_j \in \{\pm 1/\sqrt m\}",),
    ),
    "appendix-D": Text(
        printed=(
            r"Without flips, for log-concave noise, the classifier $\mathrm{sgn}(|\langle\mu_1, "
            r"x\rangle| - |\langle\mu_2, x\rangle|)$ errs with probability at most "
            r"$P(|\langle\mu_1, z\rangle| > 1/3) + P(|\langle\mu_2, z\rangle| > 1/3)$, each at "
            r"most $3 e^{-1/(3\sigma)}$."
            "\n"
            r"Under (A1) to (A3) this is $O(\sqrt{\log(1/\delta)/n})$, and so is the smallest "
            r"error that any classifier has."
            "\n"
            r"Ours, for Gaussian noise: the error is $p = 2 \Phi(q) \Phi(-q)$ with $q = 1/(\sigma "
            r"\sqrt 2)$; with flips it is $\eta + (1 - 2\eta) p$; and no rule has a smaller one."
        ),
        hypotheses=(A1, A2, A3),
        constants=(
            C,
            Unknown(
                symbol="K",
                role=Role.CONCLUSION,
                weaker="up",
                proof=6.0,
                line="two terms of 3 exp(-C sqrt d/3), each at most 3 sqrt(log(1/delta)/n) for "
                "C >= 2 (F:2318)",
                run=6.0,
            ),
        ),
    ),
    "linear-baseline": Text(
        printed=(
            r"On this distribution linear classifiers perform no better than random guessing: "
            r"their error is $1/2$ or more."
        ),
        corrected=(
            r'Different: "through the origin". For noise that is symmetric every classifier '
            r"$\mathrm{sgn}\langle v, x\rangle$ errs with probability exactly $1/2$. With an "
            r"offset, $\mathrm{sgn}(\langle\mu_1, x\rangle - 1/2)$ is right on three clusters of "
            r"four: error near $1/4 + \eta/2$."
        ),
        hypotheses=("noise that is symmetric about each centre",),
    ),
    "scope": Text(
        printed=(
            r"(A1) to (A7) hold with some $C > 1$ that is large enough. (A7) has two sides and "
            r"leaves $C \in [1/(4\alpha^2), 1/\alpha^2]$; (A1) to (A6) bound $C$ from above."
        ),
        hypotheses=SETTING,
        constants=(Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up"),),
    ),
}
