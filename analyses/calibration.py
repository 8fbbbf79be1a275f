"""How often the intervals and verdicts are wrong: ``make calibrate`` writes ``reports/calibration``.

Every run is cut from one long series of real blocks, or drawn from it with replacement.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from analyses import checks, series
from analyses.calibration_report import figure, page
from shanghai_sim._version import ENGINE_VERSION
from shanghai_sim.reporting.figures import write_figure

RUNS, BLOCKS = 400, 1_000
#: Blocks of the runs in which the policy slips, and of those with a real difference.
SLIPS, SHORT = 500, 250
LONG = 20_000
#: Two points in a game of ten deals, of which one is played.
MARGIN = 0.2
TABLES = (
    ("shanghai", 4),
    ("shanghai", 3),
    ("finnish", 2),
    ("liverpool", 6),
    ("progressive", 5),
    ("shanghai-big", 8),
)
FOLDER = Path(__file__).parents[1] / "reports" / "calibration"


def all_checks() -> Iterator[checks.Check]:
    """Play the series and yield every check."""
    yield checks.paired(TABLES, 900)
    other = series.on_other_blocks(RUNS * BLOCKS)
    for rules, values in other.items():
        yield from checks.nothing_there(f"other blocks, {rules}", checks.cut(values, RUNS, BLOCKS), MARGIN)
    slips = series.with_noise(RUNS * SLIPS)
    gain = slips.block_frame().difference.to_numpy()
    yield from checks.nothing_there("slips at both sides", checks.cut(gain, RUNS, SLIPS), MARGIN)
    yield from checks.looked_at("slips, drawn again", checks.resampled(gain, RUNS, LONG, 1), MARGIN)
    for blocks in (200, 1_000):
        yield checks.covered("slips, drawn again", checks.resampled(gain, 5 * RUNS, blocks, blocks))
    points = slips.values.points
    yield checks.covered_together("seats, drawn again", points[:, 1] - points[:, 0], RUNS, SLIPS, 3)
    reference = series.changed(RUNS * SHORT, "select")
    short = series.changed(RUNS * SHORT, "final")
    yield checks.covered("real difference, drawn again", checks.resampled(reference, 5 * RUNS, 200, 2))
    yield checks.recovered("a few slips against none", checks.cut(short, RUNS, SHORT), reference)


def write_report(folder: Path) -> None:
    """Write the page and the figure from the table that stands in the folder."""
    with (folder / "calibration.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    (folder / "README.md").write_text(page(rows), encoding="utf-8")
    with (folder / "calibration.svg").open("wb") as drawn:
        write_figure(figure(rows), drawn, ".svg")


def main() -> int:
    """Write the figures, the page and the figure; exit 1 if a check fails."""
    begin = time.monotonic()
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = []
    for check in all_checks():
        found.append(check)
        print(
            f"{'ok  ' if check.passed else 'FAIL'} {check.check}: {check.what}: {check.rate:.4f}", flush=True
        )
    with (FOLDER / "calibration.csv").open("w", newline="") as file:
        rows = [check.row() | {"engine_version": ENGINE_VERSION} for check in found]
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    write_report(FOLDER)
    print(f"{FOLDER.name}: {(time.monotonic() - begin) / 60:.1f} minutes")
    return 0 if all(check.passed for check in found) else 1


if __name__ == "__main__":
    sys.exit(main())
