"""One queue manager: its scripts, run in order, to relations."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lintmdb.exports.mq import Command, MqscFile, Parameter
from lintmdb.model.columns import mqsc_keywords
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Allowance, Located, Origin
from lintmdb.model.relations import (
    Authority,
    Channel,
    Export,
    Problem,
    PutTarget,
    Queue,
    QueueManager,
    QueueName,
    Topic,
)
from lintmdb.resolve.mq.authorities import ADMINISTRATORS, RIGHTS, Authorities, Entity, expand_rights, right_of

Platform = Literal["distributed", "zos"]
QueueType = Literal["local", "alias", "remote", "model"]
_TYPES: dict[str, QueueType] = {"QLOCAL": "local", "QALIAS": "alias", "QREMOTE": "remote", "QMODEL": "model"}
_ZOS_WORDS = frozenset({"QSGDISP", "STGCLASS", "CMDSCOPE", "INDXTYPE", "CFSTRUCT"})
_DISTRIBUTED_WORDS = frozenset({"DISTL", "NODISTL", "NPMCLASS", "SCOPE", "STATQ", "IMGRCOVQ"})
_FLAGS = {
    "HARDENBO": ("HARDENBO", "yes"), "NOHARDENBO": ("HARDENBO", "no"),
    "SHARE": ("SHARE", "yes"), "NOSHARE": ("SHARE", "no"),
}  # fmt: skip
_DEFAULT_OBJECTS = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE",
    "QMODEL": "SYSTEM.DEFAULT.MODEL.QUEUE",
    "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "CHANNEL": "SYSTEM.DEF.SVRCONN",
    "TOPIC": "SYSTEM.DEFAULT.TOPIC",
}
_ALWAYS_THERE = ("SYSTEM.DEAD.LETTER.QUEUE", *_DEFAULT_OBJECTS.values())
# What IBM supplies, by platform where it differs; '' is a platform that nobody knows.
_SUPPLIED: dict[str, dict[str, str]] = {
    "": {"BOTHRESH": "0", "BOQNAME": "", "PUT": "ENABLED", "GET": "ENABLED", "MAXMSGL": "4194304", "DEFPSIST": "NO",
         "USAGE": "NORMAL", "TARGET": "", "RNAME": "", "SHARECNV": "10",
         "MAXINST": "999999999", "MAXINSTC": "999999999",
         "MCAUSER": "", "QSGDISP": "QMGR", "MDURMDL": "", "MNDURMDL": ""},
    "distributed": {"HARDENBO": "yes", "SHARE": "yes", "DEFSOPT": "SHARED", "MAXDEPTH": "5000"},
    "zos": {"HARDENBO": "no", "SHARE": "no", "DEFSOPT": "EXCL", "MAXDEPTH": "999999999"},
}  # fmt: skip
_BASE_TOPIC = "SYSTEM.BASE.TOPIC"
_BASE_MODELS = {"MDURMDL": "SYSTEM.DURABLE.MODEL.QUEUE", "MNDURMDL": "SYSTEM.NDURABLE.MODEL.QUEUE"}
_MAX_ALIASES = 20
_MAX_MESSAGE_BYTES = 104_857_600
_TARGET_COLUMNS = {"max_message_bytes": "MAXMSGL", "max_depth": "MAXDEPTH", "transmission": "USAGE"}
_DEAD_LETTER_RIGHTS = ("put", "passall")

Value = tuple[str, MqscFile, Parameter, int]
"""A value and the parameter of a file, at a line, that gives it: its Origin is built only when it is shown."""


@dataclass(slots=True)
class _Object:
    """An object as far as the scripts define it. ``rest`` is where values come from that it does not set itself."""

    noun: str
    name: str
    file: MqscFile
    line: int
    column: int
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    rest: Literal["default", "unknown"] = "default"
    """``unknown``: altered, or LIKE an object that is not here, so that what is not set is not known."""
    defined: bool = True
    """False where it was altered and never defined: it may not have been there yet."""

    def origin(self, text: str, *, default: bool = False) -> Origin:
        return Origin(self.file.path, self.line, self.column, text, default)


_Rights = tuple[dict[Entity, frozenset[str]], Located | None]
_Model = tuple[str | None, _Object | None]
"""A model queue and the topic object that names it, None where IBM supplies it."""


def resolve_queue_manager(
    name: str,
    files: Sequence[MqscFile],
    *,
    identities: Mapping[str, frozenset[str] | None] | None = None,
) -> Facts:
    """The relations of one queue manager from its files, in the order in which they run.

    ``identities`` gives users that connect and their groups, None where the groups are not known.
    """
    return _QueueManager(name, files).facts(identities or {})


def _replaces(command: Command) -> bool:
    return any(parameter.keyword == "REPLACE" for parameter, _ in command.parameters)


@functools.lru_cache(maxsize=1024)  # a dump repeats the same few names thousands of times
def _entities(names: str) -> tuple[str, ...]:
    """The names of a PRINCIPAL or GROUP list, without the domain of a Windows user."""
    return tuple(name.strip().strip("'\"").partition("@")[0] for name in names.split(",") if name.strip())


def _is_partial(file: MqscFile) -> bool:
    """Whether definitions of the queue manager are missing that the file should hold.

    A script's broken command defines nothing when it runs either; in a dump it is something that was not read.
    """
    return file.truncated or (file.lost_commands > 0 and file.dump is not None)


def _leaves_out(target: _Object, keyword: str) -> bool | None:
    """Whether an object has the product's default of an attribute, whatever that is."""
    if keyword in target.values:
        return False
    return True if target.rest == "default" else None


def _is_cluster_channel(channel: _Object) -> bool:
    kind = channel.values.get("CHLTYPE")
    return kind is not None and kind[0].upper() in ("CLUSRCVR", "CLUSSDR")


class _Origins(Mapping[str, Located]):
    """Where the columns of an object's row come from, worked out when asked: a dump has far more rows than findings."""

    __slots__ = ("_columns", "_supplied", "_target")

    def __init__(self, target: _Object, columns: Mapping[str, str], supplied: Mapping[str, str]) -> None:
        self._target = target
        self._columns = columns
        self._supplied = supplied

    def __getitem__(self, column: str) -> Origin:
        target = self._target
        if column == "name":
            return target.origin(f"{target.noun}({target.name})")
        keyword = self._columns[column]
        found = target.values.get(keyword)
        if found is not None:
            _, file, parameter, line = found
            return file.origin(parameter, line)
        if target.rest == "unknown" or keyword not in self._supplied:
            raise KeyError(column)
        supplied = self._supplied[keyword]
        shown = {"yes": keyword, "no": f"NO{keyword}"}.get(supplied, supplied or "blank")
        return target.origin(f"{keyword} not set: {shown} is IBM MQ's default", default=True)

    def pairs(self) -> Iterator[tuple[str, Origin]]:
        """What ``items`` gives, each looked up once: where the places of every queue are kept, it is half the work."""
        yield "name", self["name"]
        values, supplied, unknown = self._target.values, self._supplied, self._target.rest == "unknown"
        for column, keyword in self._columns.items():
            found = values.get(keyword)
            if found is not None:
                _, file, parameter, line = found
                yield column, file.origin(parameter, line)
            elif not unknown and keyword in supplied:
                yield column, self[column]

    def __iter__(self) -> Iterator[str]:
        return (column for column in ("name", *self._columns) if column in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _QueueManager:
    def __init__(self, name: str, files: Sequence[MqscFile]) -> None:
        self.name = name
        self.files = files
        self.problems: list[Problem] = [problem for file in files for problem in file.problems]
        self.objects: dict[tuple[str, str], _Object] = {}
        self.allowances = [lost._replace(queue_manager=name) for file in files for lost in file.lost_allowances]
        self.manager = _Object("QMGR", name, files[0], 1, 1, rest="unknown")
        self.authorities = Authorities()
        self.authorities_known = not any(_is_partial(file) for file in files)
        self.platform = self._platform()
        self.supplied = {**_SUPPLIED[""], **_SUPPLIED[self.platform or ""]}
        self.templates: set[str] = {problem.path for problem in self.problems if problem.kind == "template"}
        for file in files:
            for command in file.commands:
                self._run(file, command)
        self.complete = self._complete()
        self.clustered = any(
            kind == "CHANNEL" and not name.startswith("SYSTEM.DEF.") and _is_cluster_channel(channel)
            for (kind, name), channel in self.objects.items()
        )

    # -- running the scripts

    def _platform(self) -> Platform | None:
        for file in self.files:
            if file.platform:
                return "zos" if file.platform.strip().upper() in ("MVS", "Z/OS", "ZOS", "OS/390") else "distributed"
        words: set[str] = set()
        for file in self.files:
            for command in file.commands:
                if command.noun == "AUTHREC":
                    return "distributed"
                words.update(parameter.keyword for parameter, _ in command.parameters)
        if words & _ZOS_WORDS:
            return "zos"
        return "distributed" if words & _DISTRIBUTED_WORDS else None

    def _run(self, file: MqscFile, command: Command) -> None:
        if command.allowances:
            self.allowances += (self._allowed(allowance, command) for allowance in command.allowances)
        if command.noun == "AUTHREC":
            self._authority(command)
            return
        if command.noun == "QMGR":
            if command.verb == "ALTER":
                self._merge(self.manager, file, command)
            return
        if not command.name:
            return
        key = ("Q" if command.noun in _TYPES else command.noun, command.name)
        existing = self.objects.get(key)
        if existing is not None and existing.noun != command.noun:
            return  # the queue manager refuses: the object is of another type
        if command.verb == "DELETE":
            self.objects.pop(key, None)
        elif command.verb == "DEFINE":
            # Without REPLACE an existing object stays as it is; one that was only altered here becomes fully known.
            if existing is not None and existing.defined and not _replaces(command):
                return
            target = _Object(command.noun, command.name, file, command.line, command.column)
            self._like(target, command)
            self._merge(target, file, command)
            self.objects[key] = target
        elif command.verb == "ALTER":
            target = existing
            if target is None:
                target = _Object(command.noun, command.name, file, command.line, command.column)
                # The default object of its type is as IBM supplies it; of what else is always there nobody knows.
                if command.name != _DEFAULT_OBJECTS.get(command.noun):
                    target.rest, target.defined = "unknown", command.name in _ALWAYS_THERE
                self.objects[key] = target
            self._merge(target, file, command)

    def _allowed(self, allowance: Allowance, command: Command) -> Allowance:
        if command.noun == "QMGR":
            return allowance._replace(queue_manager=self.name, kind="queue_manager", name=self.name)
        kind = "queue" if command.noun in _TYPES else "other"
        return allowance._replace(queue_manager=self.name, kind=kind, name=command.name or command.noun)

    def _like(self, target: _Object, command: Command) -> None:
        named = next((p.value for p, _ in command.parameters if p.keyword == "LIKE" and p.value), None)
        source = named or _DEFAULT_OBJECTS.get(command.noun, "")
        if source == command.name:
            return
        model = self.objects.get(("Q" if command.noun in _TYPES else command.noun, source))
        if model is not None:
            target.values.update(model.values)
            target.rest = model.rest
        elif source != _DEFAULT_OBJECTS.get(command.noun):
            target.rest = "unknown"

    def _merge(self, target: _Object, file: MqscFile, command: Command) -> None:
        values = target.values
        for parameter, line in command.parameters:
            keyword, value = parameter.keyword, parameter.value
            if keyword in _FLAGS:
                keyword, value = _FLAGS[keyword]
            if value is not None:
                values[keyword] = (value, file, parameter, line)

    def _authority(self, command: Command) -> None:
        values = {p[0]: p[1] or "" for p, _ in command.parameters}
        if self.templates and any(p.template for p, _ in command.parameters):
            self.authorities_known = False
            return
        if values.get("OBJTYPE", "").upper() != "QUEUE" or "PROFILE" not in values:
            return
        added, removed = expand_rights(values.get("AUTHADD", "")), expand_rights(values.get("AUTHRMV", ""))
        profile = values["PROFILE"]
        for keyword, kind in (("PRINCIPAL", "principal"), ("GROUP", "group")):
            for name in _entities(values.get(keyword, "")):
                if command.verb == "DELETE":
                    self.authorities.remove(profile, (kind, name))
                else:
                    self.authorities.change(profile, (kind, name), added, removed)

    def _complete(self) -> bool:
        if any(_is_partial(file) for file in self.files):
            return False
        if any(file.dump in ("dmpmqcfg", "saveqmgr") and file.covers_objects for file in self.files):
            return True
        # A MAKEDEF deck has no header; one of the whole queue manager holds the default objects.
        default = self.objects.get(("Q", "SYSTEM.DEFAULT.LOCAL.QUEUE"))
        if default is None or self.platform != "zos" or any(file.lost_commands for file in self.files):
            return False
        return "BOTHRESH" in default.values

    # -- relations

    def facts(self, identities: Mapping[str, frozenset[str] | None]) -> Facts:
        facts = Facts(allowances=self.allowances)
        queues = sorted((o for (kind, _), o in self.objects.items() if kind == "Q"), key=lambda o: o.name)
        referenced: set[str] = set()
        local: list[Queue] = []
        for queue in queues:
            facts.add(self._name_row(queue))
            if queue.noun in ("QLOCAL", "QMODEL"):
                row = self._queue_row(queue)
                local.append(row)
                if row.backout_queue:
                    referenced.add(row.backout_queue)
        loops = self._loops({row.name: row for row in local})
        for row in local:
            object.__setattr__(row, "backout_loops", loops.get(row.name))
        facts.rows["queue"] = local
        manager = self._manager_row()
        if manager.dead_letter_queue:
            referenced.add(manager.dead_letter_queue)
        facts.add(manager, *(self._put_target(name) for name in sorted(referenced)))
        for (kind, _), channel in sorted(self.objects.items()):
            if kind == "CHANNEL" and (row := self._channel_row(channel)) is not None:
                facts.add(row)
        facts.rows["topic"] = list(self._topic_rows())
        if self.authorities and self.authorities_known and self.platform != "zos":
            facts.rows["authority"] = self._authority_rows(local, manager, identities)
        facts.add(
            Export(
                path=self.files[0].path,
                kind="queue_manager",
                name=self.name,
                complete=self.complete,
                level=str(manager.command_level) if manager.command_level else None,
                files=len(self.files),
            )
        )
        facts.add(*self.problems)
        return facts

    def _text(self, target: _Object, keyword: str) -> str | None:
        """A value as text; None where it is not known."""
        found = target.values.get(keyword)
        if found is not None:
            return None if found[2].template else found[0].strip()
        return None if target.rest == "unknown" else self.supplied.get(keyword)

    def _origins(self, target: _Object, columns: Mapping[str, str]) -> _Origins:
        return _Origins(target, columns, self.supplied)

    def _integer(self, target: _Object, keyword: str, high: int = 999_999_999) -> int | None:
        value = self._text(target, keyword)
        if value is None:
            return None
        number = int(value) if value.isascii() and value.isdigit() and len(value) < 12 else high + 1
        if number <= high:
            return number
        origin = self._origins(target, {keyword: keyword})[keyword]
        self.problems.append(
            Problem(
                kind="value_out_of_range",
                path=origin.path,
                line=origin.line,
                column=origin.column,
                text=f"{keyword} of {target.name} is outside 0 to {high} ({origin.text}), it is treated as unknown",
                next_step="Correct it, or export again",
                queue_manager=self.name,
                object=f"{target.noun} {target.name} {keyword}",
            )
        )
        return None

    def _flag(self, target: _Object, keyword: str, true: str, false: str) -> bool | None:
        value = self._text(target, keyword)
        return None if value is None else {true: True, false: False}.get(value.upper())

    def _queue_row(self, queue: _Object) -> Queue:
        backout_queue = self._text(queue, "BOQNAME")
        disposition = self._text(queue, "QSGDISP")
        supplied = queue.noun == "QLOCAL"  # IBM supplies other values of SHARE and DEFSOPT for model queues
        return Queue(
            queue_manager=self.name,
            name=queue.name,
            type="local" if queue.noun == "QLOCAL" else "model",
            backout_threshold=self._integer(queue, "BOTHRESH"),
            backout_queue=backout_queue,
            backout_resolution=self._resolution(backout_queue),  # type: ignore[arg-type]
            harden_backout=self._flag(queue, "HARDENBO", "YES", "NO"),
            shared_disposition=None if disposition is None else disposition.upper() == "SHARED",
            max_message_bytes=self._integer(queue, "MAXMSGL", _MAX_MESSAGE_BYTES),
            max_depth=self._integer(queue, "MAXDEPTH"),
            default_depth=_leaves_out(queue, "MAXDEPTH"),
            put_enabled=self._flag(queue, "PUT", "ENABLED", "DISABLED"),
            get_enabled=self._flag(queue, "GET", "ENABLED", "DISABLED"),
            shareable=self._flag(queue, "SHARE", "YES", "NO") if supplied or "SHARE" in queue.values else None,
            default_open=self._default_open(queue) if supplied or "DEFSOPT" in queue.values else None,
            default_persistence=self._flag(queue, "DEFPSIST", "YES", "NO"),
            origins=self._origins(queue, mqsc_keywords(Queue)),
        )

    def _default_open(self, queue: _Object) -> Literal["shared", "exclusive"] | None:
        shared = self._flag(queue, "DEFSOPT", "SHARED", "EXCL")
        return None if shared is None else "shared" if shared else "exclusive"

    def _follow(self, name: str) -> tuple[_Object | None, list[_Object]]:
        """The object behind a name once aliases are followed (None where that cannot be told), and the aliases."""
        aliases: list[_Object] = []
        for _ in range(_MAX_ALIASES):
            target = self.objects.get(("Q", name))
            if target is None or target.noun != "QALIAS":
                return target, aliases
            aliases.append(target)
            if (target.values.get("TARGTYPE") or ("QUEUE",))[0].upper() == "TOPIC":
                return None, aliases
            found = target.values.get("TARGET") or target.values.get("TARGQ")
            if found is None or found[2].template or not found[0].strip():
                return None, aliases
            name = found[0].strip()
        return None, aliases

    def _resolution(self, name: str | None, *, local: bool = False) -> str | None:
        """What a name leads to. ``local`` asks for a queue of this queue manager, as a get or DEADQ does.

        A name that is not defined here may be a cluster queue, which a put can reach.
        """
        if name is None:
            return None
        if not name:
            return "not_set"
        missing = "not_defined" if self.complete and (local or not self.clustered) else None
        target, aliases = self._follow(name)
        if target is not None:
            return "remote" if target.noun == "QREMOTE" else "resolved"
        if aliases:
            last = aliases[-1].values
            found = last.get("TARGET") or last.get("TARGQ")
            name = found[0].strip() if found is not None and not found[2].template else ""
            if not name or ("TARGTYPE" in last and last["TARGTYPE"][0].upper() == "TOPIC"):
                return None
            if ("Q", name) in self.objects:
                return None  # aliases that go round
        return "resolved" if name in _ALWAYS_THERE else missing

    def _name_row(self, queue: _Object) -> QueueName:
        target, aliases = self._follow(queue.name)
        get_enabled, closed = self._open_for("GET", target, aliases)
        origins: Mapping[str, Located] = self._origins(queue, {"get_enabled": "GET"})
        if closed is not None and closed is not queue:
            name = queue.origin(f"{queue.noun}({queue.name})")
            origins = {**self._origins(closed, {"get_enabled": "GET"}), "name": name}
        return QueueName(
            queue_manager=self.name,
            name=queue.name,
            type=_TYPES[queue.noun],
            resolution=self._resolution(queue.name, local=True),  # type: ignore[arg-type]
            local_queue=target.name if target is not None and target.noun in ("QLOCAL", "QMODEL") else None,
            get_enabled=get_enabled,
            origins=origins,
        )

    def _open_for(
        self, keyword: str, target: _Object | None, aliases: Sequence[_Object]
    ) -> tuple[bool | None, _Object | None]:
        """Whether the way along the aliases to a queue is open for PUT or GET, and the object that tells."""
        links = [*aliases, *([target] if target is not None else [])]
        states = [self._flag(link, keyword, "ENABLED", "DISABLED") for link in links]
        if False in states:
            return False, links[states.index(False)]
        known = bool(states) and None not in states and target is not None
        return (True if known else None), (links[0] if links else None)

    def _put_target(self, name: str) -> PutTarget:
        target, aliases = self._follow(name)
        named = aliases[0] if aliases else target
        put_enabled, closed = self._open_for("PUT", target, aliases)
        local = target if target is not None and target.noun in ("QLOCAL", "QMODEL") else None
        remote = False if target is not None and target.noun == "QREMOTE" else None
        origins: dict[str, Located] = {}
        if local is not None:
            origins.update(self._origins(local, _TARGET_COLUMNS).pairs())
            origins["model"] = local.origin(f"{local.noun}({local.name})")
        if closed is not None:
            origins.update(self._origins(closed, {"put_enabled": "PUT"}).pairs())
        if named is not None:
            origins["name"] = named.origin(f"{named.noun}({named.name})")
        return PutTarget(
            queue_manager=self.name,
            name=name,
            type=_TYPES[named.noun] if named is not None else None,
            local_queue=local.name if local is not None else None,
            put_enabled=put_enabled,
            transmission=self._flag(local, "USAGE", "XMITQ", "NORMAL") if local is not None else remote,
            model=local.noun == "QMODEL" if local is not None else remote,
            max_message_bytes=self._integer(local, "MAXMSGL", _MAX_MESSAGE_BYTES) if local is not None else None,
            max_depth=self._integer(local, "MAXDEPTH") if local is not None else None,
            default_depth=_leaves_out(local, "MAXDEPTH") if local is not None else None,
            origins=origins,
        )

    def _loops(self, queues: Mapping[str, Queue]) -> dict[str, bool | None]:
        """Whether the chain of backout queues of each queue comes back to it; None where a link is not known."""
        following: dict[str, str | Literal[False] | None] = {}
        for name, row in queues.items():
            if row.backout_queue is None:
                following[name] = None
            elif not row.backout_queue:
                following[name] = False
            else:
                target, _ = self._follow(row.backout_queue)
                if target is not None:
                    following[name] = target.name if target.noun in ("QLOCAL", "QMODEL") else False
                else:
                    following[name] = False if self.complete else None
        loops: dict[str, bool | None] = {}
        for name in queues:
            path: dict[str, None] = {}
            link: str | Literal[False] | None = name
            while isinstance(link, str) and link not in path and link not in loops:
                path[link] = None
                link = following.get(link)
            if link is None or (isinstance(link, str) and loops.get(link, False) is None):
                loops.update(dict.fromkeys(path))
                continue
            # A chain that runs into a circle which the queue is not part of does not come back to it.
            in_circle = False
            for passed in path:
                in_circle = in_circle or passed == link
                loops[passed] = in_circle
        return loops

    def _manager_row(self) -> QueueManager:
        origins: dict[str, Located] = {"name": self.manager.origin(f"queue manager {self.name}")}
        origins.update(self._origins(self.manager, {"dead_letter_queue": "DEADQ"}))
        dead_letter = self._text(self.manager, "DEADQ")
        if dead_letter is None and "DEADQ" not in self.manager.values and self._shows_every_attribute():
            dead_letter = ""
            text = "DEADQ not set: blank is IBM MQ's default"
            origins["dead_letter_queue"] = self.manager.origin(text, default=True)
        if "dead_letter_queue" in origins:
            origins["dead_letter_resolution"] = origins["dead_letter_queue"]
        levels = [file.command_level for file in self.files if file.command_level]
        platform_file = next((file for file in self.files if file.platform), None)
        if platform_file is not None:
            origins["platform"] = Origin(platform_file.path, 1, 1, f"platform {platform_file.platform}")
        return QueueManager(
            name=self.name,
            platform=self.platform,  # type: ignore[arg-type]
            command_level=levels[0] if levels else None,
            dead_letter_queue=dead_letter,
            dead_letter_resolution=self._resolution(dead_letter, local=True),  # type: ignore[arg-type]
            complete=self.complete,
            origins=origins,
        )

    def _shows_every_attribute(self) -> bool:
        """Whether a DEADQ that is not there is blank: dumps of the queue manager leave out nothing but defaults."""
        return any(
            file.dump in ("dmpmqcfg", "saveqmgr") and file.covers_objects and not _is_partial(file)
            for file in self.files
        )

    def _channel_row(self, channel: _Object) -> Channel | None:
        kind = channel.values.get("CHLTYPE")
        if kind is None or kind[0].upper() != "SVRCONN":
            return None
        return Channel(
            queue_manager=self.name,
            name=channel.name,
            sharing_conversations=self._integer(channel, "SHARECNV"),
            max_instances=self._integer(channel, "MAXINST"),
            max_instances_per_client=self._integer(channel, "MAXINSTC"),
            mca_user=self._text(channel, "MCAUSER"),
            origins=self._origins(channel, mqsc_keywords(Channel)),
        )

    def _topic_rows(self) -> Iterator[Topic]:
        """The administered points of the topic tree, with what they inherit; the root is always one of them."""
        points: dict[str, list[_Object]] = {"": []}
        known = self._knows_all_topics()
        for (kind, name), topic in sorted(self.objects.items()):
            if kind != "TOPIC" or name == _DEFAULT_OBJECTS["TOPIC"]:
                continue
            found = topic.values.get("TOPICSTR")
            if name == _BASE_TOPIC:
                points[""].append(topic)
            elif found is None or found[2].template or found[0].strip() == "/":
                known = False  # where in the tree it stands nobody knows
            else:
                # The queue manager drops a slash at the end.
                string = found[0].strip()
                points.setdefault(string.removesuffix("/"), []).append(topic)
        above: list[tuple[str, dict[str, _Model]]] = []
        for string in sorted(points, key=lambda string: string.split("/") if string else []):
            while above and above[-1][0] and not string.startswith(above[-1][0] + "/"):
                above.pop()
            topics = points[string]
            inherited = above[-1][1] if above else {name: (model, None) for name, model in _BASE_MODELS.items()}
            models = {
                keyword: self._model_queue(topics, keyword, inherited[keyword] if known else (None, None))
                for keyword in _BASE_MODELS
            }
            above.append((string, models))
            origins: dict[str, Located] = {}
            for column, keyword in mqsc_keywords(Topic).items():
                owner = models[keyword][1]
                if owner is not None:
                    origins.update(self._origins(owner, {column: keyword}))
            if topics:
                origins["name"] = topics[0].origin(f"TOPIC({topics[0].name})")
            yield Topic(
                queue_manager=self.name,
                topic_string=string,
                covers_below=known or None,
                durable_model=models["MDURMDL"][0],
                nondurable_model=models["MNDURMDL"][0],
                origins=origins,
            )

    def _knows_all_topics(self) -> bool:
        """Whether no other topic object can stand between a topic and its parent: a cluster may send some."""
        if not self.complete or self.clustered:
            return False
        return self._shows_every_attribute() or ("TOPIC", _BASE_TOPIC) in self.objects

    def _model_queue(self, topics: Sequence[_Object], keyword: str, inherited: _Model) -> _Model:
        """The model queue that counts at a point of the tree: its own, or where that is blank the one from above."""
        names = {self._text(topic, keyword) for topic in topics} or {""}
        if len(names) > 1 or None in names:
            return None, None
        name = names.pop()
        return (name, topics[0]) if name else inherited

    def _authority_rows(
        self, queues: Sequence[Queue], manager: QueueManager, identities: Mapping[str, frozenset[str] | None]
    ) -> list[Authority]:
        # Of a user that has no record of its own and whose groups nobody told nothing is known.
        everywhere = {*identities, *({ADMINISTRATORS} & self.authorities.principals)}
        dead_letter = self._dead_letter_rights(manager)
        rows: list[Authority] = []
        for queue in queues:
            # Without a threshold nothing is ever moved.
            if queue.type != "local" or not (
                queue.backout_queue or (dead_letter is not None and queue.backout_threshold)
            ):
                continue
            on_object = self.authorities.of_object(queue.backout_queue) if queue.backout_queue else {}
            on_input = self.authorities.of_object(queue.name)
            origin = queue.origins.get("backout_queue")
            recorded = {name for kind, name in (*on_object, *on_input) if kind == "principal"}
            for user in sorted(everywhere | recorded):
                groups = identities.get(user)
                rights: dict[str, bool | None] = {}
                if queue.backout_queue:
                    rights = {right: right_of(user, groups, right, on_object, on_input) for right in RIGHTS}
                # BOQNAME is why a right counts. Where the right is not known it is not to blame: the groups are.
                known = [right for right, held in rights.items() if held is not None]
                origins: dict[str, Located] = dict.fromkeys(known, origin) if origin is not None else {}
                if dead_letter is not None and queue.backout_threshold:
                    on_dead_letter, place = dead_letter
                    for right in _DEAD_LETTER_RIGHTS:
                        column = f"dead_letter_{right}"
                        rights[column] = right_of(user, groups, right, on_dead_letter, on_input)
                        if rights[column] is not None and place is not None:
                            origins[column] = place
                # A row of unknowns would say what no row says, once for each queue and user.
                if any(held is not None for held in rights.values()):
                    row = Authority(queue_manager=self.name, queue=queue.name, user=user, **rights, origins=origins)
                    rows.append(row)
        return rows

    def _dead_letter_rights(self, manager: QueueManager) -> _Rights | None:
        """What each entity may do with the dead-letter queue, and where that queue is named; None where none is."""
        if not manager.dead_letter_queue:
            return None
        return self.authorities.of_object(manager.dead_letter_queue), manager.origins.get("dead_letter_queue")
