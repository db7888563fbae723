"""Auditing a whole fleet: thousands of cells and queue managers, read and judged on Spark."""
