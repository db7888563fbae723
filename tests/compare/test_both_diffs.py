"""diff and fleet diff: one matching, so what one says of two states of an estate the other says of their audits."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lintmdb.compare.estates import Side, compare
from lintmdb.compare.identity import identify, identify_loosely
from lintmdb.engine.findings import Judgement, Subject, Suppressed
from lintmdb.engine.judge import judge
from lintmdb.report.subjects import headline
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_estate
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder

if importlib.util.find_spec("pyarrow") is None:
    pytest.skip("the fleet needs pyarrow", allow_module_level=True)

from lintmdb.fleet.difference import compare_audits
from lintmdb.fleet.difference_report import difference_json, difference_lines
from lintmdb.fleet.flow_headlines import parse_headline
from lintmdb.fleet.verdict_tables import FindingRow, read_keys
from tests.support.synthetic_audit import finding, write_audit, write_judged_audit

Verdict = tuple[str, Subject]


class Changes(NamedTuple):
    """What both comparisons say, in terms of rules and subjects."""

    new: set[Verdict]
    resolved: set[Verdict]
    renamed: set[tuple[str, Subject, Subject]]
    lost: set[tuple[str, Subject, str]]
    """Findings that cannot be judged any more, and what is needed."""
    opened: Counter[str]
    """Other newly undecided verdicts by what is needed."""
    unchanged: int


@dataclass
class States:
    """A scenario before and after a change."""

    folder: Path
    fixture: str
    leave_out: Callable[[Judgement], None] | None = None
    """What a configuration leaves out afterwards."""

    def __post_init__(self) -> None:
        for side in ("before", "after"):
            shutil.copytree(scenario_folder(self.fixture), self.folder / side)

    def edit(self, old: str, new: str, *names: str) -> None:
        """Replace text, after the change, in files whose path ends in one of the names."""
        files = [file for file in sorted((self.folder / "after").rglob("*")) if file.is_file()]
        found = [file for file in files if file.as_posix().endswith(names) and old in file.read_text()]
        assert found, (old, names)
        for file in found:
            file.write_text(file.read_text().replace(old, new))

    def remove(self, place: str) -> None:
        """Remove a folder after the change."""
        shutil.rmtree(self.folder / "after" / place)

    def add_member(self, old: str = "", new: str = "") -> None:
        """A third member of cluster Shop on a node of its own, like the second but for a setting of its server."""
        cell = self.folder / "after" / "was" / "cells" / "C1"
        node = cell / "nodes" / "node3"
        shutil.copytree(cell / "nodes" / "node2", node)
        (node / "servers" / "shop2").rename(node / "servers" / "shop3")
        for file in node.rglob("*.*"):
            if file.is_file():
                file.write_text(file.read_text().replace("shop2", "shop3").replace("node2", "node3"))
        cluster = cell / "clusters" / "Shop" / "cluster.xml"
        text = cluster.read_text()
        member = text[text.rindex("  <members") : text.index("</topology")]
        cluster.write_text(
            text.replace(
                member, member + member.replace("shop2", "shop3").replace("node2", "node3").replace("0923", "0924")
            )
        )
        if old:
            self.edit(old, new, "shop3/server.xml")

    def turn_round(self) -> None:
        """Take the change back: what was after is before."""
        (self.folder / "after").rename(self.folder / "other")
        (self.folder / "before").rename(self.folder / "after")
        (self.folder / "other").rename(self.folder / "before")


class Both(NamedTuple):
    """What the comparison of estates says, and that of audits, with the flows that have another fate."""

    estates: Changes
    audits: Changes
    fates: set[str]
    audit_fates: set[str]


def compare_both(states: States, monkeypatch: pytest.MonkeyPatch) -> Both:
    """Judge both states, and compare them as estates and as audits. Exports have the same paths on both sides."""
    sides: list[Side] = []
    audits: list[Path] = []
    for name in ("before", "after"):
        monkeypatch.chdir(states.folder / name)
        inputs = [Path(each) for each in ("was", "mq") if Path(each).exists()]
        estate = read_estate(inputs, read_observations(None, "15s"))
        judgement = judge(estate.facts, RULES)
        if name == "after" and states.leave_out is not None:
            states.leave_out(judgement)
        sides.append(Side(estate, judgement, [path.as_posix() for path in inputs]))
        audits.append(write_judged_audit(states.folder / "audits" / name, judgement, estate))
    found = compare(*sides)
    estates = Changes(
        new={(entry.finding.rule.id, entry.finding.subject) for entry in found.new},
        resolved={(finding.rule.id, finding.subject) for finding in found.resolved},
        renamed={(before.rule.id, before.subject, after.subject) for before, after in found.moved},
        lost={(entry.rule.id, entry.subject, entry.needs) for entry in found.undecided if entry.before == "hazard"},
        opened=Counter(entry.needs for entry in found.undecided if entry.before != "hazard"),
        unchanged=found.unchanged + len(found.moved),
    )
    difference = compare_audits(*audits)
    hidden = {entry.finding.fingerprint for entry in sides[1].judgement.suppressed}
    opened: Counter[str] = Counter()
    for (needs, _), count in difference.needs.items():
        opened[needs] += count
    audited = Changes(
        new=_verdicts(difference.added),
        resolved=_verdicts(difference.resolved),
        renamed={
            (after["rule"], Subject(**before["subject"]), Subject(**after["subject"]))
            for before, after in difference.renamed
        },
        lost={(entry.finding["rule"], Subject(**entry.finding["subject"]), entry.needs) for entry in difference.unseen},
        opened=opened,
        unchanged=difference.unchanged
        + len(difference.suppressed)
        + sum(pair.after["fingerprint"] in hidden for pair in difference.renamed),
    )
    fates = {headline(change.head) for change in found.fates}
    return Both(estates, audited, fates, {change.headline for change in difference.fates})


def _verdicts(rows: list[FindingRow]) -> set[Verdict]:
    return {(row["rule"], Subject(**row["subject"])) for row in rows}


def nothing(states: States) -> None:
    """No change."""


def backout_stops(states: States) -> None:
    """MQ no longer moves the poison message."""
    states.edit("BOTHRESH(3)", "BOTHRESH(0)", ".mqsc")


def backout_starts(states: States) -> None:
    """An endpoint that stopped before the threshold was reached."""
    states.edit("BOTHRESH(5)", "BOTHRESH(0)", ".mqsc")


def queue_is_renamed(states: States) -> None:
    """Another name in MQ and in WebSphere."""
    states.edit("ORDERS.IN", "ORDERS.SHOP", ".mqsc", "resources.xml")


def queue_is_renamed_in_mq_alone(states: States) -> None:
    """WebSphere still names the old queue."""
    states.edit("ORDERS.IN", "ORDERS.SHOP", ".mqsc")


def queue_moves(states: States) -> None:
    """The queue, and all that reads it, goes to another queue manager."""
    states.edit("QM1", "QM2", ".mqsc", "resources.xml")


def member_is_added(states: States) -> None:
    """A member like the others."""
    states.add_member()


def differing_member_is_added(states: States) -> None:
    """A member with another transaction timeout, so that the cluster is no longer judged as one."""
    states.add_member('totalTranLifetimeTimeout="120"', 'totalTranLifetimeTimeout="0"')


def members_come_to_agree(states: States) -> None:
    """One member of two had a finding; now the cluster is judged as one, and has it."""
    states.edit('maxRetries="4"', 'maxRetries="2"', "shop1/server.xml")


def members_agree_and_one_more(states: States) -> None:
    """The same, and a third member."""
    states.add_member()
    members_come_to_agree(states)


def endpoint_comes_to_stop(states: States) -> None:
    """A message that came back for ever now stops the endpoint."""
    states.edit("IfDeliveryFails=&quot;false", "IfDeliveryFails=&quot;true", "servers/server1/resources.xml")


def mq_is_missing(states: States) -> None:
    """The queue manager is no longer exported."""
    states.remove("mq")


def cell_is_missing(states: States) -> None:
    """One of two cells is no longer exported."""
    states.remove("was/cells/ZCELL")


def applications_are_removed(states: States) -> None:
    """The cell is still exported, but runs nothing."""
    states.remove("was/cells/ZCELL/applications")


def server_is_unreadable(states: States) -> None:
    """A file in the middle of a cell is cut off."""
    file = next((states.folder / "after").rglob("servers/claims/server.xml"))
    file.write_text(file.read_text()[:400])


def _leave_out(states: States, *rules: str) -> None:
    def leave_out(judgement: Judgement) -> None:
        hidden = [finding for finding in judgement.findings if finding.rule.id in rules]
        judgement.findings[:] = [finding for finding in judgement.findings if finding.rule.id not in rules]
        judgement.suppressed += (Suppressed(finding, "configuration", "lintmdb.toml", 3, "r") for finding in hidden)

    states.leave_out = leave_out


def old_finding_is_suppressed(states: States) -> None:
    """A suppression comes to hide what was found before."""
    _leave_out(states, "MDB104")


def new_finding_is_suppressed(states: States) -> None:
    """MQ no longer moves the poison message, and a suppression hides one of the new findings."""
    backout_stops(states)
    _leave_out(states, "MDB304")


def renamed_finding_is_suppressed(states: States) -> None:
    """A queue has another name, and a suppression hides what is found about it."""
    queue_is_renamed(states)
    _leave_out(states, "MDB104")


CASES: list[tuple[str, Callable[[States], None], set[str]]] = [
    ("all-families", nothing, {"unchanged"}),
    ("clean", backout_stops, {"new"}),
    ("backout-inert", queue_is_renamed, {"renamed", "unchanged"}),
    ("backout-inert", queue_is_renamed_in_mq_alone, {"new"}),
    ("backout-inert", queue_moves, {"renamed", "unchanged"}),
    ("backout-inert", mq_is_missing, {"lost"}),
    ("stop-3-sessions-5-bothresh-5", backout_starts, {"new", "resolved"}),
    ("backout-inert", old_finding_is_suppressed, {"unchanged"}),
    ("backout-inert", renamed_finding_is_suppressed, {"renamed"}),
    ("clean", new_finding_is_suppressed, {"new"}),
    ("backout-inert", endpoint_comes_to_stop, {"new", "resolved", "fates"}),
    ("mixed-version-cluster", member_is_added, {"unchanged"}),
    ("mixed-version-cluster", differing_member_is_added, {"unchanged"}),
    ("cluster-members-differ", member_is_added, {"new", "unchanged"}),
    ("cluster-members-differ", members_come_to_agree, {"new", "unchanged"}),
    ("cluster-members-differ", members_agree_and_one_more, {"new", "unchanged"}),
    ("all-families", cell_is_missing, {"lost"}),
    ("all-families", applications_are_removed, {"resolved"}),
    ("all-families", server_is_unreadable, {"new", "lost"}),
]


TOLD_ON_BOTH_SIDES = (
    *(nothing, queue_is_renamed, queue_moves, endpoint_comes_to_stop, old_finding_is_suppressed),
    *(differing_member_is_added, cell_is_missing, applications_are_removed),
)
"""Changes of which both tell: the flows that get another fate have a story in both audits, which hold no others."""


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
@pytest.mark.parametrize(("fixture", "change", "expected"), CASES, ids=[f"{c[0]}-{c[1].__name__}" for c in CASES])
def test_both_comparisons_agree(
    fixture: str,
    change: Callable[[States], None],
    expected: set[str],
    back: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """New, resolved, renamed and newly undecided verdicts are the same, there and back."""
    states = States(tmp_path, fixture)
    change(states)
    if back:
        states.turn_round()
    both = compare_both(states, monkeypatch)
    assert both.audits == both.estates
    if not back:
        assert {name for name in Changes._fields if getattr(both.estates, name)} >= expected - {"fates"}
    if change in TOLD_ON_BOTH_SIDES:
        assert both.audit_fates == both.fates
        assert bool(both.fates) == ("fates" in expected)


def _story(rule: str, event: str, **fields: Any) -> dict[str, Any]:
    """A finding about one flow whose story ends in some way."""
    step: dict[str, Any] = {"step": 1, "actor": "endpoint", "event": event, "text": f"it {event}", "state": {}}
    headline = "ORDERS.IN at QM1 -> OrdersAS (activation specification, n1/s1) -> OrderBean (Orders/orders.jar)"
    return finding(rule=rule, headline=headline, fingerprint=rule, trace=[step], **fields)


def test_stories_of_other_messages_are_not_compared(tmp_path: Path) -> None:
    """That two messages stop the endpoint says nothing of one; a story of a finding that is left out counts."""
    both = [_story("MDB302", "stops"), _story("MDB310", "stops_early")]
    before = write_audit(tmp_path / "before", {"findings": both})
    two = write_audit(tmp_path / "two", {"findings": both[1:]})
    assert compare_audits(before, two).fates == []
    assert compare_audits(two, before).fates == []
    loops = write_audit(tmp_path / "loops", {"findings": [_story("MDB101", "loops"), both[1]]})
    (change,) = compare_audits(before, loops).fates
    assert (change.before, change.after) == (("it stops",), ("it loops",))
    decision = {"kind": "baseline", "path": "known.jsonl", "line": 1}
    hidden = write_audit(tmp_path / "hidden", {"suppressed": [_story("MDB302", "stops", suppression=decision)]})
    (change,) = compare_audits(hidden, loops).fates
    assert (change.before, change.after) == (("it stops",), ("it loops",))


def test_a_finding_that_was_left_out_and_is_gone_is_resolved(tmp_path: Path) -> None:
    """As in ``diff``, whose earlier state leaves nothing out; one that is there as before is no difference."""
    decision = {"kind": "baseline", "path": "known.jsonl", "line": 1}
    hidden = [finding(rule=rule, fingerprint=rule, suppression=decision) for rule in ("MDB101", "MDB102")]
    before = write_audit(tmp_path / "before", {"suppressed": hidden})
    after = write_audit(tmp_path / "after", {"suppressed": hidden[1:]})
    difference = compare_audits(before, after)
    assert [row["rule"] for row in difference.resolved] == ["MDB101"]
    assert (difference.added, difference.suppressed, difference.renamed) == ([], [], [])
    assert compare_audits(before, before).resolved == []


def test_keys_of_audits_are_identities(tmp_path: Path) -> None:
    """Keys and groups that Arrow makes are equal exactly where the identities of subjects are."""
    values = ["a", "b", None]
    subjects = [Subject(kind, "n") for kind in ("server", "cluster", "queue", "queue_manager", "export", "bean")]
    subjects += [subject._replace(cluster="S", server=server) for subject in subjects for server in values]
    changed = ("name", "cell", "node", "application", "module", "bean", "queue_manager", "queue", "bus", "detail")
    subjects += [subject._replace(**{name: value}) for subject in subjects for name in changed for value in values]
    # A problem of an export belongs to no cluster, and to no program.
    inapplicable = ("cluster", "node", "server", "application", "module", "bean", "bus")
    subjects = [each for each in subjects if each.kind != "export" or not any(getattr(each, n) for n in inapplicable)]
    subjects = list(dict.fromkeys(subjects))
    rows = [finding(subject=subject._asdict()) for subject in subjects]
    table = read_keys(write_audit(tmp_path / "audit", {"findings": rows}), "findings")
    keys, groups = table["key"].to_pylist(), table["group"].to_pylist()
    identities = [identify(subject) for subject in subjects]
    assert len(set(keys)) == len(set(identities)) == len(set(zip(keys, identities, strict=True)))
    loose = [identify_loosely(subject) if subject.cluster else None for subject in subjects]
    assert len(set(groups)) == len(set(loose)) == len(set(zip(groups, loose, strict=True)))


@pytest.mark.parametrize(
    ("text", "flow"),
    [
        ("Q at QM -> LP (listener port, n1/s1) -> B (A/m.jar)", ("LP (listener port) -> B (A/m.jar)", "S", "n1", "s1")),
        (
            "Q at QM -> LP (listener port, n2/s1) -> B (A/m.jar)",
            ("LP (listener port) -> B (A/m.jar)", None, "n2", "s1"),
        ),
        (
            "Q at QM -> LP (listener port, cluster S of 2) -> no bean bound",
            ("LP (listener port) -> no bean bound", "S", None, None),
        ),
        (
            "Q at QM -> LP (listener port, cell C) -> no bean bound",
            ("LP (listener port) -> no bean bound", None, None, None),
        ),
        (
            "Q at QM -> LP (listener port, s1) -> B -> C",
            ("Q at QM -> LP (listener port, s1) -> B -> C", None, None, None),
        ),
    ],
)
def test_flows_by_headline(text: str, flow: tuple[str | None, ...]) -> None:
    """A headline names bean, endpoint and place; names with arrows of their own make it a flow of its own."""
    subject = parse_headline(text, "C", {("C", "n1", "s1"): "S"}).subject
    assert (subject.name, subject.cluster, subject.node, subject.server) == flow


@pytest.mark.slow
def test_what_is_renamed_and_resized_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text and JSON of fleet diff name the old and the new queue, and a cluster that has grown."""
    moved, grown = States(tmp_path / "moved", "backout-inert"), States(tmp_path / "grown", "mixed-version-cluster")
    queue_moves(moved)
    grown.add_member()
    for states, line, key in (
        (moved, "renamed: MDB104 backout-queue-inert, ORDERS.IN at QM1 -> ORDERS.IN at QM2", "renamed"),
        (grown, "cluster Shop of cell C1: 2 members -> 3", "clusters"),
    ):
        compare_both(states, monkeypatch)
        found = compare_audits(*(states.folder / "audits" / side for side in ("before", "after")))
        assert line in list(difference_lines(found))
        assert len(json.loads("".join(difference_json(found)))[key]) == 1
