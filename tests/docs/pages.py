"""Reading Markdown pages: fenced blocks, the commands in them, and what they show.

In a block of kind ``console`` a line ``$ shanghai-sim ...`` is a command, and the lines up to the next one
are what it prints; none: that is not shown. A line ``...`` stands for any lines left out. A comment ``# exit
2``
names another exit code than 0. A block of kind ``toml`` whose first line is ``# file: NAME`` is a file that
commands below it can use.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md")]]
PAGES.sort()
LEFT_OUT = "..."
_PROMPT = "$ "
_FILE = "# file: "


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, and its lines with the number of the first (from 0)."""

    kind: str
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """A command, the lines shown for it with the number of the first, and the exit code expected."""

    words: tuple[str, ...]
    first: int
    shown: tuple[str, ...]
    code: int


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    kind, first = None, 0
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if kind is None:
            kind, first = line[3:].strip(), i + 1
        else:
            yield Block(kind, first, tuple(lines[first:i]))
            kind = None


def commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a console block; those of other programs are left to the reader."""
    if block.kind != "console":
        return
    starts = [i for i, line in enumerate(block.lines) if line.startswith(_PROMPT)]
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        text, _, comment = block.lines[start].removeprefix(_PROMPT).partition("  # ")
        words = shlex.split(text)
        if words[0] == "shanghai-sim":
            code = int(comment.removeprefix("exit ")) if comment.startswith("exit ") else 0
            shown = block.lines[start + 1 : end]
            yield Command(tuple(words[1:]), block.first + start + 1, shown, code)


def write_file(block: Block, folder: Path) -> None:
    """Write the file that a block is, if it is one."""
    if block.kind == "toml" and block.lines[0].startswith(_FILE):
        (folder / block.lines[0].removeprefix(_FILE)).write_text(
            "\n".join(block.lines) + "\n", encoding="utf-8"
        )


def run(command: Command, folder: Path) -> list[str]:
    """Run a command in a folder and return the lines that it prints; errors count where it is to fail.

    Raises
    ------
    AssertionError
        If it ends with another exit code.
    """
    ran = subprocess.run(
        [sys.executable, "-m", "shanghai_sim", *command.words],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == command.code, f"{' '.join(command.words)}\n{ran.stderr}"
    out = ran.stderr if command.code else ran.stdout
    return [line.rstrip() for line in out.splitlines()]


def shorten(printed: list[str], shown: tuple[str, ...]) -> list[str]:
    """Return what is printed, shortened as what is shown: as many lines before and after the line of dots."""
    if not shown or LEFT_OUT not in shown:
        return printed if shown else []
    head = shown.index(LEFT_OUT)
    tail = len(shown) - head - 1
    return [*printed[:head], LEFT_OUT, *printed[len(printed) - tail :]]
