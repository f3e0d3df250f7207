"""Appendix D, phase 2, and appendix F, lower bounds."""

from featlearn.papers.glasgow2023.texts.shared import (
    POPULATION,
    SAMPLED,
    SAMPLED_RATE,
    SIGNAL_HEAVY,
    SMALL_RATE,
    STEP_OF_PHASE_2,
)
from featlearn.theory.text import Role, Text, Unknown

TEXTS = {
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
                run=SAMPLED.run,
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
        constants=(SAMPLED_RATE, SAMPLED),
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
        constants=(SAMPLED_RATE, SAMPLED),
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
    "claim-D.16": Text(
        printed=r"$\tilde\gamma_{\max} \leq -\log(\zeta_{T_1}) / 20$ until "
        r"$T_1 + \zeta_{T_1}^{-1/160} / \eta$. (Lemma D.13 iterated.)",
        uses=("lemma-D.13", "lemma-D.14"),
    ),
}
