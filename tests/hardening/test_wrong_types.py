"""Python calls with wrong types, NumPy's scalars, None: one sentence, before anything runs.

They run in a process of their own: under pytest the shapes and types of every call are checked by
beartype, which users do not have.
"""

import json
import subprocess
import sys

import pytest

CALLS = {
    "run(XOR, seeds='3')": "seeds: expected a whole number, got '3'.",
    "run(XOR, seeds=2.0)": "seeds: expected a whole number, got 2.0.",
    "run(XOR, seeds=True)": "seeds: expected a whole number, got True.",
    "run(XOR, seeds=None)": "seeds: expected a whole number, got None.",
    "run(XOR, seeds=[0, 'x'])": "seeds: expected a number of seeds, or different whole numbers "
    "from 0, got [0, 'x'].",
    "run(XOR, seeds=[])": "seeds: expected a number of seeds, or different whole numbers from 0, "
    "got [].",
    "run(XOR, seeds=10**12)": "first-seed + seeds: expected at most 2^31, got 1000000000000.",
    "run(XOR, first_seed='a')": "first-seed: expected a whole number, got 'a'.",
    "run(XOR, out=3)": "out: expected the folder of a store, or None, got 3.",
    "run(XOR, out='')": "out: expected the folder of a store, or None, got ''.",
    "run(XOR, d='5')": "glasgow2023.xor: d: expected an integer, got '5'.",
    "run(XOR, d=None)": "glasgow2023.xor: d: expected an integer, got None.",
    "run(XOR, d=2**70)": "glasgow2023.xor: d: expected integers of 64 bits, got one of more.",
    "run(XOR, eta='fast')": "glasgow2023.xor: eta: expected a number, got 'fast'.",
    "run(XOR, eta=1j)": "glasgow2023.xor: eta: expected a number, got 1j.",
    "run(None)": "run: expected an id, an experiment, or a function with keyword fields that "
    "returns one, got None.",
    "run(3)": "run: expected an id, an experiment, or a function with keyword fields that returns "
    "one, got 3.",
    "run(XOR, batch=10**12)": "Fresh(batch): expected at most 2147483647, got 1000000000000.",
    "run(XOR, batch_ratio=1e300)": "Fresh(batch): expected at most 2147483647, got a number of "
    "over 29 digits.",
    "run(XOR, samples=10**12)": "Sample(samples): expected at most 2147483647, got 1000000000000.",
    "run(XOR, test=10**11)": "HeldOut(samples): expected at most 2147483647, got 100000000000.",
    "run(XOR, steps=10**12)": "Descent(steps): expected at most 2147483647, got 1000000000000.",
    "run(XOR, records=10**9, steps=10**7)": "records: expected at most 1000000 steps of a run, got "
    "1000000000, for 10000000 steps.",
    "run(XOR, log_power=1000.0)": "log-power: expected a number from -20 to 20, got 1000.0.",
    "sweep(XOR, over=3)": "sweep(over): expected a table of fields, each with a list of values, "
    "got 3.",
    "sweep(XOR, over={})": "sweep(over): expected a table of fields, each with a list of values, "
    "got {}.",
    "sweep(XOR, over={'eta': 0.1})": "sweep(over): eta: expected a list of values, got 0.1.",
    "sweep(XOR, over={'eta': '12'})": "sweep(over): eta: expected a list of values, got '12'.",
    "sweep(XOR, over={'eta': []})": "sweep(over): eta: expected at least one value, got none.",
    "sweep(XOR, over=E, workers='2')": "--workers: expected a whole number, got '2'.",
    "sweep(XOR, over=E, workers=0)": "--workers: expected at least 1, got 0.",
    "sweep(XOR, over=E, workers=10**9)": "--workers: expected at most 256, got 1000000000.",
    "sweep(XOR, over=E, cluster='foo://127.0.0.1:1')": "--cluster foo://127.0.0.1:1: expected the "
    "address of a running Dask scheduler, such as tcp://127.0.0.1:8786, got 'foo://127.0.0.1:1'. "
    "Start one with `dask scheduler`.",
    "sweep(XOR, over=E, seeds=1.5)": "seeds: expected a whole number, got 1.5.",
    "search(XOR, field='eta', reach='x>=1e', between=(1, 2))": "--reach: expected quantity>=number "
    "or quantity<=number, got 'x>=1e'.",
    "search(XOR, field='eta', reach=R, between=5)": "search(between): expected two numbers (low, "
    "high), got 5.",
    "search(XOR, field='eta', reach=R, between=(0.1, float('inf')))": "search(between): expected "
    "two finite numbers, got 0.1..inf.",
    "search(XOR, field='eta', reach=R, between=(1, 2), tolerance=0)": "search(tolerance): expected "
    "a number from 1e-12 on, got 0.",
    "check(None)": "check: expected a statement, got NoneType.",
    "check(3)": "check: expected a statement, got int.",
    "run(XOR, d=10**5000)": "glasgow2023.xor: d: expected integers of 64 bits, got one of more.",
    "sweep(XOR, over={3: [1]})": "sweep(over): expected a field, got 3.",
    "fl.Parity(d='5', k=2)": "Parity(d): expected a whole number, got '5'.",
    "fl.Parity(d=5.5, k=2)": "Parity(d): expected a whole number, got 5.5.",
    "fl.Parity(d=None, k=2)": "Parity(d): expected a whole number, got None.",
    "fl.Sphere(radius=None)": "Sphere(radius): expected a number, got None.",
    "fl.Sphere(radius='1')": "Sphere(radius): expected a number, got '1'.",
    "fl.SGD(eta='x', batch=8, steps=3, loss=fl.logistic)": "Plain(eta): expected a number, "
    "got 'x'.",
    "NET.replace(activation='tanh')": "TwoLayer(activation): expected Activation, got 'tanh'. The "
    "activation s, such as `fl.relu`; `fl.activation` makes one of your own.",
    "NET.replace(w=0.3)": "TwoLayer(w): expected Initialisation, got 0.3. The law of the first "
    "layer at the start.",
    "HOW.replace(decay=0.1)": "Descent(decay): expected CoupledDecay or DecoupledDecay or None, "
    "got 0.1. Weight decay, coupled or decoupled; None: there is none.",
    "HOW.with_rule(fl.Adam)": "Descent(rule): expected Rule, got <class "
    "'featlearn.training.rules.Adam'>. The update rule, which has the step size.",
    "fl.HeldOut(law=3)": "HeldOut(law): expected Distribution or None, got 3. The law of the data; "
    "left out, it is that of the experiment.",
    "fl.Experiment(LAW, NET, HOW, record=fl.Weights())": "Experiment(record): expected a list, got "
    "Weights(network=None, axis='input'). Write […].",
    "fl.Experiment(LAW, NET, HOW, at=2.5)": "Experiment(at): expected a number of records, or a "
    "list of steps, got 2.5.",
    "fl.SignalParts(law=fl.Clusters(d=5, sigma=0.1))": "SignalParts(law): expected a parity of "
    "k = 2 directions, got Clusters.",
    "fl.fit(fl.exact_ntk(NET), (np.ones((4, 5)), np.ones(4)))": "fit(batch): expected a Batch of "
    "points, got tuple. Write fl.Batch(x=…, y=…).",
    "fl.Statement(id='my.claim', config=None, evidence=print)": "Statement(my.claim): config: "
    "expected a frozen dataclass of sizes, got None.",
    "HOW.replace(class_weights=(1.0,))": "Descent(class_weights): expected a pair of weights, of "
    "the labels -1 and +1, got (1.0,).",
    "run(fl.Experiment(LAW, NET, HOW, record=[fl.HeldOut(samples=5), fl.HeldOut(samples=7)]))": (
        "Experiment(record): expected every quantity once, got test_loss, test_accuracy twice. "
        "Only one could be kept: leave a measurement out."
    ),
    "fl.Lab().run('glasgow2023.xor')": "lab.run: expected an experiment, or a function with "
    "keyword fields that returns one, got 'glasgow2023.xor'. Import the experiment from its "
    "paper's module, so that an edit there is noticed.",
    # Sizes that do not fit were cut to the first of them.
    "fl.hidden_constant('x', [1, 10], np.ones((3, 2)), [1, 1, 1])": "hidden_constant(values): "
    "expected 2 sizes, as in sizes, got 3.",
    "fl.exponent('x', [1, 10], np.ones((3, 2)), 1.0)": "exponent(y): expected 2 sizes, as in x, "
    "got 3.",
    "fl.identity('x', [1, 2, 3], [1, 2], tolerance=0.1)": "identity(predicted): expected 3 cases, "
    "as in measured, got 2.",
    # A side that is neither word used to be read as ">=", which turned the claim around.
    "fl.bound('x', np.full(3, 3.0), 1.0, side='<')": "bound x: side: expected one of '<=', '>=', "
    "got '<'.",
    "fl.exact_bound('x', 3.0, 1.0, side='=<')": "bound x: side: expected one of '<=', '>=', "
    "got '=<'.",
    "fl.hidden_constant('x', np.array([1.0, 2.0]), np.ones((2, 2)), np.ones(2), side='>')": (
        "hidden constant x: side: expected one of '<=', '>=', got '>'."
    ),
    "fl.Hypothesis(name='m >= d', value=1.0, side='above', limit=2.0)": "Hypothesis m >= d: side: "
    "expected one of '<=', '>=', got 'above'.",
    "fl.theory.Event(name='x', measured=1.0, limit=2.0, side='<')": "Event x: side: expected "
    "one of '<=', '>=', got '<'.",
    "fl.Reaches(quantity='x', level=1.0, side='<')": "Reaches(side): expected one of '<=', '>=', "
    "got '<'.",
    "fl.record(int)": "record: expected the names of fields, got <class 'int'>. Write @fl.record() "
    "with parentheses.",
    "result.sample(seed=9)": "sample(seed): expected one of the seeds 0, got 9.",
    "result.plot('test_loss', seed=7)": "plot(seed): expected one of the seeds 0, got 7.",
    "forked()": "this process: expected a process that was not forked from one that computes, "
    "whose threads it lacks, got a forked child of one. Start it with multiprocessing's spawn, "
    "or use sweep(workers=…).",
}
"""The call, and all of what it says."""
PROGRAM = """
import json, os, sys, warnings
import numpy as np
import featlearn as fl
from featlearn import check, run, search, sweep
XOR, E, R = "glasgow2023.xor", {"eta": [0.1]}, "test_accuracy>=0.9"
toy = dict(d=5, width=4, steps=2, records=2, test=10)
LAW = fl.Parity(d=5, k=2)
NET = fl.TwoLayer(d=5, width=4, w=fl.Sphere(radius=1.0), a=fl.Signs(size=1.0), scaling="one")
HOW = fl.SGD(eta=0.1, batch=4, steps=2, loss="hinge")

def forked():
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            run(XOR, seeds=1, **toy)
            told = "it ran"
        except BaseException as error:
            told = f"{type(error).__name__}|{error}"
        os.write(write, told.encode())
        os._exit(0)
    os.wait()
    kind, _, told = os.read(read, 10000).decode().partition("|")
    if kind == "InputError":
        raise _Said(told)

class _Said(Exception):
    pass

warnings.simplefilter("ignore")
told = {}
numbers = run(XOR, seeds=np.int64(1), **{**toy, "d": np.int32(5), "eta": np.float32(0.5)})
swept = sweep(XOR, over={"eta": np.array([0.1, 0.2]), "d": range(4, 6)}, seeds=1,
              **{k: v for k, v in toy.items() if k != "d"})
told["numpy"] = [numbers.config.eta, swept.counts["computed"]]
result = run(XOR, seeds=1, **toy)
for call in json.loads(sys.stdin.read()):
    try:
        eval(call)
        told[call] = "it ran"
    except _Said as error:
        told[call] = f"InputError|{error}"
    except BaseException as error:
        told[call] = f"{type(error).__name__}|{error}"
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(list(CALLS)),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == [], "nothing is written"
    return json.loads(done.stdout)


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_call_is_one_sentence(call, told):
    assert told[call] == f"InputError|{CALLS[call]}"


def test_numbers_of_numpy_are_numbers(told):
    assert told["numpy"] == [0.5, 4]
