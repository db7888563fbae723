"""Reads the configuration of Liberty and Open Liberty servers into the objects of a WebSphere cell.

A Liberty server stands alone, so it is a cell of its own with one server.
"""

from lintmdb.exports.liberty.applications import give_applications
from lintmdb.exports.liberty.bus import DISCARD, POLICY, with_policy
from lintmdb.exports.liberty.files import (
    RUNTIME_ENVIRONMENT,
    SERVER_FILE,
    companion_folder,
    is_companion,
    looks_like_liberty,
    server_folder,
    shared_environments,
)
from lintmdb.exports.liberty.objects import SPECIFICATION
from lintmdb.exports.liberty.reader import read_liberty

__all__ = [
    "DISCARD",
    "POLICY",
    "RUNTIME_ENVIRONMENT",
    "SERVER_FILE",
    "SPECIFICATION",
    "companion_folder",
    "give_applications",
    "is_companion",
    "looks_like_liberty",
    "read_liberty",
    "server_folder",
    "shared_environments",
    "with_policy",
]
