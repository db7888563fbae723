"""Reads a WebSphere Application Server configuration repository, and applications, into typed objects."""

from lintmdb.exports.was.application_files import is_application
from lintmdb.exports.was.listings import script_form
from lintmdb.exports.was.repository import looks_like_was, read_cells, wanted
from lintmdb.exports.was.wsadmin_scripts import may_be_script

__all__ = ["is_application", "looks_like_was", "may_be_script", "read_cells", "script_form", "wanted"]
