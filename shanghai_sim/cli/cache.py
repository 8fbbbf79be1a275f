"""``shanghai-sim cache``: where compiled kernels are kept, making them beforehand, deleting them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from shanghai_sim.cli import options

_MEGABYTE = 1_000_000
_HOW = (
    "To change this: SHANGHAI_SIM_CACHE_DIR=FOLDER keeps kernels elsewhere, SHANGHAI_SIM_CACHE=0 keeps\n"
    "none, SHANGHAI_SIM_JIT=0 compiles none (slow, for debugging)."
)


@click.group("cache")
def command() -> None:
    """Look after the compiled code (kernels) that is kept between calls.

    Kernels are compiled at their first use, which takes up to a minute, and loaded from then on. A new
    version of the package, of Python or of numba compiles its own and never uses old ones.
    """


@command.command(short_help="Say where kernels are kept, and how much there is.")
@options.output_format("table", "json")
def info(fmt: str) -> None:
    """Say where kernels are kept, how many there are and how to change that."""
    from shanghai_sim import _jit

    root = _jit.cache_root()
    facts: dict[str, Any] = {
        "compiles": _jit.JIT,
        "caching": root is not None,
        "folder": None if root is None else str(root),
        "kernels": _count(root),
        "bytes": _jit.cache_size(),
    }
    if fmt == "json":
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    if root is None:
        click.echo(f"caching: off, {_why_off(_jit.JIT)}")
    else:
        click.echo("caching: on")
        click.echo(f"folder:  {root}")
        click.echo(f"kernels: {facts['kernels']}, {_megabytes(facts['bytes'])}")
    click.echo(_HOW)


@command.command(short_help="Compile everything now.")
@options.quiet
def warm(quiet: bool) -> None:
    """Compile everything that runs, replays and hand evaluation need, so that they start at once."""
    from shanghai_sim import _jit
    from shanghai_sim.engine.warm import warm_up

    root = _jit.cache_root()
    if root is None:
        click.echo(f"nothing to do: caching is off, {_why_off(_jit.JIT)}")
        return
    before = _count(root)
    begin = time.perf_counter()
    warm_up()
    if quiet:
        return
    seconds = time.perf_counter() - begin
    made = _count(root) - before
    what = f"{made} kernels compiled" if made else "all kernels were there, and load"
    click.echo(f"{what} in {seconds:.1f} s ({_megabytes(_jit.cache_size())} in {root})")


@command.command(short_help="Delete all kernels.")
def clear() -> None:
    """Delete all kernels; the next use compiles them anew."""
    from shanghai_sim import _jit

    root = _jit.cache_root()
    if root is None:
        click.echo(f"nothing to do: caching is off, {_why_off(_jit.JIT)}")
        return
    freed = _jit.clear_cache()
    click.echo(f"{_megabytes(freed)} freed in {root}")


def _why_off(jit: bool) -> str:
    if not jit:
        return "since nothing is compiled (SHANGHAI_SIM_JIT=0 or NUMBA_DISABLE_JIT=1)"
    return "by SHANGHAI_SIM_CACHE=0, or because no folder is writable"


def _count(root: Path | None) -> int:
    """Return the number of kernels kept; numba writes one index file for each."""
    return 0 if root is None else sum(1 for _ in root.glob("*/*/*.nbi"))


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f} MB"
