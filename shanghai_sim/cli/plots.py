"""``--plot``: a figure beside the answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from shanghai_sim.cli.options import Decorator
from shanghai_sim.cli.portrait import check_plot

__all__ = ["check_plot", "echo_context", "plot", "write_plot"]

plot: Decorator[Any] = click.option(
    "--plot",
    "plot_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg|.png|.pdf",
    help="Write the result as a figure too.",
)


def write_plot(figure: Any, path: Path, ending: str, *, quiet: bool) -> None:
    """Write a figure, whole or not at all, and say where it is."""
    from shanghai_sim.files import written
    from shanghai_sim.reporting.figures import write_figure

    with written(path) as file:
        write_figure(figure, file, ending)
    if not quiet:
        click.echo(f"the figure is in {path}", err=True)


def echo_context(context: Mapping[str, Any]) -> None:
    """Write what an output depends on to standard error, for formats that have no place for it."""
    click.echo(" · ".join(f"{key} {value}" for key, value in context.items()), err=True)
