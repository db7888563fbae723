"""Authority records: what SET AUTHREC and DELETE AUTHREC do to them, and what DISPLAY AUTHREC shows of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from lintmdb.exports.mq import Command, MqscFile, Parameter
from lintmdb.model.origins import Origin
from lintmdb.resolve.mq.accounts import Entity
from lintmdb.resolve.mq.authorities import MANAGER, Authorities, AuthorityRecords, ObjectType, expand_rights

_ENTITIES = (("PRINCIPAL", "principal"), ("GROUP", "group"))
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"([^"]*)"|([^,'"]+)""")


def set_authority(records: AuthorityRecords, file: MqscFile, command: Command) -> None:
    """Run one SET AUTHREC or DELETE AUTHREC, or take in a record that an answer shows.

    Records do not count but of queues, topics and the queue manager.
    """
    parameters = {parameter.keyword: parameter for parameter, _ in command.parameters}
    values = {keyword: parameter.value or "" for keyword, parameter in parameters.items()}
    kind = values.get("OBJTYPE", "").upper()
    # A dump and an answer show what is granted, and no command that decided it.
    origin = _origin(command, file) if file.dump is None and not file.observed else None
    object_type: ObjectType
    if kind == "QMGR":
        authorities, profile, object_type = records.manager, MANAGER, "QMGR"
    elif kind == "QUEUE" and "PROFILE" in values:
        authorities, profile, object_type = records.queues, values["PROFILE"], "QUEUE"
    elif kind == "TOPIC" and "PROFILE" in values:
        authorities, profile, object_type = records.topics, values["PROFILE"], "TOPIC"
    else:
        return
    entities = (each for named in _entities(parameters) for each in records.accounts.concerned(named))
    _change(authorities, profile, command.verb, entities, values, origin, object_type)


def _origin(command: Command, file: MqscFile) -> Origin:
    words = " ".join([command.verb, command.noun, *(parameter.text for parameter, _ in command.parameters)])
    return file.place(command.line, command.column, command.control or words)


def _change(
    authorities: Authorities,
    profile: str,
    verb: str,
    entities: Iterable[Entity],
    values: dict[str, str],
    origin: Origin | None,
    object_type: ObjectType,
) -> None:
    added = expand_rights(values.get("AUTHADD", values.get("AUTHLIST", "")), object_type)
    removed = expand_rights(values.get("AUTHRMV", ""), object_type)
    for entity in entities:
        if origin is not None:
            rights = None if verb == "DELETE" else added | removed
            authorities.note_change(profile, entity, rights, origin)
        if verb == "DELETE":
            authorities.remove(profile, entity)
        else:  # an answer shows all that is granted
            authorities.change(profile, entity, added, removed, whole=verb == "DISPLAY")


def command_entities(command: Command) -> Iterator[Entity]:
    """The users and groups that one SET AUTHREC or DELETE AUTHREC names, as it names them."""
    return _entities({parameter.keyword: parameter for parameter, _ in command.parameters})


def _entities(parameters: Mapping[str, Parameter]) -> Iterator[Entity]:
    for keyword, kind in _ENTITIES:
        if keyword in parameters:
            parameter = parameters[keyword]
            quoted = parameter.text.startswith((f"{keyword}('", f'{keyword}("'))
            yield from ((kind, name) for name in entity_names(parameter.value or "", quoted))


@functools.lru_cache(maxsize=1024)  # a dump repeats the same few names thousands of times
def entity_names(value: str, quoted: bool) -> tuple[str, ...]:
    """The names of a list of users or groups.

    A name in quotes is one name, whatever commas it holds, as a distinguished name of LDAP does.
    """
    # The reader takes the quotes of a single name off, and leaves those of several: what is inside then is the name's.
    single_name = quoted and value[:1] not in ("'", '"')
    if not single_name and ("'" in value or '"' in value):
        names = [single.replace("''", "'") or double or plain for single, double, plain in _QUOTED.findall(value)]
    else:
        names = [value] if quoted or "=" in value else value.split(",")
    stripped = (name.strip() for name in names)
    return tuple(name for name in stripped if name)
