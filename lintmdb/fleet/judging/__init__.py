"""The verdicts of a fleet: by DuckDB on this computer (``columnar``), or in Spark SQL."""
