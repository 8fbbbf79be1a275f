"""``python -m shanghai_sim`` is ``shanghai-sim``."""

from shanghai_sim.cli import main

if __name__ == "__main__":
    main()
