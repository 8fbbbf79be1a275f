"""Prose, tables and pages of finished results; nothing here plays a game."""
