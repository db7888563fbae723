"""What would happen if: change scripts, properties files, plans and single values on top of exports."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lintmdb.engine.flow_rows import find_origin
from lintmdb.engine.judge import judge
from lintmdb.engine.repairs import find_alternatives
from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import shown_path
from lintmdb.model.environment_names import key_of
from lintmdb.plan.single_values import assignments
from lintmdb.plan.verify import Progress, Verified, verify
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.plan_progress import render_progress
from lintmdb.report.terminal import Style
from lintmdb.resolve.observations import Observations
from lintmdb.run.environments import Environments
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.settings.changes import Assignment, Target
from lintmdb.settings.registry import SETTINGS, find_setting
from lintmdb.settings.values import why_refused
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder, scenario_names

_ESTATE = FIXTURES / "estate"
_INERT = FIXTURES / "backout-inert"
_SERVER = "Cell=PRODCELL:Node=node2:Server=claims"
_ADAPTER = "J2CResourceAdapter=WebSphere MQ Resource Adapter"
_FACTORY = "Cell=PRODCELL:JMSProvider=WebSphere MQ JMS Provider:MQQueueConnectionFactory=QM1CF"


def _properties(tmp_path: Path, text: str) -> tuple[list[Assignment], list[tuple[int, str]]]:
    file = tmp_path / "c.props"
    file.write_text(text)
    overlay = WhatIf(files=[file]).overlay(read_exports([_ESTATE]), Observations())
    made = [change for changes in overlay.assignments.values() for change in changes]
    return made, [(problem.line, problem.text) for problem in overlay.problems]


@pytest.mark.parametrize(
    ("section", "kind", "attribute"),
    [
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\nmaxRetries=77", "listener_port", "maxRetries"),
        (
            f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ID#x\nmaxRetries=77\nname=ClaimsLP",
            "listener_port",
            "maxRetries",
        ),
        (
            (
                f"MessageListenerService\nResourceId={_SERVER}:MessageListenerService=\n"
                "AttributeInfo=properties(name,value)\nMAX.RECOVERY.RETRIES=77"
            ),
            "listener_service",
            "MAX.RECOVERY.RETRIES",
        ),
        (
            (
                f"MessageListenerService\nResourceId={_SERVER}:MessageListenerService=\nAttributeInfo=threadPool\n"
                "maximumSize=77"
            ),
            "listener_threads",
            "maximumSize",
        ),
        (
            (
                f"TransactionService\nResourceId={_SERVER}:TransactionService=\nAttributeInfo=services\n"
                "totalTranLifetimeTimeout=77"
            ),
            "transaction_service",
            "totalTranLifetimeTimeout",
        ),
        (
            f"ThreadPool\nResourceId={_SERVER}:ThreadPool=WMQJCAResourceAdapter\nmaximumSize=77",
            "thread_pool",
            "maximumSize",
        ),
        (
            (
                f"J2CActivationSpec\nResourceId=Cell=PRODCELL:{_ADAPTER}:J2CActivationSpec=LettersAS\n"
                "AttributeInfo=resourceProperties(name,value)\nmaxPoolDepth=77 #integer"
            ),
            "mq_specification",
            "maxPoolSize",
        ),
        (f"MQQueueConnectionFactory\nResourceId={_FACTORY}\nmsgRetention=false", "connection_factory", "msgRetention"),
        (
            f"MQQueueConnectionFactory\nResourceId={_FACTORY}\nAttributeInfo=sessionPool\nmaxConnections=77",
            "session_pool",
            "maxConnections",
        ),
        (
            f"MQQueueConnectionFactory\nResourceId={_FACTORY}\nAttributeInfo=connectionPool\nmaxConnections=77",
            "connection_pool",
            "maxConnections",
        ),
        (
            "SIBQueue\nResourceId=Cell=PRODCELL:SIBus=MailBus:SIBQueue=NOTICES\nmaxFailedDeliveries=77",
            "bus_destination",
            "maxFailedDeliveries",
        ),
    ],
)
def test_sections_of_properties_files(tmp_path: Path, section: str, kind: str, attribute: str) -> None:
    """Each kind of object that settings know, by its scope and its name."""
    made, left = _properties(tmp_path, f"ResourceType={section}\n")
    value = "false" if attribute == "msgRetention" else "77"
    assert [(change.target.kind, change.attribute, change.new) for change in made] == [(kind, attribute, value)]
    assert left == []


def test_one_member_of_a_cluster_changes_alone(tmp_path: Path) -> None:
    """A section of a server is about this server, however many the cluster has."""
    resource = "Cell=PRODCELL:Node=node1:Server=shop1:TransactionService="
    made, _ = _properties(
        tmp_path, f"ResourceType=TransactionService\nResourceId={resource}\ntotalTranLifetimeTimeout=77\n"
    )
    assert [change.target.path for change in made] == ["/Node:node1/Server:shop1/"]


@pytest.mark.parametrize(
    ("section", "line", "says"),
    [
        ("DataSource\nResourceId=Cell=PRODCELL", 1, "DataSource is not an object that lintmdb judges"),
        (
            f"ListenerPort\nResourceId={_SERVER}:ListenerPort=NOPE\nmaxRetries=1",
            1,
            "would be refused: cell PRODCELL has no ListenerPort NOPE",
        ),
        (
            f"J2CActivationSpec\nResourceId=Cell=PRODCELL:Node=node1:{_ADAPTER}:J2CActivationSpec=OrdersAS\nx=1",
            1,
            "would be refused: node node1 has no J2CActivationSpec OrdersAS",
        ),
        (
            f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\n\nmaxRetries=six",
            4,
            "would be refused: maxRetries is a number from 0 to 2147483647, and not six",
        ),
        ("ListenerPort\nResourceId=Cell=OTHER:Node=node2:Server=claims:ListenerPort=ClaimsLP", 1, "no cell OTHER"),
        (
            f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\n\ncolour=1",
            4,
            "lintmdb judges no colour of this",
        ),
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=NOPE\nDELETE=true", 1, "has no ListenerPort NOPE"),
        (f"Server\nResourceId={_SERVER}\nDELETE=true", 1, "does not judge what is left without the Server claims"),
    ],
)
def test_what_is_left_out_is_told_with_its_line(tmp_path: Path, section: str, line: int, says: str) -> None:
    """Objects that are not in the exports, and attributes that nothing judges."""
    made, left = _properties(tmp_path, f"ResourceType={section}\n")
    assert made == []
    assert [number for number, _ in left] == [line]
    assert says in left[0][1]


_ORDERS = f"Cell=PRODCELL:ServerCluster=ShopCluster:{_ADAPTER}:J2CActivationSpec=OrdersAS"


def test_an_extracted_section_is_told_only_what_it_changes(tmp_path: Path) -> None:
    """WebSphere extracts every property of an object: equal ones, and those that no rule reads, need no notice."""
    kept = (
        "ResourceType=Server\nResourceId=Cell=PRODCELL:Node=node1:Server=shop1\n\nshortName=null\n\n"
        f"ResourceType=J2CActivationSpec\nResourceId={_ORDERS}\njndiName=jms/as/Orders\n\n"
        "AttributeInfo=resourceProperties(name,value)\nCCSID=819\nclientId=\ndestination=jms/q/Orders\n"
        'arbitraryProperties=was_stopEndpointIfDeliveryFails="true",was_failureDeliveryCount="3",sslType="CENTRAL"\n'
    )
    assert _properties(tmp_path, kept)[1] == []
    changes, left = _properties(tmp_path, kept.replace("jms/q/Orders", "jms/q/Other"))
    assert left == []
    assert [change.new for change in changes if change.attribute == "destination"] == ["jms/q/Other"]


def test_what_is_no_pair_is_not_passed_over(tmp_path: Path) -> None:
    """A quotation mark too many would make a setting disappear."""
    _, left = _properties(
        tmp_path,
        f"ResourceType=J2CActivationSpec\nResourceId={_ORDERS}\nAttributeInfo=resourceProperties(name,value)\n"
        'arbitraryProperties="was_stopEndpointIfDeliveryFails="false",was_failureDeliveryCount="0""\n',
    )
    text = 'lintmdb does not understand "was_stopEndpointIfDeliveryFails="false" in arbitraryProperties'
    assert left[0] == (4, text)


@pytest.mark.parametrize(
    ("section", "name", "nearest"),
    [
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP", "maxRetris", "maxRetries"),
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP", "maxRetrys", "maxRetries"),
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP", "MaxRetries", "maxRetries"),
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP", "descripton", "description"),
        ("MQQueue\nResourceId=Cell=PRODCELL:MQQueue=LettersQ", "baseQueueNam", "baseQueueName"),
        (
            f"TransactionService\nResourceId={_SERVER}:TransactionService=",
            "propagatedOrBMTTranLifetimeTimeout",
            "propogatedOrBMTTranLifetimeTimeout",
        ),
        (
            f"MQQueueConnectionFactory\nResourceId={_FACTORY}\nAttributeInfo=sessionPool",
            "maxConections",
            "maxConnections",
        ),
    ],
)
def test_a_misspelt_attribute_is_refused(lintmdb: Run, tmp_path: Path, section: str, name: str, nearest: str) -> None:
    """As in MQSC: WebSphere has no such attribute, and the change would not be made."""
    (tmp_path / "c.props").write_text(f"ResourceType={section}\n{name}=1\n")
    result = lintmdb("diff", _ESTATE, "--change", "c.props", cwd=tmp_path)
    kind = section.partition("\n")[0]
    assert f"would be refused: {kind} has no attribute {name}. Did you mean {nearest}?" in " ".join(
        result.stdout.split()
    )
    assert result.returncode == 4


def test_a_misspelt_property_of_a_list_is_told_what_it_resembles(tmp_path: Path) -> None:
    """WebSphere takes any name in a list of custom properties; the notice names the property that lintmdb judges."""
    file = tmp_path / "c.props"
    file.write_text(
        f"ResourceType=MessageListenerService\nResourceId={_SERVER}:MessageListenerService=\n"
        "AttributeInfo=properties(name,value)\nMAX.RECOVERY.RETRYS=1\n"
    )
    (problem,) = WhatIf(files=[file]).overlay(read_exports([_ESTATE]), Observations()).problems
    assert (problem.kind, problem.next_step) == ("unjudged_change", "Did you mean MAX.RECOVERY.RETRIES?")


def test_a_custom_property_outside_its_list_is_refused(tmp_path: Path) -> None:
    """The service has no attribute of this name."""
    section = f"MessageListenerService\nResourceId={_SERVER}:MessageListenerService="
    made, left = _properties(tmp_path, f"ResourceType={section}\nMAX.RECOVERY.RETRIES=7\n")
    assert made == []
    assert left == [(3, "would be refused: MessageListenerService has no attribute MAX.RECOVERY.RETRIES")]


def test_attributes_that_services_have_are_not_called_misspelt(tmp_path: Path) -> None:
    """Everything that WebSphere extracts of them is known, and what rules read of it is changed."""
    made, left = _properties(
        tmp_path,
        f"ResourceType=TransactionService\nResourceId={_SERVER}:TransactionService=\nenable=true\n"
        "maximumTransactionTimeout=0\n\n"
        f"ResourceType=MessageListenerService\nResourceId={_SERVER}:MessageListenerService=\nenable=false\n"
        "maxMDBListenerRetries=7\nmqJMSPoolingTimeout=600000\n",
    )
    assert left == []
    assert {(change.target.kind, change.attribute, change.new) for change in made} == {
        ("listener_service", "maxMDBListenerRetries", "7")
    }


@pytest.mark.parametrize(
    ("section", "bean", "port"),
    [
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP", "ClaimBean", "ClaimsLP"),
        (
            f"J2CActivationSpec\nResourceId=Cell=PRODCELL:{_ADAPTER}:J2CActivationSpec=LettersAS",
            "LetterBean",
            "jms/as/Letters",
        ),
    ],
)
def test_an_object_that_is_deleted_is_gone(lintmdb: Run, tmp_path: Path, section: str, bean: str, port: str) -> None:
    """A bean that used it consumes nothing, and the section that deletes it is the place."""
    (tmp_path / "c.props").write_text(f"# gone\nResourceType={section}\nDELETE=true\n")
    result = lintmdb("diff", _ESTATE, "--change", "c.props", cwd=tmp_path)
    assert "error   MDB705" in result.stdout
    assert f"{bean} is bound to {port}, which is not defined" in " ".join(result.stdout.split())
    assert "c.props:2:1  DELETE=true" in result.stdout
    assert (result.returncode, result.stderr) == (1, "")


@pytest.mark.parametrize(
    ("scenario", "section", "told"),
    [
        (
            "listener-port-retries-0",
            "MQQueueConnectionFactory\nResourceId=Cell=C1:Node=node1:Server=server1:MQQueueConnectionFactory=QM1CF",
            "the connection factory jms/cf/QM1 of listener port OrdersLP is not defined",
        ),
        (
            "bus-exception-none",
            "SIBQueue\nResourceId=Cell=C1:SIBus=OrdersBus:SIBQueue=ORDERS.IN",
            "the bus destination ORDERS.IN of activation specification OrdersAS is not defined",
        ),
    ],
)
def test_a_name_that_a_deletion_leaves_without_an_object(
    lintmdb: Run, tmp_path: Path, scenario: str, section: str, told: str
) -> None:
    """MDB902 says so at the section that deletes the object."""
    (tmp_path / "c.props").write_text(f"# gone\nResourceType={section}\nDELETE=true\n")
    result = lintmdb("check", FIXTURES / scenario, "--change", "c.props", "--select", "MDB902", cwd=tmp_path)
    assert told in " ".join(result.stdout.split())
    assert "c.props:2:1  DELETE=true" in result.stdout


def test_a_changed_value_is_where_the_file_says_it(tmp_path: Path) -> None:
    """Reports point to the line of the properties file, which is the one that a pull request shows."""
    file = tmp_path / "c.props"
    file.write_text(f"ResourceType=ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\n\nmaxRetries=0\n")
    exports = read_exports([_ESTATE])
    overlay = WhatIf(files=[file]).overlay(exports, Observations())
    flows = judge(resolve_exports(exports, Observations(), overlay).facts, []).flows
    (claims,) = (head for head in flows if head.subject.name == "ClaimsLP")
    origin = find_origin(claims.rows, "endpoint.failure_threshold")
    assert origin == (shown_path(file), 4, 1, 'maxRetries="0"', False)


def test_skipped_sections_and_equal_values_change_nothing(tmp_path: Path) -> None:
    """As applyConfigProperties has it."""
    port = f"ResourceType=ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\n"
    assert _properties(tmp_path, f"{port}SKIP=true\nmaxRetries=77\n") == ([], [])
    assert _properties(tmp_path, f"{port}maxRetries=null\n") == ([], [])


@pytest.mark.parametrize("data", [b"\0", b"x", b"ResourceType"])
def test_a_hostile_properties_file_is_one_error(lintmdb: Run, tmp_path: Path, data: bytes) -> None:
    """Nothing is judged, and the error names the file."""
    (tmp_path / "c.props").write_bytes(data)
    result = lintmdb("check", _INERT, "--change", tmp_path / "c.props")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "c.props" in result.stderr


def _scripted(tmp_path: Path, text: str, name: str = "deploy.mqsc", **named: str) -> list[str]:
    file = tmp_path / name
    file.write_text(text)
    what_if = WhatIf(files=[file], queue_managers={str(file): manager for manager in named.values()})
    return list(what_if.overlay(read_exports([_INERT]), Observations()).scripts)


def test_whose_script_it_is(tmp_path: Path) -> None:
    """By option, by the file's own name, or because there is one queue manager; another name is an error."""
    alter = "ALTER QLOCAL('ORDERS.IN') BOTHRESH(4)\n"
    assert _scripted(tmp_path, alter) == ["QM1"]
    assert _scripted(tmp_path, alter, "QM1.mqsc") == ["QM1"]
    assert _scripted(tmp_path, alter, queue_manager="QM1") == ["QM1"]
    with pytest.raises(LintmdbError, match="is for queue manager QM7, which the exports do not contain"):
        _scripted(tmp_path, alter, queue_manager="QM7")


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("QM9.mqsc", "", "definition"),
        ("deploy.txt", "* ALTER QLOCAL('ORDERS.IN') BOTHRESH(4)\n\n", "definition"),
        ("deploy.mqsc", "DISPLAY QMGR\nEND\n", "definition"),
        ("c.props", "# maxRetries=77\n", "setting"),
    ],
)
def test_a_file_that_changes_nothing_is_told(lintmdb: Run, tmp_path: Path, name: str, text: str, what: str) -> None:
    """A pull request may comment out the last command, so the verdicts are those without a change; a strict gate fails,
    because the path may be wrong.
    """
    (tmp_path / name).write_text(text)
    command = ("check", FIXTURES / "clean", "--on-message", "15s", "--change", name, "--summary")
    result, strict = lintmdb(*command, cwd=tmp_path), lintmdb(*command, "--strict", cwd=tmp_path)
    told = f"lintmdb: {name}: nothing in this file changes a {what}. If it should, check the path\n"
    assert (result.returncode, result.stderr) == (0, told)
    unjudged = result.stdout.replace("passes, with 1 change not judged", "passes")
    assert unjudged != result.stdout
    assert unjudged == lintmdb(*command[:4], "--summary").stdout
    assert (strict.returncode, strict.stderr) == (4, told)
    assert "1 change is not judged, and the gate is strict" in strict.stdout
    assert lintmdb("trace", FIXTURES / "clean", "--change", name, cwd=tmp_path).stderr == told


def test_a_file_about_other_objects_is_accepted(tmp_path: Path) -> None:
    """No verdict depends on a listener, so there is nothing to say."""
    file = tmp_path / "deploy.mqsc"
    file.write_text("DEFINE LISTENER(TCP) TRPTYPE(TCP) PORT(1414)\n")
    overlay = WhatIf(files=[file]).overlay(read_exports([_INERT]), Observations())
    assert list(overlay.problems) == []


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("ALTER QLOCAL('NOPE') BOTHRESH(4)", "ALTER QLOCAL(NOPE) would be refused by QM1: it does not exist there"),
        ("DEFINE QLOCAL('ORDERS.IN') BOTHRESH(4)", "DEFINE QLOCAL(ORDERS.IN) would be refused by QM1: it exists"),
        ("ALTER QALIAS('ORDERS.IN') TARGET(X)", "ALTER QALIAS(ORDERS.IN) would be refused by QM1: ORDERS.IN is a QL"),
        ("DELETE QLOCAL('NOPE')", "DELETE QLOCAL(NOPE) would be refused by QM1: it does not exist there"),
        ("DELETE QLOCAL('NOPE') IGNSTATE(NO)", "DELETE QLOCAL(NOPE) would be refused by QM1: it does not exist"),
        ("DEFINE QLOCAL('ORDERS.IN') NOREPLACE", "DEFINE QLOCAL(ORDERS.IN) would be refused by QM1: it exists already"),
        (
            "DEFINE QLOCAL(X) LIKE('NOPE')",
            "DEFINE QLOCAL(X) would be refused by QM1: NOPE in LIKE does not exist there",
        ),
        (
            "DEFINE QLOCAL('ORDERS.IN') REPLACE LIKE('NOPE')",
            "DEFINE QLOCAL(ORDERS.IN) would be refused by QM1: NOPE in LIKE does not exist there",
        ),
        (
            "ALTER QLOCAL(ORDERS.IN) BOTHRESH(-1)",
            "ALTER QLOCAL(ORDERS.IN) would be refused by QM1: BOTHRESH(-1) is outside 0 to 999999999",
        ),
        (
            "DEFINE QLOCAL(NEW.IN) MAXMSGL(200M)",
            "DEFINE QLOCAL(NEW.IN) would be refused by QM1: MAXMSGL(200M) is not a whole number from 0 to 104857600",
        ),
        (
            "ALTER QLOCAL(ORDERS.IN) BOTRESH(3)",
            "ALTER QLOCAL(ORDERS.IN) would be refused by QM1: QLOCAL has no attribute BOTRESH (syntax error, AMQ8405I)",
        ),
    ],
)
def test_refused_commands_are_told_with_their_line(lintmdb: Run, tmp_path: Path, command: str, says: str) -> None:
    """What the queue manager would refuse changes nothing, and the gate fails."""
    (tmp_path / "deploy.mqsc").write_text(f"* deploy\n{command}\n")
    result = lintmdb("diff", _INERT, "--change", tmp_path / "deploy.mqsc")
    assert result.returncode == 4
    assert f"deploy.mqsc:2: {says}" in " ".join(result.stdout.split())
    assert result.stdout.endswith("1 change refused\n")
    checked = lintmdb("check", FIXTURES / "clean", "--change", tmp_path / "deploy.mqsc", "--summary")
    assert (checked.returncode, checked.stdout.splitlines()[0]) == (4, "Gate      fails: 1 change would be refused")


def test_another_type_of_channel_is_refused(lintmdb: Run, tmp_path: Path) -> None:
    """The channel stays as it is, and no endpoint loses it."""
    change = tmp_path / "deploy.mqsc"
    change.write_text("ALTER CHANNEL('WAS.SVRCONN') CHLTYPE(SDR) DESCR('x')\n")
    result = lintmdb("check", _ESTATE, "--change", change, "--queue-manager", f"QM1={change}", "-q")
    assert result.returncode in (1, 4)
    assert (
        "refused by QM1: WAS.SVRCONN is a channel of type SVRCONN. Name it as it is: CHLTYPE(SVRCONN)" in result.stderr
    )
    assert "MDB604" not in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        "DELETE QLOCAL('NOPE') IGNSTATE(YES)\n",
        "DELETE QLOCAL('ORDERS.IN') PURGE\nDEFINE QLOCAL('ORDERS.IN') LIKE('ORDERS.BACKOUT') BOTHRESH(3)\n",
        "DEFINE QLOCAL('ORDERS.IN') REPLACE BOTHRESH(3)\n",
        "DEFINE QLOCAL('NEW.A')\nDEFINE QLOCAL('NEW.B') LIKE('NEW.A')\n",
        "DEFINE QLOCAL('NEW.A') LIKE('SYSTEM.DEFAULT.LOCAL.QUEUE')\nDELETE QLOCAL('NEW.A')\nDEFINE QALIAS('NEW.A')\n",
    ],
)
def test_what_a_queue_manager_takes_is_not_refused(lintmdb: Run, tmp_path: Path, text: str) -> None:
    """A file may create again what it deletes, copy what it created, and delete what may not be there."""
    change = tmp_path / "deploy.mqsc"
    change.write_text(text)
    result = lintmdb("check", FIXTURES / "clean", "--change", change, "--summary")
    assert "refused" not in result.stdout + result.stderr
    assert "IGNSTATE" not in result.stderr


def _commands(tmp_path: Path, text: str) -> tuple[list[str], list[tuple[str, int, int]]]:
    """The commands of a script that are left, and its problems with their lines and columns."""
    file = tmp_path / "deploy.mqsc"
    file.write_text(text)
    overlay = WhatIf(files=[file]).overlay(read_exports([_INERT]), Observations())
    (script,) = overlay.scripts["QM1"]
    return [c.name for c in script.commands], [(p.kind, p.line, p.column) for p in overlay.problems]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ALTR QLOCAL(ORDERS.IN) BOTHRESH(7)\n", "this line is not an MQSC command"),
        ("ALTER QLOCAL(ORDERS.IN) BOTHRESH(7\n", "ALTER QLOCAL(ORDERS.IN) cannot be parsed"),
        ("ALTER QLOCAL(ORDERS.IN) BOTHRESH(0) BOTHRESH(3)\n", "because BOTHRESH occurs again inside the command"),
    ],
)
def test_a_broken_command_is_refused_although_it_is_the_only_one(
    lintmdb: Run, tmp_path: Path, text: str, says: str
) -> None:
    """It is told with its line, as behind a good command; what is not MQSC at all is still a usage error."""
    (tmp_path / "QM1.mqsc").write_text(text)
    (tmp_path / "both.mqsc").write_text(f"ALTER QLOCAL(ORDERS.IN) BOTHRESH(4)\n{text}")
    (tmp_path / "notes.txt").write_text("ALTR is no command, and this is no script.\n")
    for name, line in (("QM1.mqsc", 1), ("both.mqsc", 2)):
        result = lintmdb("check", FIXTURES / "clean", "--change", name, cwd=tmp_path)
        assert result.returncode == 4
        assert f"{name}:{line}: " in result.stderr
        assert says in result.stderr
    notes = lintmdb("check", FIXTURES / "clean", "--change", "notes.txt", cwd=tmp_path)
    assert (notes.returncode, "holds no command that changes a queue manager" in notes.stderr) == (2, True)


def test_json_points_to_the_line_of_the_change_as_the_text_does(lintmdb: Run, tmp_path: Path) -> None:
    """Also where an export has the value that decides first; that one is a related place then."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("ALTER QLOCAL(ORDERS.IN) +\n  BOTHRESH(0)\n")
    options = ("fixtures/clean", "--on-message", "1s", "--change", script, "--select", "MDB304")
    (finding,) = json.loads(lintmdb("check", *options, "--format", "json").stdout)["findings"]
    assert finding["location"] == {"path": str(script), "line": 2, "column": 3}
    assert finding["related"][0]["path"].endswith("/resources.xml")
    assert f"[{script}:2:3]" in lintmdb("check", *options, "-q").stdout
    options = ("fixtures/clean", "--on-message", "1s", "--change", script)
    (new,) = (
        entry
        for entry in json.loads(lintmdb("diff", *options, "--format", "json").stdout)["new"]
        if entry["rule"] == "MDB304"
    )
    assert new["location"] == finding["location"]


def _new(lintmdb: Run, exports: Path, change: Path) -> dict[str, list[tuple[str, int]]]:
    """The places of new findings by rule, the location first."""
    told = json.loads(lintmdb("diff", exports, "--change", change, "--format", "json").stdout)["new"]
    return {
        entry["rule"]: [(place["path"], place["line"]) for place in (entry["location"], *entry["related"])]
        for entry in told
    }


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("DEFINE QLOCAL(ORDERS.IN) REPLACE +\n  DESCR('x')\n", "MDB101", 1),
        ("DEFINE QLOCAL(ORDERS.IN) REPLACE +\n  LIKE(ORDERS.BACKOUT)\n", "MDB101", 2),
        ("ALTER QLOCAL(ORDERS.BACKOUT) PUT(DISABLED)\n", "MDB107", 1),
        ("DELETE QLOCAL(ORDERS.BACKOUT)\n", "MDB105", 1),
        ("\nDELETE QLOCAL(ORDERS.BACKOUT)\nDEFINE QALIAS(ORDERS.BACKOUT) TARGET(NOPE)\n", "MDB105", 3),
        ("DELETE QLOCAL(ORDERS.IN)\n", "MDB121", 1),
    ],
)
def test_a_finding_is_on_the_line_of_the_script_that_brings_it_about(
    lintmdb: Run, tmp_path: Path, text: str, rule: str, line: int
) -> None:
    """Also where the line does not name the attribute, because it copies it, or names another object on the way."""
    script = tmp_path / "QM1.mqsc"
    script.write_text(text)
    assert _new(lintmdb, FIXTURES / "clean", script)[rule][0] == (str(script), line)


@pytest.mark.parametrize(
    ("section", "rule"),
    [
        (
            (
                f"J2CActivationSpec\nResourceId={_ORDERS}\nAttributeInfo=resourceProperties(name,value)\n"
                'arbitraryProperties=sslType="CENTRAL"'
            ),
            "MDB301",
        ),
        (f"J2CActivationSpec\nResourceId={_ORDERS}\n\njndiName=jms/as/Other", "MDB705"),
        (f"J2CActivationSpec\nResourceId={_ORDERS}\n\nauthenticationAlias=dmgrNode/claimsMq", "MDB605"),
        ("JAASAuthData\nResourceId=Cell=PRODCELL:Security=:JAASAuthData=alias#dmgrNode/shopMq\n\nuserId=mqm", "MDB605"),
        (
            (
                "MQQueue\nResourceId=Cell=PRODCELL:ServerCluster=ShopCluster:JMSProvider=WebSphere MQ JMS Provider:"
                "MQQueue=jndiName#jms/q/Orders\n\njndiName=jms/q/Other"
            ),
            "MDB902",
        ),
        (f"ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\n\ndestinationJNDIName=jms/q/Letters", "MDB121"),
    ],
)
def test_a_finding_is_on_the_line_of_the_properties_file_that_brings_it_about(
    lintmdb: Run, tmp_path: Path, section: str, rule: str
) -> None:
    """Also where the line leads to an object with other settings, takes a name away, or drops what it does not hold."""
    exports, file = tmp_path / "exports", tmp_path / "c.props"
    shutil.copytree(_ESTATE, exports)
    for path, old, new in (
        ("mq/QM1.mqsc", "('LETTERS.IN')", "('LETTERS.OUT')"),
        ("was/cells/PRODCELL/security.xml", '"wasclaims"', '"mqm"'),
    ):
        (exports / path).write_text((exports / path).read_text().replace(old, new))
    file.write_text(f"ResourceType={section}\n")
    assert _new(lintmdb, exports, file)[rule][0] == (str(file), 4)


def test_what_only_a_run_of_a_change_decides_is_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """It is pointed out with its line, and a strict gate fails."""
    script = tmp_path / "deploy.sh"
    script.write_text('for q in $(cat names)\ndo echo "DEFINE QLOCAL($q)" | runmqsc QM1; done\n')
    told = f"{script}:2: DEFINE QLOCAL(${{Q}}) is not read: its name is filled in elsewhere"
    for options, code in ((("--strict",), 4), ((), 0)):
        result = lintmdb("check", "fixtures/clean", "--on-message", "1s", "--change", script, *options)
        assert (result.returncode, result.stderr.count(told)) == (code, 1)


def test_a_shell_script_says_which_queue_manager_its_commands_are_for(lintmdb: Run, tmp_path: Path) -> None:
    """What it gives to runmqsc is the change, of each queue manager that it names; lines are those of the file."""
    shutil.copytree(_ESTATE, tmp_path / "exports")
    script = tmp_path / "deploy.sh"
    script.write_text(
        "#!/bin/sh\nset -e\nrunmqsc QM1 <<EOF\nALTER QLOCAL('NOPE') BOTHRESH(0)\nEOF\n"
        "runmqsc QM2 <<EOF\nALTER QLOCAL('NEITHER') BOTRESH(1)\nEOF\nrunmqsc QM2 < more.mqsc\n"
    )
    result = lintmdb("check", "exports", "--change", "deploy.sh", "--fail-on", "never", cwd=tmp_path)
    assert result.returncode == 4
    assert "deploy.sh:9: more.mqsc is no part of the change that is judged" in result.stderr
    assert "deploy.sh:4: ALTER QLOCAL(NOPE) would be refused by QM1: it does not exist there" in result.stderr
    assert (
        "deploy.sh:7: ALTER QLOCAL(NEITHER) would be refused by QM2: QLOCAL has no attribute BOTRESH" in result.stderr
    )


def test_a_shell_script_that_only_names_scripts_asks_for_them(lintmdb: Run, tmp_path: Path) -> None:
    """Beside them it adds nothing, and is not mentioned."""
    (tmp_path / "deploy.sh").write_text("#!/bin/sh\nrunmqsc QM1 < more.mqsc\n")
    (tmp_path / "more.mqsc").write_text("* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') MAXDEPTH(4999)\n")
    asked = ("diff", FIXTURES / "clean", "--strict", "--change", "deploy.sh")
    alone = lintmdb(*asked, cwd=tmp_path)
    assert alone.returncode == 4
    assert "deploy.sh:2: more.mqsc is no part of the change that is judged. Name it, too" in alone.stderr
    assert lintmdb(*asked, "--change", "more.mqsc", cwd=tmp_path).returncode == 0
    (tmp_path / "deploy.sh").write_text("#!/bin/sh\nrunmqsc QM1 < other/more.mqsc\n")
    assert lintmdb(*asked, "--change", "more.mqsc", cwd=tmp_path).returncode == 4


_COPYING_PLAY = """\
- name: Copy
  copy:
    src: orders.mqsc
    dest: /var/mqm/orders.mqsc
- name: Run
  shell: runmqsc QM1 < /var/mqm/orders.mqsc
"""


def test_a_play_says_where_its_file_is_and_which_queue_manager_runs_it(lintmdb: Run, tmp_path: Path) -> None:
    """The path is one from here, and the file needs no name of a queue manager beside its play."""
    shutil.copytree(_ESTATE, tmp_path / "exports")
    play, file = Path("roles/mq/tasks/main.yml"), Path("roles/mq/files/orders.mqsc")
    for path, text in ((play, _COPYING_PLAY), (file, "ALTER QLOCAL('NOPE') BOTHRESH(3)\n")):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text)
    asked = ("diff", "exports", "--change", play)
    alone = lintmdb(*asked, cwd=tmp_path)
    assert f"orders.mqsc is no part of the change that is judged. Name it, too: --change {file}" in alone.stderr
    assert "does not name its queue manager" in lintmdb("diff", "exports", "--change", file, cwd=tmp_path).stderr
    both = lintmdb(*asked, "--change", file, cwd=tmp_path)
    assert "would be refused by QM1: it does not exist there" in " ".join(both.stdout.split())
    assert both.stderr == ""


def test_a_queue_manager_in_place_of_an_environment_is_told_what_to_write(lintmdb: Run, tmp_path: Path) -> None:
    """The name before the file is that of an environment."""
    (tmp_path / "x.mqsc").write_text("ALTER QLOCAL('ORDERS.IN') MAXDEPTH(4999)\n")
    result = lintmdb("check", FIXTURES / "clean", "--change", "QM1=x.mqsc", cwd=tmp_path)
    assert result.returncode == 2
    assert "QM1 is a queue manager and no environment" in result.stderr
    assert "Write --change x.mqsc --queue-manager QM1=x.mqsc" in result.stderr
    right = ("--change", "x.mqsc", "--queue-manager", "QM1=x.mqsc")
    assert lintmdb("check", FIXTURES / "clean", "--on-message", "1s", *right, cwd=tmp_path).returncode == 0


def test_a_new_queue_manager_and_an_unknown_environment_are_told_what_to_do(lintmdb: Run, tmp_path: Path) -> None:
    """The header names the queue manager already; an environment that nobody defines is no part of a path."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    (tmp_path / "new.mqsc").write_text("* Queue manager name: QM7\nDEFINE QLOCAL(NEW.IN)\n")
    asked = ("check", "exports", "--environment", "prod=exports/mq", "--environment", "test=exports/was", "--change")
    new = lintmdb(*asked, "new.mqsc", cwd=tmp_path)
    assert new.returncode == 2
    assert (
        "If QM7 is new, give the file as an export and not with --change: lintmdb check EXPORT new.mqsc" in new.stderr
    )
    assert lintmdb("check", "exports", "new.mqsc", "--on-message", "15s", cwd=tmp_path).returncode == 0
    unknown = lintmdb(*asked, "prd=new.mqsc", cwd=tmp_path)
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "lintmdb: --change prd=new.mqsc: there is no environment prd. The environments are prod, test\n",
    )


def test_each_command_with_a_misspelt_attribute_is_refused(tmp_path: Path) -> None:
    """Wherever it stands: behind a description that has the word, in continued lines, and twice on one line."""
    text = (
        "DEFINE QLOCAL(A) DESCR('BOTRESH(1)') +\n* BOTRESH(2)\n  BOTHRESH(3)\n"
        "ALTER QL(B) +\n   GET(ENABLED) +\n   BOTRESH(3)\n"
        "ALTER QL(C) BOTHRESH(1); ALTER QL(D) MAXDEPHT(1)\n"
        "DEFINE NOREPLACE QLOCAL(E) BOQNAM(X)\n"
    )
    left, problems = _commands(tmp_path, text)
    assert left == ["A", "C"]
    assert problems == [("refused_change", 6, 4), ("refused_change", 7, 38), ("refused_change", 8, 28)]


def test_an_attribute_that_may_be_new_leaves_values_unknown(lintmdb: Run, tmp_path: Path) -> None:
    """lintmdb does not say that the queue manager refuses what it may take."""
    left, problems = _commands(tmp_path, "ALTER QLOCAL(ORDERS.IN) BOTHRESH(3) QUANTUM(YES)\n")
    assert (left, problems) == (["ORDERS.IN"], [("unjudged_change", 1, 37)])
    result = lintmdb("check", _INERT, "--change", tmp_path / "deploy.mqsc", "--summary")
    assert "a poison message has an unknown fate" in result.stdout
    assert "lintmdb does not know the attribute QUANTUM of QLOCAL" in result.stderr


def test_every_attribute_of_an_export_is_known(tmp_path: Path) -> None:
    """What queue managers write of themselves, as commands of a change."""
    dump = (FIXTURES / "all-families" / "mq" / "QM1.mqsc").read_text()
    assert _commands(tmp_path, dump)[1] == []


@pytest.mark.parametrize(
    ("section", "says"),
    [
        (
            "J2CActivationSpec\nResourceId=Cell=PRODCELL:J2CActivationSpec=LetersAS",
            "would be refused: cell PRODCELL has no J2CActivationSpec LetersAS",
        ),
        (
            "ListenerPort\nResourceId=Cell=PROD:ListenerPort=ClaimsLP",
            "would be refused: the exports contain no cell PROD",
        ),
    ],
)
def test_a_section_about_nothing_is_refused(lintmdb: Run, tmp_path: Path, section: str, says: str) -> None:
    """With the line of the section."""
    (tmp_path / "c.props").write_text(f"# head\nResourceType={section}\nmaxRetries=3\n")
    result = lintmdb("diff", _ESTATE, "--change", tmp_path / "c.props")
    assert result.returncode == 4
    assert f"c.props:2: {says}" in " ".join(result.stdout.split())


def test_diff_is_a_gate_for_a_change_script(lintmdb: Run, tmp_path: Path) -> None:
    """A change that does good passes, one that does harm does not, and nothing to compare is a usage error."""
    good, bad = tmp_path / "good.mqsc", tmp_path / "bad.mqsc"
    good.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(3)\n")
    bad.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    passed = lintmdb("diff", _INERT, "--change", good)
    assert passed.returncode == 0
    assert "MDB104" in passed.stdout
    clean = FIXTURES / "clean"
    assert lintmdb("diff", clean, "--change", bad).returncode == 1
    assert lintmdb("diff", clean).returncode == 2
    assert lintmdb("diff", clean, "--change", tmp_path / "absent.mqsc").returncode == 2


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("QM1.mqsc", "ALTER QLOCAL('ORDERS.IN') BOTHRESH(7)\n", "queue manager QM1"),
        (
            "c.props",
            f"ResourceType=ListenerPort\nResourceId={_SERVER}:ListenerPort=ClaimsLP\nmaxRetries=7\n",
            "cell PRODCELL",
        ),
    ],
)
def test_a_change_file_is_of_one_environment(tmp_path: Path, file: str, text: str, what: str) -> None:
    """Where a queue manager or cell of its name is in several, the user says in which."""
    folders = {environment: shutil.copytree(_ESTATE, tmp_path / environment) for environment in ("prod", "test")}
    environments = Environments({shown_path(path): frozenset({name}) for name, path in folders.items()})
    exports = read_exports(list(folders.values()), environments=environments)
    (tmp_path / file).write_text(text)
    several = f"changes {what}, which is in several environments. Name the environment: --change prod="
    with pytest.raises(LintmdbError, match=several):
        WhatIf(files=[tmp_path / file]).overlay(exports, Observations())
    overlay = WhatIf(files=[Path(f"test={tmp_path / file}")]).overlay(exports, Observations())
    assert [*overlay.scripts, *overlay.assignments] == [key_of("test", what.split()[-1])]
    assert [*overlay.problems] == []
    prod = Environments({shown_path(folders["prod"]): frozenset({"prod"})})
    exports = read_exports(list(folders.values()), environments=prod)
    with pytest.raises(
        LintmdbError, match=f"{what}, which .*/test/.* has in no environment and another .* in prod"
    ) as error:
        WhatIf(files=[tmp_path / file]).overlay(exports, Observations())
    assert "--environment prod=" in str(error.value)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("queue ORDERS.IN at QM1: BOTHRESH=5", "BOTHRESH"),
        ("queue ORDERS.IN: bothresh = 5", "BOTHRESH"),
        ("queue ORDERS.IN: backout_threshold=5", "BOTHRESH"),
        ("endpoint OrdersAS: failureDeliveryCount=5", "failureDeliveryCount"),
        ("endpoint OrdersAS on C1: was_failureDeliveryCount=5", "failureDeliveryCount"),
        ("server server1: totalTranLifetimeTimeout=5", "totalTranLifetimeTimeout"),
        ("transaction service of server1: Total transaction lifetime timeout=5", "totalTranLifetimeTimeout"),
        (
            "activation specification OrdersAS on C1: Stop endpoint if message delivery fails=false",
            "stopEndpointIfDeliveryFails",
        ),
    ],
)
def test_single_values(text: str, attribute: str) -> None:
    """By the product's name, the file's, and the column's; the place may be left out."""
    exports = read_exports([_INERT])
    text = text.replace("on C1", f"on {exports.cells[0][0].name}")
    overlay = WhatIf(values=[text]).overlay(exports, Observations())
    assigned = [change.attribute for changes in overlay.assignments.values() for change in changes]
    scripted = [p.keyword for s in overlay.scripts.values() for f in s for c in f.commands for p, _ in c.parameters]
    assert [*assigned, *scripted] == [attribute]


@pytest.mark.parametrize(
    "words",
    [
        "bus destination NOTICES of bus MailBus",
        "bus destination NOTICES at bus MailBus",
        "destination NOTICES at MailBus",
        "listener port ClaimsLP at server node2/claims",
        "listener port ClaimsLP of node2/claims",
    ],
)
def test_places_of_an_object(words: str) -> None:
    """As reports print them, with what they are, or by name alone."""
    attribute = "maxFailedDeliveries" if "NOTICES" in words else "maxRetries"
    exports = read_exports([_ESTATE])
    heads = judge(resolve_exports(exports, Observations()).facts, []).flows
    (change,) = assignments(f"{words}: {attribute}=7", heads)
    assert change.target.name in ("NOTICES", "ClaimsLP")
    assert change.target.name in words
    with pytest.raises(LintmdbError):
        assignments(f"{words}X: {attribute}=7", heads)


def test_the_old_exception_destination_is_the_one_that_the_file_names() -> None:
    """And not the word of the column, which only says that some destination is named."""
    exports = read_exports([scenario_folder("bus-exception-named")])
    heads = judge(resolve_exports(exports, Observations()).facts, []).flows
    (change,) = assignments("bus destination ORDERS.IN: exceptionDestination=", heads)
    assert isinstance(change, Assignment)
    assert (change.old, change.new) == ("ORDERS.FAILED", "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ORDERS.IN BOTHRESH=5", "does not set a value"),
        ("queue ORDERS.IN at QM1: COLOUR=5", "cannot change COLOUR of queue ORDERS.IN. What can be set is "),
        ("queue ORDERS.IN at QM1: BOTRESH=5", "cannot change BOTRESH of queue ORDERS.IN. Did you mean BOTHRESH?"),
        (
            "queue ORDERS.IN at QM1: PUT=DISABLED",
            "cannot change PUT of queue ORDERS.IN. Write ALTER QLOCAL('ORDERS.IN') PUT(DISABLED) in a file",
        ),
        ("queue NOPE at QM1: BOTHRESH=5", "the exports have no queue NOPE"),
        ("queue ORDERS.IN at QM9: BOTHRESH=5", "the exports have no queue ORDERS.IN"),
    ],
)
def test_a_value_that_fits_nothing_is_one_error(lintmdb: Run, text: str, says: str) -> None:
    """With what would be right."""
    result = lintmdb("check", _INERT, "--set", text)
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("queue ORDERS.IN: bothresh=-1", "BOTHRESH is out of range: it is a number from 0 to 999999999"),
        ("queue ORDERS.IN: BOTHRESH=1000000000", "BOTHRESH is out of range"),
        ("queue ORDERS.IN: BOTHRESH=three", "BOTHRESH is a number from 0 to 999999999, and not three"),
        ("queue ORDERS.IN: BOTHRESH=", "BOTHRESH is a number from 0 to 999999999, and not blank"),
        ("queue ORDERS.IN: HARDENBO=maybe", "HARDENBO is HARDENBO or NOHARDENBO, and not maybe"),
        (f"queue ORDERS.IN: BOQNAME={'Q' * 49}", "BOQNAME has at most 48 characters"),
        ("endpoint OrdersAS: failureDeliveryCount=-3", "failureDeliveryCount is out of range"),
        ("endpoint OrdersAS: stopEndpointIfDeliveryFails=nein", "stopEndpointIfDeliveryFails is true or false"),
    ],
)
def test_a_value_that_no_product_takes_is_one_error(lintmdb: Run, text: str, says: str) -> None:
    """A verdict on it would be one on nothing that can be."""
    result = lintmdb("check", _INERT, "--set", text)
    assert (result.returncode, result.stdout) == (2, "")
    assert says in result.stderr


def test_every_value_that_a_repair_assigns_can_be_set() -> None:
    """In every scenario: old values, new ones and defaults of the product."""
    count = 0
    for name in scenario_names():
        for finding in run_scenario(scenario_folder(name)).judgement.findings:
            for changes in find_alternatives(finding.rule, finding.rows):
                for change in changes:
                    if isinstance(change, Assignment):
                        setting = find_setting(change)
                        refusals = [
                            why_refused(each, change.new)
                            for each in SETTINGS[change.setting]
                            if each.attribute == setting.attribute
                        ]
                        assert "" in refusals, (name, change)
                        count += 1
    assert count > 100
    assert not [why_refused(setting, setting.default) for settings in SETTINGS.values() for setting in settings
                if setting.default is not None and why_refused(setting, setting.default)]  # fmt: skip


@pytest.mark.parametrize("value", ["-1", "0", "3"])
def test_one_attribute_of_liberty_has_two_columns(value: str) -> None:
    """It takes what either of them takes, and nothing below."""
    heads = judge(resolve_exports(read_exports([scenario_folder("liberty")]), Observations()).facts, []).flows
    name = next(head.subject.name for head in heads if head.rows.endpoint.provider == "wmq")
    text = f"activation specification {name}: maxSequentialDeliveryFailures"
    assert [change.new for change in assignments(f"{text}={value}", heads) if isinstance(change, Assignment)] == [value]
    assert assignments("transaction service transaction at shop: totalTranLifetimeTimeout=10m", heads)
    with pytest.raises(LintmdbError, match="maxSequentialDeliveryFailures is "):
        assignments(f"{text}=-2", heads)


def test_the_columns_of_a_verified_plan_stand_below_each_other() -> None:
    """Whatever the progress of each change is."""
    change = Assignment(Target("mq", "QM1", "QLOCAL", "Q"), "queue.backout_threshold", "BOTHRESH", "3", "0")
    cases: tuple[tuple[Progress, ...], ...] = (("done", "open", "drifted"), ("done", "not exported"))
    for progresses in cases:
        verified = [Verified(change, progress, "9") for progress in progresses]
        shown = [line for line in render_progress(verified, Style()) if "BOTHRESH" in line]
        assert len({line.index("Q ") for line in shown}) == 1
        assert [line.split("  ")[1] for line in shown] == [*progresses]


@pytest.mark.parametrize(("now", "progress"), [("TRIGGER", "open"), ("NOTRIGGER", "done")])
def test_a_switch_of_two_keywords_is_verified(tmp_path: Path, now: str, progress: Progress) -> None:
    """MQSC has a keyword each for on and off, whose value is neither."""
    (tmp_path / "QM1.mqsc").write_text(f"DEFINE QLOCAL('Q.BACKOUT') {now}\n")
    target = Target("mq", "QM1", "QLOCAL", "Q.BACKOUT")
    change = Assignment(target, "backout.triggered", "TRIGGER", "NOTRIGGER", "TRIGGER")
    (verified,) = verify([change], read_exports([tmp_path]))
    assert verified.progress == progress


def test_a_plan_is_a_change_and_is_verified(lintmdb: Run, tmp_path: Path) -> None:
    """check judges with plan.json on top; verify says open before, done after, drifted, and not exported."""
    out = tmp_path / "plan"
    assert lintmdb("plan", _INERT, "--out", out).returncode == 0
    assert lintmdb("check", _INERT).returncode == 1
    assert lintmdb("check", _INERT, "--change", out / "plan.json").returncode == 0
    before = lintmdb("plan", "verify", out, _INERT)
    assert (before.returncode, "1 change: 1 open" in before.stdout) == (1, True)
    after = tmp_path / "after"
    shutil.copytree(_INERT, after)
    dump = after / "mq" / "QM1.mqsc"
    text = dump.read_text()
    dump.write_text(text.replace("BOTHRESH(0)", "BOTHRESH(3)"))
    done = lintmdb("plan", "verify", out / "plan.json", after)
    assert (done.returncode, "1 change: 1 done" in done.stdout) == (0, True)
    dump.write_text(text.replace("BOTHRESH(0)", "BOTHRESH(9)", 1))
    drifted = lintmdb("plan", "verify", out, after)
    assert (drifted.returncode, "1 drifted" in drifted.stdout, "it is 9 now" in drifted.stdout) == (1, True, True)
    missing = lintmdb("plan", "verify", out, after / "was")
    assert (missing.returncode, "1 not exported" in missing.stdout) == (1, True)


@pytest.mark.parametrize(
    ("target", "progress"), [("TARGET('CQ')", "done"), ("TARGET('OTHER')", "drifted"), ("", "drifted")]
)
def test_an_alias_is_made_if_it_leads_where_the_plan_has_it_lead(
    lintmdb: Run, tmp_path: Path, target: str, progress: Progress
) -> None:
    """Somebody may have made another one of the name."""
    (tmp_path / "QM1.mqsc").write_text(f"* Queue manager name: QM1\nDEFINE QALIAS('AL') {target}\n")
    entry = {"change": "define", "product": "mq", "place": "QM1", "kind": "QALIAS", "name": "AL", "path": ""}
    change = {**entry, "disposition": "", "attributes": [["TARGET", "CQ"], ["TARGTYPE", "QUEUE"]]}
    (tmp_path / "plan.json").write_text(json.dumps({"format": 1, "changes": [change]}))
    told = lintmdb("plan", "verify", tmp_path / "plan.json", tmp_path / "QM1.mqsc").stdout
    assert f"1 change: 1 {progress}" in told
    (tmp_path / "plan.json").write_text(json.dumps({"format": 1, "changes": [{**change, "attributes": []}]}))
    assert lintmdb("plan", "verify", tmp_path / "plan.json", tmp_path / "QM1.mqsc").returncode in (0, 1)


_PLAN = """{
  "format": 1,
  "changes": [
    {"change": "set", "product": "mq", "place": "QM1", "kind": "QLOCAL", "name": "INVOICES.IN", "path": "",
     "disposition": "", "setting": "queue.backout_queue", "attribute": "BOQNAME",
     "new": "NOWHERE"},
    {"change": "define", "product": "mq", "place": "QM1", "kind": "QLOCAL", "name": "PAYMENTS.IN", "path": "",
     "disposition": "", "attributes": [["MAXDEPTH", "10"]]},
    {"change": "set", "product": "mq", "place": "QM1", "kind": "QLOCAL", "name": "CLAIMS.IN", "path": "",
     "disposition": "", "setting": "queue.backout_threshold", "attribute": "BOTHRESH", "new": "0"}
  ]
}
"""


def test_changes_of_a_plan_have_their_places_there(lintmdb: Run, tmp_path: Path) -> None:
    """What a finding rests on stands at the line and column of plan.json, and so does what would be refused."""
    (tmp_path / "plan.json").write_text(_PLAN)
    asked = ("diff", FIXTURES / "estate", "--change", "plan.json", "--format", "json")
    document = json.loads(lintmdb(*asked, cwd=tmp_path).stdout)
    places = {
        (finding["rule"], place["line"], place["column"])
        for finding in document["new"]
        for place in (finding["location"], *finding["related"])
        if place["path"] == "plan.json"
    }
    assert ("MDB105", 6, 6) in places
    assert ("MDB104", 10, 88) in places
    (refused,) = document["refused"]
    assert (refused["path"], refused["line"]) == ("plan.json", 7)
    assert "it exists already" in refused["text"]


@pytest.mark.parametrize("suffix", [".mqsc", ".sh"])
def test_a_definition_without_its_last_lines_lacks_a_continuation_mark(
    lintmdb: Run, tmp_path: Path, suffix: str
) -> None:
    """Its REPLACE is in lines that are lost, so to write another one is no repair."""
    script = "DEFINE QLOCAL(ORDERS.IN) +\n  BOTHRESH(5)\n  BOQNAME(ORDERS.BACKOUT) +\n  REPLACE\n"
    shell, first = suffix == ".sh", 3 if suffix == ".sh" else 1
    change = tmp_path / f"deploy{suffix}"
    change.write_text(f"#!/bin/sh\nrunmqsc QM1 <<EOF\n{script}EOF\n" if shell else script)
    asked = ("diff", FIXTURES / "clean", "--change", change, "--format", "json")
    refused, lost = json.loads(lintmdb(*asked).stdout)["refused"]
    assert refused["text"].endswith("it exists already")
    step = f"Line {first + 2} may be the rest of it, with REPLACE: end the line above that in +"
    assert (refused["line"], refused["next_step"]) == (first, step)
    assert lost["line"] == first + 2
    change.write_text(change.read_text().replace("  REPLACE\n", "").replace("  BOQNAME(ORDERS.BACKOUT) +\n", ""))
    (refused,) = json.loads(lintmdb(*asked).stdout)["refused"]
    assert refused["next_step"] == "Write REPLACE, or use ALTER"


def test_changes_of_a_cell_in_a_plan_have_their_places_there(lintmdb: Run, tmp_path: Path) -> None:
    """An attribute of WebSphere as one of IBM MQ."""
    exports, out = FIXTURES / "stop-3-sessions-5-bothresh-5", tmp_path / "plan"
    lintmdb("plan", exports, "--out", out)
    plan = json.loads((out / "plan.json").read_text())
    (change,) = plan["changes"]
    plan["changes"] = [{**change, "attribute": "failureDeliveryCount", "setting": "endpoint.failure_threshold"}]
    plan["changes"][0]["new"] = "2"
    (tmp_path / "other.json").write_text(json.dumps(plan, indent=2))
    asked = ("check", exports, "--change", "other.json", "--format", "json")
    found = json.loads(lintmdb(*asked, cwd=tmp_path).stdout)["findings"]
    lines: list[str] = (tmp_path / "other.json").read_text().splitlines()
    places = [place for finding in found for place in (finding["location"], *finding["related"])]
    own = {place["line"] for place in places if place["path"] == "other.json"}
    assert [lines[int(line) - 1].strip() for line in own] == ['"new": "2",']


def test_a_queue_or_channel_that_is_deleted_has_a_line_of_its_own(lintmdb: Run, tmp_path: Path) -> None:
    """The command of the change is a place of what follows from it, directly and behind an alias."""
    script = tmp_path / "QM1.mqsc"
    names = ("INVOICES.BACKOUT", "RETURNS.IN", "ORDERS.IN")
    script.write_text("* tidy up\n" + "".join(f"DELETE QLOCAL({name})\n" for name in names))
    with script.open("a") as more:
        more.write("DELETE CHANNEL('WAS.SVRCONN')\n")
    asked = (FIXTURES / "estate", "--change", "QM1.mqsc")
    document = json.loads(lintmdb("diff", *asked, "--format", "json", cwd=tmp_path).stdout)
    places = {
        (finding["rule"], place["line"])
        for finding in document["new"]
        for place in (finding["location"], *finding["related"])
        if place["path"] == "QM1.mqsc"
    }
    assert ("MDB105", 2) in places
    assert ("MDB121", 3) in places
    assert 4 in {line for _, line in places}
    assert ("MDB604", 5) in places
    assert "QM1.mqsc:3:1  DELETE QLOCAL('RETURNS.IN')\n" in lintmdb("diff", *asked, cwd=tmp_path).stdout
    text = lintmdb("check", *asked, cwd=tmp_path).stdout
    assert re.search(r"MQ +INVOICES\.BACKOUT +QLOCAL +deleted +QM1\.mqsc:2\n", text)


def test_a_record_that_is_set_or_removed_has_a_line_of_its_own(lintmdb: Run, tmp_path: Path) -> None:
    """Findings about access and about the rights of another user point at the command of the change."""
    exports = tmp_path / "exports"
    shutil.copytree(FIXTURES / "clean", exports)
    everybody = "SET CHLAUTH('{}') TYPE(ADDRESSMAP) ADDRESS('*') "
    with (exports / "mq/QM1.mqsc").open("a") as script:
        script.write("ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(' ')\n" + everybody.format("*") + "USERSRC(NOACCESS)\n")
        script.write(everybody.format("WAS.SVRCONN") + "USERSRC(MAP) MCAUSER('wasuser')\n")
    (tmp_path / "groups.yaml").write_text("users:\n- {user: nobody, groups: []}\n")
    for action, rules in (
        ("ACTION(REMOVE)", {"MDB605"}),
        ("USERSRC(MAP) MCAUSER('nobody') ACTION(REPLACE)", {"MDB113", "MDB115", "MDB125", "MDB127"}),
    ):
        (tmp_path / "QM1.mqsc").write_text(f"* access\n{everybody.format('WAS.SVRCONN')}{action}\n")
        asked = ("exports", "--change", "QM1.mqsc", "--observations", "groups.yaml", "--format", "json")
        found = json.loads(lintmdb("check", *asked, cwd=tmp_path).stdout)["findings"]
        places = {(each["rule"], each["location"]["path"], each["location"]["line"]) for each in found}
        assert places == {(rule, "QM1.mqsc", 2) for rule in rules}


def test_a_damaged_plan_is_one_error(lintmdb: Run, tmp_path: Path) -> None:
    """Another format, no JSON, and a change without what it needs."""
    file = tmp_path / "plan.json"
    for text in ("{", "[]", json.dumps({"format": 99}), json.dumps({"format": 1, "changes": [{"change": "set"}]})):
        file.write_text(text)
        result = lintmdb("check", _INERT, "--change", file)
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), text


def test_a_change_among_the_exports_is_refused(lintmdb: Run, tmp_path: Path) -> None:
    """A script in the folder of the exports would be read as part of what is there, and pass as no change at all."""
    shutil.copytree(scenario_folder("clean"), tmp_path / "exports")
    inside = tmp_path / "exports/deploy.mqsc"
    inside.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n")
    refused = lintmdb("diff", str(tmp_path / "exports"), "--change", str(inside))
    assert refused.returncode == 2
    assert "is one of the exports, too" in refused.stderr
    outside = inside.rename(tmp_path / "deploy.mqsc")
    assert lintmdb("diff", str(tmp_path / "exports"), "--change", str(outside)).returncode == 1


def test_scripts_of_a_plan_are_no_exports(lintmdb: Run, tmp_path: Path) -> None:
    """A plan that is written next to the exports changes no verdict."""
    folder = tmp_path / "exports"
    shutil.copytree(scenario_folder("blank-boqname-no-deadq"), folder)
    before = lintmdb("check", ".", cwd=folder)
    lintmdb("plan", ".", "--out", "plan", cwd=folder)
    assert (folder / "plan/undo/delete/mq/QM1.mqsc").exists()
    after = lintmdb("check", ".", cwd=folder)
    assert (after.stdout, after.stderr) == (before.stdout, before.stderr)
    assert "is written by lintmdb plan" in lintmdb("inventory", ".", cwd=folder).stdout
    for scripts in ("plan/mq", "plan/undo"):
        named = lintmdb("check", "was", "mq", scripts, cwd=folder)
        assert f"{scripts} was not read: it holds scripts that lintmdb plan has written: name each file" in named.stderr


def test_rights_that_a_plan_leaves_to_others_are_no_exports(lintmdb: Run, tmp_path: Path) -> None:
    """Nobody has granted them, and nobody has made what is to be made if a queue is missing; nor are the pages MQSC."""
    folder = tmp_path / "exports"
    shutil.copytree(scenario_folder("stop-3-sessions-5-bothresh-5"), folder)
    clustered = (
        "DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME(h) CLUSTER(C)\nDEFINE QLOCAL(Z) BOTHRESH(3) BOQNAME(NONE)\n"
    )
    dump = folder / "mq/QM1.mqsc"
    dump.write_text(dump.read_text() + clustered)
    before = lintmdb("check", ".", "--all-queues", cwd=folder)
    lintmdb("plan", ".", "--all-queues", "--out", "plan", cwd=folder)
    assert (folder / "plan/optional/mq/QM1.mqsc").exists()
    assert (folder / "plan/if-undefined/mq/QM1.mqsc").exists()
    after = lintmdb("check", ".", "--all-queues", cwd=folder)
    assert (after.stdout, after.stderr) == (before.stdout, before.stderr)
    assert "not understood" not in lintmdb("inventory", ".", cwd=folder).stdout


def test_undoing_a_plan_is_a_change_of_the_exports_with_the_plan(lintmdb: Run, tmp_path: Path) -> None:
    """The scripts need no option that names their queue manager, where there are several, either."""
    lintmdb("plan", FIXTURES / "estate", "--out", "plan", cwd=tmp_path)
    steps = [tmp_path / "plan/mq/QM1.mqsc", tmp_path / "plan/undo/mq/QM1.mqsc"]
    for number, script in enumerate(steps):
        script.rename(tmp_path / f"step{number}.txt")
    told = lintmdb("diff", FIXTURES / "estate", "--before", "step0.txt", "--change", "step1.txt", cwd=tmp_path)
    assert told.returncode == 1
    assert "does not name its queue manager" not in told.stderr


def test_a_queue_that_nothing_reads_is_not_silently_passed(lintmdb: Run, tmp_path: Path) -> None:
    """A change of backout attributes that no flow meets is judged by --all-queues alone, which a notice says."""
    script = tmp_path / "deploy.mqsc"
    script.write_text("DEFINE QLOCAL('REPORT.IN') BOTHRESH(3) BOQNAME('NOPE')\n")
    exports = str(scenario_folder("clean"))
    silent = lintmdb("diff", exports, "--change", str(script))
    assert silent.returncode == 0
    assert "no endpoint in the exports reads or leads to REPORT.IN" in silent.stderr
    assert "--all-queues" in silent.stderr
    assert lintmdb("diff", exports, "--change", str(script), "--strict").returncode == 4
    judged = lintmdb("diff", exports, "--change", str(script), "--all-queues")
    assert judged.returncode == 1
    assert "no endpoint" not in judged.stderr
    script.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(4)\n")
    assert "no endpoint" not in lintmdb("diff", exports, "--change", str(script)).stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ALTER QLOCAL(LONE.IN) BOTHRESH(0)", True),
        ("ALTER QLOCAL(LONE.IN) BOQNAME(' ') BOTHRESH(0)", True),
        ("ALTER QLOCAL(LONE.BO) PUT(DISABLED)", True),
        ("DELETE QLOCAL(LONE.BO)", True),
        ("ALTER QLOCAL(LONE.LOG) PUT(DISABLED)", False),
        ("ALTER QLOCAL(ORDERS.BACKOUT) MAXDEPTH(4999)", False),
    ],
)
def test_what_only_all_queues_judges_is_told(lintmdb: Run, tmp_path: Path, command: str, told: bool) -> None:
    """Whatever a change does to a queue with backout attributes, or to where its messages are moved."""
    exports = tmp_path / "exports"
    shutil.copytree(scenario_folder("clean"), exports)
    lone = "".join(f"DEFINE QLOCAL(LONE.{name}) {rest}\n" for name, rest in (("BO", ""), ("LOG", "")))
    with (exports / "mq" / "QM1.mqsc").open("a") as dump:
        dump.write(f"{lone}DEFINE QLOCAL(LONE.IN) BOTHRESH(3) BOQNAME(LONE.BO)\n")
    (tmp_path / "QM1.deploy.mqsc").write_text(f"{command}\n")
    strict = lintmdb("diff", exports, "--change", tmp_path / "QM1.deploy.mqsc", "--strict")
    assert ("no endpoint in the exports reads or leads to LONE." in strict.stderr) is told
    assert strict.returncode == (4 if told else 0), strict.stderr


def test_a_queue_of_another_queue_manager_meets_no_flow(lintmdb: Run, tmp_path: Path) -> None:
    """A queue with the name of one that an endpoint reads, at a queue manager that no endpoint uses."""
    exports = tmp_path / "exports"
    shutil.copytree(scenario_folder("clean"), exports)
    (exports / "QM9.mqsc").write_text("* Queue manager: QM9\nALTER QMGR DEADQ('SYSTEM.DEAD.LETTER.QUEUE')\n")
    script = tmp_path / "QM9.deploy.mqsc"
    script.write_text("DEFINE QLOCAL('ORDERS.IN') BOTHRESH(3) BOQNAME('NOPE')\n")
    told = lintmdb("diff", str(exports), "--change", str(script), "--queue-manager", f"QM9={script}")
    assert "no endpoint in the exports reads or leads to ORDERS.IN" in told.stderr


def test_one_of_two_specifications_of_a_name(lintmdb: Run, tmp_path: Path) -> None:
    """A name that objects at several scopes have means none of them before somebody says which; plans say the scope."""
    exports = shutil.copytree(_ESTATE, tmp_path / "exports")
    cell = exports / "was" / "cells" / "PRODCELL"
    own = cell / "nodes" / "node1" / "servers" / "shop1" / "resources.xml"
    shutil.copy(cell / "clusters" / "ShopCluster" / "resources.xml", own)
    asked = ("diff", str(exports), "--summary", "--set")
    refused = lintmdb(*asked, "endpoint OrdersAS at PRODCELL: failureDeliveryCount=9")
    assert refused.returncode == 2
    one, other = (
        f"activation specification OrdersAS of {scope}" for scope in ("cluster ShopCluster", "server node1/shop1")
    )
    assert f"means {one} and {other}. Name one of them" in refused.stderr
    for words in ("OrdersAS at cluster ShopCluster", "OrdersAS at ShopCluster", "OrdersAS of server node1/shop1"):
        result = lintmdb(*asked, f"activation specification {words}: failureDeliveryCount=9")
        assert result.stdout.splitlines()[-1].startswith("1 of 12 flows with another fate"), (words, result.stderr)
    plan = lintmdb("plan", str(exports), "--select", "MDB302").stdout
    assert f"  {one}\n" in plan
    assert f"  {other}\n" in plan
    kept = lintmdb(
        "plan", str(exports), "--select", "MDB302", "--keep", "activation specification OrdersAS at cluster ShopCluster"
    )
    assert f"\n  {one}\n" not in kept.stdout
    assert f"\n  {other}\n" in kept.stdout


@pytest.mark.parametrize("own_specification", [False, True])
def test_one_member_is_named_of_what_all_hold(lintmdb: Run, tmp_path: Path, own_specification: bool) -> None:
    """What members of a cluster hold alike is one object in a plan, but who names one of them means that one alone,
    whether it has a specification of its own or not.
    """
    exports = shutil.copytree(_ESTATE, tmp_path / "exports")
    cell = exports / "was" / "cells" / "PRODCELL"
    if own_specification:
        shared = (cell / "clusters" / "ShopCluster" / "resources.xml").read_text("utf-8")
        rest = slice(shared.index("    <j2cActivationSpec", shared.index('"OrdersAS"')), shared.rindex("  </resources"))
        own = cell / "nodes" / "node1" / "servers" / "shop1" / "resources.xml"
        own.write_text(shared.replace(shared[rest], "").replace("Orders", "Local"), "utf-8")
    pool = "thread pool WMQJCAResourceAdapter {}: maximumSize=1"
    for words in ("of node1/shop1", "of shop1", "at node1/shop1"):
        result = lintmdb("diff", str(exports), "--set", pool.format(words))
        assert "new: server node1/shop1\n  warning MDB307" in result.stdout, (words, result.stderr)
        assert "node2/shop2" not in result.stdout
    members = ("of node1/shop1, node2/shop2", "of shop1, shop2", "at ShopCluster", "at cluster ShopCluster")
    for words in (*members, "of cluster ShopCluster"):
        result = lintmdb("diff", str(exports), "--set", pool.format(words))
        assert "new: cluster ShopCluster\n  warning MDB307" in result.stdout, (words, result.stderr)
    for words in ("WMQ", "WMQJCAResourceAdapter of cluster Shop"):
        text = f"thread pool {words} of cluster ShopCluster: maximumSize=1"
        assert lintmdb("diff", str(exports), "--set", text).returncode == 2
    misspelt = lintmdb("diff", str(exports), "--set", "server node1/shop3: totalTranLifetimeTimeout=7")
    assert "Did you mean server node1/shop1 at PRODCELL?" in misspelt.stderr


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)", "SSLCIPH"),
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) SSLPEER('CN=x')", "SSLCIPH and SSLPEER"),
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(' ')", ""),
        ("ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL)", ""),
        ("ALTER QMGR CERTLABL('new') SSLFIPS(YES)", ""),
        ("DEFINE CHANNEL(OTHER.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)", ""),
    ],
)
def test_other_tls_on_a_channel_of_endpoints_is_not_judged(
    lintmdb: Run, tmp_path: Path, command: str, changes: str
) -> None:
    """A notice says so, and --strict fails; not where nothing changes, and not for a channel that nobody uses."""
    (tmp_path / "QM1.mqsc").write_text(f"* Queue manager name: QM1\n\n{command}\n")
    told = lintmdb("diff", FIXTURES / "clean", "--change", "QM1.mqsc", "--strict", cwd=tmp_path)
    assert told.returncode == (4 if changes else 0), told.stderr
    says = f"QM1.mqsc:3: ALTER CHANNEL(WAS.SVRCONN) changes {changes} of a channel that endpoints use"
    assert (says in told.stderr) is bool(changes)


_SPEC = (
    "ResourceType=J2CActivationSpec\n"
    "ResourceId=Cell=C1:Node=node1:Server=server1:J2CResourceAdapter=WebSphere MQ Resource Adapter:"
    "J2CActivationSpec=OrdersAS\nAttributeInfo=resourceProperties(name,value)\n\n"
)
_PACKED = 'arbitraryProperties=was_stopEndpointIfDeliveryFails="false",was_failureDeliveryCount="0"'


@pytest.mark.parametrize(
    ("properties", "changes"),
    [
        (f'{_PACKED},sslType="CENTRAL"', ""),
        (f'{_PACKED},sslType="SPECIFIC",sslConfiguration="Own"', "sslType and sslConfiguration"),
        (_PACKED, "sslType"),
        ("sslCipherSuite=SSL_RSA_WITH_AES_128_CBC_SHA256", "sslCipherSuite"),
        ("sslCipherSuite=", ""),
    ],
)
def test_other_tls_on_a_specification_is_not_judged(
    lintmdb: Run, tmp_path: Path, properties: str, changes: str
) -> None:
    """Those that stand in arbitraryProperties among them: a file replaces these as a whole."""
    (tmp_path / "orders.props").write_text(f"{_SPEC}{properties}\n")
    told = lintmdb("diff", FIXTURES / "clean", "--change", "orders.props", "--strict", cwd=tmp_path)
    assert told.returncode == (4 if changes else 0), told.stderr
    says = f"orders.props:5: the J2CActivationSpec OrdersAS gets another {changes}, and lintmdb does not judge TLS"
    assert (says in told.stderr) is bool(changes)


def test_other_tls_on_a_queue_manager_is_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """Where a channel of an endpoint uses TLS."""
    exports = shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    dump = exports / "mq/QM1.mqsc"
    secured = "ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)\nALTER QMGR SSLFIPS(NO)\n"
    dump.write_text(dump.read_text() + secured)
    for text, changes in (("SSLFIPS(NO)", ""), ("SSLFIPS(YES) CERTLABL('new')", "CERTLABL and SSLFIPS")):
        (tmp_path / "QM1.mqsc").write_text(f"ALTER QMGR {text}\n")
        told = lintmdb("diff", exports, "--change", "QM1.mqsc", "--strict", cwd=tmp_path)
        assert told.returncode == (4 if changes else 0), told.stderr
        assert (f"ALTER QMGR changes {changes} of a queue manager" in told.stderr) is bool(changes)


def test_a_channel_that_loses_tls_is_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """A definition with REPLACE takes back what it does not set."""
    exports = shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    secured = "ALTER CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(REQUIRED)\n"
    with (exports / "mq" / "QM1.mqsc").open("a") as dump:
        dump.write(secured)
    (tmp_path / "QM1.mqsc").write_text(secured)
    asked = ("diff", "exports", "--change", "QM1.mqsc", "--strict")
    assert lintmdb(*asked, cwd=tmp_path).returncode == 0
    (tmp_path / "QM1.mqsc").write_text("DEFINE CHANNEL(WAS.SVRCONN) CHLTYPE(SVRCONN) REPLACE\n")
    assert "DEFINE CHANNEL(WAS.SVRCONN) changes SSLCIPH of a channel" in lintmdb(*asked, cwd=tmp_path).stderr


def test_a_user_in_another_case_is_pointed_out(lintmdb: Run, tmp_path: Path) -> None:
    """Without quotes a user is taken in upper case, so that a grant to it helps no endpoint."""
    script = tmp_path / "QM1.mqsc"
    grant = (
        "* Queue manager name: QM1\nSET AUTHREC PROFILE(QM1.DEAD) OBJTYPE(QUEUE) PRINCIPAL({}) AUTHADD(PUT,PASSALL)\n"
    )
    asked = ("diff", "fixtures/estate", "--change", str(script))
    script.write_text(grant.format("wasshop"))
    told = lintmdb(*asked)
    assert "0 resolved" in told.stdout
    assert "QM1.mqsc:2: PRINCIPAL(WASSHOP) is not wasshop, the user of an endpoint" in told.stderr
    script.write_text(grant.format("'wasshop','someone'"))
    meant = lintmdb(*asked)
    assert "1 resolved" in meant.stdout
    assert "PRINCIPAL" not in meant.stderr


def test_a_control_command_is_shown_as_it_is_written(lintmdb: Run, tmp_path: Path) -> None:
    """It stands for SET AUTHREC, which the file does not have."""
    command = "setmqaut -m QM1 -n 'ORDERS.BACKOUT' -t q -p wasuser -passall"
    (tmp_path / "grants.sh").write_text(f"#!/bin/sh\n{command}\nsetmqaut -m QM1 -t q -n ORDERS.IN -p WASUSER +get\n")
    told = lintmdb("diff", FIXTURES / "clean", "--change", "grants.sh", "--on-message", "5s", cwd=tmp_path)
    assert f"grants.sh:2:1  {command}\n".replace("'", "") in told.stdout
    assert "SET AUTHREC" not in told.stdout + told.stderr
    assert "grants.sh:3: -p WASUSER is not wasuser, the user of an endpoint" in told.stderr


def test_a_control_command_that_nothing_judges_is_called_by_its_name(lintmdb: Run, tmp_path: Path) -> None:
    """No user is known whose rights it changes."""
    (tmp_path / "grants.sh").write_text("#!/bin/sh\nsetmqaut -m QM1 -t q -n ORDERS.IN -p app +get\n")
    asked = ("diff", FIXTURES / "clean/mq", "--all-queues", "--change", "grants.sh")
    assert "so setmqaut is not judged" in lintmdb(*asked, cwd=tmp_path).stderr


def test_a_user_of_another_name_repairs_nothing(lintmdb: Run, tmp_path: Path) -> None:
    """Where the dump is not of Windows, a name with @ is whole, whatever its case."""
    script = tmp_path / "QM1.mqsc"
    names = "'wasshop@corp','WASSHOP@corp'"
    script.write_text(
        "* Queue manager name: QM1\n"
        f"SET AUTHREC PROFILE(QM1.DEAD) OBJTYPE(QUEUE) PRINCIPAL({names}) AUTHADD(PUT,PASSALL)\n"
    )
    told = lintmdb("diff", "fixtures/estate", "--change", str(script))
    assert "0 resolved" in told.stdout
    assert "is not wasshop" not in told.stderr


def test_a_change_of_an_environment_is_no_export(lintmdb: Run, tmp_path: Path) -> None:
    """The script of --queue-manager is named in --change with its environment."""
    exports = tmp_path / "exports"
    shutil.copytree(scenario_folder("clean"), exports)
    script = tmp_path / "deploy.mqsc"
    script.write_text("ALTER QLOCAL('ORDERS.IN') BOTHRESH(4)\n")
    environment = ("--environment", f"prod={exports}")
    at = ("--queue-manager", f"QM1={script}")
    told = lintmdb("diff", *environment, "--change", f"prod={script}", *at, "--strict")
    assert (told.returncode, told.stderr) == (0, "")


def test_a_refused_command_is_not_also_unjudged(lintmdb: Run, tmp_path: Path) -> None:
    """A queue that is misspelt is refused; that no endpoint reads it is no news then."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("ALTER QLOCAL(ORDERS.INN) BOTHRESH(3)\n")
    result = lintmdb("diff", "fixtures/estate", "--change", str(script))
    assert result.returncode == 4
    assert "would be refused" in result.stdout
    assert "is not judged" not in result.stderr


def test_findings_about_rights_are_on_the_line_of_the_change(lintmdb: Run, tmp_path: Path) -> None:
    """Annotations point to the command that takes the right."""
    (tmp_path / "rights.mqsc").write_text(
        "* Queue manager name: QM1\nSET AUTHREC PROFILE('ORDERS.IN') PRINCIPAL('wasuser') OBJTYPE(QUEUE) AUTHRMV(GET)\n"
    )
    asked = ("check", FIXTURES / "clean", "--select", "MDB127", "--change", "rights.mqsc", "--format", "github")
    annotation = lintmdb(*asked, cwd=tmp_path).stdout.splitlines()[-1]
    assert "::error file=rights.mqsc,line=2,endLine=2,col=1,endColumn=82,title=MDB127" in annotation


def test_lines_of_quiet_name_the_place_of_the_annotations(lintmdb: Run, tmp_path: Path) -> None:
    """A finding that rests on a change and on an export is at the change, also where the export comes first."""
    (tmp_path / "QM1.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) +\n  BOTHRESH(0)\n")
    asked = ("check", FIXTURES / "clean", "--select", "MDB104,MDB304", "--change", "QM1.mqsc")
    *lines, _ = lintmdb(*asked, "-q", cwd=tmp_path).stdout.splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == ["[QM1.mqsc:2:3]", "[QM1.mqsc:2:3]"]
    annotations = lintmdb(*asked, "--format", "github", cwd=tmp_path).stdout
    assert annotations.count("::error file=QM1.mqsc,line=2,endLine=2,col=3,") == 2


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("destination=jms/q/Other", "OTHER.IN"),
        ("queueManager=QM9", "QM9"),
        ("channel=NOPE", "MDB604"),
    ],
)
def test_a_properties_file_that_moves_a_flow_is_judged(lintmdb: Run, tmp_path: Path, written: str, after: str) -> None:
    """What an endpoint reads and where it connects are values like others, in a file and in --set."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    resources = next((tmp_path / "exports").rglob("server1/resources.xml"))
    text = resources.read_text()
    start = text.index('<factories xmi:type="resources.jms.mqseries:MQQueue"')
    queue = text[start : text.index("/>", start) + 2]
    other = queue.replace('Orders"', 'Other"').replace("ORDERS.IN", "OTHER.IN").replace('xmi:id="', 'xmi:id="x')
    resources.write_text(text.replace(queue, queue + other))
    (tmp_path / "c.props").write_text(
        "ResourceType=J2CActivationSpec\nResourceId=Cell=C1:Node=node1:Server=server1:J2CResourceAdapter=WebSphere MQ "
        f"Resource Adapter:J2CActivationSpec=OrdersAS\nAttributeInfo=resourceProperties(name,value)\n{written}\n"
    )
    by_file = lintmdb("diff", "exports", "--change", "c.props", cwd=tmp_path)
    assert by_file.stderr == ""
    assert after in by_file.stdout
    by_value = lintmdb("diff", "exports", "--set", f"activation specification OrdersAS: {written}", cwd=tmp_path)
    assert (by_value.returncode, by_value.stdout.splitlines()[-1]) == (
        by_file.returncode,
        by_file.stdout.splitlines()[-1],
    )


def test_a_whole_section_of_a_thread_pool_is_known(lintmdb: Run, tmp_path: Path) -> None:
    """What WebSphere extracts of it, beside the size."""
    (tmp_path / "c.props").write_text(
        "ResourceType=ThreadPool\nResourceId=Cell=C1:Node=node1:Server=server1:ThreadPoolManager=ID#TM:"
        "ThreadPool=name#WMQJCAResourceAdapter\nAttributeInfo=threadPools\nmaximumSize=60 #integer\nminimumSize=10\n"
        "inactivityTimeout=3500\nisGrowable=false #boolean\ndescription=null\nname=WMQJCAResourceAdapter\n"
    )
    assert lintmdb("diff", FIXTURES / "clean", "--change", "c.props", "--strict", cwd=tmp_path).returncode == 0


def test_a_property_that_may_lead_elsewhere_leaves_its_flow_undecided(lintmdb: Run, tmp_path: Path) -> None:
    """No export shows which queue manager answers at another host; --strict fails, and no spelling is doubted."""
    (tmp_path / "c.props").write_text(
        "ResourceType=J2CActivationSpec\nResourceId=Cell=C1:Node=node1:Server=server1:J2CResourceAdapter=WebSphere MQ "
        "Resource Adapter:J2CActivationSpec=OrdersAS\nAttributeInfo=resourceProperties(name,value)\nhostName=other\n"
    )
    told = lintmdb("diff", FIXTURES / "clean", "--change", "c.props", "--strict", cwd=tmp_path)
    assert told.returncode == 4
    assert (
        "c.props:4: hostName may lead the J2CActivationSpec OrdersAS to another queue manager, and no export says to "
        "which: what becomes of the messages is undecided. Judge exports that have the change"
    ) in told.stderr


_KEEPER = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: orders\ndata:\n  a.mqsc: |\n"
    "    ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n"
)
_OPERATED = (
    "---\napiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata:\n  name: qm1\nspec:\n  queueManager:\n"
    "    name: QM1\n    mqsc:\n      - configMap:\n          name: orders\n          items: [a.mqsc]\n"
)
_PLAY = (
    "- hosts: mq\n  tasks:\n    - command: runmqsc QM1\n      args:\n        stdin: |\n"
    "          ALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n"
)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (_PLAY, ()),
        (_KEEPER + _OPERATED, ()),
        (_KEEPER.replace("|\n", "|\n    * Queue manager name: QM1\n"), ()),
        (_KEEPER.replace("name: orders", "name: QM1"), ()),
        (_KEEPER, ("--queue-manager", "QM1=change.yaml")),
    ],
    ids=["task", "resource", "header", "ConfigMap", "option"],
)
def test_a_change_in_yaml_names_its_queue_manager_as_an_export_does(
    lintmdb: Run, tmp_path: Path, text: str, options: tuple[str, ...]
) -> None:
    """A task, a resource, a header, a name, or the option that the error asks for."""
    (tmp_path / "change.yaml").write_text(text)
    result = lintmdb("diff", _ESTATE, "--change", "change.yaml", "-q", *options, cwd=tmp_path)
    assert (result.returncode, "BOTHRESH(0)" in result.stdout, result.stderr) == (1, True, "")


def test_a_resource_without_its_scripts_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """Nothing of what it runs is judged."""
    (tmp_path / "qm.yaml").write_text(_OPERATED)
    result = lintmdb("diff", _ESTATE, "--change", "qm.yaml", "--strict", cwd=tmp_path)
    assert result.returncode == 4
    assert "qm.yaml:12: ConfigMap orders is no part of the change that is judged. Give what kubectl" in result.stderr


def test_a_resource_that_names_its_scripts_without_their_hash_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """The scripts are judged, and the cluster would not find them."""
    (tmp_path / "qm.yaml").write_text(_KEEPER.replace("name: orders", "name: orders-bkg9ctkbkh") + _OPERATED)
    result = lintmdb("diff", _ESTATE, "--change", "qm.yaml", "--fail-on", "never", "-q", cwd=tmp_path)
    assert result.returncode == 4
    assert "BOTHRESH(0)" in result.stdout
    assert "runs ConfigMap orders, which is orders-bkg9ctkbkh here: kustomize adds a hash" in result.stdout
    assert "is no part of the change" not in result.stderr


def test_a_change_that_ends_in_the_middle_is_refused_there(lintmdb: Run, tmp_path: Path) -> None:
    """Its last command does not run, and what the exports hold stays whole."""
    (tmp_path / "c.mqsc").write_text(
        "* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') MAXDEPTH(4000)\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0) +\n"
    )
    result = lintmdb("diff", _ESTATE, "--change", "c.mqsc", "--strict", cwd=tmp_path)
    assert result.returncode == 4
    assert "c.mqsc:3: ALTER QLOCAL(ORDERS.IN) is not whole: the file ends where it goes on. Add what" in result.stdout
    assert "0 newly undecided" in result.stdout
    assert "1 change refused" in result.stdout


def test_a_change_in_ebcdic_is_read_as_an_export_is(lintmdb: Run, tmp_path: Path) -> None:
    """With line ends of z/OS."""
    text = "* Queue manager name: QM1\nALTER QLOCAL('ORDERS.IN') BOTHRESH(0)\n"
    (tmp_path / "c.mqsc").write_bytes(text.replace("\n", "\x85").encode("cp037"))
    result = lintmdb("diff", _ESTATE, "--change", "c.mqsc", "-q", cwd=tmp_path)
    assert (result.returncode, "BOTHRESH(0)" in result.stdout) == (1, True)


def test_a_script_for_wsadmin_is_no_change(lintmdb: Run, tmp_path: Path) -> None:
    """The error says what to give instead."""
    (tmp_path / "modify.py").write_text("AdminConfig.modify(port, [['maxRetries', '5']])\nAdminConfig.save()\n")
    result = lintmdb("diff", _ESTATE, "--change", "modify.py", cwd=tmp_path)
    assert result.returncode == 2
    assert "is a script for wsadmin, and lintmdb runs none" in result.stderr
    assert "properties file (.props), or compare with an export after it" in result.stderr


def test_the_wsadmin_script_of_a_plan_has_a_plan_json_to_judge(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever wants to see what a step does has the same changes as data."""
    lintmdb("plan", FIXTURES / "stop-3-sessions-5-bothresh-5", "--on-message", "15s", "--out", tmp_path)
    (script,) = (tmp_path / "was").glob("*.py")
    result = lintmdb("diff", FIXTURES / "stop-3-sessions-5-bothresh-5", "--change", script)
    assert "lintmdb plan wrote it, so use its plan.json: --change DIR/plan.json" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ("stopEndpointIfDeliveryFails=true", "was_stopEndpointIfDeliveryFails in arbitraryProperties"),
        ("was_stopEndpointIfDeliveryFails=true", "was_stopEndpointIfDeliveryFails in arbitraryProperties"),
        ("WAS_failureDeliveryCount=1", "was_failureDeliveryCount in arbitraryProperties"),
        ("maxPoolSize=77", "as a resource property it is maxPoolDepth"),
        ("maxPoolDepth=77", ""),
        ("WAS_EndpointInitialState=INACTIVE", ""),
    ],
)
def test_a_property_under_another_name_takes_no_effect(tmp_path: Path, properties: str, says: str) -> None:
    """WebSphere reads what stops an endpoint in arbitraryProperties alone, and no names of AdminTask."""
    asked = "ResourceType=J2CActivationSpec\nResourceId={}\nAttributeInfo=resourceProperties(name,value)\n{}\n"
    changes, left = _properties(tmp_path, asked.format(_ORDERS, properties))
    assert bool(changes) is not bool(says)
    assert [says in text and "takes no effect" in text for _, text in left] == [True] * bool(says)


def test_evidence_shows_the_name_that_the_file_has(lintmdb: Run, tmp_path: Path) -> None:
    """The repository's, and not that of AdminTask."""
    (tmp_path / "pool.props").write_text(f"{_SPEC}maxPoolDepth=5000\n")
    told = lintmdb("diff", FIXTURES / "clean", "--change", "pool.props", cwd=tmp_path)
    assert 'pool.props:5:1  maxPoolDepth="5000"' in told.stdout


def test_a_value_is_on_top_of_a_file(lintmdb: Run, tmp_path: Path) -> None:
    """Whoever tries a repair of a change sets it beside the change, in whatever order the two are named."""
    (tmp_path / "c.mqsc").write_text("ALTER QLOCAL(ORDERS.IN) BOTHRESH(0)\n")
    change, value = ("--change", tmp_path / "c.mqsc"), ("--set", "queue ORDERS.IN at QM1: BOTHRESH=3")
    for asked in ((*change, *value), (*value, *change)):
        assert lintmdb("check", FIXTURES / "clean", *asked, "--on-message", "5s").returncode == 0
    assert lintmdb("check", FIXTURES / "clean", *change, "--on-message", "5s").returncode == 1
