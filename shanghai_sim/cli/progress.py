"""Progress on standard error: only on a terminal, only for what takes more than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

_SILENT = 2.0
_LONG = 60.0
_EVERY = 0.2


class Progress:
    """A line with the share done and the time left; called with the number done and the number in all.

    Parameters
    ----------
    quiet : bool
        Say nothing.
    what : str
        What is counted, e.g. ``games``.
    """

    def __init__(self, *, quiet: bool, what: str = "games") -> None:
        self._quiet = quiet
        self._what = what
        self._terminal = sys.stderr.isatty()
        self._begin = time.monotonic()
        self._first: tuple[float, int] | None = None
        self._last = 0.0
        self._told = False
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        now = time.monotonic()
        if self._first is None:
            # Compiling or loading comes before the first chunk: speed is counted from there.
            self._first = (now, done)
            return
        begin, before = self._first
        if self._quiet or done <= before:
            return
        left = (total - done) * (now - begin) / (done - before)
        if left + now - begin > _LONG and not self._told:
            self._told = True
            self._line(f"about {_time(left)} for {total - done:,} more {self._what}", keep=True)
        if self._terminal and now - self._begin > _SILENT and now - self._last > _EVERY:
            self._last = now
            self._line(f"{done:,} of {total:,} {self._what} ({done / total:.0%}), {_time(left)} left")

    def _line(self, text: str, *, keep: bool = False) -> None:
        start = "\r\x1b[K" if self._terminal else ""
        click.echo(start + text, nl=keep or not self._terminal, err=True)
        self._shown = self._terminal and not keep

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._shown = False


class Stages:
    """Progress of a run in stages; called with the name of a stage, the number done in it and the number in all.

    Parameters
    ----------
    quiet : bool
        Say nothing.
    words : mapping, optional
        What is counted, by stage.
    """

    def __init__(self, *, quiet: bool, words: Mapping[str, str] | None = None) -> None:
        self._quiet = quiet
        self._words = words or {}
        self._stages: dict[str, Progress] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if stage not in self._stages:
            self.close()
            self._stages[stage] = Progress(quiet=self._quiet, what=self._words.get(stage, f"games ({stage})"))
            self._stages[stage](0, total)
        self._stages[stage](done, total)

    def close(self) -> None:
        """Wipe the line."""
        for progress in self._stages.values():
            progress.close()


def what_is_kept(out: Path | None) -> str:
    """Return what to say of a run that was interrupted."""
    if out is None:
        return "nothing is kept; with --out DIR a run can be interrupted and resumed"
    return f"what has been played is kept in {out}; the same command with --resume goes on"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
