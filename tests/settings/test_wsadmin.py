"""Commands for wsadmin: Jython 2.1 that names the one object, whatever characters its name has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from lintmdb.model.columns import Value
from lintmdb.plan.scripts import wsadmin_script
from lintmdb.settings.changes import Assignment, Target
from lintmdb.settings.kinds import KINDS
from lintmdb.settings.registry import SETTINGS
from lintmdb.settings.wsadmin import quoted, wsadmin_commands
from tests.support.jython_2_1 import later_than_2_1

HOSTILE = [
    "jms/orders",
    "it's",
    'say "AS"',
    "back\\slash\\",
    "'); AdminConfig.reset(); ('",
    "two\nlines\r\ttab",
    "{name} ${VARIABLE} %s",
    "\\u0041\\x41\\N{DASH}",
    "Aufträge\u2028\x7f\x85",
    "\U0001f4e8 mail",
    "-name",
    "True",
]
_NEW = ("7", "", "-1", "it's\\")
_FACTS: dict[str, Value] = {
    "endpoint.cell": "C1",
    "endpoint.config_path": "/Node:n 1/J2CResourceAdapter:WebSphere MQ Resource Adapter/J2CActivationSpec:{name}/",
    "endpoint.factory_path": "/Node:n 1/JMSProvider:WebSphere MQ JMS Provider/MQQueueConnectionFactory:{name}/",
    "endpoint.name": "{name}",
    "server.config_paths": "/Node:n1/Server:s1/ /Node:n2/Server:s2/",
    "server.activation_pool": "{name}",
    "server.bus_pool": "{name}",
    "destination.cell": "C1",
    "destination.bus": "Bus of {name}",
    "destination.name": "{name}",
    "destination.target_bus": "Bus of {name}",
    "destination.target_name": "{name}",
    "destination.exception_destination_name": "{name}",
}
_ENDPOINTS = (("listener_port", "wmq"), ("activation_spec", "wmq"), ("activation_spec", "sib"))
_SAID_BY_2_1 = {"AdminConfig", "AdminTask", "str", "len"}


def _changes(name: str, new: str = "7") -> Iterator[Assignment]:
    """A change of each setting of WebSphere, of objects that all have a name."""
    for kind, provider in _ENDPOINTS:
        facts = {
            key: value.replace("{name}", name) if isinstance(value, str) else value for key, value in _FACTS.items()
        }
        facts |= {"endpoint.kind": kind, "endpoint.provider": provider}
        for settings in SETTINGS.values():
            for setting in settings:
                target = setting.owner(facts.get)
                if target is not None and target.product == "was":
                    yield Assignment(target, setting.name, setting.attribute, new, "3")


def _texts(tree: ast.AST) -> set[str]:
    """The strings of a program, as Java would have them."""
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {text.encode("utf-16", "surrogatepass").decode("utf-16") for text in found if isinstance(text, str)}


def test_every_kind_has_commands() -> None:
    """The registry reaches each kind of object that WebSphere has."""
    assert {change.target.kind for change in _changes("A")} == {
        name for name, kind in KINDS.items() if kind.product == "was" and not name.startswith("liberty_")
    }


@pytest.mark.parametrize("new", _NEW)
@pytest.mark.parametrize("name", HOSTILE)
def test_commands_are_jython_2_1_that_says_names_whole(name: str, new: str) -> None:
    """Each command is one line of ASCII that parses alone; names and values are strings in it and nothing else."""
    for change in _changes(name, new):
        commands = wsadmin_commands(change)
        assert all(command.isascii() and command.isprintable() for command in commands), commands
        assert [later_than_2_1(command) for command in commands] == [[]] * len(commands)
        program = ast.parse("\n".join(commands))
        assert len(program.body) == len(commands)
        texts = _texts(program)
        if change.target.kind in ("listener_port", "bus_destination"):
            assert name in texts
        elif "/" in name and name in change.target.path:
            assert {name, change.target.path} & texts  # what getid does not find is listed
        elif name in change.target.path:
            assert change.target.path in texts
        if new:
            assert new in texts
        assert commands[-1] == "AdminConfig.save()"
        assert "AdminConfig.reset()" not in [
            ast.unparse(node) for node in ast.walk(program) if isinstance(node, ast.Call)
        ]


@pytest.mark.parametrize("name", HOSTILE)
def test_commands_use_names_that_they_assign(name: str) -> None:
    """Nothing is left for the reader to fill in."""
    for change in _changes(name):
        assigned = set(_SAID_BY_2_1)
        for command in wsadmin_commands(change):
            names = [node for node in ast.walk(ast.parse(command)) if isinstance(node, ast.Name)]
            assigned |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            assert {node.id for node in names if isinstance(node.ctx, ast.Load)} <= assigned, command


@pytest.mark.parametrize("text", [*HOSTILE, "", "a" * 300, "".join(map(chr, range(256)))])
def test_quoted_texts_come_back(text: str) -> None:
    """A quoted text is one string of ASCII, and no character of it is written as two halves."""
    assert quoted(text).isascii()
    assert quoted(text).isprintable()
    assert _texts(ast.parse(quoted(text))) == {text}
    assert not re.search(r"\\ud[89a-f]", quoted(text).replace("\\\\", ""), re.IGNORECASE)


@pytest.mark.parametrize("name", HOSTILE)
def test_scripts_are_jython_2_1(name: str) -> None:
    """The script of a plan, with names of all kinds in its head and in its table."""
    for undoing in (False, True):
        script = wsadmin_script(name, list(_changes(name)), undoing=undoing)
        assert later_than_2_1(script) == []
        assert name in _texts(ast.parse(script))


def test_a_script_that_undoes_nothing_says_so() -> None:
    """What was not known, and has no default, nobody can put back."""
    target = Target("was", "C1", "thread_pool", "WMQJCAResourceAdapter", "/Node:n1/Server:s1/")
    change = Assignment(target, "server.activation_threads_max", "maximumSize", "60")
    script = wsadmin_script("C1", [change], undoing=True)
    assert "CHANGES = [\n]\n" in script
    assert "# maximumSize of WMQJCAResourceAdapter was not known. Restore its old value yourself.\n" in script
    assert later_than_2_1(script) == []


class _Configuration:
    """A stand-in for AdminConfig and AdminTask that knows some objects and notes what is done to them."""

    def __init__(self, objects: dict[str, str], attributes: dict[str, dict[str, str]]) -> None:
        self._objects = objects
        self._attributes = attributes
        self.done: list[tuple[Any, ...]] = []

    def getid(self, path: str) -> str:
        return self._objects.get(path, "")

    def list(self, kind: str, parent: str) -> str:
        return self._objects.get(f"{kind} of {parent}", "")

    def showAttribute(self, item: str, name: str) -> str:  # noqa: N802 - the product's name
        return self._attributes[item][name]

    def __getattr__(self, name: str) -> Any:
        def note(*arguments: Any) -> str:
            self.done.append((name, *arguments))
            return self._objects.get(name, "")

        return note


def _run(change: Assignment, objects: dict[str, str], attributes: dict[str, dict[str, str]]) -> list[tuple[Any, ...]]:
    configuration = _Configuration(objects, attributes)
    scope: dict[str, object] = {"AdminConfig": configuration, "AdminTask": configuration}
    for command in wsadmin_commands(change):
        exec(command, scope)  # the commands are the program under test
    assert configuration.done.pop() == ("save",)
    return configuration.done


_PATHS = "/Node:n1/Server:s1/ /Node:n2/Server:s2/"


def test_a_listener_port_of_each_member_changes() -> None:
    """And no other port."""
    target = Target("was", "C1", "listener_port", "LP1", _PATHS)
    objects = {
        "/Node:n1/Server:s1/": "s1",
        "/Node:n2/Server:s2/": "s2",
        "ListenerPort of s1": "p1\np2",
        "ListenerPort of s2": "p3",
    }
    attributes = {"p1": {"name": "LP1"}, "p2": {"name": "LP2"}, "p3": {"name": "LP1", "stateManagement": "state"}}
    change = Assignment(target, "endpoint.failure_threshold", "maxRetries", "4", "0")
    assert _run(change, objects, attributes) == [("modify", item, [["maxRetries", "4"]]) for item in ("p1", "p3")]


def test_a_property_of_the_listener_service_is_replaced_under_its_exact_name() -> None:
    """One with a blank at its end stays: it is another property, which MDB312 reports."""
    target = Target("was", "C1", "listener_service", "MessageListenerService", "/Node:n1/Server:s1/")
    name = "NON.ASF.RECEIVE.TIMEOUT"
    objects = {"/Node:n1/Server:s1/": "s1", "MessageListenerService of s1": "service", "Property of service": "a\nb"}
    attributes = {"a": {"name": f"{name} "}, "b": {"name": name}}
    change = Assignment(target, "endpoint.non_asf_timeout_ms", name, "0", "120000")
    made = ("create", "Property", "service", [["name", name], ["value", "0"]])
    assert _run(change, objects, attributes) == [("remove", "b"), made]
    assert _run(change._replace(new=""), objects, attributes) == [("remove", "b")]


@pytest.mark.parametrize("known", [True, False])
def test_a_property_of_a_specification_is_changed_where_it_is(known: bool) -> None:
    """WebSphere's own task adds one that is not there."""
    path = "/Cell:C1/J2CResourceAdapter:RA/J2CActivationSpec:AS1/"
    target = Target("was", "C1", "mq_specification_property", "AS1", path)
    objects = {path: "spec", "J2EEResourceProperty of spec": "a\nb"}
    attributes = {"a": {"name": "nonASFTimeout" if known else "x"}, "b": {"name": "nonASFRollbackEnabled"}}
    change = Assignment(target, "endpoint.non_asf_timeout_ms", "nonASFTimeout", "0", "120000")
    added = ("modifyWMQActivationSpec", "spec", ["-customProperties", [["nonASFTimeout", "0"]]])
    assert _run(change, objects, attributes) == [("modify", "a", [["value", "0"]]) if known else added]


def test_the_resource_adapter_changes_and_not_its_specifications() -> None:
    """Specifications have properties of the same kind, and some of the same names."""
    path = "/Cell:C1/J2CResourceAdapter:RA/"
    target = Target("was", "C1", "resource_adapter", "RA", path)
    objects = {path: "adapter", "J2EEResourceProperty of group": "a", "J2EEResourceProperty of adapter": "a\nb"}
    attributes = {"a": {"name": "maxConnections"}, "b": {"name": "maxConnections"}, "adapter": {"propertySet": "group"}}
    change = Assignment(target, "endpoint.adapter_connections_max", "maxConnections", "50", "10")
    assert _run(change, objects, attributes) == [("modify", "a", [["value", "50"]])]


@pytest.mark.parametrize("name", ["A", "it's"])
def test_what_is_not_there_is_not_changed(name: str) -> None:
    """Objects that are listed below a blank name are those of the whole cell, so nothing is listed below one. Tasks and
    modify refuse a blank name themselves.
    """
    refused = ("mq_specification", "bus_specification", "connection_factory", "session_pool", "connection_pool")
    for change in _changes(name):
        if change.target.kind not in (*refused, "bus_destination"):
            assert _run(change, {}, {}) == [], change


@pytest.mark.parametrize("new", ["$DEFAULT_EXCEPTION_DESTINATION", "", "-1"])
def test_a_bus_destination_takes_values_that_no_task_takes(new: str) -> None:
    """A blank value, and one that begins like the name of a parameter, are set in the configuration itself."""
    target = Target("was", "C1", "bus_destination", "ORDERS.IN", "Bus1")
    objects = {"listSIBDestinations": "a\nb"}
    attributes = {"a": {"identifier": "ORDERS.IN"}, "b": {"identifier": "PAYMENTS.IN"}}
    change = Assignment(target, "destination.exception_destination", "exceptionDestination", new, None)
    where = ["-bus", "Bus1", "-name", "ORDERS.IN"]
    by_task = [("modifySIBDestination", [*where, "-exceptionDestination", new])]
    by_hand = [("listSIBDestinations", where[:2]), ("modify", "a", [["exceptionDestination", new]])]
    assert _run(change, objects, attributes) == (by_task if new.startswith("$") else by_hand)
