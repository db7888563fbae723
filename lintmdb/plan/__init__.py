"""The planner: the cheapest changes after which nothing is left that a setting can repair, proven by the same rules."""
