"""Where the exports have the authority record by which a user has rights on a queue."""

from __future__ import annotations

from collections.abc import Iterable

from lintmdb.model.environment_names import key_of
from lintmdb.resolve.mq.accounts import Accounts, Entity
from lintmdb.resolve.mq.authorities import AuthorityRecords
from lintmdb.resolve.mq.authority_commands import command_entities
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.run.estate import UnresolvedEstate
from lintmdb.run.running_order import running_order
from lintmdb.run.script_groups import ScriptGroup


class RecordPlaces:
    """The records of the queue managers of an estate; the scripts of each are run when it is asked for."""

    def __init__(self, exports: UnresolvedEstate) -> None:
        self._groups = {key_of(group.environment, group.name): group for group in exports.groups}
        self._records: dict[str, AuthorityRecords] = {}

    def find(self, manager: str, queue: str, user: str, group: str, rights: Iterable[str]) -> str:
        """The record that grants rights on a queue, in words; blank where no single record of the user or of the group
        does.
        """
        scripts = self._groups.get(manager)
        if scripts is None:
            return ""
        wanted = {right.lower() for right in rights}
        records = self._read(manager, scripts)
        for entity in (("principal", user), ("group", group)):
            profile = records.queues.profile_of(queue, entity)
            if profile is not None and wanted <= records.queues.rights_on(queue).get(entity, frozenset()):
                whose = f" of group {group}" if entity[0] == "group" else ""
                return f"profile {profile}{whose}{_place(scripts, profile, entity, records.accounts)}"
        return ""

    def _read(self, manager: str, scripts: ScriptGroup) -> AuthorityRecords:
        if manager not in self._records:
            order = running_order(scripts.scripts)[0]
            self._records[manager] = run_scripts(scripts.name, order, lent=scripts.lent).authority_records
        return self._records[manager]


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
