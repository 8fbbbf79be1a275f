"""The command line: a group that loads each command when it is called, and the one place for exit codes.

A wrong call exits 2, a run that failed 1, an interrupted one 130 (FORMATS, "Commands"). Importing this
module imports click and nothing heavier, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from shanghai_sim._version import ENGINE_VERSION, __version__
from shanghai_sim.errors import ShanghaiSimError, did_you_mean

#: Every command with its one line of help. `shanghai_sim.cli.<name>` holds it as `command`.
COMMANDS = {
    "run": "Play games and report how a policy does at its table.",
    "compare": "Compare two policies, or two sets of rules, on the same cards.",
    "tournament": "Play policies against one another and say which is best.",
    "sweep": "Vary parameters or rules and say which value is best.",
    "tips": "Say which advice is true, under your rules.",
    "replay": "Show one game of a run, move by move.",
    "rules": "List, show and check rulesets.",
    "policies": "List, show and check policies.",
    "cache": "Look after the compiled code that is kept between calls.",
}

_INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, and whose errors are one line each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"shanghai_sim.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called; for an unknown one say which may have been meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], COMMANDS) or f"; there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"unknown command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run the command line and exit."""
        sys.exit(_exit_code(super().main, *args, **{**kwargs, "standalone_mode": False}))


def _exit_code(run: Any, *args: Any, **kwargs: Any) -> int:
    """Run the command line, write what went wrong to standard error, and return the exit code."""
    try:
        result = run(*args, **kwargs)
        # A full disk or a reader that has gone away shows here, not when Python shuts down.
        sys.stdout.flush()
    except ShanghaiSimError as error:
        return _fail(error.exit_code, *str(error).splitlines())
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _fail(_INTERRUPTED, "interrupted")
    except BrokenPipeError:
        _drop_output()
        return 1
    except OSError as error:
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        return _fail(1, f"{where}{error.strerror or error}")
    except MemoryError:
        return _fail(1, "not enough memory")
    return result if isinstance(result, int) else 0


def _fail(code: int, *lines: str) -> int:
    for line in lines:
        click.secho("Error: ", fg="red", nl=False, err=True, color=False if _no_color() else None)
        click.echo(line, err=True)
    return code


def _drop_output() -> None:
    """Let nothing more be written to a standard output that takes nothing more."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):  # no real file, as under a test runner
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _no_color() -> bool:
    return bool(os.environ.get("NO_COLOR"))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="What is good play, and what is a good rule, in Shanghai Rummy?",
    epilog="'shanghai-sim COMMAND --help' says more about a command.",
)
@click.version_option(__version__, message=f"%(prog)s %(version)s (engine version {ENGINE_VERSION})")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Set up what all commands share."""
    if _no_color():
        ctx.color = False


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line with the given words, or those the program was called with, and exit."""
    cli.main(args=args, prog_name="shanghai-sim")
