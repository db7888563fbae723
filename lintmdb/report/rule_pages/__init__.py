"""A rule explained: in the terminal, and as a page of the documentation."""
