"""Auditing a whole fleet with Spark, thousands of cells and queue managers: the only package that imports pyspark."""
