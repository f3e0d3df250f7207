"""The command line: a thin shell over the library."""

import inspect
import sys
from collections.abc import Sequence

import cyclopts
from cyclopts import App

from featlearn._check import InputError, suggestion
from featlearn.cli.catalogue import cite, papers
from featlearn.cli.check import check
from featlearn.cli.fields import parameters, with_fields
from featlearn.cli.output import print_error
from featlearn.cli.run import command as run_command

HELP = "Theorems about feature learning, made executable."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 not as recorded, 2 bad input)."""
    tokens = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in tokens
    try:
        return _dispatch(tokens)
    except InputError as error:
        print_error(error, as_json=as_json)
        return 2
    except KeyboardInterrupt:
        print(
            "\nfeatlearn: interrupted; what was computed is kept, the same command goes on.",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        return 0


def _dispatch(tokens: list[str]) -> int:
    app = _app(tokens)
    try:
        call, bound, _ = app.parse_args(tokens, print_error=False, exit_on_error=False)
    except cyclopts.CycloptsError as error:
        raise _sentence(error, app, tokens) from None
    result = call(*bound.args, **bound.kwargs)
    return result if isinstance(result, int) else 0


def _app(tokens: list[str]) -> App:
    """All commands; those with fields get the flags of the ids on this command line."""
    from featlearn.results.provenance import version

    app = App(name="featlearn", help=HELP, version=version)
    app.command(papers)
    app.command(_run_app(tokens))
    app.command(with_fields(check, _check_fields(tokens), check.__doc__ or ""), name="check")
    app.command(cite)
    return app


def _run_app(tokens: list[str]) -> App:
    from featlearn.papers.catalogue import experiments, find_experiment

    run = App(name="run", help="Train one experiment: progress, summary, result folder.")
    known = dict(experiments())
    if tokens[:1] == ["run"] and len(tokens) > 1 and ".py:" in tokens[1]:
        known[tokens[1]] = find_experiment(tokens[1])
    for identity, named in known.items():
        run.command(
            with_fields(run_command(named), parameters([named.config]), named.title), name=identity
        )
    return run


def _check_fields(tokens: list[str]) -> list[inspect.Parameter]:
    """The fields of the statements that this command line names."""
    if tokens[:1] != ["check"] or not any(token.startswith("--") for token in tokens):
        return []
    from featlearn.cli.check import statements
    from featlearn.papers.catalogue import papers as all_papers
    from featlearn.papers.catalogue import statement_titles

    known = {*statement_titles(), *all_papers()}
    ids = tuple(token for token in tokens[1:] if token in known or ".py:" in token)
    return parameters([each.config for each in statements(ids)], defaults=len(ids) == 1)


def _sentence(error: cyclopts.CycloptsError, app: App, tokens: list[str]) -> InputError:
    """A parser's complaint in the house wording."""
    asked = " ".join(["featlearn", *[t for t in tokens[:2] if not t.startswith("-")]])
    see = f"See `{asked} --help`."
    token, argument = getattr(error, "token", None), getattr(error, "argument", None)
    if isinstance(error, cyclopts.CoercionError) and token is not None:
        return InputError(
            token.keyword or "argument", _kind(error.target_type), repr(token.value), see
        )
    if isinstance(error, cyclopts.UnknownOptionError) and token is not None:
        names = [n for a in _arguments(app, tokens) for n in a]
        return InputError(
            asked, "a known option", token.keyword, suggestion(token.keyword, names, see)
        )
    if isinstance(error, cyclopts.UnknownCommandError):
        got = (error.unused_tokens or ["nothing"])[0]
        here = app["run"] if tokens[:1] == ["run"] else app
        names = [name for name in here if not name.startswith("-")]
        listed = "one of " + ", ".join(names)
        return InputError("featlearn", listed, repr(got), suggestion(got, names, see))
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
    sys.exit(main())
