"""Auditing a whole fleet, thousands of cells and queue managers, on Spark: the only package that imports pyspark."""
