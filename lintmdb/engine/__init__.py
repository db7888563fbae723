"""Relations to verdicts."""
