"""The map of Shi, Wei & Liang (2022): the numbered statements without a check of their own name."""

from featlearn.reproduction.numbered import Covered

GENERAL = (
    "the same step as in the main text with weights of the classes, noise and an incoherent "
    "dictionary; only the whole, theorem 34, is run"
)

NUMBERED = (
    Covered(numbers=("lemma-8",), by=("lemma-5",), note="its restatement"),
    Covered(
        numbers=("lemma-10", "lemma-36", "lemma-37"),
        by=("lemma-9",),
        note="for all neurons at once, and for an incoherent dictionary",
    ),
    Covered(numbers=("lemma-15",), by=("lemma-6",), note="its full version"),
    Covered(numbers=("lemma-38",), by=("lemma-12",), note="with weights of the classes"),
    Covered(numbers=("lemma-39",), by=("lemma-14",), note="with weights of the classes"),
    Covered(numbers=("theorem-26",), by=("theorem-1",), note="its full version"),
    Covered(
        numbers=("theorem-27",),
        by=("daniely2020.theorem-11",),
        note="cited: the regret of online gradient descent",
    ),
    Covered(numbers=("theorem-28",), by=("theorem-2",), note="its restatement"),
    Covered(numbers=("corollary-30",), by=("corollary-3",), note="its restatement"),
    Covered(
        numbers=("definition-31", "theorem-32"),
        note="cited from Blum et al. (1994): the dimension of statistical queries, and a lower "
        "bound for every algorithm in terms of it, which no run can show",
    ),
    Covered(numbers=("theorem-33",), by=("theorem-4",), note="its restatement"),
    Covered(
        numbers=("lemma-35",),
        note="lemma 5 with errors in the input; false as printed, see the errata",
    ),
    Covered(numbers=("lemma-40", "lemma-41", "lemma-42", "lemma-43"), note=GENERAL),
    Covered(numbers=("lemma-44", "lemma-45", "lemma-46", "lemma-47"), note=GENERAL),
    Covered(
        numbers=("lemma-48",),
        note="lemma 23 in the general setting, with loss exp(−Ω(k)) in the place of 0, whose "
        "constants are not printed; its proof asks for k ≥ 64 as well",
    ),
    Covered(numbers=("theorem-49",), by=("theorem-34",), note="its restatement"),
)
