"""The map of Glasgow (2023): the numbered statements without a check of their own name."""

from featlearn.reproduction.numbered import Covered

NUMBERED = (
    Covered(
        numbers=("definition-B.1",),
        by=("lemma-B.2",),
        note="the lemma says that neurons satisfy it",
    ),
    Covered(
        numbers=("lemma-B.6", "claim-B.7", "claim-B.8", "claim-B.9", "claim-B.10", "claim-B.11"),
        note="of B.3 and B.4; they speak of a random walk that occurs nowhere else",
    ),
    Covered(
        numbers=("lemma-C.1", "lemma-D.3"),
        by=("lemma-4.1", "lemma-4.4"),
        note="the formal versions",
    ),
    Covered(numbers=("lemma-C.6",), note="a recursion for squares, used three times in C.15"),
    Covered(
        numbers=("definition-C.7", "definition-C.8"),
        by=("lemma-C.14",),
        note="the envelope B_t and the lengths of the phases",
    ),
    Covered(
        numbers=("definition-C.9", "definition-C.10", "lemma-C.16"),
        by=("lemma-C.15",),
        note="the two classes, and what keeps them in phase 1a and in 1b",
    ),
    Covered(
        numbers=("claim-C.11", "claim-C.12"),
        note="one implies the other by plugging in, and E‖aw‖ follows from the classes",
    ),
    Covered(
        numbers=("lemma-C.17",),
        note="A1 and A2 are C.4 with B.4 plugged in, A3 (one coordinate of ∇L₀) is B4 of C.4 with "
        "B.4, A4 (∇L − ∇L₀) is C.3 with C.12; all in terms of B_t. C.3 and C.4 are checked by "
        "themselves; B.4's 200 C_BE/√d says nothing below d ≈ 10⁴, nor do A1 … A4",
    ),
    Covered(
        numbers=("definition-D.1", "definition-D.2"), by=("definition-4.2", "lemma-D.4"), note=""
    ),
    Covered(numbers=("claim-D.6",), by=("lemma-D.6",), note=""),
    Covered(numbers=("claim-D.16",), note="lemma D.13 iterated"),
    Covered(
        numbers=("theorem-E.1",),
        by=("theorem-3.1",),
        note="its restatement, with a start of radius θ where the arXiv text has θ/√p",
    ),
)
