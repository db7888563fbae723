"""lintmdb.toml and the options of a command, as one set of settings."""
