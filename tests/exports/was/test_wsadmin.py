"""What wsadmin prints, and scripts that create objects: the laws, and what neither tells."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lintmdb.exports.discovery import discover
from lintmdb.exports.was import read_cells
from lintmdb.exports.was.objects import CellConfig
from lintmdb.exports.was.wsadmin_output import looks_like_output, read_output
from lintmdb.exports.was.wsadmin_scripts import looks_like_script
from lintmdb.model.origins import Origin, Setting
from lintmdb.model.relations import Endpoint, Problem
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.cell import resolve_cell
from lintmdb.run.estate import read_estate
from tests.exports.was.test_property_exports import BLANKS, COMPARED, by_name, cells_of, facts
from tests.support.listed_objects import create_script, property_text, shown_text
from tests.support.scenario_folders import scenario_names

DECIDING = ("stop_on_failure", "failure_threshold", "max_sessions", "queue", "queue_manager", "transport", "channel")
# A command to create has no parameter for these, or the repository's cell has more that a script does not create.
NOT_CREATED = {"user", "session_pool_max", "missing_files", "initial_state", "non_asf_timeout_ms"}


def read(text: str, name: str = "was.txt") -> list[CellConfig]:
    """The cells of one file."""
    return read_cells([(name, text.encode)])


def endpoints(text: str) -> Mapping[str, Endpoint]:
    """The endpoints of one file by name."""
    return {row.name: row for cell in read(text) for row in resolve_cell(cell, Observations()).rows["endpoint"]}


def problems(text: str) -> list[Problem]:
    """The problems of one file."""
    return [problem for cell in read(text) for problem in cell.problems]


def compare_shown(name: str, *, jacl: bool) -> int:
    """Hold a scenario against its transcript: no value differs, and those that decide are there."""
    compared = 0
    for cell in cells_of(name):
        if cell.clusters or cell.unreadable or cell.name_bindings or any("$" in s.value for s in _values(cell)):
            continue  # what other files hold: members, bindings, variables
        text = shown_text(cell, jacl=jacl)
        there = by_name(facts(cell).rows["endpoint"])
        if not there:
            continue
        (listed,) = read(text)
        assert listed.problems == []
        here = by_name(facts(listed).rows["endpoint"])
        for key, row in there.items():
            if row.provider != "wmq" or row.kind != "activation_spec":
                continue
            found = here[key]
            told = {column: getattr(found, column) for column in COMPARED if getattr(found, column) is not None}
            told.pop("user_alias", None)  # whose alias it is, security.xml says
            assert told == {column: getattr(row, column) for column in told}
            assert [getattr(found, column) for column in DECIDING] == [getattr(row, column) for column in DECIDING]
            compared += 1
    return compared


def _values(cell: CellConfig) -> list[Setting]:
    return [setting for spec in cell.activation_specs for setting in spec.settings.values()]


@pytest.mark.parametrize("jacl", [False, True])
@pytest.mark.parametrize("name", sorted({*scenario_names()} - BLANKS))
def test_what_is_shown_is_what_the_repository_says(name: str, jacl: bool) -> None:
    """The law, for showall in both languages."""
    compare_shown(name, jacl=jacl)


def compare_created(name: str, *, jacl: bool) -> int:
    """Hold a scenario against a script that creates its objects."""
    compared = 0
    for cell in cells_of(name):
        if cell.clusters or cell.unreadable or cell.name_bindings or any("$" in s.value for s in _values(cell)):
            continue
        text = create_script(cell, jacl=jacl)
        if "create" not in text:
            continue
        there = by_name(facts(cell).rows["endpoint"])
        (listed,) = read(text)
        assert listed.problems == []
        here = by_name(facts(listed).rows["endpoint"])
        for key, row in there.items():
            if row.provider == "wmq" and row.kind == "activation_spec":
                assert [getattr(here[key], column) for column in DECIDING] == [
                    getattr(row, column) for column in DECIDING
                ]
                compared += 1
    return compared


@pytest.mark.parametrize("jacl", [False, True])
@pytest.mark.parametrize("name", sorted({*scenario_names()} - BLANKS))
def test_what_is_created_is_what_the_repository_says(name: str, jacl: bool) -> None:
    """The law, for scripts in both languages."""
    compare_created(name, jacl=jacl)


def test_the_laws_hold_for_something() -> None:
    """Each compares the flow of the scenario clean."""
    assert [compare_shown("clean", jacl=jacl) for jacl in (False, True)] == [1, 1]
    assert [compare_created("clean", jacl=jacl) for jacl in (False, True)] == [1, 1]


@pytest.mark.parametrize("name", ["clean", "listener-port-retries-0", "bus-exception-none"])
def test_two_forms_of_one_cell_are_one_cell(name: str) -> None:
    """The law: together they tell what the fuller of them tells. A value that differs makes them two versions."""
    (cell,) = cells_of(name)
    listed, shown = property_text(cell), shown_text(cell, jacl=False)
    (alone,) = read(listed, "was.props")
    for files in ([("was.props", listed), ("was.txt", shown)], [("was.txt", shown), ("was.props", listed)]):
        (both,) = read_cells([(path, text.encode) for path, text in files])
        there, here = by_name(facts(alone).rows["endpoint"]), by_name(facts(both).rows["endpoint"])
        assert {key: [getattr(row, column) for column in COMPARED] for key, row in here.items()} == {
            key: [getattr(row, column) for column in COMPARED] for key, row in there.items()
        }
    other = shown.replace("jms/q/Orders", "jms/q/Others")
    assert len(read_cells([("was.props", listed.encode), ("was.txt", other.encode)])) == 2


TRANSCRIPT = """WASX7209I: Connected to process "server1" on node n1 using SOAP connector;
wsadmin>print AdminTask.listWMQActivationSpecs(s)
OrdersAS(cells/C1/nodes/n1/servers/s1|resources.xml#J2CActivationSpec_123)
"Pay AS(cells/C1/nodes/n1/servers/s1|resources.xml#J2CActivationSpec_124)"
wsadmin>print AdminTask.showWMQActivationSpec(a)
{destinationType=javax.jms.Queue, name=OrdersAS, jndiName=jms/as/Orders, description=a, b, destinationJndiName=jms/q, \
stopEndpointIfDeliveryFails=true, failureDeliveryCount=3, maxPoolSize=5, password=secret}
wsadmin>print AdminConfig.show(lp)
[destinationJNDIName jms/q]
[maxRetries 3]
[name LP1]
[stateManagement (cells/C1/nodes/n1/servers/s1|server.xml#StateManageable_99)]
"""


def test_a_transcript() -> None:
    """Lists give the place of what is shown without an id; what is only listed is there, and unknown."""
    (cell,) = read(TRANSCRIPT)
    specs = {spec.name: spec for spec in cell.activation_specs}
    assert sorted(specs) == ["OrdersAS", "Pay AS"]
    assert {spec.scope[:3] for spec in specs.values()} == {(None, "n1", "s1")}
    found = endpoints(TRANSCRIPT)
    orders, port = found["OrdersAS"], found["LP1"]
    assert (orders.stop_on_failure, orders.failure_threshold, orders.max_sessions) == (True, 3, 5)
    assert orders.origins["failure_threshold"].line == 6
    line = TRANSCRIPT.splitlines()[5]
    assert line[orders.origins["failure_threshold"].column - 1 :].startswith("failureDeliveryCount=3")
    assert (orders.non_asf_timeout_ms, orders.transport) == (None, None)
    assert (port.failure_threshold, port.max_sessions, port.initial_state) == (3, None, None)
    assert (port.node, port.server) == ("n1", "s1")
    assert (found["Pay AS"].stop_on_failure, found["Pay AS"].failure_threshold) == (None, None)
    assert "secret" not in repr(cell)


def test_interactive_output_in_quotation_marks() -> None:
    """Without print, Jython shows a text with its line ends written out."""
    shown = (
        "'[destinationJNDIName jms/q]\\n[maxRetries 3]\\n[name LP1]\\n[x (cells/C/nodes/n/servers/s|server.xml#LP_1)]'"
    )
    found = endpoints(f"wsadmin>AdminConfig.show(lp)\n{shown}\n")
    assert (found["LP1"].failure_threshold, found["LP1"].server) == (3, "s")


SCRIPT = """import sys
scope = AdminConfig.getid('/Cell:C1/Node:n1/Server:s1/')
dest = "jms/q/" + "Orders"
attrs = ['-name', 'OrdersAS', '-jndiName', 'jms/as/Orders',  # what it is called
         '-destinationJndiName', dest, '-maxPoolSize', sys.argv[0]]
AdminTask.createWMQActivationSpec(scope, attrs)
for n in ['A', 'B']:
    AdminTask.createWMQActivationSpec(scope, '[-name ' + n + ' -jndiName jms/x]')
AdminTask.createWMQActivationSpec(scope, '[-name Pay -jndiName jms/p -failureDeliveryCount ' + count() + ']')
AdminTask.createWMQActivationSpec(scope, '[-name %s -jndiName jms/x]' % sys.argv[1])
AdminTask.createWMQActivationSpec(scope, ['-name', 'More', '-jndiName', 'jms/m'] + extra)
"""


def test_only_literals_count() -> None:
    """What is computed is unknown, what is left out has its default, and objects without a name are told once."""
    found = endpoints(SCRIPT)
    assert sorted(found) == ["More", "OrdersAS", "Pay"]
    assert (found["OrdersAS"].max_sessions, found["OrdersAS"].failure_threshold) == (None, 0)
    assert (found["Pay"].failure_threshold, found["Pay"].max_sessions) == (None, 10)
    assert found["More"].max_sessions is None  # the rest may set it
    (problem,) = problems(SCRIPT)
    assert (problem.line, problem.column) == (8, 5)
    assert "2 objects" in problem.text


@pytest.mark.parametrize(
    "before",
    ["if x:\n  q = 'a'\nq += 'b'\n", "def f(q):\n  pass\nq = 'a'\n", "q = 'a'\nif x:\n  q += 'b'\n", "q = f('a')\n",
     "q = 'a'\nq, r = x\n", "q = 'a'\nq = f()\n", "q += 'a'\n", "q = 'a'\nq -= 'b'\n", "q = 'a'\nq = 'b'\nq = q + q\n",
     "q = 'a' % b\n", "q = 'a'.strip()\n", "for q in x:\n  pass\nq = 'a'\n", "q = 'a\\x41'\n", ""],
)  # fmt: skip
def test_variables_with_no_one_value(before: str) -> None:
    """A variable that the script may set in several ways is unknown."""
    call = "AdminTask.createWMQActivationSpec(s, ['-name', 'AS', '-jndiName', 'j', '-qmgrName', q])\n"
    assert endpoints(before + call)["AS"].queue_manager is None
    assert endpoints("q = 'QM1'\n" + call)["AS"].queue_manager == "QM1"


_KNOWN = "n = 1\nq = 'QM'\np = '%s%s'\nboth = 'A', 'B'\n"


@pytest.mark.parametrize(
    ("expression", "manager"),
    [
        ("'QM%s' % n", "QM1"), ("'QM%02d' % n", "QM01"), ("'%s%s' % (q, n)", "QM1"), ("'%s' % (q,)", "QM"),
        ("'%s_%d%%' % (q, 7)", "QM_7%"), ("'A' + '%s' % q + 'B'", "AQMB"), ("('A' + '%s') % q", "AQM"),
        ("'A' \\\n '%s' % q", "AQM"), ("p % (q, n)", "QM1"), ("'%s' % p % (q, n)", "QM1"), ("q + str(n)", "QM1"),
        ("'%s' % str(n) + str('X')", "1X"), ("'{0}.{1}'.format(q, n)", "QM.1"), ("'{}{}'.format(q, 2)", "QM2"),
        ("'{a:03d}{{'.format(a=n)", "001{"), ("p.format()", "%s%s"), ("f'{q}{n}'", "QM1"), ("'%s' % (q + 'X')", "QMX"),
        ("'%s' % ('%s' % q)", "QM"), ("'%s' % 'A' 'B'", "AB"), ("'%5s' % q", "   QM"), ("('A', 'B')[1]", None),
        ("'%s' % unknown", None), ("'%s%s' % (q, unknown)", None), ("'%s%s' % q", None), ("'%s' % (q, n)", None),
        ("'%d' % q", None), ("'%x' % n", None), ("'%s%s' % both", None), ("'%(a)s' % n", None), ("str(unknown)", None),
        ("str(q, n)", None), ("'{}'.format(unknown)", None), ("'{}{}'.format(q)", None), ("'{1}'.format(q)", None),
        ("'{a}'.format(q)", None), ("'{0.x}'.format(q)", None), ("f'{unknown}'", None), ("f'{q!r}'", None),
        ("'%s' % q.x", None), ("'%s' % f(q)", None), ("'%s' %", None), ("'100%' % q", None), ("'{'.format()", None),
        ("'%99999999s' % q", None), ("'{:99999999}'.format(q)", None), ("n + n", None), ("str(n + 1)", None),
        ("'%s' % 010", None), ("'%s' % [q]", None), ("q[0]", None), ("q if n else p", None), ("p % q % n", None),
    ],
)  # fmt: skip
def test_texts_that_are_formatted(expression: str, manager: str | None) -> None:
    """Formatting with values that the script tells gives a value, and with others nothing; other values stay."""
    call = f"AdminTask.createWMQActivationSpec(s, ['-name', 'AS', '-jndiName', 'j', '-qmgrName', {expression}])\n"
    found = endpoints(_KNOWN + call)
    assert "AS" not in found or manager is None or found["AS"].queue_manager == manager.strip()
    assert manager is None or "AS" in found
    variable = f"x = {expression}\nAdminTask.createWMQActivationSpec(s, '-name AS -jndiName j -qmgrName \"' + x + '\"')"
    told = endpoints(_KNOWN + variable)["AS"].queue_manager
    assert (told, found["AS"].queue_manager if "AS" in found else None) == (manager and manager.strip(),) * 2


def test_where_a_text_that_is_formatted_comes_from() -> None:
    """The place of a value is where its first character is written, in the template or in the value of a variable."""
    attributes = "['name', 'Q%s' % n], ['jndiName', '%s1' % n], ['baseQueueName', '.%s' % n]"
    text = f"n = 'QX'\nAdminConfig.create('MQQueue', p, [{attributes}])\n"
    (queue,) = (entry for cell in read(text) for entry in cell.destinations)
    places = {name: queue.settings[name].origin for name in ("jndiName", "baseQueueName")}
    assert {name: queue.settings[name].value for name in places} == {"jndiName": "QX1", "baseQueueName": ".QX"}
    found = {name: (place.line, place.column) for name, place in places.items() if isinstance(place, Origin)}
    assert found == {"jndiName": (1, 6), "baseQueueName": (2, text.split("\n")[1].index(".%s") + 1)}


def test_a_scope_that_is_formatted() -> None:
    """A containment path of known names is one, in place or by a variable."""
    path = "node = 'n1'\npath = '/Cell:%s/Node:%s/' % ('C1', node) + 'Server:s1/'\n"
    for scope in ("AdminConfig.getid(path)", "AdminConfig.getid('/Cell:C1/Node:%s/Server:%s/' % (node, 's1'))"):
        service = f"AdminConfig.list('MessageListenerService', {scope})"
        (cell,) = read(f"{path}AdminConfig.create('ListenerPort', {service}, [['name', 'A']])\n")
        (server,) = cell.servers
        assert (cell.name, server.scope.node, server.scope.server) == ("C1", "n1", "s1")


@pytest.mark.parametrize(
    "change",
    ["AdminConfig.modify(x, [['a', 'b']])", "AdminTask.modifyWMQActivationSpec(x)", "$AdminConfig remove $x",
     "AdminTask.deleteWMQQueue(x)", "$AdminTask modifySIBJMSQueue $x"],
)  # fmt: skip
def test_a_script_that_changes_objects_is_refused(change: str) -> None:
    """What it leaves behind is unknown: one problem, at the command that changes."""
    text = f"{SCRIPT}\n{change}\n"
    assert not endpoints(text)
    (problem,) = problems(text)
    assert (problem.kind, problem.line) == ("unreadable", text.count("\n"))


def test_forms_are_told_by_content(tmp_path: Path) -> None:
    """Whatever a file is called; scripts that create nothing, and MQSC, are none of these forms."""
    files = {"a.txt": TRANSCRIPT, "b.txt": SCRIPT, "c.py": "AdminConfig.modify(x)\n", "d.txt": "DEFINE QLOCAL(A)\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert {Path(f.path).name: f.kind for f in discover([tmp_path]).files} == {
        "a.txt": "was",
        "b.txt": "was",
        "d.txt": "mqsc",
    }


LINES = [*TRANSCRIPT.split("\n"), *SCRIPT.split("\n"), "[[[", "{a=", "$AdminTask createWMQQueue $s {-name", "'''", "]}"]


@pytest.mark.slow
@given(st.lists(st.sampled_from(LINES), max_size=40), st.text(max_size=20))
def test_any_lines(lines: list[str], more: str) -> None:
    """Whatever stands there is read or refused."""
    for cell in read("\n".join([*lines, more])):
        resolve_cell(cell, Observations())


_OF_V0 = "AdminTask.createWMQQueue(s, ['-name', v0, '-jndiName', v0 + v0])\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, "[name x\n" * 50_000, "{a=b\n" * 50_000, TRANSCRIPT + "[maxRetries " + "[" * 100_000,
     "AdminTask.createWMQQueue(" * 1_500, "AdminTask.createWMQQueue(s, '" + "a" * 1_000_000,
     "x = (" * 2_000 + "'%s' % (" * 400, "".join(f"v{n} = " + f"v{n + 1}+" * 700 + "'a'\n" for n in range(9)) + _OF_V0,
     "".join(f"v{n} = '{'%s' * 200}' % ({f'v{n + 1},' * 200})\n" for n in range(9)) + "v9 = 'a'\n" + _OF_V0,
     "'{}'.format(" * 300 + _OF_V0, "x = [\n" * 20_000 + SCRIPT,
     "$AdminTask createWMQQueue $s {" * 1_500, TRANSCRIPT + "A(cells/" * 50_000],
)  # fmt: skip
def test_hostile_texts_end_soon(text: str) -> None:
    """No shape of text takes long."""
    start = time.monotonic()
    for form in (looks_like_output, looks_like_script):
        form(text.encode())
    read_output(text.encode(), "x")
    read("AdminTask.createWMQQueue(s, ['-name', 'A'])\n" + text)
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    ("name", "filler", "is_found"),
    [
        ("create.py", "# a comment\n" * 1000, True),
        ("create.txt", "import sys\ncells = AdminConfig.list('Cell')\n" + "x = 1\n" * 3000, True),
        ("create.txt", "nothing about it\n" * 1000, False),
        ("huge.py", "x = 1\n" * 800_000, False),
    ],
)
def test_a_script_that_creates_late(name: str, filler: str, is_found: bool, tmp_path: Path) -> None:
    """The first bytes need not create anything, as long as they or the file's name say that it is a script."""
    (tmp_path / name).write_text(
        filler + "AdminTask.createWMQQueue(x, ['-name', 'Q', '-jndiName', 'jms/q'])\n", "utf-8"
    )
    estate = read_estate([tmp_path], Observations())
    assert bool([found for found in discover([tmp_path]).files if found.kind == "was"]) is is_found
    assert [row.kind for row in estate.facts.rows["problem"]] == ([] if is_found else ["not_read"])
    assert [count for counts in estate.objects.values() for count in counts.values()] == [1] * is_found


_CREATED = {
    "jython": """server = AdminConfig.getid('/Cell:C1/Node:node1/Server:server1/')
service = AdminConfig.list('MessageListenerService', server)
attrs = [['name', 'OrdersLP'], ['destinationJNDIName', 'jms/q/Orders'], ["maxRetries", 4], ['maxSessions', count],
         ['connectionFactoryJNDIName', 'jms/cf'], ['stateManagement', [['initialState', 'START']]]]
AdminConfig.create('ListenerPort', service, attrs)
AdminConfig.create("MQQueue", AdminConfig.getid('/Cell:C1/JMSProvider:WebSphere MQ JMS Provider/'),
    [['name', 'OrdersQ'], ['jndiName', 'jms/q/Orders'], ['baseQueueName', 'ORDERS.IN']])
""",
    "jacl": """set server [$AdminConfig getid /Cell:C1/Node:node1/Server:server1/]
set service [$AdminConfig list MessageListenerService $server]
$AdminConfig create ListenerPort $service {{name OrdersLP} {destinationJNDIName jms/q/Orders} {maxRetries 4}
  {maxSessions $count} {connectionFactoryJNDIName jms/cf} {stateManagement {{initialState START}}}}
set q [list [list name OrdersQ] [list jndiName jms/q/Orders] [list baseQueueName ORDERS.IN]]
$AdminConfig create MQQueue [$AdminConfig getid /Cell:C1/] $q
""",
}


@pytest.mark.parametrize("language", _CREATED)
def test_objects_of_admin_config(language: str) -> None:
    """AdminConfig.create with literal pairs; what is computed, nested or left out is unknown."""
    (cell,) = read(_CREATED[language], "create.txt")
    (server,) = cell.servers
    (port,) = server.listener_ports
    assert (server.name, port.name) == ("server1", "OrdersLP")
    found = endpoints(_CREATED[language])["OrdersLP"]
    assert (found.failure_threshold, found.max_sessions, found.destination_jndi) == (4, None, "jms/q/Orders")
    (queue,) = cell.destinations
    assert (queue.name, queue.settings["baseQueueName"].value) == ("OrdersQ", "ORDERS.IN")
    assert cell.name == "C1"


def test_what_is_not_literal_creates_nothing() -> None:
    """A type from a variable is no object; attributes from a call have no name, which is told once."""
    text = "AdminConfig.create(kind, p, [['name', 'A']])\nAdminConfig.create('ListenerPort', p, attributes())\n"
    assert not [server for cell in read(text) for server in cell.servers]
    assert [problem.line for problem in problems(text)] == [2]


@pytest.mark.parametrize(
    ("before", "manager"),
    [
        ("q = 'QM'\nq += '1'\n", "QM1"),
        ("q = 'X'\nq = 'QM'\nq += n\nn = '2'\n", "QM2"),
        ("q = 'A' \\\n  'B'\nq += 'C'\n", "ABC"),
        ("q = 'jms\\\\X'\n", None),
        ("q = 'jms\\Q'\n", "jms\\Q"),
    ],
)
def test_variables_that_lines_make_up(before: str, manager: str | None) -> None:
    """What the lines above set and append is the value there; below, another one may count."""
    call = "AdminTask.createWMQActivationSpec(s, ['-name', '%s', '-jndiName', 'j', '-qmgrName', q])\n"
    found = endpoints(f"{before}{call % 'AS'}q += 'X'\n{call % 'Later'}if x:\n  {call % 'Inside'}")
    if before.count("q ") > 1:
        assert [found[name].queue_manager for name in ("AS", "Later", "Inside")] == [manager, f"{manager}X", None]
    else:
        assert endpoints(f"{before}{call % 'AS'}")["AS"].queue_manager == manager


_PORT = "AdminConfig.create('ListenerPort', mls, %s)\n"
_STRING = (
    "'[[name LP1] [destinationJNDIName jms/Q][connectionFactoryJNDIName \"jms/CF\"][maxRetries 0] [maxSessions 3]]'"
)


@pytest.mark.parametrize(
    "path",
    [
        "'/Cell:C1/Node:%s/Server:%s/' % (node, name)",
        '"/Cell:" + cell + "/Node:" + node + "/Server:s1/"',
        "'/Cell:C1/' + rest",
        "'/Cell:C1/Node:{0}/Server:s1/'.format(node)",
        "find(name)",
    ],
)
def test_a_scope_that_is_computed(path: str) -> None:
    """No name is made of what stands for one; listener ports are those of some server."""
    text = f"mls = AdminConfig.list('MessageListenerService', AdminConfig.getid({path}))\n{_PORT % _STRING}"
    (cell,) = read(text)
    assert cell.name is None
    (server,) = cell.servers
    assert (server.scope.node, server.scope.server, [port.name for port in server.listener_ports]) == (
        None, None, ["LP1"]
    )  # fmt: skip
    assert endpoints(text)["LP1"].failure_threshold == 0
    assert problems(text) == []


def test_names_in_other_literals() -> None:
    """A list in a string, a string in a list, and parameters without what they are created in."""
    getid = "AdminConfig.getid('/Cell:C1/Node:n1/Server:s1/')"
    text = (
        f"mls = AdminConfig.list('MessageListenerService', {getid})\n{_PORT % _STRING}"
        f"AdminTask.createWMQQueue({getid}, ['-name \"Q 1\" -jndiName jms/Q -queueName A.Q'])\n"
        "AdminTask.createWMQQueue(['-name', 'Q2', '-queueName', 'B.Q'])\n"
    )
    cells = read(text)
    assert problems(text) == []
    found = {entry.name: entry.settings["baseQueueName"] for cell in cells for entry in cell.destinations}
    assert {name: setting.value for name, setting in found.items()} == {"Q 1": "A.Q", "Q2": "B.Q"}
    (port,) = (port for cell in cells for server in cell.servers for port in server.listener_ports)
    line = text.split("\n")[1]
    for name, value in (("destinationJNDIName", "jms/Q"), ("connectionFactoryJNDIName", "jms/CF"), ("maxRetries", "0")):
        place = port.settings[name].origin
        assert isinstance(place, Origin)
        assert (port.settings[name].value, place.line, place.column) == (value, 2, line.index(value) + 1)
