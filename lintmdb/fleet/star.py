"""An audit as a star for reporting tools: plain columns instead of structs and JSON, one view a kind of thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from duckdb import DuckDBPyConnection

_VIEWS = {
    "finding": (
        "findings",
        """
        SELECT fingerprint, rule, name AS rule_name, severity, confidence, message, fix, subject.kind AS kind,
               subject.name AS object, cell, subject.cluster AS "cluster", subject.node AS node,
               subject.server AS server, subject.application AS application, subject.bean AS bean, queue_manager,
               subject.queue AS queue, environment, owner, location.path AS path, location.line AS line, flows,
               headline
        FROM findings
        """,
    ),
    "value": (
        "findings",
        """
        SELECT fingerprint, entry.key AS "column", entry.value.text AS text, entry.value.number AS number,
               entry.value.flag AS flag
        FROM (SELECT fingerprint, UNNEST(MAP_ENTRIES("values")) AS entry FROM findings)
        """,
    ),
    "cause": (
        "findings",
        """
        SELECT rule, rule_name, severity, COALESCE(settings, MAP {}) AS settings, COUNT(*) AS findings,
               CAST(SUM(flows) AS BIGINT) AS flows, COUNT(DISTINCT cell) AS cells,
               COUNT(DISTINCT queue_manager) AS queue_managers, LIST_SORT(LIST(DISTINCT environment)) AS environments,
               LIST_SORT(LIST(DISTINCT owner)) AS owners
        FROM finding LEFT JOIN (
            SELECT fingerprint, MAP(LIST("column" ORDER BY "column"), LIST(setting ORDER BY "column")) AS settings
            FROM (SELECT *, COALESCE(CAST(number AS VARCHAR), CAST(flag AS VARCHAR)) AS setting FROM value)
            WHERE setting IS NOT NULL GROUP BY fingerprint
        ) USING (fingerprint)
        GROUP BY ALL
        """,
    ),
    "change": ("plan_change", "SELECT * FROM plan_change"),
}
"""The views by name, each with the table that it needs; ``flow`` and ``undecided`` complete the star."""


def star_views(connection: DuckDBPyConnection, tables: Container[str]) -> None:
    """Make the views whose tables an audit has."""
    for name, (table, query) in _VIEWS.items():
        if table in tables:
            connection.execute(f"CREATE VIEW {name} AS {query}")
