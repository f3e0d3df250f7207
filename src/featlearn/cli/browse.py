"""featlearn browse: a page on this machine alone, on which one looks through a store."""

from featlearn.cli.live import NoBrowser, Port, serve
from featlearn.cli.run import OUT, Out

PORT = 8643


def browse(*, out: Out = OUT, port: Port = None, no_browser: NoBrowser = False) -> int:
    """A page of your results: search runs, draw and compare them, delete. Ctrl-C ends it."""
    from featlearn.browse.browser import Browser
    from featlearn.serve.server import Server

    server = Server(Browser(out), PORT if port is None else port)
    serve(server, "The results browser", no_browser=no_browser, prepare=_prepare)
    return 0


def _prepare() -> None:
    """Load what draws while the browser opens."""
    import featlearn.figures.on_paper  # noqa: F401
