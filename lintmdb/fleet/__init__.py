"""Auditing a whole fleet with Spark, thousands of cells and queue managers: the only package that imports pyspark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register(spark: SparkSession) -> None:
    """Let a session read exports: ``spark.read.format("lintmdb").option("relation", "queue").load(PATH)``."""
    from lintmdb.fleet.facts.source import register_source

    register_source(spark)
