"""Appendix B.6: what moves after the two steps."""

from featlearn.papers.shi2022.texts.shared import order
from featlearn.theory.text import Text

_SIZE_OF_A2 = r"km^2|a_i^{(2)}|"

TEXTS: dict[str, Text] = {
    "lemma-24": Text(
        printed=r"""For $t > 2$ with $\lambda^{(t)} = \lambda$, $\eta^{(t)} = \eta$ and
$\sigma_\xi^{(t)} = 0$: $|a_i^{(t)}| \le \eta t + C_a/(km^2)$, $\|w_i^{(t)} - w_i^{(2)}\| \le
C_wt\eta\lambda\tilde\sigma/k + \eta^2t^2 + C_tt/(km^2)$ and $|b_i^{(t)} - b_i^{(2)}| \le
C_bt\eta\lambda/k^2 + \eta^2t^2 + C_st/(km^2)$ (places in a bad scan of the text).""",
        hypotheses=(r"\lambda, \eta \in (0,1)",),
        constants=(
            order("C_a", proof=_SIZE_OF_A2, line="(257)"),
            order("C_w", proof=r"2k\|w_i^{(2)}\|/\tilde\sigma", line="(265)"),
            order("C_b", proof="0", line="(270)"),
            order("C_t", proof=_SIZE_OF_A2, line="(265)", run=rf"\eta {_SIZE_OF_A2}"),
            order("C_s", proof=_SIZE_OF_A2, line="(270)", run=rf"\eta {_SIZE_OF_A2}"),
        ),
        uses=("lemma-12", "lemma-23"),
    ),
    "lemma-25": Text(
        printed=r"""With $g_{\tilde a}^{(t)} = \sum_i\tilde a_i\sigma(\langle w_i^{(t)},x\rangle +
b_i^{(t)})$ the loss of $g_{\tilde a}^{(t)}$ at a point differs from that of $g_{\tilde a}^{(2)}$ by
at most $\|\tilde a\|_2\sqrt{\|\tilde a\|_0}(C_wt\eta\lambda\tilde\sigma/k + \eta^2t^2 +
C_tt/(km^2))$.""",
        constants=(
            order("C_w", proof=r"\text{lemma 24}", line="(275)"),
            order("C_t", proof=r"\text{lemma 24}", line="(275)"),
        ),
        uses=("lemma-24",),
    ),
}
