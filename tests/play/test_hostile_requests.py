"""The playground under requests that no page would send: a status and a sentence for each."""

import json
import socket

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["glasgow2023.xor", "frei2022.clusters", "1e999", "x.py:Y", "\u2028", "../.."]
    )
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "values", "after", "steps", "d", "seed", "__class__"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
QUESTIONS = ("catalogue", "check", "reset", "start", "pause", "step", "pace", "state")


@settings(derandomize=True, max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(QUESTIONS),
    st.dictionaries(st.sampled_from(["id", "values", "after", "steps"]), JSON, max_size=4),
)
def test_any_document_is_answered_or_refused_in_a_sentence(visitor, question, content):
    body = json.dumps(content).encode()
    status, document, _ = visitor.send(f"/api/{question}", body)
    assert status in (200, 400, 422), (question, content, document)
    if status != 200:
        assert ": expected " in document["error"]["sentence"]


def raw(visitor, request: bytes) -> bytes:
    """What comes back for these bytes, to the end."""
    with socket.create_connection(("127.0.0.1", visitor.port), timeout=10) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        answer = b""
        while part := line.recv(65536):
            answer += part
        return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


HEAD = "Host: 127.0.0.1:{port}\r\nX-Featlearn-Token: {token}\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("request_line", "expected"),
    [
        ("GET //[ HTTP/1.1", 404),
        ("POST //[ HTTP/1.1", 404),
        ("GET http://evil.example/play.js HTTP/1.1", 200),  # the path counts; the Host is ours
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404),
        ("GET /play.js%00.html HTTP/1.1", 404),
        ("GET /page.html HTTP/1.1", 404),
        ("OPTIONS /api/state HTTP/1.1", 501),
        ("PUT /api/state HTTP/1.1", 501),
        ("DELETE / HTTP/1.1", 501),
        ("TRACE / HTTP/1.1", 501),
        ("__class__ / HTTP/1.1", 501),
        ("GET / HTTP/9.9", 505),
        ("GET / HTTP/1.1 <script>", 400),
        ("POST /api/state?x=1 HTTP/1.1", 411),
        (f"GET /{'a' * 70_000} HTTP/1.1", 414),
    ],
    ids=lambda word: str(word)[:40],
)
def test_other_requests_are_refused(visitor, request_line, expected):
    head = HEAD.format(port=visitor.port, token=visitor.server.token)
    answer = raw(visitor, f"{request_line}\r\n{head}Connection: close\r\n\r\n".encode())
    assert status(answer) == expected
    top, _, body = answer.partition(b"\r\n\r\n")
    assert b"access-control" not in top.lower()
    assert b"Content-Security-Policy: default-src 'none'" in top
    if expected != 200:
        assert b"Content-Type: application/json" in top
        assert ": expected " in json.loads(body)["error"]["sentence"]


def test_a_second_host_does_not_help(visitor):
    head = HEAD.format(port=visitor.port, token=visitor.server.token)
    foreign = f"GET / HTTP/1.1\r\nHost: evil.example\r\n{head}Connection: close\r\n\r\n"
    assert status(raw(visitor, foreign.encode())) == 403


def test_a_body_that_ends_early_is_no_document(visitor):
    head = HEAD.format(port=visitor.port, token=visitor.server.token)
    short = f'POST /api/state HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\n{{"after'
    assert status(raw(visitor, short.encode())) == 400


def test_two_requests_in_one_are_two(visitor):
    """What follows the body of a refused request is not read as another."""
    head = HEAD.format(port=visitor.port, token="wrong")
    inner = f"GET /play.js HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\n\r\n"
    smuggled = f"POST /api/state HTTP/1.1\r\n{head}Content-Length: {len(inner)}\r\n\r\n{inner}"
    answer = raw(visitor, smuggled.encode())
    assert status(answer) == 403
    assert answer.count(b"HTTP/1.1 ") == 1
