"""What makes plans of large estates fast: components of one shape, reduced estates, and parts that look the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lintmdb.plan.choices import find_choices
from lintmdb.plan.components import split
from lintmdb.plan.evaluation import Evaluator, flow_key, weighed_fate
from lintmdb.plan.part import take_part
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.reduction import reduce_exports
from lintmdb.plan.shape import Shape, find_names, find_shape, translate
from lintmdb.plan.trial import Trial
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment
from tests.support.project import FIXTURES
from tests.support.scenario import RULES

_POLICY = Policy()
_OTHER = {"C1": "C2", "QM1": "QM2", "ORDERS": "BILLS", "Orders": "Bills", "OrderBean": "BillBean"}


def _copy(folder: Path, names: dict[str, str], *edits: tuple[str, str]) -> None:
    """A scenario under other names, with other values."""
    source = FIXTURES / "stop-3-sessions-5-bothresh-5"

    def renamed(text: str) -> str:
        for old, new in [*names.items(), *edits]:
            text = text.replace(old, new)
        return text

    for file in sorted(path for part in ("mq", "was") for path in (source / part).rglob("*") if path.is_file()):
        place = folder / renamed(file.relative_to(source).as_posix())
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(renamed(file.read_text("utf-8")), "utf-8")


def _evaluator(folder: Path) -> Evaluator:
    return Evaluator(read_exports([folder]), Observations(15_000), RULES)


def _trial(evaluator: Evaluator) -> Trial:
    before = evaluator.judge(())
    fates = {flow_key(head): weighed_fate(head) for head in before.judgement.flows}
    return Trial(evaluator, before, fates, split(before.judgement))


def _shapes(trial: Trial) -> list[Shape]:
    heads = {flow_key(head): head for head in trial.before.judgement.flows}
    return [
        find_shape([heads[key] for key in component.flows], find_choices(component.findings, _POLICY))
        for component in trial.components
    ]


@pytest.fixture(name="twins")
def _twins(tmp_path: Path) -> Path:
    """Two cells and queue managers that are equal but for all their names."""
    _copy(tmp_path / "one", {})
    _copy(tmp_path / "other", _OTHER)
    return tmp_path


def test_components_that_differ_in_names_have_one_shape(twins: Path) -> None:
    """The solution of one, in the names of the other, is what a search of the other finds."""
    trial = _trial(_evaluator(twins))
    one, other = _shapes(trial)
    assert one.key == other.key
    assert "QM1" in one.numbers
    assert "QM2" in other.numbers
    (_, first), (component, second) = make_plan(trial.evaluator, _POLICY).components
    heads = [head for head in trial.before.judgement.flows if flow_key(head) in component.flows]
    translated = translate(first.changes, one, other, heads, find_choices(component.findings, _POLICY))
    # What a plan notes with its changes is not part of what a search finds.
    found = [[change._replace(revives=()) for change in changes] for changes in (translated, second.changes)]
    assert found[0] == found[1]
    shutil.rmtree(twins / "one")
    ((_, alone),) = make_plan(_evaluator(twins), _POLICY).components
    assert alone.changes == second.changes
    assert alone.states > 0
    assert second.states == 0, "the other component was searched, and not translated"
    (change,) = alone.changes
    assert isinstance(change, Assignment)
    assert change.origin is not None
    assert "/other/" in change.origin.path


def test_another_value_is_another_shape(tmp_path: Path) -> None:
    """A threshold of 6 in place of 5 may lead to another plan."""
    _copy(tmp_path / "one", {})
    _copy(tmp_path / "other", _OTHER, ("BOTHRESH(5)", "BOTHRESH(6)"))
    one, other = _shapes(_trial(_evaluator(tmp_path)))
    assert one.key != other.key


def test_a_reduced_estate_has_what_its_flows_name(twins: Path) -> None:
    """The flows of the other queue manager are not judged, and the verdicts on these stay the same."""
    evaluator = _evaluator(twins)
    whole = evaluator.judge(())
    heads = [head for head in whole.judgement.flows if head.rows.endpoint.queue_manager == "QM1"]
    names = find_names(heads)
    assert {"QM1", "ORDERS.IN", "OrdersAS"} <= names
    assert not {"QM2", "BILLS.IN", "BillsAS"} & names
    exports = reduce_exports(evaluator.exports, heads)
    commands = {c.name for group in exports.groups for script in group.scripts for c in script.commands}
    assert "ORDERS.IN" in commands
    assert "BILLS.IN" not in commands
    reduced = Evaluator(exports, evaluator.observed, evaluator.rules).judge(())
    assert [flow_key(head) for head in reduced.judgement.flows] == [flow_key(head) for head in heads]
    told = {(f.rule.id, f.subject) for f in whole.judgement.findings if "QM1" in str(f.subject)}
    assert {(f.rule.id, f.subject) for f in reduced.judgement.findings} == told


def test_a_component_that_looks_different_is_not_in_a_part(twins: Path) -> None:
    """Changes to a part are judged there only where its findings and verdicts are those of the whole estate."""
    trial = _trial(_evaluator(twins))
    assert take_part(trial, [0], _POLICY).numbers == {0}
    assert take_part(trial, [0, 1], _POLICY).numbers == {0, 1}
    (_, solution), _ = make_plan(trial.evaluator, _POLICY).components
    part = take_part(trial, [0], _POLICY)
    here, there = part.trial.judge({0: solution.changes})[1], trial.judge({0: solution.changes})[1]
    assert [(f.rule.id, f.subject) for f in here[0].findings] == [(f.rule.id, f.subject) for f in there[0].findings]
    changed = Trial(trial.evaluator, trial.evaluator.judge(solution.changes), trial.fates, trial.components)
    assert take_part(changed, [0, 1], _POLICY).numbers == {1}
