"""The facts of a fleet: read by executors, kept as Parquet, shown as views."""
