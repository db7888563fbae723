"""Objects to relations."""
