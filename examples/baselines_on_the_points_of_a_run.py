"""What would a kernel have made of the very points that the network saw?

Full-batch descent on 400 points of XOR in 20 dimensions, then kernels and random features on those
points. Expect network, tangent kernel and quadratic kernel to get all right (d² points are enough
for a kernel), and the random features of as many neurons not.
"""

import os

import matplotlib.pyplot as plt

import featlearn as fl

d, n, steps = (6, 40, 20) if os.environ.get("FEATLEARN_TOY") else (20, 400, 300)
law = fl.Parity(d=d)
net = fl.TwoLayer(
    d=d, width=100, w=fl.Sphere(radius=0.3), a=fl.Signs(size=0.3), scaling="mean-field"
)
how = fl.SGD(eta=0.2, samples=n, steps=steps, loss=fl.logistic)
result = fl.run(fl.Experiment(law, net, how, record=[fl.HeldOut(), fl.OnSample()]), seeds=1)
accuracy = {"network": float(result.dataset["test_accuracy"].isel(step=-1).mean())}

points, unseen = result.sample(seed=0), law.sample(2000, key=fl.stream(0, "test"))
params = net.init(key=fl.stream(0, "init"))
for name, family in {
    "its tangent kernel": fl.exact_ntk(net),
    "its random features": fl.random_features(net, params),
    "quadratic kernel": fl.polynomial(2),
}.items():
    accuracy[name] = 1 - fl.fit(family, points).score(unseen).error

# %% All of them on the same points
for name, share in accuracy.items():
    print(f"{name:<20} {share:.3f}")
plt.barh(list(accuracy), list(accuracy.values()))
plt.xlabel("accuracy on new points"), plt.xlim(0.4, 1.0), plt.tight_layout()
plt.savefig("baselines.pdf")
