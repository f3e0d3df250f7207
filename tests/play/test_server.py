"""The server answers its own page and refuses all others, each with a status and a sentence."""

import dataclasses
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from featlearn import play, report
from featlearn._check import InputError
from featlearn.play.memory import BUDGET, require_fits
from featlearn.play.playground import FILES, Playground
from featlearn.reproduction.catalogue import experiments, papers
from featlearn.serve.server import LONGEST, Server
from tests.play.conftest import SMALL

XOR = "glasgow2023.xor"


def sentence(document) -> str:
    return document["error"]["sentence"]


# Who may ask.


def test_it_listens_on_loopback_only(visitor):
    assert visitor.server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{}", "127.0.0.1", "", None])
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("POST", "/api/state")])
def test_a_host_that_is_not_this_machine_is_refused(visitor, host, method, path):
    named = host and host.format(visitor.port)
    status, document, _ = visitor.send(path, method=method, Host=named)
    assert status == 403
    assert sentence(document) == (
        f"Host: expected one of 127.0.0.1:{visitor.port}, localhost:{visitor.port}, "
        f"got {named or ''!r}."
    )


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:{}"]
)
def test_a_foreign_origin_is_refused(visitor, origin):
    status, document, headers = visitor.send("/api/state", Origin=origin.format(visitor.port))
    assert status == 403
    assert sentence(document).startswith("Origin: expected one of http://127.0.0.1:")
    assert not any(name.lower().startswith("access-control") for name in headers)


def test_its_own_origins_are_not(visitor):
    for name in ("127.0.0.1", "localhost"):
        own = f"{name}:{visitor.port}"
        assert visitor.send("/api/state", Host=own, Origin=f"http://{own}")[0] == 200


def test_a_request_that_a_browser_calls_foreign_is_refused(visitor):
    for site in ("cross-site", "same-site"):
        assert visitor.send("/api/state", Sec_Fetch_Site=site)[0] == 403


@pytest.mark.parametrize("token", [None, "", "guess", "ü"])
@pytest.mark.parametrize("question", ["state", "reset", "start", "catalogue"])
def test_without_the_token_nothing_is_answered(visitor, token, question):
    given = token.encode().decode("latin-1") if token else token
    status, document, _ = visitor.send(f"/api/{question}", X_Featlearn_Token=given)
    assert status == 403
    assert sentence(document) == (
        "X-Featlearn-Token: expected the token of the address that was printed, "
        "got another or none."
    )


def test_the_token_is_behind_the_hash_and_in_no_file(visitor):
    token = visitor.server.token
    assert visitor.server.url == f"http://127.0.0.1:{visitor.port}/#{token}"
    assert len(token) >= 32
    for path in FILES:
        assert token.encode() not in visitor.send(path, method="GET")[1]


# What may be asked.


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json_is_read(visitor, kind):
    status, document, _ = visitor.send("/api/state", Content_Type=kind)
    assert status == 415
    assert sentence(document) == f"Content-Type: expected application/json, got {kind or ''!r}."


@pytest.mark.parametrize(
    ("body", "length", "status"),
    [
        (b"{", None, 400),
        (b"[1]", None, 400),
        (b"[" * 5000, None, 400),
        (b"\xff", None, 400),
        (b" " * (LONGEST + 1), None, 413),
        (b"{}", "9" * 4000, 413),
        (b"{}", "-1", 411),
        (b"{}", "²", 411),
    ],
)
def test_a_body_that_is_none_is_refused(visitor, body, length, status):
    shown = str(len(body)) if length is None else length.encode().decode("latin-1")
    found, document, _ = visitor.send("/api/state", body, Content_Length=shown)
    assert found == status
    assert "expected" in sentence(document)


def test_a_body_without_a_length_is_refused(visitor):
    assert visitor.send("/api/state", Content_Length=None)[0] == 411
    assert visitor.send("/api/state", Transfer_Encoding="chunked")[0] == 411


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/server.py", "/api/state", "//etc/passwd"]
)
def test_no_other_file_is_read(visitor, path):
    assert visitor.send(path, method="GET")[0] == 404


@pytest.mark.parametrize("question", ["close", "__class__", "../state", ""])
def test_no_other_question_is_answered(visitor, question):
    assert visitor.send(f"/api/{question}")[0] == 404


def test_nothing_is_executed_or_opened_because_a_request_says_so(visitor, tmp_path):
    file = tmp_path / "own.py"
    file.write_text(f"open({str(tmp_path / 'harm')!r}, 'w')\nX = 1\n")
    for identity in (f"{file}:X", str(file), "__import__('os')", ["a"], {"a": 1}, None, 3):
        body = json.dumps({"id": identity, "values": {}}).encode()
        status, document, _ = visitor.send("/api/reset", body)
        assert status == 422
        assert sentence(document).startswith("experiment: expected one of the list, got ")
    for text in ("__import__('os').getpid()", "open('harm')", "{0.__class__}", "9" * 5000):
        body = json.dumps({"id": XOR, "values": {"d": text}}).encode()
        assert visitor.send("/api/reset", body)[0] == 422
    assert list(tmp_path.iterdir()) == [file]


def test_every_answer_forbids_all_that_the_page_does_not_need(visitor):
    for path, method in (("/", "GET"), ("/api/state", "POST"), ("/nowhere", "GET")):
        headers = visitor.send(path, method=method)[2]
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cache-Control"] == "no-store"
        assert "Python" not in headers["Server"]


def test_the_page_puts_no_text_into_markup():
    for name in ("play.js", "draw.js"):
        script = (Path(play.__file__).parent / name).read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", script)


# What comes back.


def test_a_bad_value_is_the_sentence_of_the_command_line_and_names_its_knob(visitor):
    for values, field, told in (
        ({"d": "1"}, "d", "d: expected at least 2, got 1. XOR needs two signal coordinates."),
        ({"eta": "x"}, "eta", "--eta: expected a number, got 'x'."),
        ({"seed": "-1"}, "seed", "first-seed: expected 0 or more, got -1."),
        ({"batch_ratio": "0"}, "batch_ratio", "batch-ratio: expected a positive number, got 0.0."),
        ({"widht": "3"}, None, f"{XOR}: expected a known field, got 'widht'. Did you mean width?"),
    ):
        body = json.dumps({"id": XOR, "values": values}).encode()
        status, document, _ = visitor.send("/api/reset", body)
        assert (status, sentence(document)) == (422, told)
        assert document["error"]["field"] == field
        assert visitor.ask("check", id=XOR, values=values)["error"] == document["error"]
    for wrong in (3, [1], {"d": 5}, {"d": None}):
        body = json.dumps({"id": XOR, "values": wrong}).encode()
        assert visitor.send("/api/reset", body)[0] == 422


@pytest.mark.parametrize(
    "values",
    [
        {"d": "1000000", "width": "10000"},
        {"d": "100000", "rotated": "true"},
        {"batch_ratio": "1e6"},
        {"samples": "100000000", "d": "1000"},
        {"records": "20000", "steps": "100000", "width": "20000"},
    ],
    ids=lambda values: " ".join(values),
)
def test_what_would_not_fit_is_refused_before_any_memory_is_taken(visitor, values):
    body = json.dumps({"id": XOR, "values": values}).encode()
    status, document, _ = visitor.send("/api/reset", body)
    assert status == 422
    assert "in the playground, got" in sentence(document)


@pytest.mark.parametrize("values", [{"d": "1" + "0" * 30}, {"batch_ratio": "1e300"}], ids=str)
def test_what_no_machine_could_hold_is_refused_in_a_sentence(visitor, values):
    body = json.dumps({"id": XOR, "values": values}).encode()
    status, document, _ = visitor.send("/api/reset", body)
    assert status == 422
    assert ": expected " in sentence(document)


def test_every_experiment_of_the_catalogue_fits_and_has_its_knobs(visitor):
    groups = visitor.ask("catalogue")["groups"]
    listed = [each["id"] for group in groups for each in group["experiments"]]
    known = [each.id for paper in papers().values() for each in paper.experiments]
    assert listed == known
    named = [paper.experiments[0] for paper in papers().values() if paper.experiments]
    for each in named:
        require_fits(each.config, each.config)
    usual = experiments()["shi2022.parity"].config
    huge = dataclasses.replace(usual, mu=True, d=100_000, dictionary=100_000)
    with pytest.raises(InputError, match=f"at most {BUDGET // 2**30} GB"):
        require_fits(huge, usual)


def test_a_session_through_the_server(visitor):
    told = visitor.ask("reset", id=XOR, values={**SMALL, "seed": "3"})
    assert told["state"] == "ready"
    assert told["command"] == (
        "featlearn run glasgow2023.xor --d 6 --width 8 --steps 12 --batch-ratio 2.0 "
        "--test 20 --records 3 --seeds 1 --first-seed 3"
    )
    visitor.ask("step")
    assert visitor.until("paused")["step"] == 1
    assert visitor.ask("pace", steps=4)["pace"] == 4
    assert visitor.send("/api/pace", b'{"steps": 0}')[0] == 422
    assert visitor.send("/api/pace", b'{"steps": "1"}')[0] == 422
    visitor.ask("start")
    ended = visitor.until("finished")
    assert [frame["step"] for frame in ended["frames"]][-1] == 12
    status, document, _ = visitor.send("/api/start")
    assert (status, sentence(document)[:9]) == (422, "session: ")
    assert visitor.ask("reset", id=XOR, values=SMALL)["frames"] == []


# The command.


def test_a_port_in_use_is_one_sentence(visitor, capsys):
    from featlearn.cli.main import main

    assert main(["play", "--no-browser", "--port", str(visitor.port)]) == 2
    told = capsys.readouterr().err
    assert told == (
        f"featlearn: --port: expected a port that is free, got {visitor.port} "
        "(Address already in use). Choose another --port, or 0 for any that is free.\n"
    )
    for port in ("99999", "-1"):
        assert main(["play", "--no-browser", "--port", port]) == 2


def test_ctrl_c_ends_it_with_exit_code_0(tmp_path):
    # A shell starts what runs in the background with the signal of Ctrl-C ignored.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from featlearn.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", program, "play", "--no-browser", "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert re.fullmatch(r"The playground is at http://127\.0\.0\.1:\d+/#[\w-]{32}\n", first)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=20)
        assert process.returncode == 0
        assert told.endswith("The playground has ended.\n")
    finally:
        process.kill()
        process.wait()


def test_the_colours_are_those_of_the_report():
    style = (Path(report.__file__).parent / "page.css").read_text()
    own = (Path(play.__file__).parent / "play.css").read_text()
    used = set(re.findall(r"var\((--[\w-]+)\)", own))
    assert used
    assert used <= set(re.findall(r"(--[\w-]+):", style))
    assert not re.search(r"#[0-9a-f]{3,6}\b", own), "no colour but the report's"


def test_no_two_servers_have_the_same_token():
    servers = [Server(Playground(), port=0) for _ in range(2)]
    tokens = {server.token for server in servers}
    for server in servers:
        server.server_close()
    assert len(tokens) == 2
