"""Auditing a whole fleet with Spark: the only package that imports pyspark."""
