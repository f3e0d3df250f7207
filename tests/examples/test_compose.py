"""The script that composes an experiment runs as it stands, from a file and typed line by line."""

import subprocess
import sys

import pytest

SCRIPT = """\
import featlearn as fl, optax
law = fl.Parity(d=64, k=2)
net = fl.TwoLayer(d=64, width=64, w=fl.Sphere(radius=.3), a=fl.Signs(size=.3), scaling="mean-field")
how = fl.SGD(eta=.2, batch=256, steps=120, loss=fl.logistic)
ex = fl.Experiment(law, net, how, record=[fl.SignalParts(), fl.HeldOut(samples=1000)])
res = fl.run(ex, seeds=3)
assert float(res.dataset["test_accuracy"].isel(step=-1).min()) > .95
adam = fl.run(ex.replace(training=how.with_rule(fl.optax_rule(optax.adam(1e-2)))), seeds=3)
def xor(d: int = 32, eta: float = .2): return fl.Experiment(fl.Parity(d=d, k=2), net.replace(d=d), \
how.replace(eta=eta), record=[fl.HeldOut(samples=1000)])

table = fl.sweep(xor, over={"d": [16, 32, 64], "eta": [.1, .2]}, seeds=2).to_dataframe()
assert len(table) == 12 and {"d", "eta", "seed", "test_accuracy"} <= set(table.columns)
score = fl.fit(fl.exact_ntk(net), law.sample(500, key=fl.stream(0, "sample")))
print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["a file", "a prompt"])
def test_the_script_runs_as_it_stands(how, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    words = ["script.py"] if how == "a file" else ["-i", "-q"]
    typed = None if how == "a file" else SCRIPT + "exit()\n"
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "done" in ended.stdout
    assert "Traceback" not in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"], "nothing else is written"
