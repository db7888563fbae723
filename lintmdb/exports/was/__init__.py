"""Reads a WebSphere Application Server configuration repository into typed objects."""

from lintmdb.exports.was.repository import looks_like_was, read_cells, wanted

__all__ = ["looks_like_was", "read_cells", "wanted"]
