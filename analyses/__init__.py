"""Questions that are asked once: scripts on the Python interface, each of which writes a report."""
