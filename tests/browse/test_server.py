"""The browser's server: the same safety as the playground's, and files only of the list."""

import base64
import json

import pytest

from featlearn.browse.browser import FILES


@pytest.fixture(scope="module")
def runs(visitor) -> list[str]:
    found = visitor.ask("list", words="xor", sort="d", descending=False)
    return [each["address"] for each in found["entries"]]


def test_it_is_served_to_this_machine_alone_with_a_token(visitor):
    for path, (_, _, kind) in FILES.items():
        status, _, headers = visitor.send(path, method="GET")
        assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
        assert "default-src 'none'" in headers["Content-Security-Policy"]
    refused = {
        "X_Featlearn_Token": "another",
        "Host": "evil.example",
        "Origin": "http://evil.example",
        "Sec_Fetch_Site": "cross-site",
    }
    for name, value in refused.items():
        assert visitor.send("/api/list", **{name: value})[0] == 403, name
    assert visitor.send("/../../etc/passwd", method="GET")[0] == 404
    assert visitor.server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("question", "body", "sentence"),
    [
        ("about", b'{"runs": ["../../x"]}', "entry: expected one of the list"),
        ("delete", b'{"runs": ["/"], "sure": true}', "entry: expected one of the list"),
        ("delete", b"{}", "runs: expected a list of addresses, got None."),
        ("picture", b'{"runs": [1]}', "runs: expected a list of addresses"),
        ("list", b'{"offset": -1}', "offset: expected at least 0, got -1."),
        ("list", b'{"words": 3}', "words: expected str, got 3."),
        ("list", b'{"root": "/"}', "list: expected one of 'words'"),
    ],
)
def test_a_question_with_a_mistake_is_answered_in_a_sentence(visitor, question, body, sentence):
    status, document, _ = visitor.send(f"/api/{question}", body)
    assert status == 422
    assert document["error"]["sentence"].startswith(sentence)


def test_the_seed_is_no_field_to_group_by(visitor, runs):
    asked = {"runs": runs, "quantity": "test_accuracy", "by": ["seed"]}
    status, document, _ = visitor.send("/api/picture", json.dumps(asked).encode())
    assert status == 422
    assert document["error"]["sentence"] == "by: expected any field but the seed, got seed."


@pytest.mark.parametrize(("ending", "head"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("csv", b"pan")])
def test_figures_are_taken_away_as_files(visitor, runs, ending, head):
    told = visitor.ask("export", runs=runs, quantity="test_accuracy", by=["eta"], format=ending)
    assert told["name"] == f"test_accuracy-over-step.{ending}"
    assert base64.b64decode(told["content"]).startswith(head)


def test_nothing_is_deleted_without_being_sure(visitor, runs):
    told = visitor.ask("delete", runs=runs[:1])
    assert told["going"] == runs[:1]
    assert told["bytes"] > 0
    assert told["deleted"] == []
    assert visitor.ask("list", words="xor")["found"] == 6
