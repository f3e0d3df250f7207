"""`featlearn run shi2022.resnet` as a user has it: killed, resumed, and without torch."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from featlearn._check import InputError
from featlearn.learners.resnet.extra import INSTALL_HINT
from featlearn.results.codec import load

COMMAND = "run shi2022.resnet --filters 1 --epochs 30 --batch 16 --samples 64 --test 16 --seeds 1"
PROGRAM = """\
import sys
import featlearn.experiments.trajectory as trajectory
trajectory.CHECKPOINT_SECONDS = 0.2
trajectory.SPENT = 0.0
from featlearn.cli.main import main
sys.exit(main())
"""
WITHOUT_TORCH = """\
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")

sys.meta_path.insert(0, NoTorch())
from featlearn.cli.main import main
sys.exit(main())
"""


def start(folder, program, *more):
    return subprocess.Popen(
        [sys.executable, "-c", program, *COMMAND.split(), "--out", "store", *more],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bits(folder):
    (data,) = folder.rglob("data.npz")
    return hashlib.sha256(data.read_bytes()).hexdigest()


def step_saved(folder):
    files = list(folder.rglob("state.npz"))
    if not files:
        return 0
    with contextlib.suppress(InputError):  # just being replaced
        return int(load(files[0])["step"])
    return 0


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_to_the_same_bits(tmp_path):
    pytest.importorskip("torch", reason="ResNets need the extra `vision`")
    for name in ("straight", "killed"):
        (tmp_path / name).mkdir()
    straight = start(tmp_path / "straight", PROGRAM)
    told = straight.communicate()
    assert straight.returncode == 0, told
    process = start(tmp_path / "killed", PROGRAM)
    while not 5 < step_saved(tmp_path / "killed") < 110:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert 5 < step_saved(tmp_path / "killed") < 120
    assert list((tmp_path / "killed").rglob("data.npz")) == []
    again = start(tmp_path / "killed", PROGRAM)
    told = again.communicate()
    assert again.returncode == 0, told
    assert bits(tmp_path / "killed") == bits(tmp_path / "straight")
    assert list((tmp_path / "killed").rglob("partial")) == []


def test_without_torch_one_sentence_says_what_to_install(tmp_path):
    process = start(tmp_path, WITHOUT_TORCH, "--json")
    out, err = process.communicate()
    assert process.returncode == 2
    sentence = f"expected the extra `vision`, got no torch. {INSTALL_HINT}"
    assert err == f"featlearn: ResNet: {sentence}\n"
    assert json.loads(out)["error"]["try"] == INSTALL_HINT
