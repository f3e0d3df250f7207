"""Live pages: options that they share, and how one is served until Ctrl-C."""

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from featlearn.cli.fields import COMMON

if TYPE_CHECKING:
    from featlearn.serve.server import Server

Port = Annotated[int | None, Parameter(group=COMMON, help="The port; 0 for any that is free.")]
NoBrowser = Annotated[
    bool, Parameter(name="--no-browser", group=COMMON, negative="", help="Open no browser.")
]


def serve(
    server: "Server",
    name: str,
    *,
    no_browser: bool,
    query: str = "",
    prepare: Callable[[], object] = lambda: None,
) -> None:
    """Print the address, open the page, and answer it until Ctrl-C.

    Args:
        server: the server, with its application.
        name: what is served: "The playground".
        no_browser: whether the address is only printed.
        query: the state of the page to begin with.
        prepare: what takes a moment and may be done once the address is printed.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nothing is kept that could be saved
    url = server.url_with(query)
    try:
        print(f"{name} is at {url}\nCtrl-C ends it.", flush=True)
        prepare()
        if not no_browser:
            import webbrowser

            webbrowser.open(url)
        server.serve_forever()
    except KeyboardInterrupt:
        print(f"\n{name} has ended.")
    finally:
        server.server_close()
