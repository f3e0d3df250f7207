"""The kernels by themselves, under the sanitizers of the compiler: nothing is read or written
beyond its place, nothing is undefined, no two threads race; and the numbers are the same for every
kind of machine, any number of threads, and a caller that flushes denormals."""

import subprocess
from pathlib import Path

import pytest

from featlearn.training.native.build import FLAGS, SOURCE, NotCompiled, compiler

PROGRAM = Path(__file__).with_name("stress.cpp")


def stress(folder: Path, *flags: str, rounds: int, callers: int) -> str:
    """Compile the program with these flags, run it, and give its last line."""
    try:
        compiler_found = compiler()
    except NotCompiled as reason:
        pytest.skip(str(reason))
    program = folder / "stress"
    command = [compiler_found, *FLAGS, *flags, "-include", str(SOURCE), str(PROGRAM)]
    subprocess.run([*command, "-o", str(program)], check=True, capture_output=True, timeout=500)
    ended = subprocess.run(
        [str(program), str(rounds), str(callers)],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_no_memory_is_misused_and_nothing_is_undefined(tmp_path):
    told = stress(tmp_path, "-O1", "-g", "-fsanitize=address,undefined", rounds=60, callers=3)
    assert " 0 differ" in told


@pytest.mark.slow
def test_no_two_threads_race(tmp_path):
    told = stress(tmp_path, "-O1", "-g", "-fsanitize=thread", rounds=25, callers=4)
    assert " 0 differ" in told


@pytest.mark.slow
def test_every_kind_of_machine_has_the_same_numbers(tmp_path):
    assert " 0 differ" in stress(tmp_path, rounds=300, callers=3)
