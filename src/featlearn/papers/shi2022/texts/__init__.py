r"""The statements of the paper as text: claim, hypotheses and constants, as printed and corrected.

Data only. Orders (O, Omega, Theta) are one unknown each, named here by what they multiply.
"""

from featlearn.papers.shi2022.texts import (
    appendix_f,
    auxiliary,
    later_steps,
    main_text,
    two_steps,
)

TEXTS = {
    **main_text.TEXTS,
    **auxiliary.TEXTS,
    **two_steps.TEXTS,
    **later_steps.TEXTS,
    **appendix_f.TEXTS,
}
"""Every statement of the paper's list, and the steps that their proofs rest on."""
