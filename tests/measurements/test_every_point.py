"""What every neuron sees of every training point."""

import numpy as np
import pytest

import featlearn as fl
from featlearn._streams import stream


def experiment(d, how):
    law = fl.Clusters(d=d, sigma=0.2, flips=0.25)
    net = fl.TwoLayer(
        d=d, width=6, w=fl.Gaussian(sd=0.5), a=fl.BalancedSigns(size=0.4), scaling="one"
    )
    training = fl.SGD(eta=0.1, samples=20, steps=3, loss="logistic")
    record = (fl.EveryPoint(), fl.Correlations(), fl.Weights())
    return fl.accelerate(fl.Experiment(law, net, training, record=record, at=range(4)), how)


@pytest.mark.parametrize(("d", "how"), [(5, "plain"), (5, "gram"), (200, "gram")])
def test_every_point_is_what_the_sample_and_the_weights_give_by_hand(d, how):
    ex = experiment(d, how)
    found = fl.run(ex, seeds=1, first_seed=3).dataset.isel(seed=0)
    draw = ex.law.draw(20, key=stream(3, "sample"))
    means = np.asarray(getattr(ex.law, "unseen", ex.law).means, float)
    x, cluster = np.asarray(draw.x, float), np.asarray(draw.cluster)
    by_hand = {
        "label": np.asarray(draw.y),
        "cluster": cluster,
        "noisy": np.asarray(draw.noisy),
        "along": x @ means[[0, 2]].T,
        "distance": np.sqrt(((x - means[cluster]) ** 2).sum(axis=1)),
        "length": np.sqrt((x**2).sum(axis=1)),
    }
    for step in range(4):
        here = found.isel(step=step)
        z = x @ here["weights_w"].values.T.astype(float)
        np.testing.assert_allclose(here["preactivation"], z, atol=2e-5)
        for name, value in by_hand.items():
            np.testing.assert_allclose(here[name], value, atol=2e-5, err_msg=name)
    assert 0 < by_hand["noisy"].sum() < 20
    assert not np.allclose(found["preactivation"][0], found["preactivation"][3], atol=1e-3)


def test_the_points_are_those_that_training_descends_on():
    ex = experiment(5, "plain")
    found = fl.run(ex, seeds=1).dataset.isel(seed=0)
    w0, w1 = found["weights_w"].values[:2].astype(float)
    z, y, a = (found[name].values[0].astype(float) for name in ("preactivation", "label", "a"))
    x = np.asarray(ex.law.draw(20, key=stream(0, "sample")).x, float)
    pull = -y / (1 + np.exp(y * (np.maximum(z, 0) @ a)))
    gradient = a[:, None] * ((z > 0) * pull[:, None]).T @ x / 20
    np.testing.assert_allclose(w0 - 0.1 * gradient, w1, atol=1e-6)


def test_a_user_is_told_that_fresh_batches_have_no_sample(capsys):
    from featlearn.cli.main import main

    assert main(["run", "frei2022.clusters", "--every-point", "--batch", "10"]) == 2
    told = "every-point: expected a sample, not fresh batches, got batch = 10."
    assert told in capsys.readouterr().err
