"""The command line: a thin shell over the library."""

import inspect
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import cyclopts
from cyclopts import App

from featlearn._check import InputError, as_sentence, disk_is_full, require, suggestion
from featlearn._interrupt import SENTENCE, Terminated
from featlearn.cli.browse import browse
from featlearn.cli.catalogue import cite, papers
from featlearn.cli.check import check, statements
from featlearn.cli.compare import compare
from featlearn.cli.data import data
from featlearn.cli.doctor import doctor
from featlearn.cli.engine import asked_for, without_engine
from featlearn.cli.fields import parameters, plain_numbers, with_fields
from featlearn.cli.graph import graph
from featlearn.cli.new_paper import new_paper
from featlearn.cli.output import console, print_crash, print_error
from featlearn.cli.play import play
from featlearn.cli.record import record
from featlearn.cli.replay import archive, replay
from featlearn.cli.report import report
from featlearn.cli.reproduce import reproduce
from featlearn.cli.run import command as run_command
from featlearn.cli.scope import scope, settings
from featlearn.cli.search import search
from featlearn.cli.store import store
from featlearn.cli.sweep import sweep
from featlearn.reproduction.catalogue import (
    experiments,
    experiments_like,
    find_experiment,
    instead,
    is_file,
    item_titles,
    statement_titles,
)
from featlearn.reproduction.catalogue import papers as all_papers
from featlearn.results.provenance import version, without_folders

HELP = (
    "Theorems about feature learning, made executable. Every command takes --engine jax or "
    "--engine native; `featlearn doctor` says what is used, and why."
)
RUN_HELP = (
    "Train one experiment: progress, summary, result folder. `featlearn run ID --help` lists the "
    "fields of an experiment; one of your own is path.py:name."
)
CRASHED = 70
"""The exit code for a bug in featlearn: EX_SOFTWARE of sysexits.h."""
COMMON_FLAGS = {
    "--seeds",
    "--first-seed",
    "--out",
    "--fresh",
    "--explain",
    "--same-environment",
    "--json",
}
"""The flags of `check` that are not fields of a statement."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.

    0 done, 1 not as recorded, 2 bad input, 70 a bug in featlearn, 130 interrupted, 143 terminated.
    """
    tokens = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in tokens
    try:
        return _dispatch(tokens)
    except InputError as error:
        print_error(error, as_json=as_json)
        return 2
    except KeyboardInterrupt as interrupt:
        print(f"\n{SENTENCE}", file=sys.stderr)
        return 143 if isinstance(interrupt, Terminated) else 130
    except BrokenPipeError:  # the reading process has ended, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print_error(_system_error(error), as_json=as_json)
        return 2
    except (MemoryError, OverflowError) as error:
        print_error(as_sentence(error, "the sizes", "sizes one can compute with"), as_json=as_json)
        return 2
    except Exception as error:
        print_crash(error, as_json=as_json)
        return CRASHED


def _dispatch(tokens: list[str]) -> int:
    engine, tokens = without_engine(tokens)
    app = _app(tokens)
    try:
        call, bound, _ = app.parse_args(tokens, print_error=False, exit_on_error=False)
    except cyclopts.CycloptsError as error:
        raise _sentence(error, app, tokens) from None
    options = {name: _at_home(value) for name, value in bound.kwargs.items()}
    with asked_for(engine):
        result = call(*map(_at_home, bound.args), **options)
    sys.stdout.flush()
    return result if isinstance(result, int) else 0


def _at_home(value: object) -> object:
    """A path with the home folder in the place of ~; anything else as it is."""
    if not isinstance(value, Path):
        return value
    require("\0" not in str(value), "a path", "a name without the character 0", repr(str(value)))
    try:
        return value.expanduser()
    except RuntimeError:
        raise InputError(str(value), "a folder", "the home of nobody known") from None


def _system_error(error: OSError) -> InputError:
    """What the system complains of, in the house wording."""
    where = without_folders(str(error.filename or "the system"))
    if disk_is_full(error):
        hint = "What is finished is kept; make room and give the same command again."
        return InputError("the disk", "room for the results", error.strerror, hint)
    return InputError(where, "a file or folder one can use", error.strerror or error)


def _app(tokens: list[str]) -> App:
    """The app with all commands; some get the fields of the ids on this command line as flags."""
    # Plain text, because a renderer of Markdown would cost a quarter of the time to the first line.
    app = App(
        name="featlearn",
        help=HELP,
        version=version,
        help_format="plaintext",
        default_parameter=cyclopts.Parameter(converter=plain_numbers),
    )
    if not tokens or {"--help", "-h"} & {*tokens}:
        app.console = console(width=None)
    app.command(papers)
    app.command(_run_app(tokens))
    for command, name in ((check, "check"), (scope, "scope")):
        own = _statement_fields(name, tokens)
        app.command(with_fields(command, own, command.__doc__ or ""), name=name)
    app.command(
        with_fields(sweep, _target_fields("sweep", tokens), sweep.__doc__ or ""), name="sweep"
    )
    app.command(
        with_fields(search, _target_fields("search", tokens), search.__doc__ or ""), name="search"
    )
    app.command(compare)
    app.command(reproduce)
    app.command(record)
    app.command(report)
    app.command(store)
    app.command(archive)
    app.command(replay)
    app.command(data)
    app.command(play)
    app.command(browse)
    app.command(graph)
    app.command(cite)
    app.command(new_paper)
    app.command(doctor)
    return app


def _run_app(tokens: list[str]) -> App:
    """The command `run`, with a subcommand per experiment; the requested one gets its fields."""
    run = App(name="run", help=RUN_HELP)
    if tokens[:1] != ["run"]:
        return run
    asked = "".join(tokens[1:2])
    # An id names its paper, so that the other papers need not be imported.
    known = experiments_like(asked) or dict(experiments())
    if is_file(asked):
        known[asked] = find_experiment(asked)
    for identity, named in known.items():
        spelled = parameters([named.config]) if identity == asked else []
        run.command(with_fields(run_command(named), spelled, named.title), name=identity)
    return run


def _statement_fields(command: str, tokens: list[str]) -> list[inspect.Parameter]:
    """The fields of the statements that this command line names, if it is a command for them."""
    if tokens[:1] != [command]:
        return []
    known = {*statement_titles(), *all_papers(), *(item_titles() if command == "scope" else ())}
    ids = tuple(token for token in tokens[1:] if token in known or is_file(token))
    flags = {token.partition("=")[0] for token in tokens if token.startswith("-")}
    own = flags - COMMON_FLAGS
    if not own or (own <= {"--help", "-h"} and not ids):
        return []
    if command == "scope":
        return parameters([config for _, _, config in settings(ids)], defaults=len(ids) == 1)
    return parameters([each.config for each in statements(ids)], defaults=len(ids) == 1)


def _target_fields(command: str, tokens: list[str]) -> list[inspect.Parameter]:
    """The fields of the experiment or statement that a sweep or search names."""
    if tokens[:1] != [command]:
        return []
    for token in tokens[1:]:
        if token in experiments():
            return parameters([experiments()[token].config])
    known = statement_titles() if command == "sweep" else {}
    words = [token for token in tokens[1:] if not token.startswith("-")]
    ids = [word for word in words if word in known or is_file(word)]
    if command == "search":
        return parameters([find_experiment(ids[0]).config]) if ids else []
    named = ids or words
    if named and ("--help" not in tokens or "." in named[0]):
        from featlearn.reproduction.sweep import find_target

        return parameters([find_target(named[0]).config])
    return []


def _sentence(error: cyclopts.CycloptsError, app: App, tokens: list[str]) -> InputError:
    """Turn an error of the parser into an `InputError`."""
    words = [token for token in tokens[:2] if not token.startswith("-")]
    asked = " ".join(words) or "command line"
    see = f"See `{' '.join(['featlearn', *words])} --help`."
    token, argument = getattr(error, "token", None), getattr(error, "argument", None)
    if isinstance(error, cyclopts.CoercionError) and token is not None:
        return InputError(
            token.keyword or "argument", _kind(error.target_type), repr(token.value), see
        )
    if isinstance(error, cyclopts.UnknownOptionError) and token is not None:
        names = [n for a in _arguments(app, tokens) for n in a]
        got = (token.keyword or token.value).partition("=")[0]
        return InputError(asked, "a known option", got, suggestion(got, names, see))
    if isinstance(error, cyclopts.UnknownCommandError):
        got = (error.unused_tokens or ["nothing"])[0]
        if tokens[:1] == ["run"]:
            return InputError("run", "an experiment", repr(got), instead(got, experiments()))
        names = [name for name in app if not name.startswith("-")]
        hint = suggestion(got, names, "See `featlearn --help`.")
        return InputError("command", "one of " + ", ".join(names), repr(got), hint)
    if isinstance(error, cyclopts.RepeatArgumentError) and token is not None:
        return InputError(token.keyword or asked, "one value", "several", see)
    if isinstance(error, cyclopts.MissingArgumentError) and argument is not None:
        return InputError(argument.name, "a value", "nothing", see)
    if isinstance(error, cyclopts.UnusedCliTokensError):
        return InputError(asked, "no further words", " ".join(error.unused_tokens or []), see)
    return InputError(asked, "a command line that can be read", str(error).rstrip("."), see)


def _arguments(app: App, tokens: list[str]) -> list[tuple[str, ...]]:
    _, apps, _ = app.parse_commands(tokens)
    return [argument.names for argument in apps[-1].assemble_argument_collection()]


def _kind(target: object) -> str:
    from featlearn._config import type_name

    return type_name(target)


if __name__ == "__main__":
    from featlearn.cli.start import start

    sys.exit(start())
