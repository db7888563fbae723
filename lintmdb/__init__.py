"""lintmdb: what happens to a message that cannot be processed, from exported configuration."""

__version__ = "0.1.0"
