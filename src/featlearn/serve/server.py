"""The server of a live page: it listens on this machine only, for one visitor, and answers in JSON.

An application says which files the page has and which requests it may send; everything that
concerns safety is in this module, once, for every live page.

The server refuses the following, with a status and a message: a Host that is not this machine
(against DNS rebinding), an Origin that is not this page, a request without the token of the printed
address, and a body that is not JSON or too long. The token follows the # of the address, so that
browsers do not send it by themselves and logs do not contain it.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Protocol, runtime_checkable
from urllib.parse import urlsplit

from featlearn._check import InputError, as_sentence
from featlearn.results.files import finite

Document = dict[str, Any]
HOST = "127.0.0.1"
LONGEST = 64 * 1024
"""The most bytes of a request; a configuration takes a few hundred."""
TOKEN = "X-Featlearn-Token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(Exception):
    """Raised for a request whose content is wrong; it has the error message and the field
    concerned.
    """

    def __init__(self, error: InputError, field: str | None = None) -> None:
        super().__init__(str(error))
        told = {"where": error.where, "expected": error.expected, "got": error.got}
        self.document: Document = {
            "error": {**told, "try": error.hint, "sentence": str(error), "field": field}
        }


@runtime_checkable
class Application(Protocol):
    """The interface of a live page: the files that it consists of, and the requests that it
    answers.
    """

    @property
    def files(self) -> Mapping[str, tuple[str, str, str]]:
        """Map each address to (package, file, type); a GET request can read no other file from
        disk.
        """

    @property
    def questions(self) -> Mapping[str, Callable[[Document], Document]]:
        """Map each name of a request to the function that answers it; that raises `Refused` for a
        wrong request.
        """


class Server(ThreadingHTTPServer):
    """An HTTP server that serves an application on a port of this machine."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, application: Application, port: int) -> None:
        self.application, self.token = application, secrets.token_urlsafe(24)
        try:
            super().__init__((HOST, port), Handler)
        except OverflowError:
            raise InputError("--port", "a port from 0 to 65535", port) from None
        except OSError as error:
            hint = "Choose another --port, or 0 for any that is free."
            raise InputError(
                "--port", "a port that is free", f"{port} ({error.strerror})", hint
            ) from None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a visitor who closes the connection during an answer."""

    @property
    def origin(self) -> str:
        """The address of the page without its token."""
        return f"http://{HOST}:{self.server_address[1]}"

    @property
    def url(self) -> str:
        """The address to open in a browser, with the token."""
        return self.url_with("")

    def url_with(self, query: str) -> str:
        """Return the address to open in a browser, with a query that describes a state of the
        page.
        """
        return f"{self.origin}/{'?' if query else ''}{query}#{self.token}"

    @property
    def hosts(self) -> tuple[str, str]:
        """The values of the Host header that a browser on this machine sends."""
        port = self.server_address[1]
        return f"{HOST}:{port}", f"localhost:{port}"


class Refusal(Exception):
    """Raised, with an HTTP status, for a request that is refused before its content is read."""

    def __init__(self, status: int, where: str, expected: str, got: object) -> None:
        self.status, self.error = status, InputError(where, expected, got)
        super().__init__(str(self.error))


class Handler(BaseHTTPRequestHandler):
    """Answers one HTTP request."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 30.0
    server_version, sys_version = "featlearn", ""

    def do_GET(self) -> None:
        """Answer with a file of the page."""
        self._answer(self._file)

    def do_POST(self) -> None:
        """Answer a request of the page."""
        self._answer(self._question)

    def _answer(self, respond: Any) -> None:
        try:
            self._require_at_home()
            status, kind, body = respond()
        except Refusal as refusal:
            self.close_connection = True  # the rest of its body is not read
            status, kind, body = _json(refusal.status, Refused(refusal.error).document)
        except Refused as refused:
            status, kind, body = _json(422, refused.document)
        except Exception as error:  # a bug in featlearn: the page shows it and continues
            told = Refused(as_sentence(error, "server", "a question it can answer"))
            status, kind, body = _json(500, told.document)
        self._send(status, kind, body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that is not valid HTTP here, such as another method or a malformed
        line.
        """
        self.close_connection, self.request_version = True, self.protocol_version
        told = InputError("request", "GET or POST, as the page sends them", message or code)
        self._send(*_json(code, Refused(told).document))

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _require_at_home(self) -> None:
        """Refuse a request that is addressed to another host, or that comes from another page."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if host not in self.server.hosts:
            raise Refusal(403, "Host", f"one of {', '.join(self.server.hosts)}", repr(host[:80]))
        origins = [f"http://{name}" for name in self.server.hosts]
        if origin is not None and origin not in origins:
            raise Refusal(403, "Origin", f"one of {', '.join(origins)}", repr(origin[:80]))
        site = self.headers.get("Sec-Fetch-Site", "none")
        if site not in ("none", "same-origin") and self.command == "POST":
            raise Refusal(403, "Sec-Fetch-Site", "a request of the page itself", repr(site[:80]))

    def _path(self) -> str:
        try:
            return urlsplit(self.path).path
        except ValueError:
            raise Refusal(404, "address", "one of this page", repr(self.path[:80])) from None

    def _file(self) -> tuple[int, str, bytes]:
        path, known = self._path(), self.server.application.files
        if path not in known:
            raise Refusal(404, "address", f"one of {', '.join(known)}", repr(path[:80]))
        package, name, kind = known[path]
        return 200, kind, files(package).joinpath(name).read_bytes()

    def _question(self) -> tuple[int, str, bytes]:
        given = self.headers.get(TOKEN, "")
        if not secrets.compare_digest(given.encode(), self.server.token.encode()):
            raise Refusal(
                403, TOKEN, "the token of the address that was printed", "another or none"
            )
        name = self._path().removeprefix("/api/")
        ask = self.server.application.questions.get(name)
        if ask is None or not self.path.startswith("/api/"):
            raise Refusal(404, "address", "a question of the page", repr(self.path[:80]))
        return _json(200, ask(self._body()))

    def _body(self) -> Document:
        kind = self.headers.get("Content-Type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "Content-Type", "application/json", repr(kind[:80]))
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise Refusal(411, "Content-Length", "the number of bytes", repr(length[:80]))
        if len(length) > 9 or int(length) > LONGEST:
            raise Refusal(413, "body", f"at most {LONGEST} bytes", length[:20])
        try:
            document = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise Refusal(400, "body", "a JSON document", "something else") from None
        if not isinstance(document, dict):
            raise Refusal(400, "body", "a JSON object", type(document).__name__)
        return document

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, since the terminal belongs to the user."""


def _json(status: int, document: Document) -> tuple[int, str, bytes]:
    return status, "application/json", json.dumps(finite(document), allow_nan=False).encode()
