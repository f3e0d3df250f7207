"""Shi, Wei & Liang (2022): features emerge from the structure of the input."""

from featlearn.papers.shi2022.gaussians import GAUSSIANS
from featlearn.papers.shi2022.images import IMAGES
from featlearn.papers.shi2022.patterns import INTERVAL, PARITY
from featlearn.papers.shi2022.resnet import RESNET
from featlearn.reproduction.paper import Paper

PAPER = Paper(
    id="shi2022",
    title="A Theoretical Analysis on Feature Learning in Neural Networks: Emergence from Inputs "
    "and Advantage over Fixed Features",
    authors="Zhenmei Shi, Junyi Wei and Yingyu Liang",
    year=2022,
    experiments=(PARITY, INTERVAL, GAUSSIANS, IMAGES, RESNET),
    statements={
        "theorem-1": "Gradient descent learns every law of the family",
        "theorem-2": "No linear model on fixed features learns all parities",
        "corollary-3": "No bounded function of a shift-invariant kernel learns all parities",
        "theorem-4": "Without input structure, statistical queries must be many or precise",
        "lemma-5": "A network of 3(k+1) neurons equals the label",
        "lemma-6": "The first gradient consists of the relevant patterns",
        "lemma-7": "Three ReLUs make a tent",
        "lemma-9": "The initial weights are in typical positions",
        "lemma-11": "The background of a typical neuron is positive with a constant probability",
        "lemma-12": "The gradients of the smoothed hinge loss",
        "lemma-13": "A few entries do not move the law of <phi, q> much",
        "lemma-14": "Moments of labels and patterns",
        "lemma-16": "The biases hardly move in the first step",
        "lemma-17": "The second layer hardly moves in the first step",
        "lemma-18": "The network after the first step, exactly",
        "lemma-19": "After the first step no output reaches 1",
        "lemma-20": "The second step improves the signal-to-noise ratio",
        "lemma-21": "The biases hardly move in the second step",
        "lemma-22": "The second layer stays small after the second step",
        "lemma-23": "A classifier with zero loss exists on the features after two steps",
        "lemma-24": "After the second step the first layer moves little",
        "lemma-25": "A read-out stays good while the first layer moves",
        "theorem-29": "No linear model on fixed features learns all parities of uniform bits",
        "theorem-34": "The guarantee with incoherent patterns, input noise and unbalanced classes",
    },
    items={
        "table-1": "Parity labelling: network and two steps succeed, fixed features do not",
        "table-2": "Interval labelling: a threshold, which fixed features can learn too",
        "table-3": "The dimension of the input does not matter",
        "table-4": "Unbalanced classes, with appendix F's weighted loss in the first two steps",
        "table-5": "Smaller samples",
        "table-6": "Neurons cover the centres of a mixture of Gaussians",
        "one-step-read-out": "One Step's accuracy: read-out by SGD, by a solver, and the constant "
        "classifier",
        "memorisation": "Is the sample memorised without structure? Rules, step sizes, numbers of "
        "steps",
        "table-4-dimension": "The dimension of table 4, estimated from its cosines",
        "later-class-weights": "Class weights in the later steps of table 4",
        "failing-seeds": "Seeds that fail in tables 2, 4 and 5, and whether another step size "
        "mends them",
        "directions-or-scale": "The second step: cleaner directions, or scale?",
        "what-they-ran": "What must they have run? A joint fit of the unknown settings, each table "
        "left out once",
        "one-step-float32": "The One Step column and the rounding of float32",
        "signal-to-noise": "Signal to noise after the first and the second step",
        "maps": "Maps of the neurons after no, one and two steps",
        "figure-15": "Labels on hidden codes: weights form clusters",
        "figure-3": "MNIST 0/1: the weights form two clusters",
        "figure-4": "MNIST mixed with Gaussians: the student learns the real part better "
        "(also figure 25)",
        "figure-17": "MNIST 0/1: the weights form two clusters",
        "figure-18": "CIFAR-10 airplane/automobile: the weights form two clusters",
        "figure-19": "SVHN 0/1: the weights form four clusters",
        "table-7": "Early gradients of a ResNet's filter point to similar directions",
        "figure-20": "Filters of ResNet(128) on CIFAR-10 airplane/automobile gather in groups",
        "figure-21": "Filters of ResNet(256) on CIFAR-10 airplane/automobile gather in groups",
        "figure-22": "CIFAR-10 and SVHN mixed with Gaussians: a ResNet learns the real part better",
        "figure-23": "CIFAR-10 and SVHN mixed with Tiny ImageNet: a ResNet learns the real part "
        "better",
        "figure-24": "CIFAR-10 with more and fewer Gaussians: the real part stays ahead",
        "figure-26": "Students on labelled Gaussians: the U moves with the size of the teacher",
    },
    quick=("lemma-5", "lemma-18", "table-1"),
)
