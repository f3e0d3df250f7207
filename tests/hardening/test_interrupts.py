"""Ctrl-C and SIGTERM from the first millisecond on: one sentence, 130 or 143, within seconds."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from featlearn._interrupt import SENTENCE

RUN = ("run", "glasgow2023.xor", "--d", "3000", "--width", "1500", "--seeds", "1")
SWEEP = ("sweep", "glasgow2023.xor", "--over", "d=100,200,300,400", "--steps", "100000")
NUMBERS = {signal.SIGINT: 130, signal.SIGTERM: 143}


def interrupted(
    words: tuple[str, ...], after: float, number: int, folder: Path, again: bool = False
):
    """Exit code, seconds from the signal to the end, and what stood on stderr."""
    command = [sys.executable, "-m", "featlearn.cli.start", *words]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    time.sleep(after)
    process.send_signal(number)
    sent = time.perf_counter()
    if again:
        time.sleep(0.3)
        process.send_signal(number)
    _, told = process.communicate(timeout=60)
    return process.returncode, time.perf_counter() - sent, told.decode()


@pytest.mark.parametrize("after", [0.15, 0.6])
@pytest.mark.parametrize("number", list(NUMBERS))
def test_before_anything_is_loaded_one_sentence_ends_it(after, number, tmp_path):
    code, _, told = interrupted(RUN, after, number, tmp_path)
    if code == -number and "featlearn" not in told:  # Python itself was still starting
        return
    assert code == NUMBERS[signal.Signals(number)]
    assert told.strip() == SENTENCE


LATE = """
import os, signal, sys
class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.%s)
late = Late()
sys.argv[1:] = ["cite", "featlearn"]
from featlearn.cli.start import start
sys.exit(start())
"""


@pytest.mark.parametrize("number", list(NUMBERS))
def test_after_the_command_no_signal_changes_how_it_ended(number, tmp_path):
    """While Python takes its modules apart it has no handlers any more."""
    program = LATE % number.name
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("@software{featlearn,")


@pytest.mark.slow
@pytest.mark.parametrize("words", [RUN, SWEEP], ids=["run", "sweep"])
@pytest.mark.parametrize("after", [1.2, 1.8, 2.5, 4.0, 8.0])
@pytest.mark.parametrize("number", list(NUMBERS))
def test_at_any_moment_control_returns_within_two_seconds_or_so(words, after, number, tmp_path):
    code, seconds, told = interrupted(words, after, number, tmp_path)
    assert code == NUMBERS[signal.Signals(number)]
    assert seconds < 4  # two, and the time that the end of a process takes on a busy machine
    assert told.strip() == SENTENCE


@pytest.mark.slow
def test_a_second_one_ends_it_at_once(tmp_path):
    code, seconds, told = interrupted(RUN, 8.0, signal.SIGINT, tmp_path, again=True)
    assert code == 130
    assert seconds < 1.5
    assert "Traceback" not in told
