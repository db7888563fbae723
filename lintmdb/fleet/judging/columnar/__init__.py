"""Judging on this computer, column by column in DuckDB."""
