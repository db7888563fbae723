"""What a client channel definition table (CCDT) decides for a connection: its channel, and which queue manager a group
leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from lintmdb.exports.mq.client_table import ClientChannel, ClientTable
from lintmdb.model.origins import Setting


def find_table(tables: Sequence[ClientTable], url: str) -> ClientTable | None:
    """The table at a URL, by its file name; of several files of the name that differ none."""
    name = unquote(url).replace("\\", "/").rstrip("/").rpartition("/")[2]
    found = [table for table in tables if table.path.rpartition("/")[2] == name]
    contents = {tuple(channel[:3] for channel in table.channels) for table in found}
    return found[0] if len(contents) == 1 else None


def channel_of(table: ClientTable, queue_manager: str) -> Setting | None:
    """The channel by which a client reaches the queue manager or group that it asks for; None where the table has
    several for it, or none.
    """
    entries = _entries(table, queue_manager)
    names = {entry.name for entry in entries}
    return Setting(entries[0].name, entries[0].origin) if len(names) == 1 else None


def member_of(table: ClientTable, group: str) -> Setting | None:
    """The queue manager that a group (an asterisk and a name) leads to: the only other name under which the table has
    the group's connections. None where there are several, or none.
    """
    wanted = {entry.connections for entry in _entries(table, group)}
    if len(wanted) != 1 or not next(iter(wanted)):
        return None
    name = group.removeprefix("*").strip()
    members = [
        entry for entry in table.channels if entry.queue_manager not in ("", name) and entry.connections in wanted
    ]
    names = {entry.queue_manager for entry in members}
    single = len(names) == 1 and len(next(iter(wanted))) == 1
    return Setting(members[0].queue_manager, members[0].manager_origin) if single else None


def _entries(table: ClientTable, queue_manager: str) -> list[ClientChannel]:
    name = queue_manager.removeprefix("*").strip()
    return [entry for entry in table.channels if entry.queue_manager == name]
