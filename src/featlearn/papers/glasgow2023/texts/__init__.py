r"""What the statements of Glasgow (2023) say: claims, hypotheses and constants, as printed.

Numbers follow the arXiv version; the ICLR version has the clean main text, and is followed where
the two differ. Where the scan cannot be read, the text says so and gives what the proof yields.

    w_sig, w_opp, w_perp   parts of a neuron        mu   one of the centres ±mu1, ±mu2
    g_mu = |l'(mu)|        gamma_mu, gamma~_mu      margin at mu, and what heavy neurons carry of it
"""

from featlearn.papers.glasgow2023.texts import appendix_b, appendix_c, appendix_d_and_f, main_text

TEXTS = {
    **main_text.TEXTS,
    **appendix_b.TEXTS,
    **appendix_c.TEXTS,
    **appendix_d_and_f.TEXTS,
}
"""Every statement of the paper's list, and the steps that their proofs rest on."""
