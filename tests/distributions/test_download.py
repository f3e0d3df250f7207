"""Files are fetched whole or not at all, from a real server on this machine."""

import hashlib
import io
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from featlearn._check import InputError
from featlearn.distributions.images import download as module
from featlearn.distributions.images import get
from featlearn.distributions.images.sources import Download

CONTENT = bytes(range(256)) * 2000


class Handler(BaseHTTPRequestHandler):
    """Serves CONTENT, in part where a part is asked for; /cut breaks off in the middle."""

    asked: list[str | None] = []  # noqa: RUF012 (one server a test)

    def do_GET(self):
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        if self.path == "/gone":
            self.send_error(404)
            return
        begin = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(CONTENT) - begin))
        self.end_headers()
        end = 100_000 if self.path == "/cut" else len(CONTENT)
        self.wfile.write(CONTENT[begin:end])

    def log_message(self, *about):
        pass


@pytest.fixture
def server():
    Handler.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def download(*urls, sha256=None, unpacks=(), size=None):
    digest = sha256 or hashlib.sha256(CONTENT).hexdigest()
    size = size or len(CONTENT)
    return Download(file="x.bin", urls=urls, sha256=digest, size=size, unpacks=unpacks)


def test_a_file_arrives_with_its_checksum_and_the_share_goes_up_to_one(server, tmp_path):
    shares: list[float] = []
    folder = get("mnist", tmp_path, downloads=(download(f"{server}/x"),), watch=shares.append)
    assert (folder / "x.bin").read_bytes() == CONTENT
    assert shares[-1] == 1
    assert shares == sorted(shares)
    get("mnist", tmp_path, downloads=(download(f"{server}/x"),))
    assert len(Handler.asked) == 1  # what is here is not fetched again


def test_what_broke_off_goes_on_where_it_stopped(server, tmp_path):
    with pytest.raises(InputError, match="cut off after 100000 of 512000 bytes"):
        get("mnist", tmp_path, downloads=(download(f"{server}/cut"),))
    assert (tmp_path / "mnist" / "x.bin.part").stat().st_size == 100_000
    assert not (tmp_path / "mnist" / "x.bin").exists()
    get("mnist", tmp_path, downloads=(download(f"{server}/x"),))
    assert Handler.asked[-1] == "bytes=100000-"
    assert (tmp_path / "mnist" / "x.bin").read_bytes() == CONTENT


def test_the_next_address_is_asked_when_one_has_nothing(server, tmp_path):
    get("mnist", tmp_path, downloads=(download(f"{server}/gone", f"{server}/x"),))
    assert (tmp_path / "mnist" / "x.bin").exists()


def test_a_wrong_checksum_leaves_nothing_behind(server, tmp_path):
    with pytest.raises(InputError, match="instead of 0123"):
        get("mnist", tmp_path, downloads=(download(f"{server}/x", sha256="0123"),))
    assert list((tmp_path / "mnist").iterdir()) == []


def test_without_a_server_one_sentence_says_what_to_do(tmp_path):
    url = "http://127.0.0.1:9/x"
    with pytest.raises(InputError) as told:
        get("mnist", tmp_path, downloads=(download(url),))
    assert str(told.value).endswith(f"Without a network, put the file into {tmp_path / 'mnist'}.")
    assert "\n" not in str(told.value)


def test_an_archive_is_unpacked_and_does_not_stay(server, tmp_path, monkeypatch):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        member = tarfile.TarInfo("some/folder/a.bin")
        member.size = 3
        tar.addfile(member, io.BytesIO(b"abc"))
    monkeypatch.setitem(globals(), "CONTENT", buffer.getvalue())
    get("cifar10", tmp_path, downloads=(download(f"{server}/x", unpacks=("a.bin",)),))
    assert [path.name for path in (tmp_path / "cifar10").iterdir()] == ["a.bin"]
    assert (tmp_path / "cifar10" / "a.bin").read_bytes() == b"abc"


def test_what_is_longer_than_it_is_to_be_is_not_read_to_its_end(server, tmp_path):
    with pytest.raises(InputError, match="more than the 1000 bytes it is to have"):
        get("mnist", tmp_path, downloads=(download(f"{server}/x", size=1000),))
    assert list((tmp_path / "mnist").iterdir()) == []


def test_an_archive_that_unpacks_to_too_much_or_lacks_a_file_is_refused(
    server, tmp_path, monkeypatch
):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        member = tarfile.TarInfo("a.bin")
        member.size = 10**6
        tar.addfile(member, io.BytesIO(bytes(10**6)))
    monkeypatch.setitem(globals(), "CONTENT", buffer.getvalue())
    monkeypatch.setattr(module, "MOST_UNPACKED", 1000)
    with pytest.raises(InputError, match="expected at most 1000 bytes, got 1000000"):
        get("cifar10", tmp_path, downloads=(download(f"{server}/x", unpacks=("a.bin",)),))
    with pytest.raises(InputError, match=r"an archive with b\.bin, got one without it"):
        get("cifar10", tmp_path, downloads=(download(f"{server}/x", unpacks=("b.bin",)),))
    assert not (tmp_path / "cifar10" / "a.bin").exists()
