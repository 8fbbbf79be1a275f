"""Benchmarks: figures, never tests. ``python -m benchmarks`` prints them all."""
