"""Write the golden games anew: ``python -m tests.golden``."""

from tests.golden.games import GAMES, as_text, golden_path

for game in GAMES:
    golden_path(game).write_text(as_text(game), encoding="utf-8")
