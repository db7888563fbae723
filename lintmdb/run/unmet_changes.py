"""What a change names and no flow meets: nothing judges it, and whoever asks about the change has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Problem, QueueManager
from lintmdb.model.word_lists import listed
from lintmdb.resolve.mq.accounts import Entity
from lintmdb.resolve.mq.authority_commands import command_entities
from lintmdb.resolve.mq.channel_records import covers_channel
from lintmdb.resolve.mq.dispositions import in_repository, place_of
from lintmdb.run.overlay import Overlay

_BACKOUT = ("BOTHRESH", "BOQNAME")
UNREAD_QUEUE_STEP = "Judge queues by themselves with --all-queues"
"""What to do about a queue that no flow names."""


def unmet_queues(changes: Overlay, flows: Iterable[FlowHead], facts: Facts) -> Iterator[Problem]:
    """The commands of a change about queues that no flow names: they set backout attributes, or the queue has some in
    the changed exports, which are ``facts``, or messages are moved to it there.
    """
    commands = [*_commands(changes, "QLOCAL"), *_commands(changes, "QALIAS"), *_commands(changes, "QREMOTE")]
    if not commands:
        return
    met, judged, sharing = names_in_flows(flows), _judged_alone(facts), sharing_managers(facts)
    for manager, script, command in commands:
        concerned = sharing.get(manager, (manager,)) if in_repository(place_of(command)) else (manager,)
        counts = _sets_backout(command) or any(command.name in judged.get(key, ()) for key in concerned)
        if counts and not any(command.name in met.get(key, ()) for key in concerned):
            yield _unread_queue(script, command)


def sharing_managers(facts: Facts) -> Mapping[str, Sequence[str]]:
    """The queue managers, by ``key_of``, that have a shared object in common with each."""
    return {
        key_of(manager.environment, manager.name): [
            key_of(manager.environment, member) for member in manager.sharing_members.split()
        ]
        for manager in facts.rows["queue_manager"]
        if manager.sharing_members
    }


def _judged_alone(facts: Facts) -> Mapping[str, Set[str]]:
    """What --all-queues judges: queues with backout attributes, and where their messages are moved to, by ``key_of``
    the queue manager.
    """
    found: dict[str, set[str]] = {}
    for queue in facts.rows["queue"]:
        if (queue.backout_threshold or queue.backout_queue) and not queue.name.startswith("SYSTEM."):
            found.setdefault(key_of(queue.environment, queue.queue_manager), set()).add(queue.name)
    for target in facts.rows["put_target"]:
        names = {target.name, target.leads_to or target.name}
        found.setdefault(key_of(target.environment, target.queue_manager), set()).update(names)
    return found


def unmet_rights(
    changes: Overlay, read: Iterable[FlowHead], facts: Facts, refused: Set[tuple[str, int]], *, all_queues: bool
) -> Iterator[Problem]:
    """The scripts of a change that set authorities where no user is known who reads the flows or queues ``read`` in the
    changed exports, which are ``facts``; ``refused`` are the paths and lines of commands that change nothing.
    """
    known = {_manager_of(head) for head in read if head.rows.user is not None}
    managers = _managers(facts)
    for manager, script, commands in _by_script(changes, "AUTHREC", refused):
        about = [command for command in commands if _object_type(command) in ("QUEUE", "QMGR")]
        if manager in known or not about:
            continue
        exported = managers.get(manager)
        if exported is not None and not (exported.lists_channel_records and exported.lists_authorities):
            yield _without_records(exported, script, about)
        else:
            yield _unread_rights(script, about, all_queues=all_queues)


def unmet_channel_records(
    changes: Overlay, flows: Iterable[FlowHead], facts: Facts, refused: Set[tuple[str, int]]
) -> Iterator[Problem]:
    """The scripts of a change that set channel authentication records at a queue manager of which other records may be
    missing in ``facts``, so that nothing tells whom they admit, or one to which no flow is known to connect.
    """
    reached: set[str] = set()
    told: set[tuple[str, str]] = set()
    for head in flows:
        reached.add(_manager_of(head))
        access = head.rows.channel_access
        if access is not None and access.blocked is not None:
            told.add((_manager_of(head), access.channel))
    managers = _managers(facts)
    for manager, script, commands in _by_script(changes, "CHLAUTH", refused):
        exported = managers.get(manager)
        if exported is None:
            continue
        if manager not in reached:
            yield _unjudged(
                script, commands, "no endpoint in the exports reads from the queue manager", _NAME_THE_READERS
            )
        elif not exported.lists_channel_records:
            about = [
                command
                for command in commands
                if not any(at == manager and covers_channel(command.name, channel) for at, channel in told)
            ]
            if about:
                yield _without_records(exported, script, about)


_NAME_THE_READERS = "Provide the export of the cell that connects to it"


def _manager_of(head: FlowHead) -> str:
    """``key_of`` the queue manager of a flow."""
    return key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")


def _managers(facts: Facts) -> Mapping[str, QueueManager]:
    return {key_of(manager.environment, manager.name): manager for manager in facts.rows["queue_manager"]}


def _by_script(
    changes: Overlay, noun: str, refused: Set[tuple[str, int]]
) -> Iterator[tuple[str, MqscFile, Sequence[Command]]]:
    """The commands of a noun that change something, by their queue manager and script."""
    found: dict[tuple[str, str], tuple[MqscFile, list[Command]]] = {}
    for manager, script, command in _commands(changes, noun):
        if (script.path, command.line) not in refused:
            found.setdefault((manager, script.path), (script, []))[1].append(command)
    for (manager, _), (script, commands) in found.items():
        yield manager, script, commands


def _object_type(command: Command) -> str:
    values = {parameter.keyword: (parameter.value or "").strip(" '") for parameter, _ in command.parameters}
    return values.get("OBJTYPE", "").upper()


def unmet_users(changes: Overlay, flows: Iterable[FlowHead], facts: Facts) -> Iterator[Problem]:
    """The users and groups whose authorities a change sets, and which differ in case alone from those of endpoints in
    the changed exports, which are ``facts``. On Windows case does not count.
    """
    commands = list(_commands(changes, "AUTHREC"))
    met = _entities(flows if commands else ())
    on_windows = {manager for manager, row in _managers(facts).items() if row.windows_accounts}
    for manager, script, command in commands:
        known = met.get(manager, set()) if manager not in on_windows else set[Entity]()
        for kind, name in command_entities(command):
            meant = sorted(other for of, other in known if of == kind and other.upper() == name.upper())
            if meant and name not in meant:
                yield _other_user(script, command, kind, name, meant[0])


def _commands(changes: Overlay, noun: str) -> Iterator[tuple[str, MqscFile, Command]]:
    for manager, scripts in changes.scripts.items():
        for script in scripts:
            yield from ((manager, script, command) for command in script.commands if command.noun == noun)


def _sets_backout(command: Command) -> bool:
    of = {parameter.keyword: (parameter.value or "").strip(" '") for parameter, _ in command.parameters}
    if command.verb == "ALTER":
        return not of.keys().isdisjoint(_BACKOUT)
    return command.verb == "DEFINE" and any(of.get(keyword, "") not in ("", "0") for keyword in _BACKOUT)


def names_in_flows(flows: Iterable[FlowHead]) -> Mapping[str, Set[str]]:
    """Every text that the rows of flows hold, names of queues among them, by ``key_of`` the flows' queue manager."""
    found: dict[str, set[str]] = {}
    for head in flows:
        key = key_of(head.subject.environment, head.rows.endpoint.queue_manager or "")
        found.setdefault(key, set()).update(
            value
            for row in head.rows
            if is_dataclass(row)
            for column in fields(row)
            if isinstance(value := getattr(row, column.name), str)
        )
    return found


def _entities(flows: Iterable[FlowHead]) -> Mapping[str, Set[Entity]]:
    """The users of flows and their groups by ``key_of`` the flows' queue manager."""
    found: dict[str, set[Entity]] = {}
    for head in flows:
        here = found.setdefault(key_of(head.subject.environment, head.rows.endpoint.queue_manager or ""), set())
        if head.rows.user:
            here.add(("principal", head.rows.user))
        if head.rows.authority is not None and head.rows.authority.group:
            here.add(("group", head.rows.authority.group))
    return found


def _other_user(script: MqscFile, command: Command, kind: str, name: str, meant: str) -> Problem:
    whose = "the user of an endpoint" if kind == "principal" else "a group with which an endpoint reads"
    if command.control:
        shown, step = f"{'-p' if kind == 'principal' else '-g'} {name}", f"Write {meant} if that is meant"
        unquoted = ""
    else:
        shown, step = f"{kind.upper()}({name})", f"Write {kind.upper()}('{meant}') if that is meant"
        unquoted = ", and a name without quotes is taken in upper case"
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"{shown} is not {meant}, {whose}: case matters (except on Windows){unquoted}",
        next_step=step,
        object=name,
    )


def _unread_rights(script: MqscFile, commands: Sequence[Command], *, all_queues: bool) -> Problem:
    option = "" if all_queues else "--all-queues and "
    step = f"Name the user, and its groups, with {option}--observations FILE"
    return _unjudged(script, commands, "no user is known who reads from the queue manager", step)


def _without_records(manager: QueueManager, script: MqscFile, commands: Sequence[Command]) -> Problem:
    """Commands that set records where the export may lack others."""
    kinds = {
        "channel authentication": manager.lists_channel_records,
        "authority": manager.lists_authorities or manager.platform == "zos",
    }
    lacking = listed([kind for kind, shown in kinds.items() if not shown])
    shows = "DISPLAY CHLAUTH(*) ALL" if manager.platform == "zos" else f"dmpmqcfg -m {manager.name} -a"
    step = f"Provide the output of: {shows}"
    return _unjudged(script, commands, f"the export of {manager.name} may lack {lacking} records", step)


def _unjudged(script: MqscFile, commands: Sequence[Command], reason: str, next_step: str) -> Problem:
    """One problem for the commands of one noun in a script."""
    first, *others = commands
    more = f" (and {len(others)} more)" if others else ""
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=first.line,
        column=first.column,
        text=f"{reason}, so {'setmqaut' if first.control else f'{first.verb} {first.noun}'}{more} is not judged",
        next_step=next_step,
        object=first.noun,
    )


def _unread_queue(script: MqscFile, command: Command) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=script.path,
        line=command.line,
        column=command.column,
        text=f"no endpoint in the exports reads or leads to {command.name}, so {command.verb} {command.noun} is not "
        "judged",
        next_step=UNREAD_QUEUE_STEP,
        object=f"{command.noun} {command.name}",
    )
