"""Appendix C: phase 1."""

from featlearn.papers.glasgow2023.texts.shared import (
    C_OF_THETA,
    C_OF_ZETA,
    HIGH_PROBABILITY,
    LARGE_D,
    PHASE_1,
    WELL_SPREAD,
)
from featlearn.theory.text import Role, Text, Unknown

TEXTS = {
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
}
