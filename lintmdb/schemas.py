"""The JSON Schemas of what people write and programs read, and the catalogue by which editors find them.

``python -m lintmdb.schemas DIR`` writes them as the documentation's site has them, at the addresses of their ``$id``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lintmdb.addresses import schema_address

_PACKAGE = Path(__file__).resolve().parent
SCHEMAS: Mapping[str, Path] = MappingProxyType(
    {
        "config": _PACKAGE / "run" / "config" / "config.schema.json",
        "rule": _PACKAGE / "rules" / "rule.schema.json",
        "observations": _PACKAGE / "resolve" / "observations.schema.json",
        "report": _PACKAGE / "report" / "report.schema.json",
        "diff": _PACKAGE / "report" / "diff.schema.json",
        "plan": _PACKAGE / "plan" / "plan.schema.json",
    }
)
"""The file of each schema, by its name."""
_EDITED = (
    ("config", "lintmdb.toml", "What lintmdb judges, by which rules, and what fails a run", ("lintmdb.toml",)),
    ("rule", "lintmdb rule", "A rule of lintmdb", ("**/lintmdb-rules/**/*.yaml", "**/*.lintmdb-rule.yaml")),
    (
        "observations",
        "lintmdb observations",
        "onMessage times and MQ users that no export contains",
        ("observations.lintmdb.yaml", "*.observations.lintmdb.yaml"),
    ),
)


def read_schema(name: str) -> str:
    """The text of a schema."""
    return SCHEMAS[name].read_text("utf-8")


def catalogue() -> str:
    """The schemas of files that people edit, in the format of SchemaStore's catalogue."""
    entries = [
        {"name": title, "description": text, "fileMatch": list(files), "url": schema_address(SCHEMAS[name].name)}
        for name, title, text, files in _EDITED
    ]
    document = {"version": 1, "schemas": entries}
    return json.dumps(document, indent=2) + "\n"


def write_schemas(folder: Path) -> None:
    """Write every schema, and the catalogue as ``catalog.json``, to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in SCHEMAS.items():
        (folder / file.name).write_text(read_schema(name), "utf-8", newline="\n")
    (folder / "catalog.json").write_text(catalogue(), "utf-8", newline="\n")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
