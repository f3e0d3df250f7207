"""The table that `featlearn sweep` prints."""

import json

from featlearn.cli import output
from featlearn.cli.main import main


def test_a_sweep_that_failed_everywhere_is_not_taken_for_one_of_a_statement(capsys):
    main(["sweep", "glasgow2023.xor", "--over", "eta=-1,-2"])
    told = capsys.readouterr().out
    assert "eta: expected a positive number, got -1.0." in told
    assert "verdict" not in told


def test_a_table_of_80_columns_breaks_no_number(capsys, monkeypatch):
    monkeypatch.setattr(output, "WIDE", 80)
    sizes = "--d 4 --width 4 --steps 2 --records 2 --test 10 --seeds 1 --json"
    words = ["sweep", "glasgow2023.xor", "--over", "eta=0.1,0.2", *sizes.split()]
    main(words)
    numbers = [
        row["summary"]["gamma_min"]["mean"] for row in json.loads(capsys.readouterr().out)["rows"]
    ]
    main(words[:-1])
    told = capsys.readouterr().out
    assert all(f"{value:.4g}" in told for value in numbers)
    assert max(map(len, told.splitlines()[:6])) <= 80
