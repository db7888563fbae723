"""What no export contains: the longest time that onMessage takes, and the MQ user under which an endpoint connects.

Observations come from ``--on-message`` (all beans) and from a YAML or CSV file, validated against
``observations.schema.json``. The configuration file may hold the same, the names that clients use for queue managers,
and how new backout queues are called.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NotRequired, Required, TypedDict, cast

from lintmdb.errors import LintmdbError
from lintmdb.exports.mq.client_table import ClientTable
from lintmdb.json_types import JsonObject, JsonValue, read_json_object
from lintmdb.model.origins import Origin
from lintmdb.resolve.mq.free_names import BACKOUT_NAME, DEAD_LETTER_NAME

SCHEMA = Path(__file__).resolve().parent / "observations.schema.json"
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min)?\s*\Z")
_UNIT_MS = {"ms": 1, "s": 1000, None: 1000, "m": 60_000, "min": 60_000}
MAX_MS = 2_147_483_647_000


class BeanEntry(TypedDict):
    """A bean of a file of observations."""

    bean: str
    on_message: str | int
    line: NotRequired[int]


class EndpointEntry(TypedDict, total=False):
    """An endpoint of a file of observations."""

    endpoint: Required[str]
    on_message: str | int
    user: str
    groups: Sequence[str]
    queue_manager: str
    line: int


class QueueManagerEntry(TypedDict):
    """A queue manager, or a pattern for some, of a file of observations."""

    queue_manager: str
    user: str
    line: NotRequired[int]


class QueueEntry(TypedDict):
    """A queue, or a pattern for some, of a file of observations."""

    queue: str
    queue_manager: NotRequired[str]
    user: str
    line: NotRequired[int]


class UserEntry(TypedDict):
    """A user of a file of observations."""

    user: str
    groups: Sequence[str]
    line: NotRequired[int]


class ObservationsEntry(TypedDict, total=False):
    """A file of observations, or the same in a configuration file."""

    on_message: str | int
    user: str
    queue_managers: Sequence[QueueManagerEntry]
    queues: Sequence[QueueEntry]
    users: Sequence[UserEntry]
    beans: Sequence[BeanEntry]
    endpoints: Sequence[EndpointEntry]


@dataclass(frozen=True, slots=True)
class EndpointObservation:
    """What was observed of one endpoint; None where nothing was."""

    user: str | None = None
    groups: frozenset[str] | None = None
    on_message_ms: int | None = None
    queue_manager: str | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class QueueObservation:
    """Who reads the queues that a pattern fits and no endpoint reads."""

    queue: str
    """The name of a queue or of an alias, or a pattern."""
    queue_manager: str | None
    """The name of a queue manager or a pattern, which may begin with the environment; None for any of them."""
    user: str
    origin: Origin

    @property
    def words(self) -> str:
        """The pattern as messages name it."""
        return self.queue if self.queue_manager is None else f"{self.queue} at {self.queue_manager}"

    def fits(self, queue: str, queue_manager: str, environment: str | None) -> bool:
        """Whether it is about a queue."""
        at = self.queue_manager is None or _fits_manager(self.queue_manager, queue_manager, environment)
        return at and fnmatchcase(queue, self.queue)


@dataclass(frozen=True, slots=True)
class Observations:
    """Observations by name. A name may be qualified from the left, as far as needed (``Shop/orders.jar/OrderBean``)."""

    on_message_ms: int | None = None
    beans: Mapping[str, tuple[int, Origin]] = field(default_factory=dict[str, tuple[int, Origin]])
    endpoints: Mapping[str, EndpointObservation] = field(default_factory=dict[str, EndpointObservation])
    user: EndpointObservation | None = None
    """The user of every endpoint that has none otherwise."""
    users_at: tuple[tuple[str, EndpointObservation], ...] = ()
    """The same at the queue managers that a pattern fits. The first one that fits counts."""
    queues: tuple[QueueObservation, ...] = ()
    """Who reads queues that no endpoint reads. The first one that fits counts."""
    users: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The groups of users, whatever tells who they are."""
    queue_managers: Mapping[str, str] = field(default_factory=dict[str, str])
    """A name under which WebSphere connects (of a client, of a CCDT group) to the queue manager's own name."""
    backout_name: str = BACKOUT_NAME
    """How a team calls new backout queues."""
    dead_letter_name: str = DEAD_LETTER_NAME
    """How a team calls new dead-letter queues."""
    client_tables: tuple[ClientTable, ...] = ()
    """The client channel definition tables that were read beside the cells."""
    path: str = ""
    """The file that they stand in."""

    def bean_time(
        self, application: str | None, module: str | None, bean: str, endpoint: str
    ) -> tuple[int, Origin] | None:
        """The longest onMessage time of a bean in milliseconds: by bean, then by its endpoint, then for all."""
        for key in (f"{application}/{module}/{bean}", f"{module}/{bean}", bean):
            if key in self.beans:
                return self.beans[key]
        observed = self.endpoints.get(endpoint)
        if observed is not None and observed.on_message_ms is not None and observed.origin is not None:
            return observed.on_message_ms, observed.origin
        if self.on_message_ms is not None:
            unit = f"{self.on_message_ms // 1000}s" if self.on_message_ms % 1000 == 0 else f"{self.on_message_ms}ms"
            return self.on_message_ms, Origin("", 0, 0, f"--on-message {unit}")
        return None

    def endpoint(self, name: str, *places: str | None) -> EndpointObservation | None:
        """What was observed of an endpoint; ``SERVER/NAME`` or ``CLUSTER/NAME`` wins over ``NAME``."""
        for place in places:
            if place and f"{place}/{name}" in self.endpoints:
                return self.endpoints[f"{place}/{name}"]
        return self.endpoints.get(name)

    def user_at(self, queue_manager: str | None, environment: str | None) -> EndpointObservation | None:
        """The user of what reads at a queue manager, where nothing nearer names one. A pattern may begin with the
        environment: ``prod/QM*``.
        """
        found = (
            seen
            for pattern, seen in self.users_at
            if queue_manager and _fits_manager(pattern, queue_manager, environment)
        )
        return next(found, self.user)

    def reader(self, names: Sequence[str], queue_manager: str, environment: str | None) -> QueueObservation | None:
        """The entry about queues that says who reads one that no endpoint reads; ``names`` are its own and those of its
        aliases.
        """
        for seen in self.queues:
            if any(seen.fits(name, queue_manager, environment) for name in names):
                return seen
        return None

    def identities(self) -> dict[str, frozenset[str] | None]:
        """Each observed user and its groups, None where they are not known."""
        named = [*self.endpoints.values(), *(seen for _, seen in self.users_at)]
        named += [self.user] if self.user is not None else []
        users: dict[str, frozenset[str] | None] = {o.user: None for o in (*named, *self.queues) if o.user}
        return {**users, **self.users} | {o.user: o.groups for o in named if o.user and o.groups is not None}


def _fits_manager(pattern: str, queue_manager: str, environment: str | None) -> bool:
    """Whether a pattern is about a queue manager. It may begin with the environment: ``prod/QM*``."""
    names = (queue_manager, f"{environment}/{queue_manager}") if environment else (queue_manager,)
    return any(fnmatchcase(name, pattern) for name in names)


def parse_duration(text: str, *, path: str = "", line: int = 0) -> int:
    """Milliseconds of ``15s``, ``1500ms``, ``2m`` or plain seconds. Raises LintmdbError."""
    match = _DURATION.match(text)
    if match is None:
        raise LintmdbError(f"{text!r} is not a duration", path=path, line=line, next_step="Write 15s, 1500ms or 2m")
    duration = round(float(match.group(1)) * _UNIT_MS[match.group(2)])
    if duration > MAX_MS:
        raise LintmdbError(f"{text!r} is longer than any transaction", path=path, line=line)
    return duration


def read_observations(file: Path | None, on_message: str | None) -> Observations:
    """Observations of a file (YAML, or CSV by its suffix) and of ``--on-message``. Raises LintmdbError."""
    on_message_ms = parse_duration(on_message) if on_message is not None else None
    if file is None:
        return Observations(on_message_ms)
    from lintmdb.yaml_input import Lines, read_yaml, validate

    document, lines = (_read_csv(file), Lines()) if file.suffix.lower() == ".csv" else read_yaml(file)
    if document is None:
        raise LintmdbError("is empty", path=str(file), next_step="Add observations, or leave --observations out")
    validate(document, read_json_object(SCHEMA), str(file), lines, "an observation")
    return build_observations(cast("ObservationsEntry", document), str(file), on_message_ms)


def build_observations(document: ObservationsEntry, path: str, on_message_ms: int | None) -> Observations:
    """Observations of a document that fits ``observations.schema.json``. Raises LintmdbError."""
    beans: dict[str, tuple[int, Origin]] = {}
    for number, entry in enumerate(document.get("beans") or (), 1):
        text = str(entry["on_message"])
        origin = Origin(path, entry.get("line", 0), 0, f"{entry['bean']}: on_message {text}")
        if entry["bean"] in beans:
            raise LintmdbError(f"beans.{number}: {entry['bean']} is given twice", path=path)
        beans[entry["bean"]] = (parse_duration(text, path=path), origin)
    endpoints: dict[str, EndpointObservation] = {}
    for number, entry in enumerate(document.get("endpoints") or (), 1):
        if entry["endpoint"] in endpoints:
            raise LintmdbError(f"endpoints.{number}: {entry['endpoint']} is given twice", path=path)
        time = entry.get("on_message")
        groups = entry.get("groups")
        endpoints[entry["endpoint"]] = EndpointObservation(
            user=entry.get("user"),
            groups=frozenset(groups) if groups is not None else None,
            on_message_ms=parse_duration(str(time), path=path) if time is not None else None,
            queue_manager=entry.get("queue_manager"),
            origin=Origin(path, entry.get("line", 0), 0, f"observed of {entry['endpoint']}"),
        )
    default, user = document.get("on_message"), document.get("user")
    if on_message_ms is None and default is not None:
        on_message_ms = parse_duration(str(default), path=path)
    everywhere = EndpointObservation(user=user, origin=Origin(path, 0, 0, "observed")) if user is not None else None
    return Observations(
        on_message_ms,
        beans,
        endpoints,
        everywhere,
        _users_at(document, path),
        _queues(document, path),
        _groups_of_users(document, path),
        path=path,
    )


def _users_at(document: ObservationsEntry, path: str) -> tuple[tuple[str, EndpointObservation], ...]:
    users: dict[str, EndpointObservation] = {}
    for number, entry in enumerate(document.get("queue_managers") or (), 1):
        pattern = entry["queue_manager"]
        if pattern in users:
            raise LintmdbError(f"queue_managers.{number}: {pattern} is given twice", path=path)
        origin = Origin(path, entry.get("line", 0), 0, f"observed of {pattern}")
        users[pattern] = EndpointObservation(user=entry["user"], origin=origin)
    return tuple(users.items())


def _queues(document: ObservationsEntry, path: str) -> tuple[QueueObservation, ...]:
    queues: dict[str, QueueObservation] = {}
    for number, entry in enumerate(document.get("queues") or (), 1):
        origin = Origin(path, entry.get("line", 0), 0, f"observed of {entry['queue']}")
        seen = QueueObservation(entry["queue"], entry.get("queue_manager"), entry["user"], origin)
        if seen.words in queues:
            raise LintmdbError(f"queues.{number}: {seen.words} is given twice", path=path)
        queues[seen.words] = seen
    return tuple(queues.values())


def _groups_of_users(document: ObservationsEntry, path: str) -> dict[str, frozenset[str]]:
    users: dict[str, frozenset[str]] = {}
    for number, entry in enumerate(document.get("users") or (), 1):
        if entry["user"] in users:
            raise LintmdbError(f"users.{number}: {entry['user']} is given twice", path=path)
        users[entry["user"]] = frozenset(entry["groups"])
    return users


def _read_csv(file: Path) -> JsonObject:
    """A CSV with the columns bean, endpoint, queue, queue_manager, on_message, user, groups (separated by blanks)."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise LintmdbError("cannot be read as UTF-8 text", path=str(file)) from error
    document: dict[str, list[JsonObject]] = {
        kind: [] for kind in ("beans", "endpoints", "queues", "queue_managers", "users")
    }
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    known = {"bean", "endpoint", "on_message", "user", "groups", "queue", "queue_manager"}
    try:
        unknown = set(reader.fieldnames or ()) - known
        if unknown or not reader.fieldnames:
            raise LintmdbError(
                f"unknown columns: {', '.join(sorted(unknown)) or 'none given'}",
                path=str(file),
                line=1,
                next_step=f"The columns are {', '.join(sorted(known))}",
            )
        for row in reader:
            if None in row or None in row.values():
                raise LintmdbError(
                    "a row has another number of fields than the header", path=str(file), line=reader.line_num
                )
            entry: dict[str, JsonValue] = {key: value.strip() for key, value in row.items() if value.strip()}
            if isinstance(groups := entry.get("groups"), str):
                entry["groups"] = groups.split()
            if {"bean", "endpoint"} <= entry.keys() or not entry.keys() & {"bean", "endpoint", "user"}:
                text = "a row names a bean, an endpoint, a queue or queue manager with its user, or a user with groups"
                raise LintmdbError(text, path=str(file), line=reader.line_num)
            kind = next((f"{key}s" for key in ("bean", "endpoint", "queue", "queue_manager") if key in entry), "users")
            document[kind].append({**entry, "line": reader.line_num})
    except csv.Error as error:
        raise LintmdbError(f"is not valid CSV: {error}", path=str(file), line=reader.line_num) from error
    return document
