"""Two audits beside each other: findings that are new, resolved or no longer to be decided, and fates that changed.

Arrow eliminates the verdicts that both audits have, without Spark and from the columns that tell verdicts apart. What
is left, and all that is about the same clusters, goes through the same matching as ``diff``.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypedDict

from lintmdb.compare.identity import Key, identify, identify_loosely
from lintmdb.compare.matching import Exports, Place, Record, State, find_missing_export, match, match_flows
from lintmdb.engine.findings import Subject
from lintmdb.fleet.audit_tables import Column, batches, pa, pc
from lintmdb.fleet.flow_headlines import parse_headline
from lintmdb.fleet.migration import bean_of, is_liberty, pair_migrated
from lintmdb.fleet.summary import NOT_WHOLE, read_summary
from lintmdb.fleet.verdict_tables import (
    Clusters,
    FindingRow,
    UndecidedRow,
    count_by,
    find_groups,
    join,
    of_groups,
    read_findings,
    read_keys,
    read_undecided,
    within,
    without,
)
from lintmdb.model.environment_names import name_in
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import severity_rank

CellRule = tuple[str, str]
"""A cell, as ``name_in`` calls it, and a rule; the cell is empty for what belongs to none."""


@dataclass(frozen=True, slots=True)
class FateChange:
    """How the stories of one flow end, before and after, in the words of their last steps."""

    cell: str
    """With its environment, as ``name_in`` calls it."""
    headline: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A finding that is not there any more and is not resolved either, and what would tell."""

    finding: FindingRow
    needs: str


class Renamed(NamedTuple):
    """A finding that stays with its flow while the queue has another name or queue manager, or the bean of the flow is
    on the other kind of server now.
    """

    before: FindingRow
    after: FindingRow


@dataclass(frozen=True, slots=True, order=True)
class Resized:
    """A cluster that both audits judge as one, with another number of members."""

    cell: str
    cluster: str
    before: int
    after: int


class Counts(TypedDict):
    """How many verdicts of a cell and a rule have changed."""

    cell: str
    rule: str
    new: int
    resolved: int
    undecided: int


@dataclass(slots=True)
class Difference:
    """What differs from an older audit to a newer one; all lists are sorted, findings worst first."""

    old: str
    new: str
    """Ids of the audits."""
    added: list[FindingRow] = field(default_factory=list[FindingRow])
    """Findings of the newer audit alone, as rows of its table."""
    resolved: list[FindingRow] = field(default_factory=list[FindingRow])
    renamed: list[Renamed] = field(default_factory=list[Renamed])
    suppressed: list[FindingRow] = field(default_factory=list[FindingRow])
    """Findings of the older audit that the newer one has, too, and leaves out."""
    fates: list[FateChange] = field(default_factory=list[FateChange])
    resized: list[Resized] = field(default_factory=list[Resized])
    unseen: list[Gone] = field(default_factory=list[Gone])
    """Findings that cannot be judged any more."""
    undecided: Counter[CellRule] = field(default_factory=Counter[CellRule])
    """How many other verdicts are undecided now and were not before."""
    needs: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """The same by what would settle them: the need in words, and the command that gives it."""
    quarantined: list[str] = field(default_factory=list[str])
    """Paths that can no longer be read."""
    not_whole: list[str] = field(default_factory=list[str])
    """What else was not read or not understood, and was before: places and words."""
    guessed: list[str] = field(default_factory=list[str])
    """Queue managers whose names are guessed now."""
    unchanged: int = 0
    """How many findings are in both; renamed ones are."""

    def by_cell_and_rule(self) -> list[Counts]:
        """Counts of new, resolved and newly undecided verdicts, one entry a cell and rule."""
        counts: dict[CellRule, Counter[str]] = {}
        for name, findings in (
            ("new", self.added),
            ("resolved", self.resolved),
            ("undecided", [entry.finding for entry in self.unseen]),
        ):
            for row in findings:
                counts.setdefault((_cell(row), row["rule"]), Counter())[name] += 1
        for key, count in self.undecided.items():
            counts.setdefault(key, Counter())["undecided"] += count
        return [
            {
                "cell": cell,
                "rule": rule,
                "new": each["new"],
                "resolved": each["resolved"],
                "undecided": each["undecided"],
            }
            for (cell, rule), each in sorted(counts.items())
        ]


def _cell(row: FindingRow | UndecidedRow) -> str:
    return name_in(row["environment"], row["cell"] or "")


def compare_audits(old: Path, new: Path) -> Difference:
    """What differs from one audit folder to another. Raises LintmdbError for a table that cannot be read."""
    difference = Difference(old.name, new.name)
    before, after = _Audit(old), _Audit(new)
    _compare_verdicts(before, after, difference)
    _compare_flows(before, after, difference)
    difference.quarantined = sorted(after.quarantined - before.quarantined)
    known = before.not_whole
    difference.not_whole = sorted(
        f"{place}: {key[-1]}" for key, places in after.not_whole.items() for place in places[len(known.get(key, ())) :]
    )
    difference.guessed = sorted(after.guessed - before.guessed)
    return difference


_Export = tuple[str, Place]
"""The kind of an export, and the cell or queue manager."""


class _Audit:
    """The keys of an audit's verdicts, and what its tables say besides."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clusters: Clusters = {}
        self.findings = read_keys(folder, "findings", self.clusters)
        self.suppressed = read_keys(folder, "suppressed", self.clusters)
        self.undecided = read_keys(folder, "undecided", self.clusters)

    @cached_property
    def inventory(self) -> dict[str, set[_Export]]:
        """The cells and queue managers by the path that they were read from."""
        found: dict[str, set[_Export]] = {}
        names = ("path", "kind", "name", "environment")
        for path, kind, name, environment in _read_texts(self.folder, "inventory", names):
            if name:
                found.setdefault(path, set()).add((kind, Place(environment or None, name)))
        return found

    @cached_property
    def exports(self) -> Exports:
        """The names of its cells and queue managers. An export without a name could be any of thousands: it is none."""
        known = {export for exports in self.inventory.values() for export in exports}
        return Exports(
            {place for kind, place in known if kind == "cell"},
            {place for kind, place in known if kind == "queue_manager"},
        )

    @cached_property
    def told(self) -> Told:
        """The stories that it tells of flows."""
        return _read_endings(self.folder)

    @cached_property
    def quarantined(self) -> set[str]:
        """The paths that could not be read."""
        return {path for (path,) in _read_texts(self.folder, "quarantine", ("path",))}

    @cached_property
    def not_whole(self) -> dict[tuple[str, ...], list[str]]:
        """The places of what was not read or not understood, by its kind, environment and words."""
        found: dict[tuple[str, ...], list[str]] = {}
        for kind, environment, text, path in _read_texts(
            self.folder, "notices", ("kind", "environment", "text", "path")
        ):
            if kind in NOT_WHOLE:
                found.setdefault((kind, environment, text), []).append(path)
        return found

    @cached_property
    def guessed(self) -> set[str]:
        """The queue managers with guessed names."""
        return set(read_summary(self.folder).get("guessed_names", ()))

    @cached_property
    def clear(self) -> set[CellRule]:
        """The cells and rules that have a clear verdict."""
        return {
            (name_in(environment, cell or ""), rule)
            for batch in batches(self.folder, "summary", _SUMMARY)
            for cell, environment, rule, clear in zip(*(batch[name].to_pylist() for name in _SUMMARY), strict=True)
            if clear
        }


_SUMMARY = ("cell", "environment", "rule", "clear")


def _read_texts(folder: Path, table: str, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for batch in batches(folder, table, names):
        columns = [[text or "" for text in batch[name].to_pylist()] for name in names]
        yield from zip(*columns, strict=True)


# -- verdicts


def _compare_verdicts(before: _Audit, after: _Audit, difference: Difference) -> None:
    added, gone = without(after.findings, before.findings), without(before.findings, after.findings)
    hidden = without(after.suppressed, before.suppressed)
    left = without(without(before.suppressed, after.suppressed), after.findings)
    opened = without(without(without(after.undecided, before.undecided), before.findings), before.suppressed)
    # An undecided verdict about a cluster is matched only where the older audit says something about that cluster.
    known = find_groups(before.findings, before.suppressed, before.undecided)
    about_known = of_groups(opened, known)
    groups = find_groups(added, gone, hidden, left, about_known)
    findings = read_findings(before.folder, "findings", gone, groups)
    undecided = read_undecided(before.folder, added, groups)
    left_out = read_findings(before.folder, "suppressed", left, groups)
    in_part = _find_clusters_in_part([*findings, *left_out], before)
    old = _build_state(before, findings, left_out, undecided, in_part)
    new = _build_state(
        after,
        read_findings(after.folder, "findings", added, groups),
        read_findings(after.folder, "suppressed", hidden, groups),
        read_undecided(after.folder, join(about_known, within(after.undecided, join(gone, left))), None),
    )
    matching = match(old, new, _Missing(before, after).for_finding)
    migrated = pair_migrated(matching, after.told, after.exports.cells)
    difference.added = sorted(
        (entry.record.source for entry in matching.new if not entry.record.suppressed), key=_order
    )
    difference.resolved = sorted((record.source for record in matching.resolved), key=_order)
    difference.suppressed = sorted((record.source for record in matching.left_out), key=_order)
    difference.unseen = [Gone(record.source, needs) for record, needs in matching.lost]
    difference.unseen.sort(key=lambda entry: _order(entry.finding))
    difference.renamed = [Renamed(old.source, new.source) for old, new in matching.renamed]
    difference.renamed += (Renamed(old, new) for old, new in migrated)
    difference.renamed.sort(key=lambda pair: _order(pair.after))
    difference.unchanged = after.findings.num_rows - len(difference.added)
    alone = of_groups(opened, known, outside=True)
    for (environment, cell, rule), count in count_by(alone, "environment", "cell", "rule"):
        difference.undecided[name_in(environment, cell), rule] += count
    for (needs, command), count in count_by(alone, "needs", "need_command"):
        difference.needs[needs, command] += count
    for record, _ in matching.opened:
        row = record.source
        difference.undecided[_cell(row), row["rule"]] += 1
        difference.needs[row["needs"], row["need_command"] or ""] += 1


def _order(row: FindingRow) -> tuple[int, str, str, tuple[str, ...]]:
    """Worst first, then by rule, cell and subject."""
    subject = tuple([str(part or "") for part in row["subject"].values()])
    return severity_rank(row["severity"]), row["rule"], row["cell"] or "", subject


def _build_state(
    audit: _Audit,
    findings: Iterable[FindingRow],
    suppressed: Iterable[FindingRow],
    undecided: Iterable[UndecidedRow],
    members_without: AbstractSet[Key] = frozenset(),
) -> State[FindingRow, UndecidedRow]:
    hazards = [_record_finding(row, audit.clusters, suppressed=False) for row in findings]
    hazards += [_record_finding(row, audit.clusters, suppressed=True) for row in suppressed]
    hazards.sort(key=lambda record: record.order)
    return State(hazards, map(_record_undecided, undecided), members_without=members_without)


def _record_finding(row: FindingRow, clusters: Clusters, *, suppressed: bool) -> Record[FindingRow]:
    subject = Subject(**row["subject"])
    reader: Key = (row["fingerprint"],)
    if row["headline"]:
        reader = identify_loosely(parse_headline(row["headline"], row["cell"], clusters, row["environment"]).subject)
    return Record(
        rule=row["rule"],
        severity=row["severity"],
        subject=subject,
        identity=identify(subject),
        source=row,
        reader=reader,
        suppressed=suppressed,
    )


def _record_undecided(row: UndecidedRow) -> Record[UndecidedRow]:
    subject = Subject(**row["subject"])
    return Record(
        rule=row["rule"],
        severity=row["severity"],
        subject=subject,
        identity=identify(subject),
        source=row,
        needs=row["needs"],
    )


def _find_clusters_in_part(hazards: Iterable[FindingRow], audit: _Audit) -> set[Key]:
    """The rules and clusters of which some members have a hazard and another one, it seems, is clear.

    Tables do not hold clear verdicts one by one. A member is taken to be clear of a rule if the audit has any verdict
    about that member, and the rule has a clear verdict anywhere in the cell.
    """
    members: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for (cell, node, server), cluster in audit.clusters.items():
        members.setdefault((cell, cluster), set()).add((node, server))
    having: dict[Key, set[tuple[str, str]]] = {}
    clusters: dict[Key, tuple[str, str]] = {}
    for row in hazards:
        subject = Subject(**row["subject"])
        if subject.is_member and (_cell(row), row["rule"]) in audit.clear:
            key = (row["rule"], *identify_loosely(subject))
            having.setdefault(key, set()).add((subject.node or "", subject.server or ""))
            clusters[key] = (name_in(subject.environment, subject.cell or ""), subject.cluster or "")
    return {key for key, known in having.items() if members[clusters[key]] - known}


class _Missing:
    """What the newer audit lacks of the exports of the older one."""

    def __init__(self, before: _Audit, after: _Audit) -> None:
        self._before, self._after = before.exports, after.exports
        self._broken = [
            (path, {owner for above in _find_folders(path) for owner in before.inventory.get(above, ())})
            for path in sorted(after.quarantined - before.quarantined)
        ]

    def for_finding(self, record: Record[FindingRow]) -> str | None:
        """What would have to be given to judge a finding; None where it is resolved."""
        row, subject = record.source, record.subject
        if subject.kind == "export":
            return None
        cell, manager = row["cell"] or subject.cell, subject.queue_manager or row["queue_manager"]
        own, at = Place(row["environment"], cell), Place(row["environment"], manager)
        concerned = {("cell", own), ("queue_manager", at)}
        around = _find_folders(row["location"]["path"]) if row["location"] and self._broken else ()
        broken = (path for path, owners in self._broken if owners & concerned or path in around)
        given = own if self._before.has_cell(own) else own._replace(name=None)
        return find_missing_export(given, at, self._before, self._after, broken)


def _find_folders(path: str) -> set[str]:
    """A path, the folders above it, and the archives that it lies in, each as exports name it."""
    ends = [match.start() for match in re.finditer("/", path)]
    return {path, *(path[:end] for end in ends), *(path[:end].removesuffix("!") for end in ends)}


# -- fates


Endings = dict[tuple[str, str], str]
"""How stories end, to be compared and in words: by what is delivered, and by event, or by the whole text where it names
a place.
"""
_Told = tuple[str, str, str]
"""Environment, cell and headline of a flow."""
Told = dict[_Told, Endings]
"""The ends of the stories that an audit tells of flows; a flow without a story has none."""


class _Flow(NamedTuple):
    """A flow of which an audit tells a story."""

    subject: Subject
    cell: str
    headline: str
    endings: Endings


def _compare_flows(before: _Audit, after: _Audit, difference: Difference) -> None:
    """Flows that have a story in both audits, and whose stories end otherwise; clusters that have grown or shrunk."""
    old_told, new_told = before.told, after.told
    same = {key for key, endings in old_told.items() if key in new_told and endings.keys() == new_told[key].keys()}
    old, old_sizes = _find_flows(old_told, same, before.clusters)
    new, new_sizes = _find_flows(new_told, same, after.clusters)
    changes = _find_fate_changes(old, new, after.exports.cells)
    difference.fates = sorted(changes, key=lambda change: (change.cell, change.headline))
    difference.resized = sorted(
        Resized(*cluster, old_sizes[cluster], size)
        for cluster, size in new_sizes.items()
        if old_sizes.get(cluster, size) != size
    )


def _cell_of(flow: _Flow) -> Place:
    return Place(flow.subject.environment, flow.subject.cell)


def _bean_of(flow: _Flow) -> Key | None:
    return bean_of(flow.headline, flow.subject.environment)


def _find_fate_changes(old: Sequence[_Flow], new: Sequence[_Flow], cells: Collection[Place]) -> Iterator[FateChange]:
    """``cells`` are those of the newer audit."""
    in_cluster: dict[Key, set[tuple[str, str]]] = {}
    for flow in new:
        in_cluster.setdefault(identify_loosely(flow.subject), set()).update(flow.endings)
    matching = match_flows(old, new, lambda flow: flow.subject)
    left = [flow for flow in matching.gone if flow.subject.cell and _cell_of(flow) not in cells]
    for flow, counterparts in matching.pairs:
        if not counterparts:
            bean, here = _bean_of(flow), is_liberty(flow.cell)
            counterparts = [each for each in left if bean and _bean_of(each) == bean and is_liberty(each.cell) != here]
        if not counterparts:
            continue
        former = {key: text for one in counterparts for key, text in one.endings.items()}
        former, endings = _comparable(former, flow.endings)
        if all(one.subject != flow.subject for one in counterparts):
            # A finding that several flows share has the trace of only one of them, so a member may lack some.
            # What no member has any more is said of the first.
            now = in_cluster[identify_loosely(flow.subject)]
            lost = former.keys() - now
            now |= lost
        else:
            lost = former.keys() - endings.keys()
        if changed := {situation for situation, _ in lost | (endings.keys() - former.keys())}:
            yield FateChange(flow.cell, flow.headline, _in_order(former, changed), _in_order(endings, changed))


def _comparable(former: Endings, endings: Endings) -> tuple[Endings, Endings]:
    """The ends of stories about the same messages: what becomes of two says nothing of what becomes of one."""
    shared = {situation for situation, _ in former} & {situation for situation, _ in endings}

    def kept(each: Endings) -> Endings:
        return {key: text for key, text in each.items() if key[0] in shared}

    return kept(former), kept(endings)


def _in_order(endings: Endings, situations: Collection[str]) -> tuple[str, ...]:
    return tuple(text for (situation, _), text in sorted(endings.items()) if situation in situations)


def _find_flows(
    told: Told, same: AbstractSet[_Told], clusters: Clusters
) -> tuple[list[_Flow], dict[tuple[str, str], int]]:
    """The flows with a story, but for those that are the ``same`` in both audits, and the sizes of their clusters."""
    flows: dict[Subject, _Flow] = {}
    sizes: dict[tuple[str, str], int] = {}
    for (environment, cell, headline), endings in told.items():
        if (environment, cell, headline) in same:
            continue
        subject, members = parse_headline(headline, cell, clusters, environment or None)
        shown = name_in(environment, cell)
        if members and subject.cluster:
            sizes[shown, subject.cluster] = members
        if endings:
            flow = flows.setdefault(subject, _Flow(subject, shown, headline, {}))
            flow.endings.update({**endings, **flow.endings})
    return sorted(flows.values(), key=lambda flow: flow.subject.identity()), sizes


def _read_endings(folder: Path) -> Told:
    told: Told = {}
    situations = _situations()
    names = ["rule", "environment", "cell", "headline", "trace"]
    for batch in (batch for table in ("findings", "suppressed") for batch in batches(folder, table, names)):
        ends = _last_steps(batch["trace"])
        columns = [
            batch["rule"],
            batch["environment"],
            batch["cell"],
            batch["headline"],
            pc.struct_field(ends, "event"),
            pc.struct_field(ends, "text"),
        ]
        for rule, environment, cell, headline, event, text in zip(*(each.to_pylist() for each in columns), strict=True):
            if headline:
                endings = told.setdefault((environment or "", cell or "", headline), {})
                if event is not None:
                    end = text if event.startswith("moved") else event
                    endings.setdefault((situations.get(rule, rule), end), text)
    return told


@functools.cache
def _situations() -> Mapping[str, str]:
    """What is delivered in the stories of each built-in rule; of others nothing is known."""
    workloads = {rule.id: rule.predicts.shows[0].workload for rule in load_rules() if rule.predicts is not None}
    return {rule: "one message" if name in _ONE_MESSAGE else name for rule, name in workloads.items()}


_ONE_MESSAGE = ("poison", "poison_alone", "poison_restarted")
"""Workloads of a single poison message: what an operator or the next message does differs."""


def _last_steps(traces: Column) -> object:
    """The last step of each trace, as a struct; NULL where there is none."""
    whole = pa.chunked_array([traces.combine_chunks()]).chunk(0)
    lengths = pc.fill_null(pc.list_value_length(whole), 0)
    ends = pc.subtract(whole.offsets.slice(1), 1)
    return whole.values.take(pc.if_else(pc.greater(lengths, 0), ends, pa.scalar(None, ends.type)))
