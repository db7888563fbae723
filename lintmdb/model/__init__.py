"""What lintmdb knows about an estate: relations, their columns, and where each value was read."""
