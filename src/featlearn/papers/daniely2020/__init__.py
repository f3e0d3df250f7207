"""Daniely & Malach (2020): neural networks learn parities that no fixed embedding can."""

from featlearn.papers.daniely2020.grouped import GROUPED
from featlearn.papers.daniely2020.mnist_parity import MNIST_PARITY
from featlearn.papers.daniely2020.parity import LITERAL, PARITY, PRINTED
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="daniely2020",
    title="Learning Parities with Neural Networks",
    authors="Amit Daniely, Eran Malach",
    year=2020,
    experiments=(PARITY, LITERAL, GROUPED, PRINTED, MNIST_PARITY),
    statements={
        "initialisation": "The symmetric start gives f = 0 (false as printed, true mirrored)",
        "theorem-1": "An embedding that realises all parities is exponentially large",
        "theorem-2": "Gradient descent learns the parity",
        "lemma-3": "On the uniform half an irrelevant coordinate gets next to no gradient",
        "lemma-4": "On the uniform half no irrelevant coordinate gets a gradient, nor the bias",
        "lemma-5": "On the leaky half a balanced neuron gets exactly no gradient outside A",
        "lemma-6": "What is supported on A is nearly independent of the activation's derivative",
        "lemma-7": "A neuron becomes good with probability at least 1/(14 sqrt k)",
        "lemma-8": "A neuron that has found A imitates psi_r with probability eps/(8 k^2)",
        "lemma-9": "After the first step a neuron imitates psi_r with probability eps/(112 k^2.5)",
        "lemma-10": "After the first step an explicit second layer separates with margin 1",
        "theorem-11": "The regret of online gradient descent",
        "lemma-12": "After the first step no second-layer weight exceeds k/sqrt(d)",
        "lemma-13": "After the first step the network moves slowly",
        "lemma-14": "For a fixed read-out, training the first layer changes the loss little",
    },
    items={
        "first-step": "One exact population step finds the relevant bits",
        "parity": "A network learns the parity, fixed features do not",
        "wall": "Accuracy of fixed features against their number",
        "mnist-parity": "Parity of digits side by side: a network beside fixed features",
    },
    quick=("first-step", "parity", "initialisation", "lemma-5", "lemma-10", "lemma-12"),
)
