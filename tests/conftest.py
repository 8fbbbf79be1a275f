"""What holds for the whole suite."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_signature_per_entry() -> Iterator[None]:
    """Check at the end that nothing was compiled a second time for arguments of other types."""
    yield
    for name, module in list(sys.modules.items()):
        if not name.startswith("shanghai_sim."):
            continue
        for value in vars(module).values():
            signatures = getattr(getattr(value, "_compiled", None), "signatures", [])
            assert len(signatures) <= 1, f"{name}.{value.__qualname__} was compiled for {signatures}"
