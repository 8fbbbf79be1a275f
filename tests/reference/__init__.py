"""Slow twins of the engine, written from the rules alone."""
