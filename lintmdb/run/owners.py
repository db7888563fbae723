"""Who owns what: patterns of the configuration for applications, cells, queue managers and environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from lintmdb.engine.findings import Subject
from lintmdb.run.config.settings import Settings
from lintmdb.settings.changes import Target

Patterns = Sequence[tuple[str, str]]
"""Patterns and whose they are. The first that fits counts."""


@dataclass(frozen=True, slots=True)
class Owners:
    """The owners of a configuration, table by table: the first that has a pattern that fits counts."""

    places: Patterns = ()
    """For queue managers and cells, with or without that noun before the name."""
    applications: Patterns = ()
    cells: Patterns = ()
    queue_managers: Patterns = ()
    environments: Patterns = ()

    def __bool__(self) -> bool:
        return bool(self.places or self.applications or self.cells or self.queue_managers or self.environments)

    def of_target(self, target: Target) -> str:
        """Who owns the object of a change; blank where no pattern fits."""
        if target.product == "mq":
            return self._find(target.environment, queue_manager=target.place)
        return self._find(target.environment, cell=target.place)

    def of_subject(self, subject: Subject) -> str:
        """Who owns what a verdict is about; blank where no pattern fits."""
        if not self:  # asked once a verdict, and of most configurations
            return ""
        return self._find(
            subject.environment or "", subject.application or "", subject.cell or "", subject.queue_manager or ""
        )

    def _find(self, environment: str, application: str = "", cell: str = "", queue_manager: str = "") -> str:
        def named(name: str, noun: str = "") -> Sequence[str]:
            """All that a pattern may call it: ``prod/QM1`` is that of one environment."""
            words = (name, environment and f"{environment}/{name}", noun and f"{noun} {name}")
            return [word for word in words if word] if name else ()

        asked = (
            (self.places, named(cell, "cell")),
            (self.places, named(queue_manager, "queue manager")),
            (self.applications, named(application)),
            (self.cells, named(cell)),
            (self.queue_managers, named(queue_manager)),
            (self.environments, named(environment)),
        )
        return next((owner for patterns, names in asked if (owner := _fits(patterns, names))), "")


NOBODY = Owners()
"""Where the configuration names no owner."""


def _fits(patterns: Patterns, names: Sequence[str]) -> str:
    return next((owner for pattern, owner in patterns if any(fnmatchcase(name, pattern) for name in names)), "")


def read_owners(settings: Settings) -> Owners:
    """The owners of the configuration: those of ``plan.owners`` come first."""
    tables = settings.values["owners"]

    def patterns(table: Mapping[str, str]) -> Patterns:
        return tuple(table.items())

    return Owners(
        patterns(settings.values["plan"]["owners"]),
        patterns(tables.get("applications", {})),
        patterns(tables.get("cells", {})),
        patterns(tables.get("queue-managers", {})),
        patterns(tables.get("environments", {})),
    )
