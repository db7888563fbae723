"""One queue manager: its scripts, run in order, to relations."""
