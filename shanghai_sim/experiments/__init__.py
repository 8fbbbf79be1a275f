"""Experiments: they play plans and return data with intervals."""
