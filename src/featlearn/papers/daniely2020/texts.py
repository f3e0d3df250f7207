r"""What the statements of Daniely & Malach (2020) say, as text.

Symbols are the paper's: n inputs (our d), 2q neurons (our width), u the second layer (our a), sigma
the ReLU6, D1 the uniform half of the distribution and D2 the leaky one, f = f_A the parity of the k
bits of A, k odd. "DM:n" is line n of our copy of the text.
"""

from featlearn.theory.text import Role, Text, Unknown

START = r"g^{(0)} \equiv 0 \text{, the mirrored start (see initialisation)}"
FIRST = r"\eta_1 = 1, \lambda_1 = 1/2"
ODD = r"k, n \text{ odd}"
LARGE = r"n \ge 9 \log 7"
LATER = r"\eta_t = \eta, \lambda_t = \lambda \text{ for } t > 1, \quad \eta, \lambda \in [0, 1/2]"

C1 = Unknown(
    symbol="C_1",
    role=Role.CONCLUSION,
    weaker="up",
    proof=r"\sqrt 6 (3 + 1/k) B",
    line="(3k + 1)B/sqrt|J| of lemma 6 and |J| >= (n-k)/3 (DM:189); B of Littlewood and Offord is "
    "1 here",
    run=r"\sqrt 6 (3 + 1/k)",
)
C2 = Unknown(
    symbol="C_2",
    role=Role.CONCLUSION,
    weaker="up",
    proof=1512.0,
    line="7 * 6^3, last line of the proof of lemma 7 (DM:199)",
    run=1512.0,
)
C3 = Unknown(
    symbol="C_3",
    role=Role.CONCLUSION,
    weaker="up",
    proof=554.0,
    line="sqrt 2 * 7 * 5^2.5 = 553.4 in the proof of lemma 7 (DM:173)",
    run=554.0,
)
C_NEURONS = Unknown(
    symbol="C",
    role=Role.SIZE,
    weaker="up",
    proof=2508800.0,
    line="q >= 2 * 1120^2 k^7 log((k+1)/delta) in the proof of lemma 10 (DM:217)",
)

C_SEPARATOR = Unknown(
    symbol="C",
    role=Role.SIZE,
    weaker="up",
    proof=C_NEURONS.proof,
    line=C_NEURONS.line,
    run=0.04,
)
"""The separator is there with some 2e5 neurons at k = 7, delta = .05."""

TEXTS: dict[str, Text] = {
    "initialisation": Text(
        printed=(
            r"For $i \le q$: $w_i^{(0)}$ uniform on $\{-1, 0, 1\}^n$, $b_i^{(0)} = 1/(8k)$, "
            r"$u_i^{(0)}$ uniform on $[-n/k, n/k]$, and the twins $w_{q+i}^{(0)} = -w_i^{(0)}$, "
            r"$b_{q+i}^{(0)} = -1/(8k)$, $u_{q+i}^{(0)} = -u_i^{(0)}$."
            "\n"
            r'"From the symmetric initialization we have $g^{(0)} \equiv 0$."'
            "\n"
            r"(A pair gives $u(\sigma(s) - \sigma(-s))$, that is $u$ times $s$ cut off at $\pm 6$,"
            r" which is not 0.)"
        ),
        corrected=(
            r"Different: the signs of the twin's weights and bias. With $w_{q+i}^{(0)} = "
            r"w_i^{(0)}$, $b_{q+i}^{(0)} = b_i^{(0)}$ and $u_{q+i}^{(0)} = -u_i^{(0)}$, which is "
            r"what every proof uses, $g^{(0)} \equiv 0$."
        ),
    ),
    "theorem-1": Text(
        printed=(
            r"(Forster 2002) Let $\Psi : \{\pm 1/\sqrt n\}^n \to R^N$ be an embedding, possibly "
            r"random, such that for every $A$ with $|A| = k$, with probability at least $1/N$, "
            r"some $w$ has $f_A(x) = \mathrm{sign}\langle w, \Psi(x)\rangle$ for all $x$. Then $N "
            r"= 2^{\Omega(k)}$."
            "\n"
            r"Ours, for a fixed $\Psi$ and $n \ge 2k$: $N \ge 2^{k/2}$, because the labels contain"
            r" a Hadamard matrix of $2^k$ rows, whose sign rank is at least $2^{k/2}$ by Forster's"
            r" theorem."
        ),
        constants=(
            Unknown(
                symbol="c",
                role=Role.CONCLUSION,
                weaker="down",
                proof=0.5,
                line="N >= 2^(c k); Forster's bound for the Hadamard matrix inside (ours, for n >= "
                "2k)",
            ),
        ),
    ),
    "theorem-2": Text(
        printed=(
            r"Run gradient descent for $T$ steps with $\eta_1 = 1$, $\lambda_1 = 1/2$, then "
            r"$\eta_t = k^2/(T \sqrt q)$ and $\lambda_t \le k/n$. If $n \ge \Omega(1)$, $7 \le k "
            r"\le O(n^{1/10})$ and $q \ge \Omega(k^7 \log(k/\delta))$, then with probability at "
            r"least $1 - \delta$ over the start there is a $t \le T$ with"
            "\n"
            r"$P[\mathrm{sign}\, g^{(t)}(x) \ne f_A(x)] \le O\left(\frac{k^{10}}{q} + "
            r"\frac{k^8}{\sqrt q} + \frac{q k}{\sqrt n} + \frac{k^2 \sqrt q}{T}\right)$"
            "\n"
            r"(printed without the sign, which is meant)."
        ),
        hypotheses=(
            START,
            r"n \ge c_n",
            r"7 \le k \le c\, n^{1/10}",
            r"q \ge C k^7 \log(k/\delta)",
        ),
        constants=(
            Unknown(symbol="c_n", role=Role.SIZE, weaker="up"),
            Unknown(symbol="c", role=Role.HYPOTHESIS, weaker="down"),
            C_NEURONS,
            Unknown(symbol="K", role=Role.CONCLUSION, weaker="up"),
        ),
        uses=("initialisation", "lemma-10", "theorem-11", "lemma-12", "lemma-13", "lemma-14"),
    ),
    "lemma-3": Text(
        printed=(
            r"Fix $j \notin A$ and $b$; $x$ uniform. For every $c > 0$, with probability at least "
            r"$1 - 1/c$ over $w$,"
            "\n"
            r"$|E_x[x_j f(x) \sigma'(w^\top x + b)]| \le c \binom{n-1}{k}^{-1/2}$, and likewise "
            r"$|E_x[f(x) \sigma'(w^\top x + b)]| \le c \binom{n-1}{k}^{-1/2}$."
            "\n"
            r"By its proof the root mean square over $w$ obeys this with $c = 1$. ($x_j$ is read "
            r"as the sign $\sqrt n\, x_j$, as the proof does; with $x_j$ itself the claim is "
            r"weaker.)"
        ),
        hypotheses=(r"x \text{ uniform on } \{\pm 1/\sqrt n\}^n",),
    ),
    "lemma-4": Text(
        printed=(
            r"Let $k, n$ be odd, $x$ uniform, $b$ fixed. For every $C > 0$, with probability at "
            r"least $1 - 1/C$ over $w$, for all $j \notin A$,"
            "\n"
            r"$|E_x[x_j f(x) \sigma'(w^\top x + b)]| \le C (n-1) \binom{n-1}{k}^{-1/2}$ and "
            r"$|E_x[f(x) \sigma'(w^\top x + b)]| \le C (n-1) \binom{n-1}{k}^{-1/2}$."
        ),
        hypotheses=(ODD, r"x \text{ uniform on } \{\pm 1/\sqrt n\}^n"),
        uses=("lemma-3",),
    ),
    "lemma-5": Text(
        printed=(
            r"Let $k, n$ be odd, $w \in \{-1, 0, 1\}^n$ (printed $\{1, 0, 1\}^n$) with $\sum_{i "
            r"\in A} w_i = 0$, and $b$ any number. On the leaky half,"
            "\n"
            r"$E[x_j f(x) \sigma'(w^\top x + b)] = 0$ for all $j \notin A$, and $E[f(x) "
            r"\sigma'(w^\top x + b)] = 0$."
        ),
        hypotheses=(ODD, r"\sum_{i \in A} w_i = 0"),
    ),
    "lemma-6": Text(
        printed=(
            r"Let $h$ be a function of the bits of $A$ with values $\pm 1$, $w \in \{-1, 0, "
            r"1\}^n$, $J = \{j \notin A : w_j \ne 0\}$ and $\varphi(w, b) = P[k/\sqrt n < \sum_J "
            r"w_j x_j + b < 6 - k/\sqrt n]$. There is a universal $C$ with"
            "\n"
            r"$|E[h(x) \sigma'(w^\top x + b)] - E[h(x)] \varphi(w, b)| \le C k/\sqrt{|J|}$."
        ),
        constants=(
            Unknown(
                symbol="C",
                role=Role.CONCLUSION,
                weaker="up",
                proof=r"(3 + 1/k) B",
                line="(3k + 1)B/sqrt|J| (DM:145), B being the constant of Littlewood and Offord",
                run=r"3 + 1/k \text{, as } B = 1 \text{ serves}",
            ),
        ),
    ),
    "lemma-7": Text(
        printed=(
            r"Let $n \ge 9 \log 7$ and $7 \le k \le n^{1/4}/(2 \sqrt 2)$. With probability at "
            r"least $1/(14 \sqrt k)$ over $w_i^{(0)}$, for universal $C_1, C_2, C_3$ and some "
            r"$\alpha_i \in [1/4, 1]$ that depends on $w_i^{(0)}$:"
            "\n"
            r"$\max_{j \in A} |w_{i,j}^{(0)} - \frac{\alpha_i}{\sqrt n} u_i^{(0)}| \le C_1$, "
            r"$\max_{j \notin A} |w_{i,j}^{(0)} - \frac{\alpha_i}{\sqrt n} u_i^{(0)}| \le "
            r"\frac{C_2}{n-1}$ and $|b^{(1)} - b^{(0)}| \le C_3/\sqrt n$."
            "\n"
            r'The proof takes $\alpha_i = \varphi(w, b)$ of lemma 6, from "$h \equiv 1$ for $j \in'
            r' A$".'
        ),
        corrected=(
            r"Different: $w^{(1)}$ in the place of $w^{(0)}$, and outside $A$ no $\alpha_i "
            r"u_i^{(0)}/\sqrt n$: $\max_{j \in A} |w_{i,j}^{(1)} - \frac{\alpha_i}{\sqrt n} "
            r"u_i^{(0)}| \le C_1$, $\max_{j \notin A} |w_{i,j}^{(1)}| \le \frac{C_2}{n-1}$ and "
            r"$|b^{(1)} - b^{(0)}| \le C_3/\sqrt n$."
            "\n"
            r"$\alpha_i$ is the coefficient itself, the mean over $A$ of $E[\sqrt n x_j f "
            r"\sigma']$, about half of the proof's $\varphi$: $h = 1$ on the leaky half alone."
        ),
        hypotheses=(START, FIRST, LARGE, r"7 \le k \le n^{1/4}/(2 \sqrt 2)"),
        constants=(C1, C2, C3),
        uses=("initialisation", "lemma-4", "lemma-5", "lemma-6"),
    ),
    "lemma-8": Text(
        printed=(
            r"Let $b = 1/(8k)$, $\alpha \in [1/4, 1]$, $r \in \{-k, -k+2, \dots, k\}$, $\phi_r(z) "
            r"= \sigma(-\mathrm{sign}(r) z + |r|)$ and $u$ uniform on $[-n/k, n/k]$. For every "
            r"$\epsilon \le k r$, with probability at least $\epsilon/(8 k^2)$ over $u$,"
            "\n"
            r"$|\frac{|r|}{b} \sigma(\frac{\alpha}{n} u z + b) - \phi_r(z)| \le \epsilon$ for "
            r"every $z \in [-k, k]$. ($\sigma$ is the ReLU6 of section 2.)"
        ),
        corrected=(
            r"Different: $\phi_r(z) = \max(-\mathrm{sign}(r) z + |r|, 0)$, the plain ReLU, and "
            r"$\epsilon \le k |r|$. With the ReLU6, $\phi_r$ is at most 6, and no neuron is near "
            r"it once $|r| + k > 6$ and $\epsilon$ is small: on $[-k, k]$ the left side is convex "
            r"in $z$, and $\phi_r$ is not."
        ),
        hypotheses=(r"\alpha \in [1/4, 1]", r"0 < \epsilon \le k |r|"),
    ),
    "lemma-9": Text(
        printed=(
            r"Let $\epsilon > 0$, $n \ge 9 \log 7$, $7 \le k \le c\, \epsilon^{1/4} n^{1/8}$ for a"
            r" universal $c$, $r \in \{-k, -k+2, \dots, k\}$, $\epsilon \le k r$ and $\psi_r(x) = "
            r"\sigma(-\mathrm{sign}(r) \sqrt n \sum_{j \in A} x_j + |r|)$. With probability at "
            r"least $\epsilon/(112 k^{2.5})$ over $w_i^{(0)}, u_i^{(0)}$,"
            "\n"
            r"$|\frac{|r|}{b_i^{(0)}} \sigma(\langle w_i^{(1)}, x\rangle + b_i^{(1)}) - \psi_r(x)|"
            r" \le 2 \epsilon$ for all $x$. ($\sigma$ is the ReLU6.)"
        ),
        corrected=(
            r"Different: the plain ReLU in $\psi_r$, as in lemma 8, and $\epsilon \le k |r|$. With"
            r" the ReLU6 the probability is 0 for $k \ge 7$, $r = k$ and small $\epsilon$, "
            r"whatever $n$ and $c$ are."
        ),
        hypotheses=(
            START,
            FIRST,
            LARGE,
            r"7 \le k \le c\, \epsilon^{1/4} n^{1/8}",
            r"\epsilon \le k |r|",
        ),
        constants=(
            Unknown(
                symbol="c",
                role=Role.HYPOTHESIS,
                weaker="down",
                proof=r"\left(\epsilon \sqrt n \ge 8 k^2 (C_1 k + C_2 + C_3)\right)",
                line="(|r|/b)(C_1 k + C_2 + C_3)/sqrt n <= eps in the proof of lemma 9 (DM:372), "
                "with the constants of lemma 7",
            ),
        ),
        uses=("lemma-7", "lemma-8"),
    ),
    "lemma-10": Text(
        printed=(
            r"Let $n \ge 9 \log 7$, $7 \le k \le c\, n^{1/10}$ and $q \ge C k^7 "
            r"\log((k+1)/\delta)$. With probability at least $1 - \delta$ there is $u^* \in "
            r"R^{2q}$ such that $g^*(x) = \sum_i u_i^* \sigma(\langle w_i^{(1)}, x\rangle + "
            r"b_i^{(1)})$ has $g^*(x) f_A(x) \ge 1$ for all $x$."
            "\n"
            r"Moreover $\|u^*\| \le B k^5/\sqrt q$, $\|u^*\|_0 = \tilde B q/k^{2.5}$, and "
            r"$\sigma(\langle w_i^{(1)}, x\rangle + b_i^{(1)}) \le 1$ wherever $u_i^* \ne 0$."
            "\n"
            r"The proof's $u^*$ rests on $\sum_r (-1)^{(k-r)/2} v_r \psi_r = f_A$ with $v_r = 1$ "
            r"($|r| = k$), $2.5$ ($|r| = 1$), $2$ (otherwise)."
        ),
        corrected=(
            r"Different: the construction, not the claim. $f_A = -\sum_r (-1)^{(k-r)/2} v_r "
            r"\psi_r$ with $v_r = 2$ for $|r| < k$ and $v_{\pm k} = 3/2$ if $k \equiv 3$, $1/2$ if"
            r" $k \equiv 1$ modulo 4; these weights are the only ones."
            "\n"
            r"Lemma 9 leaves an error of $1/(5k)$ for each $\psi_r$, not $1/(10k)$, and so a "
            r"margin of .57 at $k = 7$: $u^*$ is doubled, $u_i^* = -(-1)^{(k-r)/2} 2 v_r |r|/(b "
            r"|J_r|)$ for $i \in J_r$."
        ),
        hypotheses=(
            START,
            FIRST,
            LARGE,
            r"7 \le k \le c\, n^{1/10}",
            r"q \ge C k^7 \log((k+1)/\delta)",
        ),
        constants=(
            Unknown(symbol="c", role=Role.HYPOTHESIS, weaker="down"),
            C_SEPARATOR,
            Unknown(symbol="B", role=Role.CONCLUSION, weaker="up"),
            Unknown(symbol=r"\tilde B", role=Role.CONCLUSION, weaker="up"),
        ),
        uses=("lemma-9",),
    ),
    "theorem-11": Text(
        printed=(
            r"Let $f_1, \dots, f_T$ be convex and $\theta_{t+1} = \theta_t - \eta \nabla "
            r"f_t(\theta_t)$. For every $\theta^*$,"
            "\n"
            r"$\frac1T \sum_t f_t(\theta_t) \le \frac1T \sum_t f_t(\theta^*) + "
            r"\frac{\|\theta^*\|^2}{2 \eta T} + \|\theta_1\| \frac1T \sum_t \|\nabla "
            r"f_t(\theta_t)\| + \eta \frac1T \sum_t \|\nabla f_t(\theta_t)\|^2$."
        ),
        hypotheses=(r"f_t \text{ convex}",),
    ),
    "lemma-12": Text(
        printed=(
            r"Let $\eta_1 = 1$ and $\lambda_1 = 1/2$. Then $|u_i^{(1)}| \le k/\sqrt n$ for every "
            r"$i$. (The proof gives $\sum_{j \in A} |w_{i,j}^{(0)}|/\sqrt n$.)"
        ),
        hypotheses=(START, FIRST),
        uses=("initialisation",),
    ),
    "lemma-13": Text(
        printed=(
            r"Let $\eta_1 = 1$, $\lambda_1 = 1/2$ and, for $t > 1$, $\eta_t = \eta$, $\lambda_t = "
            r"\lambda$ in $[0, 1/2]$. For every $t$ and $i$: $|u_i^{(t)}| \le 6 \eta t + k/\sqrt "
            r"n$, $|b_i^{(t)} - b_i^{(1)}| \le 6 \eta^2 t^2 + \eta t k/\sqrt n$ and"
            "\n"
            r"$\|w_i^{(t)} - w_i^{(1)}\| \le 6 \eta^2 t^2 + \eta t \frac{k}{\sqrt n} 2 \eta t "
            r"\lambda \frac nk t$."
        ),
        corrected=(
            r"Different: a plus that was lost and a $t$ too many in the bound on the weights, "
            r"$\|w_i^{(t)} - w_i^{(1)}\| \le 6 \eta^2 t^2 + \eta t \frac{k}{\sqrt n} + 2 \eta t "
            r"\lambda \frac nk$, which is the last line of the proof. As printed it is $6 \eta^2 "
            r"t^2$ without weight decay."
        ),
        hypotheses=(START, FIRST, LATER),
        uses=("lemma-12",),
    ),
    "lemma-14": Text(
        printed=(
            r"Fix $u^* \in R^{2q}$ and let $g^{(t)}_{u^*}(x) = \sum_i u_i^* \sigma(\langle "
            r"w_i^{(t)}, x\rangle + b_i^{(t)})$. Then"
            "\n"
            r"$|\ell(g^{(t)}_{u^*}(x), y) - \ell(g^{(1)}_{u^*}(x), y)| \le 2 \|u^*\| "
            r"\sqrt{\|u^*\|_0} \left(6 \eta^2 t^2 + \eta t \frac{k}{\sqrt n} + \eta t \lambda "
            r"\frac nk\right)$."
        ),
        hypotheses=(START, FIRST, LATER),
        uses=("lemma-13",),
    ),
}
