"""Numbers with intervals, from arrays; nothing here knows of cards."""
