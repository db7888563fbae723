"""What the authority records of the exports say of a queue: which of them gives a user rights there, and who may read
one queue without the rights to move messages to another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lintmdb.model.environment_names import key_of
from lintmdb.resolve.mq.accounts import Accounts, Entity
from lintmdb.resolve.mq.authority_commands import command_entities
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.names import is_transmission_queue
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.estate import UnresolvedEstate
from lintmdb.run.overlay import NOTHING, Overlay
from lintmdb.run.possible_readers import may_get
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup
from lintmdb.run.shared_changes import spread
from lintmdb.settings.changes import MayLack


class RecordPlaces:
    """The records of the queue managers of an estate, with changes on top; the scripts of each are run when it is asked
    for.
    """

    def __init__(self, exports: UnresolvedEstate, changes: Overlay = NOTHING) -> None:
        self._changes = spread(changes, exports.groups)
        self._groups = {key_of(group.environment, group.name): group for group in exports.groups}
        self._definitions: dict[str, Definitions] = {}

    def find(self, manager: str, queue: str, user: str, group: str, rights: Iterable[str]) -> str:
        """The record that grants rights on a queue, in words; blank where no single record of the user or of the group
        does.
        """
        scripts = self._groups.get(manager)
        if scripts is None:
            return ""
        wanted = {right.lower() for right in rights}
        records = self._read(manager, scripts).authority_records
        for entity in (("principal", user), ("group", group)):
            profile = records.queues.profile_of(queue, entity)
            if profile is not None and wanted <= records.queues.rights_on(queue).get(entity, frozenset()):
                whose = f" of group {group}" if entity[0] == "group" else ""
                return f"profile {profile}{whose}{_place(scripts, profile, entity, records.accounts)}"
        return ""

    def who_has(self, manager: str, queue: str, rights: Iterable[str]) -> list[str]:
        """Who is no administrator and has rights on a queue by a record: ``paylib``, ``group payapp``."""
        scripts = self._groups.get(manager)
        definitions = self._read(manager, scripts) if scripts is not None else None
        if definitions is None or definitions.platform != "distributed":
            return []
        records, wanted = definitions.authority_records, {right.lower() for right in rights}
        known = records.administrators
        return [
            f"group {name}" if kind == "group" else name
            for (kind, name), held in sorted(records.queues.rights_on(queue).items())
            if wanted <= held and not (known.have_group(name) if kind == "group" else known.have_user(name))
        ]

    def transmission_queues(self, manager: str) -> list[str]:
        """The transmission queues of a queue manager, without those of IBM MQ itself."""
        scripts = self._groups.get(manager)
        definitions = self._read(manager, scripts) if scripts is not None else None
        if definitions is None:
            return []
        queues = (
            queue for queue in definitions.queues if queue.noun == "QLOCAL" and not queue.name.startswith("SYSTEM.")
        )
        return [queue.name for queue in queues if is_transmission_queue(definitions, queue)]

    def are_of_groups(self, manager: str) -> bool:
        """Whether all records on queues are those of groups, of some that are not of administrators."""
        scripts = self._groups.get(manager)
        if scripts is None:
            return False
        records = self._read(manager, scripts).authority_records
        entities = records.queues.entities()
        groups = {name for kind, name in entities if kind == "group" and not records.administrators.have_group(name)}
        return bool(groups) and not any(kind == "principal" for kind, _ in entities)

    def may_lack(
        self, manager: str, source: str, queue: str, rights: Sequence[str], groups: Mapping[str, Collection[str]]
    ) -> Iterator[MayLack]:
        """Each user and group that may read ``source`` by its records, and by these, and by those of the groups of the
        user where they are known, lacks some rights on ``queue``.
        """
        scripts = self._groups.get(manager)
        definitions = self._read(manager, scripts) if scripts is not None else None
        # On z/OS an external security manager decides, not authority records.
        if definitions is None or definitions.platform != "distributed":
            return
        records = definitions.authority_records
        if not records.queues_complete:
            return
        held = records.queues.rights_on(queue)
        for kind, name in may_get(records, source):
            own = [(kind, name), *(("group", group) for group in groups.get(name, ()) if kind == "principal")]
            has = {right for entity in own for right in held.get(entity, ())}
            lacking = tuple([right for right in rights if right.lower() not in has])
            if lacking:
                yield MayLack(source, queue, f"group {name}" if kind == "group" else name, lacking)

    def _read(self, manager: str, scripts: ScriptGroup) -> Definitions:
        if manager not in self._definitions:
            order = running_order(scripts.scripts)[0]
            changes = self._changes.scripts.get(manager, ())
            self._definitions[manager] = run_scripts(scripts.name, order, changes, lent=scripts.lent)
        return self._definitions[manager]


def _place(scripts: ScriptGroup, profile: str, entity: Entity, accounts: Accounts) -> str:
    """File and line of the last command about a record, in parentheses; blank where there is none."""
    place = ""
    for file in running_order(scripts.scripts)[0]:
        for command in file.commands:
            if command.noun == "AUTHREC" and any(
                entity in accounts.concerned(named) for named in command_entities(command)
            ):
                values = {parameter.keyword: parameter.value for parameter, _ in command.parameters}
                if values.get("PROFILE") == profile and (values.get("OBJTYPE") or "").upper() == "QUEUE":
                    origin = file.place(command.line, command.column, "")
                    place = f" ({origin.path}:{origin.line})"
    return place
