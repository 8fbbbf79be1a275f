"""The tip court: folk advice as data, tried by simulation, and what comes out of it."""
