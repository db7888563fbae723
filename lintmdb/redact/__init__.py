"""Copies of exports without what must not leave the house: passwords, keys, hosts, users, descriptions and comments."""

from lintmdb.redact.copying import Copied, Refused, redact_exports
from lintmdb.redact.names import Names

__all__ = ["Copied", "Names", "Refused", "redact_exports"]
