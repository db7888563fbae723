"""Scripts for wsadmin, run against a stand-in that reads and writes exported configurations.

What they leave is read again like any export: it is the estate that the plan promised.
"""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import pytest

from lintmdb.engine.findings import FlowHead
from lintmdb.engine.flow_rows import find_origin, read_value
from lintmdb.engine.judge import judge
from lintmdb.engine.repairs import apply_repairs
from lintmdb.model.columns import Value
from lintmdb.model.facts import Facts
from lintmdb.plan.evaluation import Evaluator, State
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.scripts import wsadmin_script
from lintmdb.rules.conditions import find_column
from lintmdb.rules.repairs import build_repairs
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.run.overlay import overlay_of
from lintmdb.settings.changes import Assignment, Slot, slot
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.registry import SETTINGS, Setting
from tests.support.scenario import RULES, expected, scenario_inputs
from tests.support.scenario_folders import scenario_folder, scenario_names
from tests.support.variant import Variant
from tests.support.wsadmin_runs import Result, Step, run_scripts

PLANNED = (
    "all-families",
    "estate",
    "adapter-connections-short",
    "bus-exclusive",
    "connection-pool-short",
    "non-asf-lost",
)
"""Scenarios whose plans change objects of many kinds."""
_SERVER = "was/cells/C1/nodes/node1/servers/server1/server.xml"
_RESOURCES = "was/cells/C1/nodes/node1/servers/server1/resources.xml"


class Promise:
    """An export, assignments to it, and what they promise."""

    def __init__(self, source: Path, choose: Callable[[Evaluator], Sequence[Assignment]]) -> None:
        self._options = expected(source).get("options")
        judging = self.evaluate(source)
        self.changes = choose(judging)
        self.verdicts_before = _verdicts(judging.judge([]))
        self.verdicts = _verdicts(judging.judge(self.changes))
        self.rows = _rows(resolve_exports(judging.exports, judging.observed, overlay_of(self.changes)).facts)

    def evaluate(self, folder: Path) -> Evaluator:
        """Read an export, or a copy of it."""
        inputs, observed = scenario_inputs(folder, self._options)
        return Evaluator(read_exports(inputs), observed, RULES)


_promise = functools.lru_cache(maxsize=32)(Promise)
"""Two interpreters keep the same promise."""


class Case(NamedTuple):
    """A promise, and the folders in which the scripts of each cell run."""

    name: str
    promise: Promise
    folder: Path

    @property
    def made(self) -> Path:
        """The export after the script ran, twice."""
        return self.folder / "made" / self.name

    @property
    def undone(self) -> Path:
        """The export after the other script undid that, twice."""
        return self.folder / "undone" / self.name

    def scripts(self, *, undoing: bool = False) -> list[str]:
        """The script of each cell."""
        changes = self.promise.changes
        cells = dict.fromkeys(change.target.place for change in changes)
        return [wsadmin_script(cell, [c for c in changes if c.target.place == cell], undoing=undoing) for cell in cells]

    def steps(self) -> list[Step]:
        """Make the changes, make them again, undo them, and undo them again."""
        there, back = self.scripts(), self.scripts(undoing=True)
        steps = [Step(self.made, script) for script in (*there, *there)]
        undo = [Step(self.undone, script) for script in (*back, *back)]
        return [*steps, undo[0]._replace(base=self.made), *undo[1:]]


def _case(name: str, folder: Path, choose: Callable[[Evaluator], Sequence[Assignment]], source: Path | None) -> Case:
    source = source or scenario_folder(name)
    case = Case(source.name, _promise(source, choose), folder / name)
    for copy in (case.made, case.undone) if case.promise.changes else ():
        shutil.copytree(source, copy)
    return case


def _planned(judging: Evaluator) -> list[Assignment]:
    plan = make_plan(judging, Policy(only="was", most_states=20))
    return [change for change in plan.changes if isinstance(change, Assignment)]


def _every_setting(judging: Evaluator) -> list[Assignment]:
    """Another value for each setting of WebSphere that any flow has."""
    heads = judge(resolve_exports(judging.exports, judging.observed).facts, []).flows
    found: dict[Slot, Assignment] = {}
    for head in heads:
        for name, settings in SETTINGS.items():
            for setting in settings:
                for change in _changed(head, name, setting):
                    if change.target.product == "was":
                        found.setdefault(slot(change), change)
    return list(found.values())


def _changed(head: FlowHead, name: str, setting: Setting) -> Iterator[Assignment]:
    value = _another(setting, head.rows.value(name))
    repairs = build_repairs([{"set": {name: value}}], "test", 1, typed=True)
    read, locate = functools.partial(read_value, head.rows), functools.partial(find_origin, head.rows)
    for changes in apply_repairs(repairs, read, locate):
        yield from (change for change in changes if isinstance(change, Assignment))


def _another(setting: Setting, value: Value) -> Value:
    """A value that a setting does not have now."""
    kind = find_column(setting.name).type
    if kind == "boolean":
        return not value
    if kind == "integer":
        return (value if isinstance(value, int) else 0) + max(setting.unit_ms, 1) * 7
    return next((word for word in setting.spelled if word != value), "OTHER")


def _rows(facts: Facts) -> dict[str, list[str]]:
    """All rows without where they were read."""
    return {name: sorted(map(repr, rows)) for name, rows in facts.rows.items() if name not in ("problem", "export")}


def _verdicts(state: State) -> dict[tuple[str, tuple[str, ...]], int]:
    return {key: verdict for key, verdict in state.verdicts.items() if key[1][0] != "export"}


def _run(interpreter: str, cases: Sequence[Case], folder: Path) -> dict[str, list[Result]]:
    """The results of all cases by name, from one process."""
    steps = {case.folder.name: case.steps() for case in cases}
    results = iter(run_scripts(interpreter, [step for part in steps.values() for step in part], folder))
    return {name: [next(results) for _ in part] for name, part in steps.items()}


def _assert_proven(case: Case, results: Sequence[Result]) -> None:
    """The scripts made what was promised and undid it, and did nothing the second time."""
    assert [(result.code, result.output) for result in results if result.code] == []
    number = len(results) // 4
    made, again, undone, undone_again = (results[start : start + number] for start in range(0, len(results), number))
    assert all(result.written and "Saved." in result.output for result in (*made, *undone))
    for result in (*again, *undone_again):
        assert result.written == []
        assert {line.partition(":")[0] for line in result.output.splitlines()} == {"Done already"}
    promise = case.promise
    changed, back = promise.evaluate(case.made), promise.evaluate(case.undone)
    assert _rows(resolve_exports(changed.exports, changed.observed).facts) == promise.rows
    assert _verdicts(changed.judge([])) == promise.verdicts
    assert _verdicts(back.judge([])) == promise.verdicts_before


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_scripts_make_what_plans_promise(interpreter: str, tmp_path: Path) -> None:
    """The changed export has the rows and the verdicts of the plan; running again changes nothing, and the script that
    undoes the plan restores the verdicts.
    """
    cases = [_case(name, tmp_path, _planned, None) for name in PLANNED]
    for case, results in zip(cases, _run(interpreter, cases, tmp_path).values(), strict=True):
        assert case.promise.changes
        _assert_proven(case, results)


@pytest.mark.slow
def test_scripts_of_all_scenarios(tmp_path: Path) -> None:
    """The same for the plan of each scenario that changes WebSphere."""
    cases = [
        _case(name, tmp_path, _planned, None)
        for name in scenario_names()
        if name not in PLANNED and "liberty" not in name
    ]
    cases = [case for case in cases if case.promise.changes]
    assert len(cases) > 40
    for case, results in zip(cases, _run("python", cases, tmp_path).values(), strict=True):
        _assert_proven(case, results)


_BASES = (
    "all-families",
    "bus-exception-named",
    "connection-pool-short",
    "late-message-stops-specification",
    "zos-listener-port",
)
"""Scenarios whose flows have every setting of WebSphere between them."""


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_every_setting_is_found_and_changed(interpreter: str, tmp_path: Path) -> None:
    """A script that gives all settings of an estate other values makes what the overlay of the same changes is."""
    cases = [_case(name, tmp_path, _every_setting, None) for name in _BASES]
    changed = {(change.target.kind, change.setting) for case in cases for change in case.promise.changes}
    assert {kind for kind, _ in changed} == {
        name for name, kind in KINDS.items() if kind.product == "was" and not name.startswith("liberty_")
    }
    of_was = {name for name in SETTINGS if name.startswith(("endpoint.", "server.", "destination."))}
    assert {name for _, name in changed} >= of_was
    for case, results in zip(cases, _run(interpreter, cases, tmp_path).values(), strict=True):
        _assert_proven(case, results)


_WITHOUT_PARTS = (
    (_RESOURCES, "sessionPool", "otherPool"),
    (_RESOURCES, "connectionPool", "anotherPool"),
    (_SERVER, "<threadPool ", "<otherPool "),
    (_SERVER, "<stateManagement ", "<otherManagement "),
)


def _without_parts(folder: Path) -> Path:
    """An export whose objects lack the parts that have most settings."""
    variant = Variant(folder / "bare", "connection-pool-short")
    for file, old, new in _WITHOUT_PARTS:
        path = variant.folder / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    return variant.folder


def _packed(folder: Path, value: str) -> Path:
    """An export with other text in arbitraryProperties."""
    variant = Variant(folder, "clean")
    text = (variant.folder / _RESOURCES).read_text("utf-8")
    (known,) = re.findall(r'name="arbitraryProperties"[^>]*? value="([^"]*)"', text)
    return variant.edit(_RESOURCES, f'value="{known}"', f'value="{quoteattr(value)[1:-1]}"').folder


_PACKED = (
    "was_stopEndpointIfDeliveryFails=true,was_failureDeliveryCount=2",
    "sslType='CENTRAL, x', WAS_stopEndpointIfDeliveryFails = 'true' ,WAS_EndpointInitialState=\"ACTIVE\"",
    'sslPeerName=it\'s,nonASFTimeout="20000",was_failureDeliveryCount=""',
    "",
)
"""What arbitraryProperties may look like: other quotes or none, commas in quotes, properties that others keep apart."""


@pytest.fixture(scope="module")
def kept_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Exports whose settings are kept in other places."""
    folder = tmp_path_factory.mktemp("kept")
    return [_without_parts(folder), *(_packed(folder / str(n), value) for n, value in enumerate(_PACKED))]


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_settings_are_found_wherever_they_are_kept(
    interpreter: str, kept_elsewhere: list[Path], tmp_path: Path
) -> None:
    """Parts that are not there yet are created, and packed properties change within their text."""
    cases = [_case(f"case{n}", tmp_path, _every_setting, source) for n, source in enumerate(kept_elsewhere)]
    kinds = {change.target.kind for change in cases[0].promise.changes}
    assert kinds >= {"session_pool", "connection_pool", "listener_threads", "listener_port"}
    results = _run(interpreter, cases, tmp_path)
    for case in cases:
        _assert_proven(case, results[case.folder.name])


_NAMES = (
    "it's",
    'say "AS"',
    "back\\slash\\",
    "'); AdminConfig.reset(); ('",
    "{name} ${VARIABLE} %s",
    "\\u0041\\x41",
    "Auftr\u00e4ge\u2028x\x85y",
    "-name (1|2) #3",
    "\U0001f4e8 mail",
)


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_names_with_slashes_are_found(interpreter: str, tmp_path: Path) -> None:
    """People name resources like their JNDI names; AdminConfig.getid takes a slash for the end of a name."""
    name = "jms/orders"
    factory = Variant(tmp_path / "factory", "connection-pool-short")
    factory.edit(_RESOURCES, 'name="QM1CF"', f'name="{name}"')
    specification = Variant(tmp_path / "specification", "stop-3-sessions-5-bothresh-5")
    specification.edit(_RESOURCES, 'name="OrdersAS"', f'name="{name}"')
    cases = [
        _case(v.folder.name + str(n), tmp_path, _planned, v.folder) for n, v in enumerate((factory, specification))
    ]
    for case in cases:
        assert name in [change.target.name for change in case.promise.changes]
    results = _run(interpreter, cases, tmp_path)
    for case in cases:
        _assert_proven(case, results[case.folder.name])


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, str]:
    """Exports with a listener port or an activation specification that plans change, and its name."""
    folder = tmp_path_factory.mktemp("named")
    found: dict[Path, str] = {}
    for number, name in enumerate(_NAMES):
        port = Variant(folder / f"port{number}", "listener-port-retries-0")
        binding = "was/cells/C1/applications/Orders.ear/deployments/Orders/orders.jar/META-INF/ibm-ejb-jar-bnd.xml"
        for file in (_SERVER, binding):
            port.edit(file, 'name="OrdersLP"', f"name={quoteattr(name)}")
        specification = Variant(folder / f"specification{number}", "stop-3-sessions-5-bothresh-5")
        specification.edit(_RESOURCES, 'name="OrdersAS"', f"name={quoteattr(name)}")
        found |= {port.folder: name, specification.folder: name}
    return found


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_names_are_found_whatever_characters_they_have(
    interpreter: str, named: dict[Path, str], tmp_path: Path
) -> None:
    """Nothing in a name ends a string, a comment or a line, and a console that lacks a character stops no script."""
    cases = [_case(f"case{number}", tmp_path, _planned, folder) for number, folder in enumerate(named)]
    for case, name in zip(cases, named.values(), strict=True):
        assert [change.target.name for change in case.promise.changes] == [name]
    results = _run(interpreter, cases, tmp_path)
    for case in cases:
        _assert_proven(case, results[case.folder.name])


def _edited(file: str, old: str, new: str) -> Callable[[Path], None]:
    """Change a text of an export by hand."""

    def edit(folder: Path) -> None:
        path = folder / file
        text = path.read_text("utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), "utf-8")

    return edit


_CELL = "was/cells/PRODCELL"
_CLAIMS = f"{_CELL}/nodes/node2/servers/claims/server.xml"
_SHOP = f"{_CELL}/clusters/ShopCluster/resources.xml"
_TIMEOUT = '<properties xmi:id="Property_1183122140375" name="NON.ASF.RECEIVE.TIMEOUT" value="110000"/>'
_BY_HAND: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "another value": (
        _edited(_CLAIMS, 'RECEIVE.TIMEOUT" value="110000"', 'RECEIVE.TIMEOUT" value="5000"'),
        (
            "listener service MessageListenerService (/Node:node2/Server:claims/): NON.ASF.RECEIVE.TIMEOUT is 5000",
            "the export had 110000",
            "the plan wants 0",
            "Export the cell again, then plan again.",
        ),
    ),
    "taken away": (
        _edited(_CLAIMS, _TIMEOUT, ""),
        ("NON.ASF.RECEIVE.TIMEOUT is (not set)", "the export had 110000", "Export the cell again"),
    ),
    "there twice": (
        _edited(_CLAIMS, _TIMEOUT, _TIMEOUT + _TIMEOUT.replace("375", "975").replace("110000", "7")),
        ("the property NON.ASF.RECEIVE.TIMEOUT", "MessageListenerService_", "more than once", "Remove all but one"),
    ),
    "renamed": (
        _edited(_SHOP, 'name="OrdersAS"', 'name="NewOrdersAS"'),
        ("J2CActivationSpec:OrdersAS/): 0 objects found instead of 1", "Export the cell again"),
    ),
    "there two times": (
        lambda folder: _double(folder / _SHOP, "j2cActivationSpec"),
        ("J2CActivationSpec:OrdersAS/): 2 objects found instead of 1", "Export the cell again"),
    ),
    "another cell": (
        lambda folder: _move(folder / _CELL, "OTHER"),
        ("this is not the cell PRODCELL", "Connect to its deployment manager"),
    ),
    "refused": (
        _edited(_SHOP, "com.ibm.mq.connector.inbound.ActivationSpecImpl", "com.example.ActivationSpec"),
        ("OrdersAS(cells/PRODCELL/clusters/ShopCluster|resources.xml#", "modifyWMQActivationSpec"),
    ),
}


def _move(folder: Path, name: str) -> None:
    folder.rename(folder.parent / name)


def _double(path: Path, tag: str) -> None:
    """Write the first element of a tag twice."""
    text = path.read_text("utf-8")
    start, end = text.index(f"<{tag}"), text.index(f"</{tag}>") + len(f"</{tag}>")
    copy = re.sub(r'xmi:id="[^"]*"', "", text[start:end])
    path.write_text(text[:end] + copy + text[end:], "utf-8")


@pytest.mark.parametrize("interpreter", ["python", pytest.param("jython", marks=pytest.mark.slow)])
def test_a_changed_configuration_stops_the_script(interpreter: str, tmp_path: Path) -> None:
    """Before the first change: the script names the object, both values and what to do, and no file is written."""
    (script,) = _case("estate", tmp_path, _planned, None).scripts()
    steps: list[Step] = []
    for name, (edit, _) in _BY_HAND.items():
        export = tmp_path / name
        shutil.copytree(scenario_folder("estate"), export)
        edit(export)
        steps.append(Step(export, script))
    for result, (_, texts) in zip(run_scripts(interpreter, steps, tmp_path), _BY_HAND.values(), strict=True):
        assert result.code == 1, result.output
        assert result.written == []
        last = result.output.splitlines()[-1]
        assert last.startswith("Stopped, and nothing was changed: "), result.output
        assert [text for text in texts if text not in last] == [], last


def test_undoing_stops_where_somebody_changed_a_value(tmp_path: Path) -> None:
    """What a plan made and somebody else changed afterwards is not taken back."""
    case = _case("estate", tmp_path, _planned, None)
    ((there,), (back,)) = case.scripts(), case.scripts(undoing=True)
    (made,) = run_scripts("python", [Step(case.made, there)], tmp_path)
    assert made.code == 0
    _edited(_CLAIMS, 'RECEIVE.TIMEOUT" value="0"', 'RECEIVE.TIMEOUT" value="5000"')(case.made)
    (result,) = run_scripts("python", [Step(case.made, back)], tmp_path)
    assert (result.code, result.written) == (1, [])
    assert "TIMEOUT is 5000, the plan set 0, and undoing would set 110000. Find out who changed it" in result.output
