"""Rules: loading, checking, trying and selecting them; the YAML files are in the top-level folder rules/."""
