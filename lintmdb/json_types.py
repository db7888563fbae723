"""What JSON, YAML and TOML documents are made of, as types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]
Place: TypeAlias = tuple[str | int, ...]
"""Keys and numbers of list entries from the top: ``("suppressions", 1, "expires")``."""


def read_json_object(file: Path) -> JsonObject:
    """A JSON file of lintmdb's own that holds an object, such as a schema."""
    return cast("JsonObject", json.loads(file.read_text("utf-8")))
