"""Sections 2 to 4."""

from featlearn.papers.glasgow2023.texts.shared import (
    PHASE_1,
    SIGNAL_HEAVY,
    STEP_OF_PHASE_2,
)
from featlearn.theory.text import Role, Text, Unknown

TEXTS = {
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
}
