"""featlearn play [ID]: a page on this machine alone, on which experiments train as one watches."""

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
    """A live page: choose an experiment, turn its knobs, watch it train. Ctrl-C ends it."""
    from featlearn.play.playground import Playground
    from featlearn.play.server import PORT, Server
    from featlearn.reproduction.catalogue import find_experiment

    # The id is the name under which `featlearn run` finds it, also for a file's.
    chosen = replace(find_experiment(identity), id=identity)
    server = Server(Playground(chosen), PORT if port is None else port)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nothing is kept that could be saved
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
    if not ended:  # a compilation cannot be interrupted, and would outlive the interpreter
        sys.stdout.flush()
        os._exit(0)
    return 0
