"""Appendix B: concentration."""

from featlearn.papers.glasgow2023.texts.shared import (
    HIGH_PROBABILITY,
)
from featlearn.theory.text import Role, Text, Unknown

TEXTS = {
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
}
