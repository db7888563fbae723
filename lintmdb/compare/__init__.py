"""Two states of an estate: which flows and findings are the same, new or gone."""
