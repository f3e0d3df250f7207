"""ResNet(m): shapes, numbers of parameters, where gradients flow, what the penalty is."""

import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.learners.resnet.descent import Descent, Sample, batch_of, on_device, penalty
from featlearn.learners.resnet.network import ResNet

torch = pytest.importorskip("torch", reason="ResNets need the extra `vision`")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tiny products on a busy machine: two threads would wait for each other most of the time."""
    torch.set_num_threads(1)


def tensors(network, rng):
    arrays = {"params": network.init(rng=rng), "running": network.init_running()}
    return on_device(arrays, "cpu")


def count(m, classes, channels):
    """By the block: a 3 x 3 convolution a -> b has 9ab weights, each normalisation 2b more."""
    total = 9 * channels * m + 2 * m
    for into, out in ((m, m), (m, 2 * m), (2 * m, 4 * m), (4 * m, 8 * m)):
        total += 9 * into * out + 27 * out * out + 8 * out
        total += (into * out + 2 * out) if into != out else 0
    return total + 8 * m * classes + classes


@pytest.mark.parametrize(("m", "classes", "channels"), [(1, 2, 1), (5, 10, 3), (128, 2, 3)])
def test_the_number_of_parameters_is_that_of_the_formula(m, classes, channels):
    network = ResNet(filters=m, classes=classes, channels=channels)
    assert network.parameters == count(m, classes, channels)


def test_resnet_64_has_the_published_number_of_parameters():
    assert ResNet(filters=64, classes=10).parameters == 11_173_962


@pytest.mark.parametrize(("side", "after_stem"), [(8, 8), (32, 32), (64, 32)])
def test_images_of_every_side_become_one_row_of_scores_each(side, after_stem, rng):
    network = ResNet(filters=2, classes=3, side=side)
    state = tensors(network, rng)
    x = torch.from_numpy(rng.normal(size=(4, 3, side, side)).astype(np.float32))
    scores = network.forward(state["params"], state["running"], x, training=True)
    assert scores.shape == (4, 3)
    assert side // network.stem_stride == after_stem


def test_every_parameter_gets_a_gradient_and_training_moves_the_running_numbers(rng):
    network = ResNet(filters=2, classes=3, side=8)
    state = tensors(network, rng)
    for value in state["params"].values():
        value.requires_grad_(True)
    x = torch.from_numpy(rng.normal(size=(6, 3, 8, 8)).astype(np.float32))
    scores = network.forward(state["params"], state["running"], x, training=True)
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1, 2, 0, 1, 2]))
    gradients = torch.autograd.grad(loss, list(state["params"].values()))
    moved = [name for name, g in zip(state["params"], gradients, strict=True) if g.abs().max() > 0]
    assert moved == list(network.shapes)
    assert float(state["running"]["stem.mean"].abs().max()) > 0


def test_it_is_the_network_that_torch_modules_make(rng):
    """One unit with a shortcut, put together from torch's own layers with the same weights."""
    network = ResNet(filters=2, classes=2, side=8)
    params, running = (tensors(network, rng)[part] for part in ("params", "running"))
    x = torch.from_numpy(rng.normal(size=(3, 3, 8, 8)).astype(np.float32))

    def layer(name, into, out, kernel, stride):
        conv = torch.nn.Conv2d(into, out, kernel, stride, kernel // 2, bias=False)
        conv.weight.data = params[name]
        return torch.nn.Sequential(conv, torch.nn.BatchNorm2d(out)).eval()

    relu, into = torch.nn.functional.relu, 2
    h = relu(layer("stem", 3, 2, 3, 1)(x))
    for block, out in enumerate((2, 4, 8, 16), start=1):
        for unit in range(2):
            name, stride = f"block-{block}.{unit}", 2 if block > 1 and unit == 0 else 1
            inner = relu(layer(f"{name}.conv-0", into, out, 3, stride)(h))
            inner = layer(f"{name}.conv-1", out, out, 3, 1)(inner)
            other = layer(f"{name}.shortcut", into, out, 1, stride)(h) if into != out else h
            h, into = relu(inner + other), out
    pooled = torch.nn.functional.adaptive_avg_pool2d(h, 1).flatten(1)
    theirs = pooled @ params["read-out"].T + params["read-out.shift"]
    ours = network.forward(params, running, x, training=False)
    torch.testing.assert_close(ours, theirs.detach(), rtol=1e-4, atol=1e-5)


def test_the_penalty_is_least_for_answers_that_are_certain_and_balanced(rng):
    certain = 50 * torch.eye(4)
    assert float(penalty(certain, 1.0)) == pytest.approx(-math.log(4), abs=1e-5)
    one_class = 50 * torch.eye(4)[[0, 0, 0, 0]]
    assert float(penalty(one_class, 1.0)) == pytest.approx(0, abs=1e-5)
    uniform = torch.zeros(4, 4)
    assert float(penalty(uniform, 2.0)) == pytest.approx(-math.log(4) + 2 * math.log(4), abs=1e-5)
    f = rng.dirichlet(np.ones(3), size=5)
    by_hand = (f.mean(0) * np.log(f.mean(0))).sum() - 0.3 * (f * np.log(f)).sum() / 5
    assert float(penalty(torch.log(torch.from_numpy(f)), 0.3)) == pytest.approx(by_hand)


def test_a_step_is_momentum_descent_on_the_loss_of_its_batch(rng):
    """Two steps with decay, written out."""
    network = ResNet(filters=1, classes=2, channels=1, side=8)
    descent = Descent(network=network, steps=4, batch=4, eta=0.1, decay=0.01)
    x = rng.normal(size=(8, 1, 8, 8)).astype(np.float32)
    sample = Sample(x=x, y=rng.integers(0, 2, size=8))
    ours, theirs = (on_device(descent.begin(seed=3), "cpu") for _ in range(2))
    weights = [value.requires_grad_(True) for value in theirs["params"].values()]
    v = [torch.zeros_like(w) for w in weights]
    for t in range(2):
        descent.step(ours, t, sample, seed=3, device="cpu")
        loss = descent.loss(theirs, sample, t, seed=3, device="cpu")
        pulls = torch.autograd.grad(loss, weights)
        v = [0.9 * u + g + 0.01 * w.detach() for u, g, w in zip(v, pulls, weights, strict=True)]
        for w, u in zip(weights, v, strict=True):
            w.data = w.data - 0.1 * (1 + math.cos(math.pi * t / 4)) / 2 * u
    for name, value in theirs["params"].items():
        torch.testing.assert_close(ours["params"][name], value.detach(), rtol=1e-4, atol=1e-5)


def test_every_epoch_visits_every_image_once_in_an_order_of_its_own():
    epochs = [
        np.concatenate(
            [batch_of(t, 4, 12, seed=1, purpose="order") for t in range(3 * e, 3 * e + 3)]
        )
        for e in range(2)
    ]
    assert [sorted(each.tolist()) for each in epochs] == [list(range(12))] * 2
    assert epochs[0].tolist() != epochs[1].tolist()


def test_a_network_without_filters_is_refused():
    with pytest.raises(InputError, match=r"^ResNet\(filters\): expected at least 1, got 0\.$"):
        ResNet(filters=0, classes=2)
