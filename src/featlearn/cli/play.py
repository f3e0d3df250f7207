"""The command `featlearn play [ID]`: serve the playground to this machine alone."""

import os
import sys
from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from featlearn.cli.live import NoBrowser, Port, serve

PORT = 8642
Chosen = Annotated[
    str, Parameter(help="The experiment to begin with, path.py:name, or a link of the playground.")
]


def play(
    identity: Chosen = "glasgow2023.xor", /, *, port: Port = None, no_browser: NoBrowser = False
) -> int:
    """A live page: choose an experiment, turn its knobs, watch it train. Ctrl-C ends it."""
    from featlearn.play.links import read_link
    from featlearn.play.playground import Playground
    from featlearn.reproduction.catalogue import find_experiment
    from featlearn.serve.server import Server

    name, query = read_link(identity)
    # The id is the name under which `featlearn run` finds it, also for a file's.
    chosen = replace(find_experiment(name), id=name)
    playground = Playground(chosen)
    server = Server(playground, PORT if port is None else port)
    try:
        serve(server, "The playground", no_browser=no_browser, query=query, prepare=_prepare)
    finally:
        ended = playground.close()
    if not ended:  # a compilation cannot be interrupted, and would outlive the interpreter
        sys.stdout.flush()
        os._exit(0)
    return 0


def _prepare() -> None:
    from featlearn.experiments.engine import prepare

    prepare()
