"""Warming up plays a short game through everything that is compiled."""

import sys

from shanghai_sim._jit import entry
from shanghai_sim.engine import warm


def test_every_entry_is_run(monkeypatch):
    called = set()
    real = entry.__call__

    def note(self, *args):
        called.add(self.__qualname__)
        return real(self, *args)

    monkeypatch.setattr(entry, "__call__", note)
    warm.warm_up()
    modules = [module for name, module in sys.modules.items() if name.startswith("shanghai_sim.")]
    entries = {
        value.__qualname__
        for module in modules
        for value in vars(module).values()
        if isinstance(value, entry)
    }
    # Only the tests and benchmarks ask for many yes-no answers at once.
    assert entries - called <= {"distances_within"}
    assert called >= {"play_games", "_step", "distances", "choose_one"}
