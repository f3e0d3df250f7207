"""The referee of every redesign: what is computed today is what was computed when it was recorded.

Whoever moves a bit on purpose records it anew (`python tests/golden/record.py --write`) and says in
LOG.md which one and why.
"""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from featlearn.reproduction.catalogue import experiments
from tests.golden.record import SMALL, _equal, _near

RECORD = Path(__file__).parent / "record.py"


@pytest.mark.slow
def test_every_experiment_and_every_statement_gives_the_numbers_that_are_recorded() -> None:
    env = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    done = subprocess.run([sys.executable, RECORD], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_every_named_experiment_has_golden_settings_and_they_can_be_built() -> None:
    for name, named in experiments().items():
        for fields in SMALL[name]:
            dataclasses.replace(named.config, **fields).experiment()


def test_a_recorded_quantity_may_move_by_a_millionth_of_its_largest_number_and_no_more() -> None:
    before = {"digest": "a", "numbers": [1.0, 0.5, 2.0]}
    assert _near(before, {"digest": "b", "numbers": [1.0 + 1.9e-6, 0.5, 2.0]}, 1e-6)
    assert not _near(before, {"digest": "b", "numbers": [1.0 + 2.1e-6, 0.5, 2.0]}, 1e-6)
    assert not _near(before, {"digest": "a", "numbers": [1.0]}, 1e-6)
    assert not _near(None, before, 1e-6)


def test_a_measured_number_that_appears_or_goes_has_moved() -> None:
    assert _equal(None, None, 1e-6, 1e-12)
    assert not _equal(None, 1.0, 1e-6, 1e-12)
    assert not _equal(1.0, None, 1e-6, 1e-12)
    assert _equal(1.0, 1.0 + 5e-7, 1e-6, 1e-12)
    assert not _equal(1.0, 1.0 + 2e-6, 1e-6, 1e-12)
