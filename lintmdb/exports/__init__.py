"""Bytes to objects."""
