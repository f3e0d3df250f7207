"""Frei, Chatterji & Bartlett (2022): random features, amplified, on noisy XOR clusters."""

from featlearn.papers.frei2022.setting import BOTH, CLUSTERS, HIGH, LOW, MORE, NOISES, PLANE
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="frei2022",
    title="Random Feature Amplification: Feature Learning and Generalization in Neural Networks",
    authors="Spencer Frei, Niladri S. Chatterji and Peter L. Bartlett",
    year=2022,
    experiments=(CLUSTERS, PLANE, LOW, HIGH, NOISES, BOTH, MORE),
    statements={
        "theorem-1": "At T every clean point is right, every noisy one wrong, and the test error "
        "near the flips",
        "proposition-2": "The feature map of every sample changes by more than itself",
        "lemma-3": "Norms of the neurons and their correlations with a centre at the start",
        "lemma-4": "A quarter of the neurons, nearly, begins on the right side of each centre",
        "lemma-5": "Points lie near their centres, flips and clusters near their shares",
        "lemma-6": "Neurons that correlate weakly with a centre are on for more of its "
        "points than not",
        "definition-7": "A good run: the lemmas on start and sample hold at once",
        "lemma-8": "A large subnetwork with a margin decides for the whole network",
        "condition-9": "Neuron alignment: on for all of one's own cluster, off for all of the "
        "opposite one",
        "condition-10": "Almost-orthogonality: neurons stay short along the centres of the "
        "other label",
        "lemma-11": "The subnetwork of the J_mu is right on clean and wrong on noisy "
        "points, with a margin",
        "lemma-12": "One step takes correlations from order 1/sqrt d to order 1",
        "lemma-13": "Neuron alignment and almost-orthogonality persist to 1/(4 alpha)",
        "lemma-14": "Weights grow at most linearly, by 2 alpha a step",
        "equation-40": "Every step takes the neurons of J_mu towards mu, and their "
        "correlation stays",
        "proposition-15": "Rademacher complexity of networks of bounded norm",
        "appendix-D": "The four-neuron rule, its closed error, and that it is the Bayes rule",
        "linear-baseline": "Linear classifiers through the origin are at chance",
        "scope": "Which C the assumptions leave, here and at the paper's figures",
    },
    items={
        "figure-1": "Decision boundary over noisy XOR clusters in the plane",
        "figure-2": "Overfitting harms for n >> d and is benign for d >> n",
        "amplification": "Correlations of all neurons with their centres before and after one step",
        "first-step": "Amplification by the first step against the dimension",
        "rates": "Theorem 1 as a law of scaling: test error against n and d, and three windows "
        "of C",
        "map": "A map of benign and harmful overfitting over n, d and the noise",
        "second-look": "Theorem 1 with other noise, both layers trained, eight clusters",
    },
    quick=("figure-1", "amplification", "theorem-1", "lemma-12"),
)
