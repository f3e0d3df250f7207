"""Grokking can be watched: what the playground shows of the setting, step by step."""

import time

from featlearn._config import replace
from featlearn.papers.xu2023.setting import CLUSTERS
from featlearn.play.session import Session

TOY = {"d": 2000, "samples": 30, "width": 20, "steps": 12, "test": 100}


def test_a_session_shows_fit_and_understanding_in_one_panel_and_the_progress_measures():
    session = Session(CLUSTERS, replace(CLUSTERS.config, TOY, where="test"), 0)
    session.start()
    until = time.monotonic() + 120
    while session.state not in ("finished", "failed") and time.monotonic() < until:
        time.sleep(0.05)
    told = session.document()
    assert told["state"] == "finished", told["error"]
    assert [frame["step"] for frame in told["frames"]] == list(range(13))
    panels = {
        panel["title"]: [curve["key"] for curve in panel["curves"]]
        for panel in told["view"]["panels"]
    }
    assert {"train_accuracy", "test_accuracy"} <= set(panels["Accuracy"])
    assert {"clean_margin", "flipped_margin"} <= set(panels["Margins"])
    assert {"even share", "log pull ratio", "log10 certificate"} <= set(panels)
    columns = [column["key"] for column in told["view"]["columns"]]
    assert {"alignment", "projection mu1", "projection mu2"} <= set(columns)
    fitted = [frame["curves"]["train_accuracy"] for frame in told["frames"]]
    assert fitted[0] < 1
    assert fitted[2:] == [1.0] * 11
