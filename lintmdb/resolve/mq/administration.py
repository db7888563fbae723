"""Who administers a queue manager, and where its users are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from lintmdb.exports.mq import Command, MqscFile
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.accounts import Accounts, Entity, split_domain
from lintmdb.resolve.mq.authorities import IBM_I, UNIX, WINDOWS, Administrators
from lintmdb.resolve.mq.authority_commands import command_entities, entity_names
from lintmdb.resolve.mq.objects import MqObject, ObjectKey
from lintmdb.resolve.mq.platforms import find_operating_system

OPERATING_SYSTEM = "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"

_NAMES_OF_IBM_I = ("OS400", "IBM I", "IBMI")


def find_accounts(files: Sequence[MqscFile]) -> Accounts:
    """The users and groups that records name. Where no export names the operating system, a domain says Windows: no
    other has domains (IBM MQ "SET AUTHREC").
    """
    system = find_operating_system(files)
    windows = system.startswith("WINDOWS")
    if system and not windows:
        return Accounts()
    recorded = [entity for file in files for command in file.commands for entity in _named(command)]
    return Accounts(recorded, windows=windows or any(split_domain(name)[1] for _, name in recorded))


def _named(command: Command) -> Iterator[Entity]:
    if command.noun == "AUTHREC":
        yield from command_entities(command)
    elif command.noun == "CHLAUTH":
        lists = (parameter.value or "" for parameter, _ in command.parameters if parameter.keyword == "USERLIST")
        yield from (("listed", name) for names in lists for name in entity_names(names, quoted=False))


def find_administrators(files: Sequence[MqscFile], accounts: Accounts) -> Administrators:
    """Who may do everything on the platform that an export names (IBM MQ "Privileged users")."""
    if accounts.windows:
        return WINDOWS
    platform = find_operating_system(files)
    return IBM_I if platform in _NAMES_OF_IBM_I else UNIX


def find_longest_user(files: Iterable[MqscFile]) -> int | None:
    """How many characters of the name of a user certainly count; None for all of them. Of a longer name IBM MQ takes
    the beginning, or refuses it, and newer levels take some longer ones (IBM MQ "User IDs", "User identities in IBM
    MQ").
    """
    platform = find_operating_system(files)
    return 10 if platform in _NAMES_OF_IBM_I else 12 if platform == "UNIX" else None


def find_undefined_authentication(manager: MqObject, objects: Mapping[ObjectKey, MqObject]) -> str | None:
    """The AUTHINFO that CONNAUTH names and that is not defined; None for the one that every queue manager has."""
    found = manager.values.get("CONNAUTH")
    named = found.text.strip() if found is not None and not found.parameter.template else ""
    return named if named not in ("", OPERATING_SYSTEM) and ("AUTHINFO", named) not in objects else None


def lost_authentication(
    manager: MqObject,
    objects: Mapping[ObjectKey, MqObject],
    changes: Sequence[MqscFile],
    refused: Set[tuple[str, int]],
) -> Iterator[Problem]:
    """The last command of ``changes`` by which CONNAUTH names an AUTHINFO that is not there. IBM's documentation does
    not say that IBM MQ refuses it, nor what becomes of those who connect then. ``refused`` are the paths and lines of
    commands that change nothing.
    """
    found = manager.values.get("CONNAUTH")
    named = found.text.strip() if found is not None else OPERATING_SYSTEM
    if not named or ("AUTHINFO", named) in objects or (found is not None and found.parameter.template):
        return
    lost: tuple[MqscFile, Command] | None = None
    for file in changes:
        for command in file.commands:
            if (file.path, command.line) in refused:
                continue
            deletes = (command.verb, command.noun, command.name) == ("DELETE", "AUTHINFO", named)
            names = (command.verb, command.noun) == ("ALTER", "QMGR") and command.value("CONNAUTH").strip() == named
            if deletes or (names and named != OPERATING_SYSTEM):
                lost = file, command
    if lost is None:
        return
    file, command = lost
    names = f"CONNAUTH of {manager.name} {'names' if found is not None else 'may name'} AUTHINFO {named}"
    why = "which this command deletes" if command.verb == "DELETE" else "which the exports do not define"
    yield Problem(
        kind="unjudged_change",
        path=file.path,
        line=command.line,
        column=command.column,
        text=f"{names}, {why}: once REFRESH SECURITY TYPE(CONNAUTH) or a restart takes it over, connections may fail, "
        "and lintmdb does not judge that",
        next_step="Name one that exists with ALTER QMGR CONNAUTH, or a blank if nobody is to be checked",
        queue_manager=manager.name,
        object=f"AUTHINFO {named}",
    )


def keeps_users_in_directory(manager: MqObject, objects: Mapping[ObjectKey, MqObject]) -> bool:
    """Whether a directory (LDAP) keeps the users whose rights count, or may keep them. Records then name them by
    distinguished names.
    """
    found = manager.values.get("CONNAUTH")
    named = found.text.strip() if found is not None else ""
    if named in ("", OPERATING_SYSTEM):
        return False
    info = objects.get(("AUTHINFO", named))
    if info is None or "AUTHTYPE" not in info.values:
        return True  # it may be a directory: short names then prove nothing
    if info.values["AUTHTYPE"].text.upper() != "IDPWLDAP":
        return False
    method = info.values.get("AUTHORMD")
    return method is None or method.text.upper() != "OS"
