"""Write what the pages show anew: tables, and the output of commands: ``make docs``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.docs import pages, tables


def refreshed(text: str) -> str:
    """Return a page with its tables made and its commands run anew."""
    text = tables.filled(text)
    lines: list[str] = []
    done = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = text.splitlines()
        for block in pages.blocks(text):
            pages.write_file(block, folder)
            for command in pages.commands(block):
                printed = pages.run(command, folder)
                lines += [*old[done : command.first], *pages.shorten(printed, command.shown)]
                done = command.first + len(command.shown)
        lines += old[done:]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for page in pages.PAGES:
        path = pages.ROOT / page
        before = path.read_text(encoding="utf-8")
        after = refreshed(before)
        path.write_text(after, encoding="utf-8")
        print(f"{page}: {'changed' if after != before else 'as it was'}")
