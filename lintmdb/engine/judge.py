"""Judging: every rule on every flow, binding and problem; verdicts to findings.

Rows and verdicts come from SQLite; messages, places and fixes are added here, to hazards alone.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lintmdb.engine.findings import Finding, FlowHead, Judgement, Subject, Undecided
from lintmdb.engine.flow_rows import COMPUTED, value_of
from lintmdb.engine.missing_inputs import need_of
from lintmdb.engine.tables import CONSUMER_ALIASES, CONSUMER_COLUMNS, FLOW_ALIASES, judge_rows, open_tables
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Located, Origin
from lintmdb.model.relations import ALIASES, Consumers
from lintmdb.rules.rule import Rule, severity_rank
from lintmdb.rules.verdicts import Verdict

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\.([a-z_]+)\}")
_IDENTITY = frozenset({"endpoint.kind", "endpoint.provider", "endpoint.destination_type", "queue.type"})
"""Columns that say which flows a rule is about; their places explain nothing."""
_NON_ASF = frozenset(
    {"endpoint.non_asf_timeout_ms", "endpoint.non_asf_rollback_enabled", "endpoint.non_asf_bmt_rollback_enabled"}
    | {"server.platform"}
)


_CLEAR, _HAZARD = int(Verdict.CLEAR), int(Verdict.HAZARD)


def judge(facts: Facts, rules: Sequence[Rule]) -> Judgement:
    """All verdicts of ``rules`` on ``facts``, sorted and independent of the order of rows."""
    connection = open_tables(facts)
    judgement = Judgement(endpoints=len(facts.rows["endpoint"]), rules=tuple(sorted(rules, key=lambda rule: rule.id)))
    try:
        for base in ("flow", "binding", "problem"):
            chosen = [rule for rule in rules if rule.base == base]
            if chosen or base == "flow":
                _judge_base(connection, base, chosen, facts, judgement)
    finally:
        connection.close()
    judgement.findings.sort(key=_finding_order)
    judgement.undecided.sort(key=lambda u: (u.rule.id, _subject_order(u.subject)))
    return judgement


def _finding_order(finding: Finding) -> tuple[Any, ...]:
    return (_subject_order(finding.subject), severity_rank(finding.rule.severity), finding.rule.id)


def _subject_order(subject: Subject) -> tuple[str, ...]:
    place = (subject.cell or "", subject.cluster or "", subject.node or "", subject.server or "")
    return place + subject.identity()


def _judge_base(connection: Any, base: str, rules: Sequence[Rule], facts: Facts, judgement: Judgement) -> None:
    flow_tables = [(alias, facts.rows[ALIASES[alias]]) for alias in FLOW_ALIASES]
    computed = len(FLOW_ALIASES) + len(CONSUMER_ALIASES) * len(CONSUMER_COLUMNS)
    width = computed + len(COMPUTED) if base == "flow" else 1
    levels = [_Level(name, rules, width) for name in dict.fromkeys(rule.subject for rule in rules)]
    for result in judge_rows(connection, base, rules):
        rows: dict[str, Any] = {}
        flow: int | None = None
        head: FlowHead | None = None
        if base == "flow":
            rows = {
                alias: table[row_id - 1] if row_id is not None else None
                for (alias, table), row_id in zip(flow_tables, result, strict=False)
            }
            for number, alias in enumerate(CONSUMER_ALIASES):
                start = len(FLOW_ALIASES) + number * len(CONSUMER_COLUMNS)
                reading = dict(zip(CONSUMER_COLUMNS, result[start:computed], strict=False))
                rows[alias] = Consumers(**reading) if reading["queue"] is not None else None
            rows.update(zip(COMPUTED, result[computed:width], strict=True))
            flow = len(judgement.flows)
            head = flow_head(rows)
            judgement.flows.append(head)
        else:
            rows[base] = facts.rows[base][result[0] - 1]
        for level in levels:
            verdicts = level.of(result)
            if any(verdicts):
                whole = head.subject if head is not None and level.name == "flow" else subject_of(level.name, rows)
                level.add(whole, verdicts, (rows, flow))
    for level in levels:
        for subject, verdicts in level.strongest.items():
            judgement.judged.append((subject, level.rules, tuple(verdicts)))
            judgement.clear += verdicts.count(_CLEAR)
            for number, verdict in enumerate(verdicts):
                if verdict > _CLEAR:
                    rule, (rows, flow) = level.rules[number], level.first[subject, number]
                    if verdict == _HAZARD:
                        flows = level.hazards[subject, number]
                        judgement.findings.append(finding_of(rule, subject, rows, flow, flows))
                    else:
                        judgement.undecided.append(undecided_of(rule, subject, rows, flow))


class _Level:
    """The rules about one kind of subject, and the strongest verdict of each on every subject so far.

    Nearly all verdicts are clear or say nothing: they stay together, a row of numbers for each subject.
    """

    def __init__(self, name: str, rules: Sequence[Rule], width: int) -> None:
        self.name = name
        positions = [position for position, rule in enumerate(rules) if rule.subject == name]
        self.rules = tuple([rules[position] for position in positions])
        self.strongest: dict[Subject, Sequence[int]] = {}
        self.first: dict[tuple[Subject, int], tuple[dict[str, Any], int | None]] = {}
        """The rows, and the number of their flow, that show a verdict first which is not clear."""
        self.hazards: dict[tuple[Subject, int], int] = {}
        """How many flows show a hazard."""
        pick = operator.itemgetter(*(width + position for position in positions))
        self.of: Callable[[tuple[Any, ...]], tuple[int, ...]] = (
            pick if len(positions) > 1 else lambda result: (pick(result),)
        )
        """The verdicts of these rules in a row of ``judge_rows``."""

    def add(self, subject: Subject, verdicts: tuple[int, ...], seen: tuple[dict[str, Any], int | None]) -> None:
        """Take in the verdicts of one row."""
        known = self.strongest.get(subject)
        stronger = verdicts if known is None else tuple(map(max, known, verdicts))
        self.strongest[subject] = stronger
        if max(verdicts) <= _CLEAR:
            return
        for number, verdict in enumerate(verdicts):
            if verdict == _HAZARD:
                self.hazards[subject, number] = self.hazards.get((subject, number), 0) + 1
            if verdict > _CLEAR and (known is None or verdict > known[number]):
                self.first[subject, number] = seen


def flow_head(rows: Mapping[str, Any]) -> FlowHead:
    """What identifies the flow of these rows to a reader."""
    endpoint, server = rows["endpoint"], rows["server"]
    members = server.member_count if server else None
    return FlowHead(subject_of("flow", rows), members, endpoint.origins.get("name"), endpoint.topic, rows)


def subject_of(level: str, rows: Mapping[str, Any]) -> Subject:
    """What a rule of the given subject level is about in this row."""
    if level == "export":
        problem = rows["problem"]
        detail = problem.object or problem.text
        return Subject("export", problem.path, problem.cell, queue_manager=problem.queue_manager, detail=detail)
    if "binding" in rows:
        b = rows["binding"]
        return Subject("bean", b.bean, b.cell, b.cluster, b.node, b.server, b.application, b.module, b.bean)
    endpoint, bean, queue, server = rows["endpoint"], rows["bean"], rows["queue"], rows["server"]
    name = queue.name if queue else endpoint.queue
    if level == "queue" and endpoint.queue_manager and name:
        return Subject("queue", name, queue_manager=endpoint.queue_manager, queue=name)
    if level == "queue_manager" and endpoint.queue_manager:
        return Subject("queue_manager", endpoint.queue_manager, queue_manager=endpoint.queue_manager)
    if level == "destination" and rows["destination"] is not None:
        destination = rows["destination"]
        return Subject("destination", destination.name, destination.cell, bus=destination.bus)
    if level == "server" and server is not None:
        if server.node is None and server.cluster is not None:
            return Subject("cluster", server.cluster, server.cell, server.cluster)
        return Subject("server", server.name, server.cell, server.cluster, server.node, server.name)
    named = bean if level in ("flow", "bean") else None
    return Subject(
        kind=endpoint.kind,
        name=endpoint.name,
        cell=endpoint.cell,
        cluster=endpoint.cluster,
        node=endpoint.node,
        server=endpoint.server,
        application=named.application if named else None,
        module=named.module if named else None,
        bean=named.name if named else None,
        queue_manager=endpoint.queue_manager,
        queue=name,
    )


def undecided_of(rule: Rule, subject: Subject, rows: Mapping[str, Any], flow: int | None) -> Undecided:
    """The undecided verdict of a rule on a subject, from the rows that show it first."""
    missing = tuple([name for name in _deciding(rule, rows) if value_of(name, rows) is None])
    missing = missing or tuple([name for name in rule.columns if value_of(name, rows) is None])
    return Undecided(rule, subject, missing, need_of(missing, rows, subject), flow)


def finding_of(rule: Rule, subject: Subject, rows: Mapping[str, Any], flow: int | None, flows: int) -> Finding:
    """The hazard of a rule on a subject, from the rows that show it first; ``flows`` share it."""
    deciding = _deciding(rule, rows)
    values = {name: value for name in deciding if (value := value_of(name, rows)) is not None}
    places = _places(deciding, rows)
    location = next((place for place in places if not place.default), places[0] if places else None)
    return Finding(
        rule=rule,
        subject=subject,
        message=fill(rule.message, rows),
        fix=fill(rule.fix, rows, quoting=True),
        values=values,
        location=location,
        related=tuple([place for place in places if place is not location]),
        flow=flow,
        flows=flows,
        rows=rows,
    )


def _deciding(rule: Rule, rows: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of a rule that decide on the rows of a flow."""
    endpoint, bean = rows.get("endpoint"), rows.get("bean")
    return _deciding_columns(
        rule.columns,
        rule.hazard.columns,
        endpoint.kind if endpoint is not None else None,
        endpoint is not None and endpoint.non_asf_timeout_ms == 0,
        bean.transaction if bean is not None else None,
    )


@functools.lru_cache(maxsize=4096)  # a rule has a handful of answers, and is asked for every flow
def _deciding_columns(
    columns: tuple[str, ...], hazard: tuple[str, ...], kind: str | None, asf: bool, transaction: str | None
) -> tuple[str, ...]:
    """What non-ASF mode depends on does not decide where no receive has a timeout (``asf``), a switch of listener ports
    does not for activation specifications, nor the other way round.
    """
    void: set[str] = set()
    if asf and "endpoint.non_asf_timeout_ms" in columns:
        void |= _NON_ASF
    if kind == "listener_port":
        void.add("endpoint.non_asf_rollback_enabled")
    elif kind == "activation_spec":
        void.add("endpoint.non_asf_bmt_rollback_enabled")
    if "endpoint.non_asf_bmt_rollback_enabled" in void & set(columns):
        void.add("bean.transaction")  # read only for the sake of that switch
    if transaction in ("required", "not_supported"):
        void.add("endpoint.non_asf_bmt_rollback_enabled")
    return tuple(name for name in columns if name in hazard or name not in void)


def _places(deciding: Sequence[str], rows: Mapping[str, Any]) -> list[Origin]:
    """Where the values that decide stand, those of the hazard first; a finding about MQ alone adds who consumes the
    queue.
    """
    problem = rows.get("problem")
    if problem is not None:
        return [Origin(problem.path, problem.line, problem.column, problem.text)]
    places: dict[Origin, None] = {}
    aliases: set[str] = set()
    for name in deciding:
        alias, _, column = name.partition(".")
        row = rows.get(alias)
        origin = row.origins.get(column) if row is not None and name not in _IDENTITY else None
        if origin is not None:
            places[_settled(origin)] = None
            aliases.add(alias)
    if not aliases & {"endpoint", "server", "bean", "binding", "destination"}:
        _add_definition(places, rows.get("endpoint"))
    return list(places)


def _add_definition(places: dict[Origin, None], row: Any) -> None:
    origin = row.origins.get("name") if row is not None else None
    if origin is not None:
        places[_settled(origin)] = None


def _settled(origin: Located) -> Origin:
    return origin if isinstance(origin, Origin) else origin.resolve()


def fill(template: str, rows: Mapping[str, Any], *, quoting: bool = False) -> str:
    """A rule's text with its ``{alias.column}`` filled in; ``quoting`` doubles single quotes for MQSC and Jython."""
    pieces: list[str] = []
    for literal, name, column in _pieces(template):
        pieces.append(literal)
        if name:
            text = shown(column, value_of(name, rows))
            pieces.append(text.replace("'", "''") if quoting else text)
    text = "".join(pieces)
    return _NEW_QUEUE.sub(_shortened, text) if quoting else text


_NEW_QUEUE = re.compile(r"'([^'\n]+)\.(BACKOUT|POISON)'")
_LONGEST_QUEUE_NAME = 48


def _shortened(name: re.Match[str]) -> str:
    """A name that a fix makes up from a queue's, no longer than MQ allows."""
    queue, ending = name.groups()
    return f"'{queue[: _LONGEST_QUEUE_NAME - len(ending) - 1]}.{ending}'"


@functools.lru_cache(maxsize=1024)  # a few texts a rule, each filled in for many findings
def _pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """A text as pieces: what stands in front of each placeholder, its ``alias.column``, and the column alone."""
    pieces: list[tuple[str, str, str]] = []
    position = 0
    for match in _PLACEHOLDER.finditer(template):
        pieces.append((template[position : match.start()], f"{match.group(1)}.{match.group(2)}", match.group(2)))
        position = match.end()
    return (*pieces, (template[position:], "", ""))


def shown(column: str, value: Any) -> str:
    """A value as people read it: times in seconds or milliseconds, booleans in words."""
    if value is None:
        return "(unknown)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and column.endswith("_ms"):
        return f"{value // 1000} s" if value >= 1000 and value % 1000 == 0 else f"{value} ms"
    return str(value)
