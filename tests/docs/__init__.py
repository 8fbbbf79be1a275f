"""The documentation, kept true: commands run, code runs, tables agree with the source."""
