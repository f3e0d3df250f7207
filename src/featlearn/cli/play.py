"""The command `featlearn play [ID]`: serve the playground to this machine alone."""

import os
import signal
import sys
from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.fields import COMMON

Chosen = Annotated[str, Parameter(help="The experiment to begin with, or path.py:name.")]
Port = Annotated[int | None, Parameter(group=COMMON, help="The port; 0 for any that is free.")]
NoBrowser = Annotated[
    bool, Parameter(name="--no-browser", group=COMMON, negative="", help="Open no browser.")
]


def play(
    identity: Chosen = "glasgow2023.xor", /, *, port: Port = None, no_browser: NoBrowser = False
) -> int:
    """Serve a live page on which experiments train while you watch. Ctrl-C ends it."""
    from featlearn.play.playground import Playground
    from featlearn.play.server import PORT, Server
    from featlearn.reproduction.catalogue import find_experiment

    # `featlearn run` finds the experiment by this id, also if it comes from a file.
    chosen = replace(find_experiment(identity), id=identity)
    server = Server(Playground(chosen), PORT if port is None else port)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # there is nothing to save
    try:
        print(f"The playground is at {server.url}\nCtrl-C ends it.", flush=True)
        from featlearn.experiments.engine import prepare

        prepare()
        if not no_browser:
            import webbrowser

            webbrowser.open(server.url)
        server.serve_forever()
    except KeyboardInterrupt:
        print("\nThe playground has ended.")
    finally:
        server.server_close()
        ended = server.playground.close()
    if not ended:  # a running compilation cannot be interrupted and would block the exit
        sys.stdout.flush()
        os._exit(0)
    return 0
