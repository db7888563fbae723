"""One run: configuration, estate, judging, suppression, baseline and gate; what cli, api and fleet share."""
