"""The configuration file: where it is found, what it may say, and what a run makes of it."""
