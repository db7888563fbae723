"""The schemas of the programs that read lintmdb's reports."""

from __future__ import annotations

import json
from typing import Any

from tests.support.project import ROOT

SCHEMAS = ROOT / "tests" / "schemas"


def read_schema(name: str) -> dict[str, Any]:
    """Read a JSON Schema that other programs validate reports against."""
    return json.loads((SCHEMAS / name).read_text())
