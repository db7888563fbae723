"""The version of lintmdb, alone, so that whoever shows it imports nothing else."""

from __future__ import annotations

__version__ = "0.1.0"
