"""The values that decide on a flow, each once: product, object, setting, value, and where it was read."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lintmdb.engine.evidence import find_commands
from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows, JudgedRows, find_origin, find_row, read_value
from lintmdb.engine.lacking_rights import lacking_rights, lacks_unsettled_backout_queue
from lintmdb.engine.shown import shown
from lintmdb.model.columns import Column, Value
from lintmdb.model.origins import Origin, beyond, holder, resolved, step
from lintmdb.model.relations import ALIASES, CELL_RELATIONS, CLUSTER_TRANSMISSION, PutTarget
from lintmdb.model.unreachable import missing_transmission_queue
from lintmdb.rules.conditions import any_of, find_column
from lintmdb.rules.repairs import evaluate
from lintmdb.rules.rule import Rule


class DecidingValue(NamedTuple):
    """One row of the table."""

    product: str
    """``MQ`` or ``WebSphere``; blank for what people have observed."""
    thing: str
    """The object that has the setting, by its name."""
    setting: str
    """As the product's files spell it: ``BOTHRESH``, ``failureDeliveryCount``."""
    value: str
    note: str
    """``default``, where nothing sets it; ``fixed on z/OS``, where nothing can; ``computed``, where it is counted from
    other settings.
    """
    place: Origin | None


_ORDER = (
    "queue_name",
    "queue",
    "topic",
    "backout",
    "dead_letter",
    "queue_manager",
    "channel",
    "channel_access",
    "authority",
    "destination",
    "endpoint",
    "server",
    "bean",
    "consumers",
    "backout_consumers",
)
"""Aliases of a flow in the direction in which messages go."""
_NAMED = {
    "endpoint.queue_resolution": "endpoint.queue",
    "endpoint.channel_resolution": "endpoint.channel",
}
"""What a reference names, by the column that says what became of it."""
_SPELT = (
    re.compile(r'(?P<name>[\w.:-]+) value="(?P<value>[^"]*)"\Z', re.DOTALL),
    re.compile(r'(?P<name>[\w.:-]+)="(?P<value>[^"]*)"\Z', re.DOTALL),
    re.compile(r"<(?P<name>[\w.:-]+)>(?P<value>[^<]*)</[\w.:-]+>\Z", re.DOTALL),
    re.compile(r"(?P<name>CHLAUTH)(?P<value>\(.*\))\Z", re.DOTALL),
    re.compile(r"(?P<name>[A-Z]{2,})\((?P<value>.*)\)\s*\Z", re.DOTALL),
    re.compile(r"(?P<name>--[\w-]+) (?P<value>\S+)\Z"),
    re.compile(r"(?P<name>[\w.:-]+)=(?P<value>\S+)\Z"),
    re.compile(r"(?P<name>platform) (?P<value>\S+)\Z"),
)
_DELETION = re.compile(r"(?P<verb>DELETE|SET) (?P<noun>[A-Z]+)\('(?P<name>[^']*)'\)(?: .*)?\Z", re.DOTALL)
_DEFAULT = re.compile(r"(?P<name>.+?) not set(?:: (?P<value>[^,]+?)(?:,.*)? is .*)?\Z", re.DOTALL)
_COPIED = re.compile(r" is that of (?P<source>.+)\Z")
_FIXED = re.compile(r"(?P<name>[A-Z]+) is (?P<value>\d+) on z/OS\Z")
_HEADERS = {
    "platform": "operating system",
    "nodeOperatingSystem": "operating system",
    "baseProductVersion": "WebSphere version",
}
"""What products write of themselves and nobody sets: their users have words of their own for it."""
_PREFIXES = ("was_", "com.ibm.websphere.")
"""What WebSphere writes before names of its own."""
_SAYS_NOTHING = re.compile(r"(?:listener port|activation specification|message-driven bean) ")
"""The object as a whole, which a headline names already."""
STOPS = ("endpoint.stop_on_failure", "endpoint.failure_threshold", "endpoint.sequential_failure_threshold")
"""Columns that say after how many failures an endpoint stops."""
LENGTHS = (
    "backout.max_message_bytes",
    "queue_manager.dead_letter_queue",
    "dead_letter.max_message_bytes",
    "queue_manager.max_message_bytes",
)
"""Columns that say how long a message that is moved aside may be."""
_OF_THE_ALIAS = frozenset({"name", "type", "leads_to", "leads_to_kind", "local_queue", "is_dead_letter_queue"})
"""Columns of a queue behind an alias that the alias itself decides."""


def deciding_values(
    findings: Iterable[Finding], most: int | None = None, also: Iterable[str] = ()
) -> tuple[list[DecidingValue], int]:
    """The values behind findings of one flow, the queue's first, as messages go, each place once; and how many more
    there are than ``most``, which keeps those that make a hazard before others, of these those that alone make it, and
    those of the findings that come first. Where it is None, users without rights
    come with their source. ``also`` are columns whose values decide, too, where they are known.
    """
    found: dict[tuple[object, ...], tuple[int, DecidingValue]] = {}
    decisive, alone = set[tuple[object, ...]](), set[tuple[object, ...]]()
    every = list(findings)
    for finding in every:
        if not isinstance(finding.rows, FlowRows):
            continue
        places, hazard = {finding.location, *finding.related}, finding.rule.hazard.columns
        enough = _enough(finding.rule, finding.rows)
        for name, value in finding.values.items():
            row = _row(name, value, finding.rows)
            way = (
                [*_steps(name, finding.rows), row]
                if _holder(name, finding.rows)
                else [row, *_steps(name, finding.rows)]
            )
            for each in (*way, *_commands(name, finding.rows), *_beyond(name, finding.rows)):
                if each is not None:
                    key = (each.place,) if each.place is not None else (each.thing, each.setting)
                    if name in hazard and (each is not row or each.place is None or each.place in places):
                        decisive.add(key)
                        if name in enough:
                            alone.add(key)
                    found.setdefault(key, (_ORDER.index(name.partition(".")[0]), each))
        rights = [*_withheld_rights(finding.values, finding.rows)]
        for row in rights:
            found.setdefault((row.thing, row.setting), (_ORDER.index("authority"), row))
            decisive.add((row.thing, row.setting))
        named = _unsettled_backout_queue(finding.values, finding.rows)
        if named is not None:
            found.setdefault((named.place,), (_ORDER.index("queue"), named))
            decisive.add((named.place,))
        user = _user(finding.rows) if rights and most is None else None
        if user is not None:
            found.setdefault((user.thing, user.setting), (_ORDER.index("endpoint"), user))
    more = [row for row in _also(also, every) if (row[1].place,) not in found]
    ranked = sorted(found, key=lambda key: (key not in decisive, key in decisive - alone))
    fitting = {*ranked[: most if most is None else max(most - len(more), 0)]}
    kept = [*(value for key, value in found.items() if key in fitting), *more]
    found |= {(row.place,): (order, row) for order, row in more}
    return [row for _, row in sorted(kept, key=lambda entry: entry[0])], len(found) - len(kept)


def _enough(rule: Rule, rows: FlowRows) -> frozenset[str]:
    """The columns of those parts of a hazard that hold, each of which is enough to make it."""
    parts = [part for part in any_of(rule.hazard) if evaluate(part, rows.value) == 1]
    return frozenset(name for part in parts for name in part.columns)


def _also(names: Iterable[str], findings: Iterable[Finding]) -> Iterator[tuple[int, DecidingValue]]:
    """The values of columns that are known on the flow of some findings, each place once."""
    rows = next((finding.rows for finding in findings if isinstance(finding.rows, FlowRows)), None)
    told: dict[Origin | None, tuple[int, DecidingValue]] = {}
    if rows is None:
        return
    for name in names:
        value = read_value(rows, name)
        row = _row(name, value, rows) if value is not None else None
        if row is not None:
            told.setdefault(row.place, (_ORDER.index(name.partition(".")[0]), row))
    yield from told.values()


def _row(name: str, value: Value, rows: FlowRows) -> DecidingValue | None:
    column = find_column(name)
    if column.selects or column.id_of or name.startswith("authority."):
        return None
    if name in _NAMED:
        return _reference(name, value, rows)
    origin = find_origin(rows, name)
    if origin is None or column.sums:
        return _computed(name, column, value, rows)
    if _SAYS_NOTHING.match(origin.text) or value == "distributed":  # which is no surprise, as z/OS may be
        return None
    if name == "bean.on_message_ms":
        return DecidingValue("", _thing(name, rows), "longest onMessage time", shown(name, value), "", origin)
    setting, text = _spelt(origin, value, column)
    product = _product(name) if origin.path else ""
    note = _LEADS_NOWHERE.get(str(read_value(rows, _OF_A_NAME.get(name, name))), "")
    note = note or _missing_transmission_queue(name, text, rows) or _note(origin)
    return DecidingValue(product, _thing(name, rows), setting, text, note, origin)


_OF_A_NAME = {
    "queue.backout_queue": "queue.backout_resolution",
    "queue_manager.dead_letter_queue": "queue_manager.dead_letter_resolution",
}
"""The column that says what becomes of a name, by the column of the name itself; both stand at one place."""
_LEADS_NOWHERE = {
    "not_defined": "not defined",
    "dangling": "an alias of nothing",
    "wrong_base": "an alias of an alias or model queue",
    "topic": "an alias of a topic",
    "model": "a model queue",
}
"""What is wrong with a queue of that name, in the words of a note."""


def _missing_transmission_queue(name: str, text: str, rows: FlowRows) -> str:
    """What to say behind the name of a transmission queue that is not defined."""
    target = find_row(rows, name.partition(".")[0])
    if not isinstance(target, PutTarget) or not target.transmission_queue or text != target.transmission_queue:
        return ""
    missing = target.unreachable_because == missing_transmission_queue(target.transmission_queue)
    return _LEADS_NOWHERE["not_defined"] if missing else ""


def _note(origin: Origin) -> str:
    """What to say behind a value that nobody has set."""
    if not origin.default:
        return ""
    if copied := _COPIED.search(origin.text):
        return f"from {copied['source']}"
    return "fixed on z/OS" if _FIXED.match(origin.text) else "default"


def _reference(name: str, value: Value, rows: FlowRows) -> DecidingValue | None:
    """What a name leads to, where it leads nowhere."""
    named = read_value(rows, _NAMED[name])
    if value == "resolved" or not named:
        return None
    column = find_column(_NAMED[name])
    text = f"{named} ({str(value).replace('_', ' ')})"
    return DecidingValue("WebSphere", _thing(name, rows), column.noun, text, "", find_origin(rows, _NAMED[name]))


def _commands(name: str, rows: FlowRows) -> Iterator[DecidingValue]:
    """The commands that delete or remove what would decide."""
    for place in find_commands(rows, name):
        if match := _DELETION.match(place.text):
            done = "deleted" if match["verb"] == "DELETE" else "removed"
            yield DecidingValue("MQ", match["name"], match["noun"], done, "", place)


def _steps(name: str, rows: FlowRows) -> Iterator[DecidingValue]:
    """The settings that lead to the one which decides, each of the object that has it."""
    for number in itertools.count():
        place = find_origin(rows, step(name, number))
        if place is None:
            return
        setting, value = _spelt(place, None, find_column(name))
        note = _missing_transmission_queue(name, value, rows) or _note(place)
        yield DecidingValue("MQ", _holder(step(name, number), rows), setting, value, note, place)


def _holder(name: str, rows: JudgedRows) -> str:
    """The object that has the setting of a column, where its row says so; else blank."""
    place = find_origin(rows, holder(name))
    named = _HOLDER.match(place.text) if place is not None else None
    return named["name"] if named is not None else ""


_HOLDER = re.compile(r"[A-Z]+\((?P<name>.*)\)\Z", re.DOTALL)


def _beyond(name: str, rows: FlowRows) -> Iterator[DecidingValue]:
    """What a queue at another queue manager has because of which it keeps no message."""
    alias, _, column = name.partition(".")
    target = find_row(rows, alias)
    origin = target.origins.get(beyond(column)) if isinstance(target, PutTarget) else None
    if origin is None or not isinstance(target, PutTarget):
        return
    place = resolved(origin)
    far, match = _FAR.match(target.unreachable_because or ""), _SET.match(place.text)
    if far is not None and match is not None:
        yield DecidingValue("MQ", far["place"], match["name"], match["value"], "", place)


_FAR = re.compile(r"it leads to (?P<place>\S+ at \S+), which ")
_SET = re.compile(r"(?P<name>[A-Z]+)\((?P<value>[^)]*)\)\Z")


def _computed(name: str, column: Column, value: Value, rows: FlowRows) -> DecidingValue | None:
    """A number that is counted from other settings."""
    if not column.sums or isinstance(value, str):
        return None
    words = (column.label or column.noun).rstrip(":")
    words = f"{words} that read it" if name.partition(".")[0].endswith("consumers") else words
    return DecidingValue(_product(name), _thing(name, rows), words, shown(name, value), "computed", None)


def _withheld_rights(values: Mapping[str, Value], rows: FlowRows) -> Iterator[DecidingValue]:
    """The rights that no record grants, one row a profile."""
    rights = lacking_rights(values, functools.partial(read_value, rows))
    user = str(read_value(rows, "endpoint.user") or "(a user that no export names)")
    for profile, names in rights.items():
        place = None
        if profile == read_value(rows, "queue.backout_queue") and (counts := _of_cluster_queue(rows)) is not None:
            profile, place = counts
        yield DecidingValue("MQ", profile, f"{', '.join(names)} for {user}", "not granted", "", place)


def _of_cluster_queue(rows: FlowRows) -> tuple[str, Origin] | None:
    """The profile on which rights on a cluster queue count, and where qm.ini says so; None for any other queue, and
    without qm.ini.
    """
    manager, target = rows.queue_manager, rows.backout
    if manager is None or target is None or target.type is not None or target.local_queue is not None:
        return None
    place = find_origin(rows, "queue_manager.cluster_queue_access")
    if place is None or not (target.leads_to_kind == "cluster queue" or target.may_be_in):
        return None
    return (CLUSTER_TRANSMISSION if manager.cluster_queue_access == "Xmitq" else target.name), place


def _unsettled_backout_queue(names: Iterable[str], rows: FlowRows) -> DecidingValue | None:
    """What BOQNAME says, where the user lacks rights on a queue that may not exist: the name may be misspelt."""
    name = "queue.backout_queue"
    named = lacks_unsettled_backout_queue(names, functools.partial(read_value, rows))
    row = _row(name, named, rows) if named else None
    if row is None or row.place is None:
        return None
    target = rows.backout
    is_alias = target is not None and target.type == "alias"
    return row._replace(note="TARGET not known" if is_alias else "not known to exist")


def _user(rows: FlowRows) -> DecidingValue | None:
    """Where the user of the endpoint comes from: its J2C alias or an observation, or the channel that maps it."""
    own = rows.endpoint.user == rows.user
    column = "endpoint.user" if own else "channel_access.effective_user"
    origin = find_origin(rows, column)
    if not rows.user or origin is None:
        return None
    product = "" if own and rows.endpoint.user_observed else _product(column)
    return DecidingValue(product, _thing(column, rows), "MQ user", rows.user, "", origin)


def _spelt(origin: Origin, value: Value, column: Column) -> tuple[str, str]:
    """Setting and value as the file has them."""
    text = origin.text
    if origin.default and (match := _DEFAULT.match(text) or _FIXED.match(text)):
        return _bare(match["name"]), match["value"] or "not set"
    for pattern in _SPELT:
        if match := pattern.match(text):
            written = match["value"].strip()
            written = written[1:-1].strip() if written[:1] == written[-1:] == "'" else written
            setting = _bare(match["name"])
            return _HEADERS.get(setting, setting), written or "(none)"
    return (column.mqsc or column.noun, text) if column.mqsc else (column.noun, shown(column.name, value) or "(none)")


def _bare(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _product(name: str) -> str:
    alias = name.partition(".")[0]
    relation = ALIASES[alias].relation
    return "WebSphere" if relation in CELL_RELATIONS or relation == "consumers" else "MQ"


def _thing(name: str, rows: JudgedRows) -> str:
    alias = name.partition(".")[0]
    if held_by := _holder(name, rows):
        return held_by
    row = find_row(rows, alias)
    if alias == "server":
        return str(read_value(rows, "server.name") or read_value(rows, "server.cluster") or "")
    if row is None:
        return ""
    if isinstance(row, PutTarget):
        return _on_the_way(name.partition(".")[2], row)
    keys = ("name", "channel", "topic_string", "queue")
    return next((str(value) for key in keys if (value := getattr(row, key, None))), "")


def _on_the_way(column: str, target: PutTarget) -> str:
    """The object that has a setting, where a name is that of an alias: the alias, or the queue."""
    if column == "transmission_max_bytes":
        return target.transmission_queue or target.local_queue or target.name
    return target.name if column in _OF_THE_ALIAS else target.local_queue or target.name
