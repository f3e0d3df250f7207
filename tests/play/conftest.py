"""A playground that runs: its server on a free port, and a way to ask it."""

import http.client
import json
import threading
import time
from typing import Any

import pytest

SMALL = {"d": "6", "width": "8", "steps": "12", "records": "3", "batch_ratio": "2", "test": "20"}
"""Knobs of `glasgow2023.xor` that train in a moment; all tests share its compiled programs."""


class Visitor:
    """Whoever asks: as the page does, or with other headers, addresses and bodies."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.port = server.server_address[1]

    def send(
        self,
        path: str,
        body: bytes = b"{}",
        method: str = "POST",
        **headers: str | None,
    ) -> tuple[int, Any, dict[str, str]]:
        """Status, document (or bytes) and headers of an answer; a header of None is left out."""
        usual: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "X-Featlearn-Token": self.server.token,
        }
        usual |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in usual.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body if method == "POST" else None)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        as_json = answer.getheader("Content-Type", "").startswith("application/json")
        return answer.status, json.loads(content) if as_json else content, dict(answer.getheaders())

    def ask(self, question: str, **content: Any) -> Any:
        """The answer to a question of the page, which must be one."""
        status, document, _ = self.send(f"/api/{question}", json.dumps(content).encode())
        assert status == 200, document
        return document

    def until(self, *states: str, seconds: float = 60.0) -> Any:
        """The session once it is in one of the states."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            told = self.ask("state", after=0)
            if told["state"] in states:
                return told
            time.sleep(0.02)
        raise AssertionError(f"still {told['state']} at step {told['step']}: {told['error']}")


@pytest.fixture(scope="module")
def visitor():
    from featlearn.play.playground import Playground
    from featlearn.reproduction.catalogue import find_experiment
    from featlearn.serve.server import Server

    playground = Playground(find_experiment("glasgow2023.xor"))
    server = Server(playground, port=0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield Visitor(server)
    server.shutdown()
    server.server_close()
    thread.join()
    assert playground.close()
