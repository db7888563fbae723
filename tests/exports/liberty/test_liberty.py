"""Liberty's files: how they make up a server, what counts where they differ, and where each value stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from lintmdb.exports.discovery import discover, list_files
from lintmdb.exports.liberty import looks_like_liberty, read_liberty
from lintmdb.exports.liberty.durations import plain_number
from lintmdb.exports.liberty.files import server_name
from lintmdb.exports.was.objects import CellConfig
from lintmdb.fleet.facts.units import group_units
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.cell import resolve_cell
from lintmdb.run.estate import read_estate

MQ = '<properties.wmqJms destinationRef="in" queueManager="QM1" channel="C" {}/>'
QUEUE = '<jmsQueue id="in" jndiName="jms/in"><properties.wmqJms baseQueueName="IN"/></jmsQueue>'
_SPEC = f'<jmsActivationSpec id="A/m/B">{MQ}</jmsActivationSpec>'
SPEC = _SPEC.format("")
APPLICATION = '<application name="A" location="a.ear"/>'


def spec(properties: str = "") -> str:
    """The activation specification with some properties."""
    return _SPEC.format(properties)


def whole(*content: str) -> str:
    """A configuration file."""
    return f"<server>{''.join(content)}</server>"


def servers(files: Mapping[str, str]) -> list[CellConfig]:
    """What some files make up."""
    return read_liberty((path, lambda text=text: text.encode()) for path, text in files.items())


def facts(*content: str, **files: str) -> Facts:
    """The relations of one server; other files by their names with two underscores for a slash, one for a dot."""
    texts = {"w/servers/s1/server.xml": f"<server>{''.join(content)}</server>"}
    for name, text in files.items():
        texts["w/servers/s1/" + name.replace("__", "/").replace("_", ".")] = text
    (cell,) = servers(texts)
    return resolve_cell(cell, Observations())


def endpoint(*content: str, **files: str) -> dict[str, object]:
    """The columns of the only endpoint of a server."""
    rows: list[Endpoint] = facts(*content, **files).rows["endpoint"]
    (row,) = rows
    return {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}


@pytest.mark.parametrize(
    ("head", "liberty"),
    [
        (b"<server/>", True),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <client> -->\n<server description="x">', True),
        ('<server description="ä">'.encode("utf-16"), True),
        (b'<client xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">', True),
        (b'<server xmlns="urn:jboss:domain:20.0">', False),
        (b'<Server port="8005">', False),
        (b"<servers/>", False),
        (b"# <server>", False),
    ],
)
def test_content_tells_a_server(head: bytes, liberty: bool) -> None:
    """Its root is ``server`` without a namespace, which WildFly's has."""
    assert looks_like_liberty(head) is liberty


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("wlp/usr/servers/orders/server.xml", "orders"),
        ("apps/inventory/src/main/liberty/config/server.xml", "inventory"),
        ("shop/wlp/usr/servers/defaultServer/server.xml", "shop"),
        ("backup.zip!/usr/servers/orders/server.xml", "orders"),
        ("orders.zip!/server.xml", "orders"),
        ("a/b/orders-server.xml", "orders-server"),
        ("server.xml", "defaultServer"),
    ],
)
def test_the_path_names_the_server(path: str, name: str) -> None:
    """By the folder below ``servers``, else by the nearest folder that says something."""
    assert server_name(path) == name


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", "120"),
        ("2m", "120"),
        ("1m30s", "90"),
        ("1h", "3600"),
        ("1d", "86400"),
        ("1500ms", "1"),
        ("2 minutes",) * 2,
    ],
)
def test_durations(text: str, seconds: str) -> None:
    """Units add up, and what is less than one unit is dropped; what is no duration stays as it is."""
    assert plain_number(text, 1000) == seconds


@pytest.mark.parametrize(
    ("transaction", "total", "maximum"),
    [
        ("", 120_000, 0),
        ('<transaction totalTranLifetimeTimeout="2m"/>', 120_000, 0),
        ('<transaction totaltranlifetimetimeout="500ms" propogatedOrBMTTranLifetimeTimeout="300s"/>', 0, 300_000),
        ('<transaction totalTranLifetimeTimeout="later"/>', None, 0),
    ],
)
def test_transaction_timeouts(transaction: str, total: int | None, maximum: int) -> None:
    """In seconds without a unit; Liberty has no maximum unless one is set."""
    (row,) = facts(SPEC, QUEUE, transaction).rows["server"]
    assert (row.total_timeout_ms, row.maximum_timeout_ms) == (total, maximum)


@pytest.mark.parametrize(
    ("written", "stops", "bears"),
    [
        ("", False, None),
        ('maxSequentialDeliveryFailures="-1"', False, -1),
        ('maxSequentialDeliveryFailures="-7"', False, -7),
        ('maxSequentialDeliveryFailures="0"', True, 0),
        ('MAXSEQUENTIALDELIVERYFAILURES="2"', True, 2),
        ('maxSequentialDeliveryFailures="${nothing}"', None, None),
        ('maxSequentialDeliveryFailures="many"', None, None),
    ],
)
def test_failures_that_pause(written: str, stops: bool | None, bears: int | None) -> None:
    """Any negative number is never; what no file tells is not known."""
    row = endpoint(spec(written), QUEUE)
    assert (row["stop_on_failure"], row["failure_threshold"], row["failure_limit_ignored"]) == (stops, bears, False)


@pytest.mark.parametrize(
    ("location", "provider", "ignored"),
    [
        ("${server.config.dir}/wmq.jmsra-9.3.rar", "wmq", True),
        ("https://repo/com/ibm/mq/wmq.jakarta.jmsra/9.4/wmq.jakarta.jmsra-9.4.rar", "wmq", True),
        ("lib/other.rar", "generic", None),
        ("${the.adapter}", None, None),
    ],
)
def test_the_archive_tells_the_adapter(location: str, provider: str | None, ignored: bool | None) -> None:
    """Whatever its id: IBM MQ's adapter that is installed like any other never pauses an endpoint."""
    adapter = f'<resourceAdapter id="ra" location="{location}"/>'
    row = endpoint(spec('maxSequentialDeliveryFailures="3"').replace("wmqJms", "ra"), adapter)
    assert (row["provider"], row["failure_limit_ignored"]) == (provider, ignored)
    assert row["stop_on_failure"] is (False if provider == "wmq" else None)


def test_an_adapter_that_nobody_installs_is_not_known() -> None:
    """It may lie in dropins or in the application."""
    assert endpoint(SPEC.replace("wmqJms", "ra"))["provider"] is None


def test_drop_ins_count_before_and_after() -> None:
    """Defaults, then server.xml, then overrides, each in the order of their names, whatever their case."""
    files = {
        "configDropins__defaults__a_xml": whole(spec('maxPoolDepth="1" startTimeout="1s"')),
        "configDropins__overrides__B_xml": whole(spec('maxPoolDepth="4"')),
        "configDropins__overrides__a_xml": whole(spec('maxPoolDepth="3"')),
    }
    row = endpoint(spec('maxPoolDepth="2"'), QUEUE, **files)
    assert (row["max_sessions"], row["start_timeout_ms"]) == (4, 1000)


@pytest.mark.parametrize(
    ("policy", "sessions"),
    [("", 3), ('onConflict="merge"', 3), ('onConflict="ignore"', 2), ('onConflict="REPLACE"', 3)],
)
def test_an_include_that_conflicts(policy: str, sessions: int) -> None:
    """Its place decides, unless it says what to do where both have an element."""
    included = whole(spec('maxPoolDepth="3"'))
    row = endpoint(spec('maxPoolDepth="2"'), QUEUE, f'<include location="mq.xml" {policy}/>', mq_xml=included)
    assert row["max_sessions"] == sessions


def test_an_include_in_an_included_file_has_its_policy() -> None:
    """Unless it has one of its own."""
    files = {"b_xml": whole(spec('maxPoolDepth="3"'))}
    include = '<include location="a.xml" onConflict="ignore"/>'
    for inner, sessions in (("", 2), ('onConflict="merge"', 3)):
        a_xml = whole(f'<include location="b.xml" {inner}/>')
        assert endpoint(spec('maxPoolDepth="2"'), QUEUE, include, a_xml=a_xml, **files)["max_sessions"] == sessions


def test_a_replaced_element_keeps_nothing() -> None:
    """``replace`` drops what was there, ``merge`` adds to it."""
    included = (
        '<server><jmsActivationSpec id="A/m/B"><properties.wmqJms queueManager="QM2"/></jmsActivationSpec></server>'
    )
    row = endpoint(SPEC, QUEUE, '<include location="mq.xml" onConflict="replace"/>', mq_xml=included)
    assert (row["queue_manager"], row["queue"]) == ("QM2", None)


def test_an_include_that_is_missing_leaves_names_open() -> None:
    """What it defines is not known; without it an undefined name is a defect."""
    found = facts(SPEC, '<include location="mq.xml"/>')
    assert [problem.kind for problem in found.rows["problem"]] == ["not_understood"]
    assert found.rows["endpoint"][0].missing_files == "mq.xml"
    complete = facts(SPEC, '<include location="mq.xml" optional="true"/>')
    assert [problem.kind for problem in complete.rows["problem"]] == ["unresolved_name"]


@pytest.mark.parametrize("optional", ["", 'optional="true"'])
@pytest.mark.parametrize("folder", ["w/servers/s1", "w/shared/config"])
def test_an_include_that_only_documents_find(folder: str, optional: str) -> None:
    """IBM's documents search the server's folder next, Open Liberty's source does not: what it sets is unknown."""
    own = whole('<include location="a/one.xml"/>', SPEC, QUEUE)
    files = {"w/servers/s1/server.xml": own, f"{folder}/common.xml": whole(spec('maxPoolDepth="3"'))}
    one = whole(f'<include location="common.xml" {optional}/>')
    (cell,) = servers({**files, "w/servers/s1/a/one.xml": one})
    (problem,) = cell.problems
    assert problem.text.startswith(
        f"includes common.xml, which is not in w/servers/s1/a: whether Liberty takes {folder}"
    )
    (row,) = resolve_cell(cell, Observations()).rows["endpoint"]
    assert (row.max_sessions, row.queue_manager, row.missing_files) == (None, "QM1", "common.xml")


@pytest.mark.parametrize(
    ("place", "sessions", "failures", "queue_manager"),
    [("before", 2, None, "QM1"), ("between", 2, None, None), ("after", None, None, None)],
)
def test_a_missing_include_may_set_what_follows_does_not(
    place: str, sessions: int | None, failures: int | None, queue_manager: str | None
) -> None:
    """The last value counts: only what files set behind it is known, and no default."""
    include = {place: '<include location="prod.xml"/>'}
    more = '<jmsActivationSpec id="A/m/B"><properties.wmqJms maxPoolDepth="2"/></jmsActivationSpec>'
    row = endpoint(include.get("before", ""), SPEC, QUEUE, include.get("between", ""), more, include.get("after", ""))
    assert (row["max_sessions"], row["failure_threshold"], row["queue_manager"]) == (sessions, failures, queue_manager)
    assert row["missing_files"] == "prod.xml"


@pytest.mark.parametrize(("policy", "bound"), [("", True), ('onConflict="replace"', False)])
def test_a_missing_include_leaves_what_nothing_is_merged_into(policy: str, bound: bool) -> None:
    """A binding stays as it is; the file may only add others, unless it replaces the whole application."""
    binding = '<message-driven name="B"><jca-adapter activation-spec-binding-name="A/m/B"/></message-driven>'
    application = f'<application id="a" name="A" location="a.ear"><ejb-jar-bnd moduleName="m">{binding}</ejb-jar-bnd>'
    found = facts(SPEC, QUEUE, f"{application}</application>", f'<include location="prod.xml" {policy}/>')
    assert (found.rows["binding"][0].target == "A/m/B") is bound


def test_a_missing_include_that_is_ignored_where_there_is_one() -> None:
    """``ignore`` changes nothing of what is there."""
    row = endpoint(SPEC, QUEUE, '<include location="prod.xml" onConflict="ignore"/>')
    assert (row["max_sessions"], row["stop_on_failure"], row["queue_manager"]) == (10, False, "QM1")


def test_a_missing_include_may_define_any_variable() -> None:
    """Its value would win over every other one but a later ``<variable>``."""
    content = (spec('maxPoolDepth="${a}"'), QUEUE, '<variable name="a" value="2"/>')
    include = '<include location="prod.xml"/>'
    assert endpoint(include, *content)["max_sessions"] == 2
    later = (content[2], include, *content[:2])
    assert endpoint(*later, bootstrap_properties="a=3")["max_sessions"] is None


def test_an_include_that_cannot_be_read_is_a_missing_one() -> None:
    """What it sets is as unknown."""
    row = endpoint(SPEC, QUEUE, '<include location="prod.xml"/>', prod_xml="<server>")
    assert (row["queue_manager"], row["missing_files"]) == (None, "w/servers/s1/prod.xml")


@pytest.mark.slow
def test_files_that_include_each_other_end() -> None:
    """A circle is read once, and a fan of includes has a limit."""
    fan = {f"w/servers/s1/f{n}.xml": whole(f'<include location="f{n + 1}.xml"/>' * 50) for n in range(20)}
    circle = {"w/servers/s1/server.xml": whole('<include location="f0.xml"/><include location="server.xml"/>')}
    (cell,) = servers({**fan, **circle})
    assert cell.problems == [] or {problem.kind for problem in cell.problems} == {"not_understood"}


@pytest.mark.parametrize(
    ("files", "queue_manager"),
    [
        ({}, None),
        ({"server_env": "QM_NAME=ENV\n"}, "ENV"),
        ({"server_env": "QM_NAME=ENV\n", "bootstrap_properties": "# x\nqm.name = BOOT\n"}, "BOOT"),
        ({"server_env": '# QM_NAME=NO\nqm_name="ENV"'}, "ENV"),
    ],
)
def test_variables_of_the_files_beside_it(files: dict[str, str], queue_manager: str | None) -> None:
    """Environment variables have underscores and capital letters; bootstrap.properties wins over them."""
    row = endpoint(SPEC.replace("QM1", "${qm.name}"), QUEUE, **files)
    assert row["queue_manager"] == queue_manager


def test_variables_of_the_environment_by_its_name() -> None:
    """``env.NAME`` is the variable of the environment as it is written there."""
    content = (SPEC.replace("QM1", "${env.QM_NAME}"), QUEUE)
    assert endpoint(*content, server_env="QM_NAME=ENV\n")["queue_manager"] == "ENV"
    assert endpoint(*content, server_env="qm_name=ENV\n")["queue_manager"] is None
    own = '<variable name="env.QM_NAME" value="OWN"/>'
    assert endpoint(*content, own, server_env="QM_NAME=ENV\n")["queue_manager"] == "OWN"


@pytest.mark.parametrize("file", ["wlp/etc/server.env", "wlp/usr/shared/server.env"])
def test_an_environment_that_servers_share(tmp_path: Path, file: str) -> None:
    """That of the runtime and that of the folder ``shared`` count, and the server's own before them; the fleet reads
    them with the server. Without a server they mean nothing.
    """
    server = tmp_path / "wlp/usr/servers/s1"
    server.mkdir(parents=True)
    default = '<variable name="qm.name" defaultValue="DEFAULT"/>'
    (server / "server.xml").write_text(whole(SPEC.replace("QM1", "${qm.name}"), QUEUE, default), "utf-8")
    (tmp_path / file).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / file).write_text("QM_NAME=SHARED\n", "utf-8")
    assert _queue_manager(tmp_path) == "SHARED"
    (unit,) = group_units(list_files([tmp_path]).files)
    assert {Path(part.shown).name for part in unit.files} == {"server.xml", "server.env"}
    (server / "server.env").write_text("QM_NAME=OWN\n", "utf-8")
    assert _queue_manager(tmp_path) == "OWN"
    (server / "server.xml").unlink()
    assert not discover([tmp_path]).files


def test_the_shared_environment_wins_over_that_of_the_runtime() -> None:
    """It is nearer to the server."""
    files = {"wlp/etc/server.env": "A=RUNTIME\nB=RUNTIME\n", "wlp/usr/shared/server.env": "A=SHARED\n"}
    own = whole(SPEC.replace("QM1", "${env.A}-${env.B}"), QUEUE)
    (cell,) = servers({**files, "wlp/usr/servers/s1/server.xml": own})
    assert resolve_cell(cell, Observations()).rows["endpoint"][0].queue_manager == "SHARED-RUNTIME"


def test_files_of_the_folder_variables(tmp_path: Path) -> None:
    """Each is a variable of the server above; properties files have several. They win over bootstrap.properties, and
    the value in server.xml wins over them. Such a folder without a server.xml above it means nothing.
    """
    server = tmp_path / "servers/s1"
    (server / "variables/mq").mkdir(parents=True)
    (server / "server.xml").write_text(whole(SPEC.replace("QM1", "${mq/name}"), QUEUE), "utf-8")
    (server / "bootstrap.properties").write_text("mq/name=BOOT\n", "utf-8")
    (server / "variables/mq/name").write_text("FILE\n", "utf-8")
    assert _queue_manager(tmp_path) == "FILE"
    (server / "server.xml").write_text(whole(SPEC.replace("QM1", "${q}"), QUEUE), "utf-8")
    (server / "variables/more.properties").write_text("q=LISTED\n", "utf-8")
    assert _queue_manager(tmp_path) == "LISTED"
    own = '<variable name="q" value="V"/>'
    (server / "server.xml").write_text(whole(SPEC.replace("QM1", "${q}"), QUEUE, own), "utf-8")
    assert _queue_manager(tmp_path) == "V"
    units = group_units(list_files([tmp_path]).files)
    assert [len(unit.files) for unit in units] == [4]
    (server / "server.xml").unlink()
    assert not discover([tmp_path]).files


def _queue_manager(folder: Path) -> str | None:
    (row,) = read_estate([folder], Observations()).facts.rows["endpoint"]
    return row.queue_manager


def test_a_variable_of_server_xml_wins_and_its_default_loses() -> None:
    """``value`` counts before every file, ``defaultValue`` after."""
    reference, boot = SPEC.replace("QM1", "${q}"), {"bootstrap_properties": "q=BOOT"}
    assert endpoint(reference, QUEUE, '<variable name="q" value="V"/>', **boot)["queue_manager"] == "V"
    assert endpoint(reference, QUEUE, '<variable name="q" defaultValue="D"/>', **boot)["queue_manager"] == "BOOT"
    assert endpoint(reference, QUEUE, '<variable name="q" defaultValue="D"/>')["queue_manager"] == "D"
    nested = '<variable name="q" value="${r}1"/><variable name="r" value="QM"/>'
    assert endpoint(reference, QUEUE, nested)["queue_manager"] == "QM1"


def test_a_variable_that_leads_back_has_no_value() -> None:
    """It ends, and the value is not known."""
    circle = '<variable name="q" value="${r}"/><variable name="r" value="x${q}x"/>'
    assert endpoint(SPEC.replace("QM1", "${q}"), QUEUE, circle)["queue_manager"] is None


@pytest.mark.parametrize(
    ("queue", "kind", "most", "retry"),
    [
        ('<queue id="Q"/>', "system", 5, 5000),
        ('<queue id="Q" exceptionDestination=""/>', "system", 5, 5000),
        ('<queue id="Q" exceptionDestination="ERRORS" redeliveryInterval="0"/>', "named", 5, 5000),
        ('<queue id="Q" failedDeliveryPolicy="KEEP_TRYING" maxRedeliveryCount="-1"/>', "none", 0, 5000),
        ('<queue id="Q" failedDeliveryPolicy="KEEP_TRYING" redeliveryInterval="100"/>', "none", 5, 100),
        ('<queue id="Q" failedDeliveryPolicy="DISCARD"/>', "discard", 5, 5000),
        ('<queue id="Q" failedDeliveryPolicy="${policy}"/>', None, 5, 5000),
    ],
)
def test_queues_of_the_messaging_engine(queue: str, kind: str | None, most: int, retry: int) -> None:
    """What becomes of a message that fails too often."""
    spec = '<jmsActivationSpec id="A/m/B"><properties.wasJms destinationRef="in"/></jmsActivationSpec>'
    jms = '<jmsQueue id="in" jndiName="jms/in"><properties.wasJms queueName="Q"/></jmsQueue>'
    found = facts(spec, jms, f"<messagingEngine>{queue}</messagingEngine>")
    (row,) = (row for row in found.rows["destination"] if row.name == "Q")
    assert (row.exception_destination, row.max_failed_deliveries) == (kind, most)
    assert row.effective_blocked_retry_ms == retry
    (reader,) = found.rows["endpoint"]
    assert (reader.destination_id, reader.max_sessions) == (row.id, 5)


def test_a_destination_of_another_server_is_not_known() -> None:
    """remoteServerAddress leads to the engine of another server."""
    spec = '<properties.wasJms destinationRef="in" remoteServerAddress="other:7276:BootstrapBasicMessaging"/>'
    jms = '<jmsQueue id="in" jndiName="jms/in"><properties.wasJms queueName="Q"/></jmsQueue>'
    engine = '<messagingEngine><queue id="Q"/></messagingEngine>'
    found = facts(f'<jmsActivationSpec id="A/m/B">{spec}</jmsActivationSpec>', jms, engine)
    (reader,) = found.rows["endpoint"]
    assert reader.destination_id not in {row.id for row in found.rows["destination"]}
    assert found.rows["problem"] == []


def test_the_id_names_the_bean_where_server_xml_has_the_application() -> None:
    """A name with a slash is a bean's only then."""
    assert endpoint(SPEC, QUEUE)["bean_count"] is None
    found = facts(SPEC, QUEUE, APPLICATION)
    (bean,) = found.rows["bean"]
    assert (bean.application, bean.module, bean.name, bean.transaction) == ("A", "m", "B", None)
    (binding,) = found.rows["binding"]
    assert (binding.resolution, binding.auto_start) == ("resolved", True)
    module = facts(
        SPEC.replace("A/m/B", "audit/B"), QUEUE, '<webApplication location="apps/audit.war" autostart="false"/>'
    )
    assert [(bean.application, bean.module) for bean in module.rows["bean"]] == [("audit", "audit")]
    assert module.rows["binding"][0].auto_start is False


def test_values_have_the_place_where_they_stand() -> None:
    """Line and column of the attribute that counts, in the file that has it; the text as written."""
    queue = "<jmsQueue id='in' jndiName='j'>\n    <properties.wmqJms\n      baseQueueName='IN'/></jmsQueue>"
    included = f"<server>\n  {queue}</server>"
    found = facts(SPEC, '<include location="mq.xml"/>', mq_xml=included)
    origin = found.rows["endpoint"][0].origins["queue"]
    assert (origin.path, origin.line, origin.column) == ("w/servers/s1/mq.xml", 4, 7)


def test_users_come_without_passwords() -> None:
    """authData by reference and inside, and what a password looks like is nowhere in the facts."""
    secret = "{xor}do-not-read-me-7731"
    data = f'<authData id="u" user="app" password="{secret}"/>'
    inner = SPEC.replace("/></jms", f'/><authData user="own" password="{secret}"/></jms')
    named = SPEC.replace('id="A/m/B"', 'id="A/m/B" authDataRef="u"')
    assert endpoint(named, QUEUE, data)["user"] == "app"
    assert endpoint(inner, QUEUE)["user"] == "own"
    found = facts(inner, data, QUEUE, f'<variable name="p" value="{secret}"/>')
    assert secret not in "".join(f"{row}{getattr(row, 'origins', {})}" for rows in found.rows.values() for row in rows)


def test_what_no_server_includes_is_told_and_not_read() -> None:
    """A configuration file beside server.xml counts only where something includes it."""
    (cell,) = servers({"w/servers/s1/server.xml": "<server/>", "w/servers/s1/old.xml": f"<server>{SPEC}</server>"})
    assert cell.activation_specs == []
    assert [(problem.kind, problem.path) for problem in cell.problems] == [("not_read", "w/servers/s1/old.xml")]


def test_servers_share_what_they_include() -> None:
    """A file of shared/config is part of each server that includes it."""
    own = f'<server><include location="${{shared.config.dir}}/mq.xml"/>{SPEC}</server>'
    files = {f"usr/servers/{name}/server.xml": own for name in ("a", "b")}
    found = servers({**files, "usr/shared/config/mq.xml": f"<server>{QUEUE}</server>"})
    assert [cell.name for cell in found] == ["liberty:a", "liberty:b"]
    assert [len(cell.destinations) for cell in found] == [1, 1]


def test_every_server_of_the_corpus_is_read(corpus: Path) -> None:
    """Each public server.xml has its activation specifications; the one that is no XML is told with its place."""
    files = [file for file in sorted((corpus / "was").iterdir()) if looks_like_liberty(file.read_bytes()[:8192])]
    assert len(files) >= 10
    cells = read_liberty((file.as_posix(), file.read_bytes) for file in files)
    broken = [problem for cell in cells for problem in cell.problems]
    assert [(Path(p.path).name[:3], p.kind, p.line) for p in broken] == [("057", "unreadable", 9)]
    assert all(cell.activation_specs for cell in cells if not cell.problems)
    providers = {Path(c.root).name[:3]: {s.provider for s in c.activation_specs} for c in cells if not c.problems}
    assert providers["039"] == {"generic"}
    assert providers["042"] == providers["064"] == {"sib"}
    assert providers["061"] == providers["063"] == providers["066"] == {"wmq"}
