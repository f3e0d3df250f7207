r"""What the statements of Glasgow (2023) say: claims, hypotheses and constants, as printed.

Numbers follow the arXiv version; the ICLR version has the clean main text, and is followed where
the two differ. Where the scan cannot be read, the text says so and gives what the proof yields.

    w_sig, w_opp, w_perp   parts of a neuron        mu   one of the centres ±mu1, ±mu2
    g_mu = |l'(mu)|        gamma_mu, gamma~_mu      margin at mu, and what heavy neurons carry of it
"""

from featlearn.theory.text import Role, Text, Unknown

HIGH_PROBABILITY = Unknown(symbol=r"d^{-\omega(1)}", role=Role.PROBABILITY, weaker="up", run=r"1/d")
"""The chance of a failure; 1/d is the largest that could be meant."""
POPULATION = Unknown(
    symbol=r"d^{-\omega(1)}",
    role=Role.PROBABILITY,
    weaker="up",
    run=r"\text{the population gradient}",
)
SMALL_RATE = Unknown(symbol="o(1)", role=Role.CONCLUSION, weaker="up", run=r"10 \zeta H")
"""What rates of phase 2 may be off by."""
C_OF_ZETA = Unknown(
    symbol="c",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=4.0,
    line=r"proof of lemma C.14: $\zeta = (\log d)^{-c} = o(\log^{-4} d)$",
    run=1.0,
)
C_OF_THETA = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    run=r"\log(1/\theta) / \log\log d",
)
LARGE_D = Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=128.0)
WELL_SPREAD = Unknown(
    symbol="C_{WS}",
    role=Role.SIZE,
    weaker="up",
    proof=4.0,
    line="definition C.7: the largest constant of lemmas B.2 to B.4; B.3 needs 4",
    run=0.0,
)
"""Strong neurons wait about exp(100 C_WS^8)/eta steps; in the run they do not wait."""

PHASE_1 = (
    r"\theta = (\log d)^{-C}",
    r"\zeta = (\log d)^{-c}",
    "c is large, C is large in terms of c, d is large",
    r"m \geq d / \theta^2",
    r"1 / \theta \leq p \leq d^C",
    r"\eta \leq \theta",
)
SIGNAL_HEAVY = (
    "the network is signal-heavy (definition 4.2)",
    r"H > 1",
    r"\zeta \leq e^{-10 H}",
)
STEP_OF_PHASE_2 = (*SIGNAL_HEAVY, r"\eta \leq \zeta^3")

_PRINTED: dict[str, Text] = {
    "remark-2.1": Text(
        printed=r"SGD and its initialisation are invariant under rotations: started from $W Q$ on "
        r"data $Q^T x$, with $Q$ orthogonal, training passes through $W_t Q$. So all results hold "
        r"for a Boolean cube in any basis.",
        hypotheses=(r"Q^T Q = I",),
    ),
    "theorem-3.1": Text(
        printed=r"There is a constant $C > 0$ such that for all $d$ large enough, with "
        r"$\theta = (\log d)^{-C}$ and probability $1 - d^{-\omega(1)}$, for some "
        r"$t \leq C \log(d) / \eta$: $E_x \ell_{\rho_t}(x) \leq (\log d)^{-\Theta(1)}$. "
        r"So $m t = O(d \, \mathrm{polylog} \, d)$ samples are enough. (The arXiv version starts "
        r"at $\theta / \sqrt{p}$ and claims $o(1)$; its proof gives the probability "
        r"$1 - \theta$ of lemma 4.1 and no more. The $C$ of the time is fitted here by itself, as "
        r"$C_t$.)",
        hypotheses=(
            r"\theta = (\log d)^{-C}",
            r"m \geq d / \theta",
            r"1 / \theta \leq p \leq d^C",
            r"d^{-C} \leq \eta \leq \theta",
            r"d \geq d_0",
        ),
        constants=(
            Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", run=1.0),
            Unknown(
                symbol="C_t",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"\text{fitted}",
            ),
            Unknown(symbol=r"\Theta(1)", role=Role.CONCLUSION, weaker="down", run=1.0),
            Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=32.0),
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=r"\theta",
            ),
        ),
        uses=("lemma-4.1", "lemma-D.4", "lemma-4.4", "lemma-D.14"),
    ),
    "lemma-4.1": Text(
        printed=r"(Formally lemma C.1.) With probability at least $1 - \theta$, after some "
        r"$T_1 = \Theta(\log(d) / \eta)$ steps: (1) $E \|a w\| \leq 1$; "
        r"(2) $E \|w_\perp + w_{\mathrm{opp}}\|^2 \leq 4 \theta^2$; (3) for every $\mu$ at least "
        r"$0.1$ of the neurons have $w_{\mathrm{sig}} \cdot \mu > 0$ and "
        r"$\|w_{\mathrm{sig}}\| \geq (\log d)^c \theta$; (4) $E \|w\|^2 \leq E a^2 + \sqrt{\eta}$, "
        r"and $|a| \leq \|w\|$ for every neuron.",
        hypotheses=(
            r"\theta = (\log d)^{-C}",
            "c is large, C is large in terms of c, d is large",
            *PHASE_1[3:],
        ),
        constants=(
            Unknown(symbol="c", role=Role.CONCLUSION, weaker="down", run=1.0),
            Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", run=1.85),
            Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=32.0),
            Unknown(
                symbol=r"\Theta",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"\text{the steps of the run}",
            ),
        ),
        uses=("definition-C.13", "lemma-B.2", "lemma-C.14", "lemma-C.15"),
    ),
    "definition-4.2": Text(
        printed=r"For $H > 1$ and $\zeta = o(1)$, $\zeta \leq e^{-10 H}$, a network is "
        r"$(\zeta, H)$-signal-heavy if there is a set $S$ of neurons with "
        r"$e^{6 H} \|w_\perp\| + \|w_{\mathrm{opp}}\| \leq \zeta \|w_{\mathrm{sig}}\|$, "
        r"$E[1(w \notin S) \|w\|^2] \leq \zeta \tilde\gamma_{\min}$, "
        r"$E \|w\|^2 \leq E a^2 + \zeta H \leq 2 H$, and $|a| \leq \|w\|$ for all neurons, where "
        r"$\tilde\gamma_\mu = E[1(w \in S, w_{\mathrm{sig}} \cdot \mu > 0) \, "
        r"a \sigma(w \cdot \mu)]$.",
        corrected=r"The same with $y(\mu) a$ in the place of $a$: as printed "
        r"$\tilde\gamma_{\pm\mu_2}$ would be negative, so that no network would be signal-heavy.",
        hypotheses=(r"H > 1", r"\zeta \leq e^{-10 H}"),
    ),
    "equation-4.3": Text(
        printed=r"Near the start $-\nabla_{w_{1:2}} L_0 \approx \frac{|a|}{\|w\| \sqrt{2 \pi}} "
        r"(w_{\mathrm{sig}} - w_{\mathrm{opp}})$.",
        hypotheses=("the first two coordinates are short beside the others, as at the start",),
        constants=(
            Unknown(
                symbol=r"\approx",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"1 \pm K / d",
            ),
        ),
        uses=("lemma-C.4", "lemma-B.4"),
    ),
    "equation-4.5": Text(
        printed=r"Near the start $\|\nabla_{w_{1:2}} L - \nabla_{w_{1:2}} L_0\| \leq "
        r"|a| \, O(\log^2 d) (E \|a w_{1:2}\| + E \|a w\| \frac{\|w_{1:2}\|}{\|w\|})$.",
        hypotheses=("the first two coordinates are short beside the others, as at the start",),
        constants=(Unknown(symbol=r"O", role=Role.CONCLUSION, weaker="up", run=1.0),),
        uses=("lemma-C.3", "lemma-B.4"),
    ),
    "remark-4.3": Text(
        printed=r"If the second layer were not trained, $|a| = 1$, the neurons in $S$ would grow "
        r"at the linear rate $\tau g_\mu$, and those outside at up to the same; so the mass "
        r"outside $S$ might become large. Trained together, $\|w_{\mathrm{sig}}\|$ and $|a|$ feed "
        r"each other and the ratio of the masses is kept.",
        hypotheses=SIGNAL_HEAVY,
        constants=(
            Unknown(symbol="o(1)", role=Role.CONCLUSION, weaker="up", run=0.02),
            Unknown(
                symbol=r"\zeta",
                role=Role.HYPOTHESIS,
                weaker="down",
                printed=r"e^{-10 H}",
                run=0.5,
            ),
        ),
        uses=("lemma-D.6", "lemma-D.11"),
    ),
    "lemma-4.4": Text(
        printed=r"(Formally lemma D.3.) With probability $1 - d^{-\omega(1)}$ one step of a "
        r"$(\zeta, H)$-signal-heavy network leaves it $(\zeta (1 + 10 \eta \zeta H), H)$-"
        r"signal-heavy, and $\tilde\gamma_{\min}' \geq (1 + 2 \eta \tau (1 - o(1)) g_{\max}) "
        r"\tilde\gamma_{\min}$, $\tilde\gamma_{\max}' \leq (1 + 2 \eta \tau (1 + o(1)) g_{\min}) "
        r"\tilde\gamma_{\max}$, with $\tau = \sqrt{2}/4$.",
        hypotheses=(
            *STEP_OF_PHASE_2,
            r"t \leq T_1 + \zeta_{T_1}^{-1/160} / \eta",
            r"\zeta \leq \zeta_{T_1} (1 + 10 \eta \zeta H)^{t - T_1}",
        ),
        constants=(
            Unknown(
                symbol="o(1)",
                role=Role.CONCLUSION,
                weaker="up",
                run=0.1,
            ),
            Unknown(
                symbol=r"\zeta",
                role=Role.HYPOTHESIS,
                weaker="down",
                printed=r"e^{-10 H}",
                run=r"\text{the run's own}",
            ),
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=r"\text{mean over seeds}",
            ),
        ),
        uses=("lemma-D.4", "lemma-D.11", "lemma-D.12", "lemma-D.13", "lemma-B.13", "claim-D.16"),
    ),
    "lemma-B.2": Text(
        printed=r"For every $c$ large enough, $w$ uniform on a sphere is $c$-well-spread with "
        r"probability $1 - d^{-\omega(1)}$. $v$ is $c$-well-spread (definition B.1) if "
        r"$\|v\|_3^3 \leq 20 \|v\|^3 d^{-1/2}$, $\|v\|_\infty \leq 2 \log(d) \|v\| / \sqrt{d}$, "
        r"and of its $d / c^2$ smallest coordinates the sum is at least $\|v\| \sqrt{d} / c^5$ and "
        r"the largest at most $\|v\| / (c \sqrt{d})$. (The powers of $c$ are read off the proofs.)",
        hypotheses=(r"w \sim S^{d-1}(r)", "c large enough"),
        constants=(
            Unknown(symbol="c", role=Role.HYPOTHESIS, weaker="up", run=4.0),
            HIGH_PROBABILITY,
        ),
    ),
    "lemma-B.3": Text(
        printed=r"There is $C_0$ such that for all $C \geq C_0$, every $C$-well-spread $v$, all "
        r"$\Delta$ with $\|\Delta\| \leq \zeta \|v\|$ and $d$ large enough: "
        r"$P(|\xi \cdot (v + \Delta)| \leq \|v\| / \sqrt{d}) \geq "
        r"\frac{1}{8} e^{-100 C^8} / \sqrt{d}$.",
        hypotheses=(
            "v is C-well-spread",
            r"C \geq C_0",
            "zeta is at most some power of 1/C (unreadable; the proof needs 1/(5.2 C^5))",
            r"d \geq d_0",
        ),
        constants=(
            Unknown(
                symbol="C",
                role=Role.HYPOTHESIS,
                weaker="up",
                proof=4.0,
                line=r"claim B.9: $C \geq 4 C'$ with the $C' > 8 \sqrt{\pi} C_{BE} \geq 1$ of "
                r"lemma B.6, so that 4 is a lower end",
                run=4.0,
            ),
            Unknown(
                symbol=r"\kappa",
                role=Role.CONCLUSION,
                weaker="down",
                printed=r"\frac{1}{8} e^{-100 C^8}",
                run=r"\text{fitted}",
            ),
            Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=64.0),
        ),
        uses=("theorem-B.5", "lemma-B.6"),
    ),
    "lemma-B.4": Text(
        printed=r"There is $C_0$ such that for $C \geq C_0$, every $C$-well-spread $v$, all "
        r"$\Delta$ with $\|\Delta\| \leq \zeta \|v\|$ and $d$ large enough, with "
        r"$P_c = P(|N| \leq c)$: $|P(\xi \cdot (v + \Delta) \in [a, b] \|v\|) - P_{(b-a)/2}| \leq "
        r"2 P_{(b-a)/2} (\sqrt{\zeta} + \max(|a|, |b|)^2) + 200 C_{BE} / \sqrt{d}$. "
        r"(The hypothesis on $\zeta$ is unreadable; it is what the proof needs.)",
        hypotheses=(
            "v is C-well-spread",
            r"C \geq C_0",
            r"\sqrt{\zeta} (4 \log^2 d + 3) \leq 1",
            r"d \geq d_0",
        ),
        constants=(
            Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", run=4.0),
            Unknown(
                symbol="C_{BE}",
                role=Role.CONCLUSION,
                weaker="up",
                proof=0.56,
                line="theorem B.5, which leaves it open; the least that is known is Shevtsova's",
                run=r"\text{fitted}",
            ),
            Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=256.0),
        ),
        uses=("theorem-B.5", "claim-B.11"),
    ),
    "theorem-B.5": Text(
        printed=r"There is a universal constant $C_{BE}$ with "
        r"$\sup_x |P(u \cdot \xi \geq x) - P(N \geq x / \|u\|)| \leq "
        r"C_{BE} \|u\|_3^3 / \|u\|^3$ for all $u$.",
        constants=(Unknown(symbol="C_{BE}", role=Role.CONCLUSION, weaker="up", run=0.56),),
    ),
    "lemma-B.12": Text(
        printed=r"With probability $1 - d^{-\omega(1)}$, for any neuron: (1) "
        r"$\|\nabla_w \hat L - \nabla_w L\|^2 \leq \frac{d \log^2 d}{m} a^2$, and "
        r"$|\partial_i \hat L - \partial_i L|^2 \leq \frac{\log^2 d}{m} a^2$ for every coordinate; "
        r"(2) $|\nabla_a \hat L - \nabla_a L|^2 \leq \frac{\log^2 d}{m} \|w\|^2$. (Item 2 is "
        r"unreadable in the scan; this is what its proof gives.)",
        hypotheses=(r"m \geq d \log^2 d", "a loss that is 2-Lipschitz in the output"),
        constants=(HIGH_PROBABILITY,),
    ),
    "lemma-B.13": Text(
        printed=r"With probability $1 - d^{-\omega(1)}$, for any neuron: (S1) "
        r"$\|\nabla_w L\| \leq 2 |a|$; (S2) $|\nabla_a L| \leq 2 \|w\|$; (S3) $|a| \leq \|w\|$ is "
        r"kept by a step of SGD; (S4) $\|w'\|^2 - a'^2 \leq \|w\|^2 - a^2 + 4 \eta^2 a^2$.",
        hypotheses=(
            r"m \geq d \log^2 d",
            r"\eta \leq 1/4",
            "a loss that is 2-Lipschitz in the output",
        ),
        constants=(
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=0.0,
            ),
        ),
        uses=("lemma-B.12",),
    ),
    "lemma-C.2": Text(
        printed=r"For any neuron, with $K = 2$: (G1) $|\nabla_a L_0 - \nabla_a L| \leq "
        r"K \|w\| E \|a w\|$; (G2) $\|\nabla_w L_0 - \nabla_w L\| \leq K |a| E \|a w\|$.",
        constants=(
            Unknown(
                symbol="K",
                role=Role.CONCLUSION,
                weaker="up",
                printed=2.0,
                run=0.5,
            ),
        ),
        uses=("lemma-C.5",),
    ),
    "lemma-C.3": Text(
        printed=r"For any neuron and coordinate $i$, $x_{\setminus i}$ being $x$ without it: "
        r"$|\partial_i L - \partial_i L_0| \leq |a| (4 E |a w_i| + 2 \log(d) E \|a w\| "
        r"P(|x_{\setminus i} \cdot w| \leq |w_i|) + d^{-\omega(1)})$.",
        hypotheses=(r"E \|a w\| \leq d^{O(1)}",),
        constants=(
            Unknown(symbol=r"d^{-\omega(1)}", role=Role.CONCLUSION, weaker="up", run=0.0),
            Unknown(symbol="O(1)", role=Role.HYPOTHESIS, weaker="down", run=1.0),
        ),
        uses=("lemma-C.5",),
    ),
    "lemma-C.4": Text(
        printed=r"For any neuron, $s = w_\perp \cdot \xi$, $\tau = \sqrt{2}/4$: (B1) "
        r"$-w_{\mathrm{sig}} \cdot \nabla L_0 = \tau |a| \|w_{\mathrm{sig}}\| "
        r"P(|s| \leq \sqrt{2} \|w_{\mathrm{sig}}\|)$; (B2) $-w_{\mathrm{opp}} \cdot \nabla L_0 = "
        r"-\tau |a| \|w_{\mathrm{opp}}\| P(|s| \leq \sqrt{2} \|w_{\mathrm{opp}}\|)$; (B3) "
        r"$-w_\perp \cdot \nabla L_0 = \mp \frac{|a|}{4} E[|s| 1(|s| \in I)]$, $I$ between "
        r"$\sqrt{2} \|w_{\mathrm{opp}}\|$ and $\sqrt{2} \|w_{\mathrm{sig}}\|$, with $-$ if "
        r"$\|w_{\mathrm{sig}}\| > \|w_{\mathrm{opp}}\|$; (B4) for $i \geq 3$, $X = s - w_i \xi_i$: "
        r"$-w_i \partial_i L_0 = \frac{|a| |w_i|}{4} (P(|X - \sqrt{2} \|w_{\mathrm{opp}}\|| \leq "
        r"|w_i|) - P(|X - \sqrt{2} \|w_{\mathrm{sig}}\|| \leq |w_i|))$.",
        corrected=r"B4 with the opposite sign, $\frac{|a| |w_i|}{4} "
        r"(P(|X - \sqrt{2} \|w_{\mathrm{sig}}\|| \leq |w_i|) - "
        r"P(|X - \sqrt{2} \|w_{\mathrm{opp}}\|| \leq |w_i|))$, so that the B4 sum to B3; and in "
        r"all four an atom on the boundary counts one half, not one.",
    ),
    "lemma-C.5": Text(
        printed=r"$E (\ell' - \ell_0')^2 \leq K (E \|a w\|)^2$, $K = 4$; and for every $x$ and "
        r"$i$, flipping $x_i$ changes $\ell'$ by at most $K' E |a w_i|$, $K' = 4$.",
        corrected=r"The second for $\ell' - \ell_0' = \tanh(f/2)$ in the place of $\ell'$: for "
        r"$i = 1, 2$ a flip of $x_i$ flips the label, and $\ell'$ jumps by nearly 2.",
        constants=(
            Unknown(
                symbol="K",
                role=Role.CONCLUSION,
                weaker="up",
                printed=4.0,
                run=0.25,
            ),
            Unknown(
                symbol="K'",
                role=Role.CONCLUSION,
                weaker="up",
                printed=4.0,
                run=1.0,
            ),
        ),
    ),
    "definition-C.13": Text(
        printed=r"A neuron is strong at the start if $\|w_{\mathrm{sig}}\| \geq S_0 = "
        r"\theta / \sqrt{d}$ (as the scan reads). By the proof of lemma C.1, with probability "
        r"$1 - d^{-\omega(1)}$ and for every $\mu$, at least $0.1$ of the neurons are strong and "
        r"have $w_{\mathrm{sig}} \cdot \mu > 0$.",
        corrected=r"$S_0 = \theta / \sqrt{2 d}$. The share is "
        r"$\frac{1}{4} P(\mathrm{Beta}(\frac{1}{2}, \frac{d-1}{2}) \geq \kappa / d)$ with "
        r"$S_0^2 = \kappa \theta^2 / d$: $0.079$ for $\kappa = 1$, $0.12$ for $\kappa = 1/2$.",
        hypotheses=(r"w \sim S^{d-1}(\theta)", r"a = \pm\theta"),
        constants=(
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=r"\text{mean over networks}",
            ),
        ),
        uses=("lemma-B.2",),
    ),
    "lemma-C.14": Text(
        printed=r"$S_t^2 \geq B_t^2 / \log^4 d$ for $t \leq T_{1a}$, hence strong neurons have "
        r"$\|w_{\mathrm{sig}}\| \geq \zeta^{1.5} \theta$ at $T_{1a}$, and "
        r"$\|w_{\mathrm{sig}}\| \geq \theta / \zeta$ at $T_{1b}$. Here $B_t^2 = "
        r"\frac{\theta^2 \log^3 d}{d} (1 + 2 \eta \tau_1 (1 + 1/\log d))^t$ and "
        r"$S_t^2 = \frac{\theta^2}{d} \prod_{s<t} (1 + 2 \eta \tau_1 (1 - \epsilon_s))$, where "
        r"$\epsilon_s = 1 - 1/C_S$ for the first $C_S \log(800 C_{BE}) / (\eta \tau_1)$ steps, "
        r"$C_S$ of the order of $e^{100 C_{WS}^8}$, $\tau_1 = 1/\sqrt{2 \pi}$; phase 1a ends when "
        r"$B_t = \theta \zeta$, phase 1b when $B_t = \theta \zeta^{-300}$.",
        hypotheses=PHASE_1,
        constants=(
            C_OF_ZETA,
            C_OF_THETA,
            LARGE_D,
            WELL_SPREAD,
        ),
    ),
    "lemma-C.15": Text(
        printed=r"(With lemma C.16.) If at a step of phase 1 all neurons are controlled or weakly "
        r"controlled, then with probability $1 - d^{-\omega(1)}$ they are so after it, and strong "
        r"ones are strong. Controlled: (C1) $\|w_{\mathrm{sig}}\|^2 \leq \min(B_t^2, \theta^2 "
        r"\zeta^2)$; (C2) $\|w_{\mathrm{opp}}\|^2 \leq Q_t^2 + \theta B_t^2$; (C3) "
        r"$|a| = \theta (1 \pm t \eta \zeta)$, $|a| \leq \|w\|$; (C4) $\|w_\perp - w_\perp^{(0)}\| "
        r"\leq \theta \zeta^{1/4} \eta t$; (C5) $\|w_\perp\|_\infty^2 \leq Q_t^2 + \theta B_t^2$. "
        r"Weakly: (W1) $\theta^2 \zeta^2 \leq \|w_{\mathrm{sig}}\|^2 \leq B_t^2 \leq "
        r"\theta^2 \zeta^{-600}$; (W2) $\|w_{\mathrm{opp}}\|^2 \leq 4 \theta^2 \zeta$; (W3) "
        r"$\|w\|^2 \geq a^2 \geq \|w\|^2 - \sqrt{\zeta} \theta^2 - \ldots$; (W4) "
        r"$\|w_\perp\|^2 \leq 3 \theta^2$; (W5) $\|w_\perp\| \leq \|w_{\mathrm{sig}}\|$ or "
        r"$\|w_\perp\|_\infty$ small.",
        hypotheses=PHASE_1,
        constants=(C_OF_ZETA, C_OF_THETA, LARGE_D, WELL_SPREAD, HIGH_PROBABILITY),
        uses=(
            "lemma-B.4",
            "lemma-B.12",
            "lemma-B.13",
            "lemma-C.2",
            "lemma-C.4",
            "lemma-C.6",
            "claim-C.12",
            "lemma-C.14",
            "lemma-C.17",
            "claim-C.18",
        ),
    ),
    "claim-C.18": Text(
        printed=r"A weakly controlled, strong neuron has "
        r"$P(|w_\perp \cdot \xi| \leq \sqrt{2} \|w_{\mathrm{sig}}\|) \geq "
        r"\frac{\|w_{\mathrm{sig}}\|}{5 \|w_\perp + w_{\mathrm{sig}}\|}$.",
        hypotheses=(*PHASE_1, "the neuron is weakly controlled (C.10) and strong (C.13)"),
        constants=(C_OF_ZETA, C_OF_THETA, LARGE_D, WELL_SPREAD),
        uses=("theorem-B.5", "lemma-C.14"),
    ),
    "equation-D.1": Text(
        printed=r"$e^{-H_\rho} \leq g_{\min} \leq g_{\max} \leq 2$ with $g_\mu = |\ell'(\mu)|$, "
        r"$H_\rho = E \|a w\|$.",
        corrected=r"$e^{-\sqrt{2} H_\rho} \leq g_{\min}$: $|f(\mu)| \leq \|\mu\| H_\rho$, and "
        r"$\|\mu\| = \sqrt{2}$ is lost in print. One neuron along $\mu$ contradicts the printed "
        r"bound.",
    ),
    "lemma-D.4": Text(
        printed=r"If the conclusion of lemma C.1 holds at $T_1$, the network is "
        r"$(\zeta_{T_1}, H)$-signal-heavy with $\zeta_{T_1} = (\log d)^{-c/2}$, "
        r"$H = -\log(\zeta_{T_1}) / 20$. Further $\tilde\gamma_{\min} \geq (\log d)^{-\Theta(1)}$ "
        r"and $\tilde\gamma_{\max} \leq 1$. (The power $c/2$ is reconstructed from the proof.)",
        corrected=r"$\tilde\gamma_{\max} \leq \sqrt{2}$: the proof bounds $w \cdot \mu$ by "
        r"$\|w_{1:2}\|$ and loses the norm $\sqrt{2}$ of $\mu$.",
        hypotheses=(
            "items 1 to 4 of lemma 4.1",
            r"H > 1",
        ),
        constants=(
            Unknown(
                symbol="c",
                role=Role.HYPOTHESIS,
                weaker="up",
                run=r"-2 \log(\zeta) / \log\log d",
            ),
            Unknown(
                symbol=r"\Theta(1)",
                role=Role.CONCLUSION,
                weaker="up",
                run=r"\text{not judged}",
            ),
        ),
        uses=("lemma-4.1",),
    ),
    "lemma-D.5": Text(
        printed=r"For any neuron (of a $(\zeta, H)$-signal-heavy network: print leaves this to the "
        r"section) $\|\nabla_w^{cl} L - \nabla_w L\| \leq 4 |a| \zeta H_\rho$ and "
        r"$|\nabla_a^{cl} L - \nabla_a L| \leq 4 \|w\| \zeta H_\rho$.",
        hypotheses=SIGNAL_HEAVY,
        constants=(
            Unknown(
                symbol="K",
                role=Role.CONCLUSION,
                weaker="up",
                printed=4.0,
                run=r"\frac{1}{2} E \|a w_\perp\| / (\zeta H_\rho)",
            ),
        ),
    ),
    "lemma-D.6": Text(
        printed=r"(Claim D.6.) For $w \in S$ with $\mu \cdot w_{\mathrm{sig}} > 0$: "
        r"$\mu \cdot \nabla_w^{cl} L = -|a| \tau g_\mu (1 \pm o(1))$ and "
        r"$-y(\mu) \nabla_a^{cl} L = (1 \pm o(1)) \|w_{\mathrm{sig}}\| \tau g_\mu$.",
        corrected=r"The first for the unit vector along $\mu$, or as $-w_{\mathrm{sig}} \cdot "
        r"\nabla_w^{cl} L = \tau |a| \|w_{\mathrm{sig}}\| g_\mu (1 \pm o(1))$: with "
        r"$\mu = e_1 - e_2$ it is off by $\sqrt{2}$.",
        hypotheses=SIGNAL_HEAVY,
        constants=(Unknown(symbol="o(1)", role=Role.CONCLUSION, weaker="up", run=r"2 \zeta"),),
    ),
    "lemma-D.7": Text(
        printed=r"With $X = P(|w_\perp \cdot \xi| \geq \sqrt{2} \|w_{\mathrm{opp}}\|)$: "
        r"$\frac{1}{|a|} w_\perp \cdot \nabla^{cl} \geq \kappa g_{\min} X \|w_\perp\| - "
        r"\zeta \|w_\perp\|$ (the display is unreadable in the scan, the proof ends with "
        r"$\kappa = 1/4$), and $\frac{1}{|a|} w_{\mathrm{opp}} \cdot \nabla^{cl} \geq "
        r"\frac{\sqrt{2}}{8} g_{\min} \|w_{\mathrm{opp}}\| - "
        r"\frac{\sqrt{2}}{4} g_{\max} X \|w_{\mathrm{opp}}\|$.",
        corrected=r"$\kappa = 1 / (4 \sqrt{2})$. The proof takes $E |\xi \cdot w_\perp|$ for "
        r"$\|w_\perp\|$; by Khinchine's inequality it is at least $\|w_\perp\| / \sqrt{2}$, with "
        r"equality for two equal coordinates.",
        hypotheses=SIGNAL_HEAVY,
        constants=(
            Unknown(
                symbol=r"\kappa",
                role=Role.CONCLUSION,
                weaker="down",
                proof=0.25,
                line="proof of lemma D.7, last line of the first display",
            ),
        ),
    ),
    "corollary-D.8": Text(
        printed=r"For $w \in S$: $-w_{\mathrm{opp}} \cdot \nabla_w^{cl} L - e^{6 H} w_\perp \cdot "
        r"\nabla_w^{cl} L \leq -\zeta^x |a| (\|w_{\mathrm{opp}}\| + e^{6 H} \|w_\perp\|)$. "
        r"(The exponent $x$ is unreadable in the scan; lemma D.12 needs $x < 1$.)",
        hypotheses=SIGNAL_HEAVY,
        constants=(Unknown(symbol="x", role=Role.CONCLUSION, weaker="up", run=0.8),),
        uses=("lemma-D.7", "claim-D.9", "equation-D.1"),
    ),
    "claim-D.9": Text(
        printed=r"If $\|w_\perp\| \geq 10 \|w_{\mathrm{opp}}\|$, then "
        r"$X = P(|w_\perp \cdot \xi| \geq \sqrt{2} \|w_{\mathrm{opp}}\|) \geq \frac{1}{2}$.",
        hypotheses=(r"\|w_\perp\| \geq 10 \|w_{\mathrm{opp}}\|",),
        uses=("theorem-B.5",),
    ),
    "lemma-D.10": Text(
        printed=r"For any neuron $|\nabla_a^{cl} L| = |w \cdot \nabla_w^{cl} L| \leq "
        r"\tau g_{\max} \|w\|$.",
        corrected=r"$|w \cdot \nabla_w^{cl} L| = |a| |\nabla_a^{cl} L| \leq "
        r"\tau g_{\max} |a| \|w\|$: the equality of the print has lost $|a|$.",
    ),
    "lemma-D.11": Text(
        printed=r"For any neuron, with high probability, $\|w'\|^2 \leq \|w\|^2 "
        r"(1 + 2 \eta (1 + 2 \zeta H) \tau g_{\max})$. (The proof gives "
        r"$1 + 2 \zeta H / \tau$ and drops the $\tau$.)",
        hypotheses=STEP_OF_PHASE_2,
        constants=(
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=POPULATION.run,
            ),
            Unknown(
                symbol="K",
                role=Role.CONCLUSION,
                weaker="up",
                printed=2.0,
                proof=r"2 / \tau",
                line=r"proof of lemma D.11: $4 \eta \zeta H g_{\max} \|w\|^2$",
                run=2.0,
            ),
        ),
        uses=("lemma-D.5", "lemma-D.10", "lemma-B.12"),
    ),
    "lemma-D.12": Text(
        printed=r"With probability $1 - d^{-\omega(1)}$ after one step "
        r"$\tilde\gamma_{\min}' \geq (1 + 2 \eta \tau (1 - o(1)) g_{\max}) \tilde\gamma_{\min}$, "
        r"and every neuron with $e^{6 H} \|w_\perp\| + \|w_{\mathrm{opp}}\| \leq "
        r"\zeta \|w_{\mathrm{sig}}\|$ has it afterwards too. (The proof shows that "
        r"$e^{6 H} \|w_\perp\|^2 + \|w_{\mathrm{opp}}\|^2$ falls, from which the second does not "
        r"follow; by lemma D.7 the norms themselves do it.)",
        hypotheses=STEP_OF_PHASE_2,
        constants=(SMALL_RATE, POPULATION),
        uses=(
            "lemma-D.5",
            "corollary-D.8",
            "lemma-D.14",
            "claim-D.15",
            "lemma-B.12",
            "lemma-B.13",
        ),
    ),
    "lemma-D.13": Text(
        printed=r"With probability $1 - d^{-\omega(1)}$ after one step "
        r"$\tilde\gamma_{\max}' \leq (1 + 2 \eta \tau (1 + o(1)) g_{\min}) \tilde\gamma_{\max}$.",
        hypotheses=STEP_OF_PHASE_2,
        constants=(SMALL_RATE, POPULATION),
        uses=("lemma-D.5", "lemma-D.6", "lemma-D.14", "lemma-B.12"),
    ),
    "lemma-D.14": Text(
        printed=r"With probability $1 - d^{-\omega(1)}$, for every $\mu$: "
        r"$|\tilde\gamma_\mu' - \tilde\gamma_\mu| \leq \sqrt{\eta}$; further "
        r"$|\gamma_\mu - \tilde\gamma_\mu| \leq 2 \zeta H$.",
        hypotheses=(*SIGNAL_HEAVY, r"\eta \leq \zeta^2"),
        constants=(
            Unknown(
                symbol=r"d^{-\omega(1)}",
                role=Role.PROBABILITY,
                weaker="up",
                run=0.0,
            ),
            Unknown(
                symbol="s",
                role=Role.CONCLUSION,
                weaker="up",
                printed=r"\sqrt{\eta}",
                proof=r"8 \eta H",
                line="proof of lemma D.14, first display",
                run=r"\sqrt{\eta}",
            ),
        ),
        uses=("lemma-B.12", "lemma-B.13"),
    ),
    "claim-D.15": Text(
        printed=r"For $w \in S_\mu$ after one step $|a'| \|w_{\mathrm{sig}}'\| \geq "
        r"|a| \|w_{\mathrm{sig}}\| (1 + 2 \eta \tau (1 - o(1)) g_\mu)$, $\tau = \sqrt{2}/4$.",
        hypotheses=STEP_OF_PHASE_2,
        constants=(SMALL_RATE, POPULATION),
        uses=("lemma-D.5", "lemma-D.6", "equation-D.1", "lemma-B.13"),
    ),
    "proposition-F.1": Text(
        printed=r"If the answer of a learner does not change when sample and test point are "
        r"rotated together, then with $n \leq d / \log^2 d$ samples of XOR on random coordinates "
        r"$i, j$ its error is at least $0.03$, for $d$ large.",
        hypotheses=(
            "the learner is rotation-invariant",
            r"n \leq d / \log^2 d",
            r"d \geq d_0",
        ),
        constants=(Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=256.0),),
        uses=("claim-F.2",),
    ),
    "claim-F.2": Text(
        printed=r"For some sufficiently small constant $c > 0$: if $|Q| > 2^{d (1 - c)}$, then "
        r"with probability at least $0.25$ over $i, j$ no label has more than $0.85$ of $Q$, so "
        r"that every answer that is the same on all of $Q$ errs on at least $0.15$ of it.",
        hypotheses=(r"|Q| > 2^{d (1 - c)}",),
        constants=(Unknown(symbol="c", role=Role.HYPOTHESIS, weaker="down", run=0.25),),
    ),
}

_STEPS: dict[str, Text] = {
    "lemma-B.6": Text(
        printed=r"For every $C$ large enough and $\|u\|_\infty \leq 1$ in $\ell$ dimensions: "
        r"$P(|\xi \cdot u| \leq C) \geq 1 / (C \sqrt{\ell})$ up to a constant that the scan leaves "
        r"unreadable. (A step of lemma B.3, with claims B.7 to B.10 about one random walk.)",
        constants=(
            Unknown(
                symbol="C",
                role=Role.HYPOTHESIS,
                weaker="up",
                proof=r"8 \sqrt{\pi} C_{BE}",
                line="proof of lemma B.6",
            ),
        ),
        uses=("theorem-B.5",),
    ),
    "claim-B.11": Text(
        printed=r"Without the coordinates on which $\Delta$ is large, for every shift $x$: the "
        r"probability of $[a - x, b - x] \|v\|$ is $P_{(b-a)/2}$ up to "
        r"$P_{(b-a)/2} (\sqrt{\zeta} + (|x| + b)^2 / 2) + 200 C_{BE} / \sqrt{d}$. (A step of lemma "
        r"B.4.)",
        constants=(Unknown(symbol="C_{BE}", role=Role.CONCLUSION, weaker="up"),),
        uses=("theorem-B.5",),
    ),
    "lemma-C.6": Text(
        printed=r"If $\|u\|^2 \leq Q^2 + \theta B^2$, $-u \cdot G \leq \chi (Q^2 + \theta B^2)$, "
        r"$\|G - \hat G\| \leq \theta B$, $\|G\| \leq O(B)$, $\chi \geq \sqrt{\theta}$ and "
        r"$\eta \leq \theta^2$, then $\|u - \eta \hat G\|^2 \leq (Q^2 + \theta B^2) "
        r"(1 + 5 \eta \chi)$. (A recursion that lemma C.15 uses three times.)",
        constants=(Unknown(symbol="O", role=Role.HYPOTHESIS, weaker="down"),),
    ),
    "claim-C.12": Text(
        printed=r"If all neurons are controlled or weakly controlled, $E \|a w\| \leq "
        r"2 \max(\theta^2, B_t^2)$ and $E |a w_i| \leq 3 \max(\theta B_t, B_t^2)$. (Follows by "
        r"plugging in, as claim C.11 does.)",
    ),
    "lemma-C.17": Text(
        printed=r"In phase 1a a controlled neuron has $\|\nabla_{w_\perp} L_0\| \leq "
        r"3 \min(\sqrt{\theta B_t}, \theta \sqrt{\zeta})$, $|\nabla_a L_0| \leq "
        r"4 \theta \min(\sqrt{\theta B_t}, \theta \sqrt{\zeta})$, $|\partial_i L_0| \leq "
        r"\frac{1}{2} \min(B_t, \theta \zeta)$ and $|\partial_i L_0 - \partial_i L| \leq "
        r"\frac{1}{2} \theta B_t$. (Lemmas C.3 and C.4 with B.4 plugged in; the numbers before the "
        r"minima are partly unreadable.)",
        hypotheses=PHASE_1,
        constants=(C_OF_ZETA, C_OF_THETA),
        uses=("lemma-B.4", "lemma-C.3", "lemma-C.4", "claim-C.12"),
    ),
    "claim-D.16": Text(
        printed=r"$\tilde\gamma_{\max} \leq -\log(\zeta_{T_1}) / 20$ until "
        r"$T_1 + \zeta_{T_1}^{-1/160} / \eta$. (Lemma D.13 iterated.)",
        uses=("lemma-D.13", "lemma-D.14"),
    ),
}
"""Steps of proofs that are not checked by themselves."""

TEXTS: dict[str, Text] = {**_PRINTED, **_STEPS}
"""Every statement of the paper's list, and the steps that their proofs rest on."""
