"""The inventory as JSON: exports with their objects, what was passed over, and what is wrong with the files."""

from __future__ import annotations

import json

from lintmdb.model.relations import Export
from lintmdb.report.inventory import guessed_names
from lintmdb.report.json_report import problem_json
from lintmdb.run.estate import Estate, key_of_export
from lintmdb.version import __version__


def render_inventory_json(estate: Estate) -> str:
    """One document with all that the text has, and every problem."""
    exports: list[Export] = estate.facts.rows["export"]
    guessed = guessed_names(estate)
    document = {
        "schema": "lintmdb-inventory/1",
        "tool": {"name": "lintmdb", "version": __version__},
        "exports": [
            {
                "kind": export.kind,
                "name": export.name,
                "environment": export.environment,
                "name_guessed": export.kind == "queue_manager" and (export.environment, export.name) in guessed,
                "path": export.path,
                "level": export.level,
                "complete": export.complete,
                "gap": export.gap,
                "files": export.files,
                "objects": estate.objects.get(key_of_export(export), {}),
            }
            for export in exports
        ],
        "client_tables": [
            {"path": path, "client_channels": channels} for path, channels in estate.client_tables.items()
        ],
        "passed_over": [
            {"path": entry.path, "files": entry.files, "reason": entry.reason} for entry in estate.passed_over
        ],
        "problems": [{"path": problem.path, **problem_json(problem)} for problem in estate.facts.rows["problem"]],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
