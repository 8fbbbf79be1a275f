"""Plans of runs, chunks, workers and the run folder."""
