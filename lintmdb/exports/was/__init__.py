"""Reads a WebSphere Application Server configuration repository, and applications, into typed objects."""

from lintmdb.exports.was.application_files import is_application
from lintmdb.exports.was.repository import looks_like_was, read_cells, wanted

__all__ = ["is_application", "looks_like_was", "read_cells", "wanted"]
