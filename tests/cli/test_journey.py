"""The progress of many stages: the time left, and what a log is told."""

import io
import time

import pytest
import rich.console

from featlearn._choices import Origin
from featlearn.cli import journey as module
from featlearn.cli.journey import Pace, journey
from featlearn.reproduction.outcome import ItemOutcome


def outcome(name: str, status: Origin, seconds: float = 0.2) -> ItemOutcome:
    return ItemOutcome(id=name, title="", size="quick", status=status, seconds=seconds)


def test_nobody_knows_the_time_left_before_anything_was_computed():
    pace = Pace(waiting=["Item", "Item"])
    assert pace.left(elapsed=3.0, under_way=0.0) is None
    pace.end("Item", None)
    assert pace.left(elapsed=0.0, under_way=0.0) is None


def test_what_was_read_from_the_store_does_not_speed_up_the_rest():
    pace = Pace(waiting=["Item"] * 3)
    pace.end("Item", None)
    pace.end("Item", 10.0)
    assert pace.left(elapsed=10.0, under_way=0.0) == 30.0


def test_items_and_statements_have_a_pace_each_and_go_on_side_by_side():
    pace = Pace(waiting=["Item", "Statement"])
    pace.end("Item", 100.0)
    pace.end("Statement", 2.0)
    assert pace.left(elapsed=102.0, under_way=0.0) == 102.0
    assert pace.left(elapsed=51.0, under_way=0.0) == 51.0, "two at once"


def test_the_share_of_the_stages_under_way_counts():
    pace = Pace(waiting=["Item", "Item"])
    pace.end("Item", 10.0)
    assert pace.left(elapsed=10.0, under_way=1.0) == 10.0


def test_nothing_is_left_at_the_end():
    assert Pace(waiting=[]).left(elapsed=1.0, under_way=0.0) == 0.0


@pytest.mark.parametrize(
    ("long", "lines"),
    [
        (10.0, []),
        (0.0, ["1 of 2: a.y computed in 0 s, left 0 s"]),
    ],
)
def test_a_log_gets_a_line_for_what_took_long(capsys, monkeypatch, long, lines):
    monkeypatch.setattr(module, "LONG", long)
    with journey("reproduce", ["a.x", "a.y"], ["Item", "Item"]) as (watch, tell):
        watch(0.25)
        tell(outcome("a.y", "computed"))
        tell(outcome("a.x", "read"))
    assert capsys.readouterr().err.splitlines() == [f"featlearn: {line}" for line in lines]


def test_a_terminal_sees_both_bars(monkeypatch):
    stream = io.StringIO()
    real = rich.console.Console
    monkeypatch.setattr(
        rich.console,
        "Console",
        lambda **_: real(file=stream, force_terminal=True, width=100, _environ={"TERM": "xterm"}),
    )
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with journey("reproduce", ["a.x", "a.y"], ["Item", "Statement"]) as (watch, tell):
        tell(outcome("a.x", "computed"))
        watch(0.75)
        time.sleep(0.3)
    shown = stream.getvalue()
    assert "reproduce, 1 of 2" in shown
    assert "a.y" in shown
    assert "left" in shown
