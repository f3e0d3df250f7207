"""A small store on disk, and its browser on a free port."""

import threading

import pytest

from tests.browse.stores import small_store
from tests.play.conftest import Visitor


@pytest.fixture
def store(tmp_path):
    return small_store(tmp_path / "results")


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    from featlearn.browse.browser import Browser
    from featlearn.serve.server import Server

    root = tmp_path_factory.mktemp("browse") / "results"
    small_store(root)
    server = Server(Browser(root), port=0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield Visitor(server)
    server.shutdown()
    server.server_close()
    thread.join()
