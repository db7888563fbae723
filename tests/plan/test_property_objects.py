"""Sections of properties files about what endpoints find by name, against exports in which a user made the change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.project import FIXTURES

_SERVER = "Cell=!{cellName}:Node=node1:Server=server1"
_PROVIDER = f"{_SERVER}:JMSProvider=WebSphere MQ JMS Provider"
_CELL = "EnvironmentVariablesSection\ncellName=C1\n"
_DESTINATION = ("resources.xml", 'baseQueueName="ORDERS.IN"', 'baseQueueName="OTHER.IN"')
_VARIABLE = ('baseQueueName="ORDERS.IN"', 'baseQueueName="${QUEUE}"')


def _exports(folder: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "clean", folder))


def _edit(exports: Path, file: str, before: str, after: str) -> None:
    path = next(path for path in exports.rglob(file) if before in path.read_text())
    path.write_text(path.read_text().replace(before, after))


def _verdicts(lintmdb: Run, cwd: Path, *arguments: str) -> object:
    """What is found and what is undecided, without places and without the notices that name files."""
    report = json.loads(lintmdb("check", *arguments, "--format", "json", cwd=cwd).stdout)
    return [
        (entry["rule"]["id"] if isinstance(entry.get("rule"), dict) else entry.get("rule"), entry.get("subject"))
        for part in ("findings", "undecided")
        for entry in report[part]
    ]


@pytest.mark.parametrize(
    ("section", "edit"),
    [
        (f"MQQueue\nResourceId={_PROVIDER}:MQQueue=OrdersQ\nbaseQueueName=OTHER.IN", _DESTINATION),
        (f"MQQueue\nResourceId={_PROVIDER}:MQQueue=jndiName#jms/q/Orders\nbaseQueueName=OTHER.IN", _DESTINATION),
        (f"MQQueue\nResourceId={_PROVIDER}:MQQueue=ID#x\nname=OrdersQ\nbaseQueueName=OTHER.IN", _DESTINATION),
        (
            f"MQQueue\nResourceId={_PROVIDER}:MQQueue=OrdersQ\njndiName=jms/q/Else #required",
            ("resources.xml", 'name="OrdersQ" jndiName="jms/q/Orders"', 'name="OrdersQ" jndiName="jms/q/Else"'),
        ),
        (
            (
                "JAASAuthData\nResourceId=Cell=!{cellName}:Security=:JAASAuthData=alias#mqAlias\n"
                "AttributeInfo=authDataEntries\nuserId=nobody1 #required\npassword=secret"
            ),
            ("security.xml", 'userId="wasuser"', 'userId="nobody1"'),
        ),
        (
            (
                f"J2CActivationSpec\nResourceId={_SERVER}:J2CResourceAdapter=WebSphere MQ Resource Adapter:"
                "J2CActivationSpec=jndiName#jms/as/Orders\nAttributeInfo=resourceProperties(name,value)\nchannel=NOPE"
            ),
            ("resources.xml", 'value="WAS.SVRCONN"', 'value="NOPE"'),
        ),
    ],
)
def test_a_section_changes_what_an_edit_changes(
    lintmdb: Run, tmp_path: Path, section: str, edit: tuple[str, str, str]
) -> None:
    """The verdicts are those on exports that have the values, and other ones than before."""
    exports = _exports(tmp_path / "exports")
    (tmp_path / "c.props").write_text(f"ResourceType={section}\n{_CELL}")
    before = _verdicts(lintmdb, tmp_path, "exports")
    changed = _verdicts(lintmdb, tmp_path, "exports", "--change", "c.props")
    _edit(exports, *edit)
    assert changed == _verdicts(lintmdb, tmp_path, "exports")
    assert changed != before


_SPECIFICATION = (
    "J2CActivationSpec\nResourceId=Cell=C1:Node=node1:Server=server1:J2CResourceAdapter=WebSphere MQ Resource Adapter:"
    "J2CActivationSpec=jndiName#jms/as/{}\nAttributeInfo=resourceProperties(name,value)\n{}"
)


@pytest.mark.parametrize("packed", ['sslType="SPECIFIC"', ""])
def test_what_is_packed_is_replaced_as_a_whole(lintmdb: Run, tmp_path: Path, packed: str) -> None:
    """``arbitraryProperties`` is one text: what the new one does not hold has its default again."""
    exports = _exports(tmp_path / "exports")
    section = _SPECIFICATION.format("Orders", f"arbitraryProperties={packed}")
    (tmp_path / "c.props").write_text(f"ResourceType={section}\n{_CELL}")
    changed = _verdicts(lintmdb, tmp_path, "exports", "--change", "c.props")
    path = next(path for path in exports.rglob("resources.xml") if "arbitraryProperties" in path.read_text())
    text = path.read_text()
    begin = text.index('value="', text.index('name="arbitraryProperties"')) + len('value="')
    path.write_text(text[:begin] + packed.replace('"', "&quot;") + text[text.index('"', begin) :])
    assert changed == _verdicts(lintmdb, tmp_path, "exports")
    assert "MDB301" in str(changed)


@pytest.mark.parametrize("known", [True, False])
def test_an_object_is_found_by_the_id_that_an_extract_has(lintmdb: Run, tmp_path: Path, known: bool) -> None:
    """The files of its scope say which object has the id; of another one nothing is judged."""
    exports = _exports(tmp_path / "exports")
    text = next(path for path in exports.rglob("resources.xml") if "j2cActivationSpec" in path.read_text()).read_text()
    begin = text.index('xmi:id="', text.index("<j2cActivationSpec ")) + len('xmi:id="')
    identifier = text[begin : text.index('"', begin)] if known else "J2CActivationSpec_1"
    section = _SPECIFICATION.format("Orders", "channel=NOPE").replace("jndiName#jms/as/Orders", f"ID#{identifier}")
    assert f"ID#{identifier}" in section
    (tmp_path / "c.props").write_text(f"ResourceType={section}\n{_CELL}")
    told = lintmdb("check", "exports", "--change", "c.props", "--strict", cwd=tmp_path)
    assert ("MDB604" in told.stdout) is known
    assert (f"the files of its scope do not hold the J2CActivationSpec ID#{identifier}" in told.stderr) is not known


def test_a_specification_that_the_cell_lacks_is_refused_by_its_jndi_name(lintmdb: Run, tmp_path: Path) -> None:
    """As by its name."""
    _exports(tmp_path / "exports")
    (tmp_path / "c.props").write_text(f"ResourceType={_SPECIFICATION.format('Ordres', 'maxPoolDepth=3')}\n{_CELL}")
    refused = lintmdb("check", "exports", "--change", "c.props", cwd=tmp_path)
    assert refused.returncode == 4
    assert "C1 has no J2CActivationSpec jms/as/Ordres. Did you mean jms/as/Orders?" in refused.stderr


def test_an_alias_that_no_endpoint_names_is_pointed_out(lintmdb: Run, tmp_path: Path) -> None:
    """Unless another section of the file has an endpoint name it."""
    _exports(tmp_path / "exports")
    alias = "JAASAuthData\nResourceId=Cell=!{cellName}:Security=:JAASAuthData=alias#mqAlais\nuserId=nobody1"
    (tmp_path / "c.props").write_text(f"ResourceType={alias}\n{_CELL}")
    told = lintmdb("check", "exports", "--change", "c.props", "--strict", cwd=tmp_path)
    assert told.returncode == 4
    assert "no endpoint of the exports names the J2C alias mqAlais. Did you mean mqAlias?" in told.stderr
    names_it = _SPECIFICATION.replace("resourceProperties(name,value)\n", "\n").format(
        "Orders", "authenticationAlias=mqAlais"
    )
    (tmp_path / "c.props").write_text(f"ResourceType={alias}\n\nResourceType={names_it}\n{_CELL}")
    assert "J2C alias" not in lintmdb("check", "exports", "--change", "c.props", cwd=tmp_path).stderr


def test_a_variable_that_leads_elsewhere_is_not_judged(lintmdb: Run, tmp_path: Path) -> None:
    """A host may be a variable, and a variable may refer to another one; one that keeps its value leads nowhere."""
    exports = _exports(tmp_path / "exports")
    path = next(path for path in exports.rglob("resources.xml") if 'name="hostName"' in path.read_text())
    text = path.read_text()
    begin = text.index('value="', text.index('name="hostName"')) + len('value="')
    path.write_text(text[:begin] + "${MQ_HOST}" + text[text.index('"', begin) :])
    variables = "VariableMap\nResourceId=Cell=!{{cellName}}:VariableMap=\nAttributeInfo=entries(symbolicName,value)\n{}"
    told = variables.format("MQ_HOST=there")
    (tmp_path / "c.props").write_text(f"ResourceType={told}\n{_CELL}")
    asked = ("check", "exports", "--change", "c.props", "--strict")
    result = lintmdb(*asked, cwd=tmp_path)
    assert result.returncode == 4
    assert "MQ_HOST, to which hostName of OrdersAS refers, may lead its endpoints to another queue" in result.stderr
    file = next(exports.rglob("cells/C1")) / "variables.xml"
    head = '<variables:VariableMap xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI" xmlns:variables='
    entries = '<entries xmi:id="V1" symbolicName="MQ_HOST" value="there"/>'
    space = "http://www.ibm.com/websphere/appserver/schemas/5.0/variables.xmi"
    file.write_text(f'<?xml version="1.0"?>\n{head}"{space}" xmi:id="M1">{entries}</variables:VariableMap>\n')
    assert "may lead" not in lintmdb(*asked, cwd=tmp_path).stderr


def test_a_variable_takes_its_new_value(lintmdb: Run, tmp_path: Path) -> None:
    """A variable of a scope that had none is created."""
    before = _exports(tmp_path / "before")
    _edit(before, "resources.xml", *_VARIABLE)
    entry = '<entries xmi:id="VariableSubstitutionEntry_1183122131132" symbolicName="WAS_CELL_NAME" value="C1"'
    _edit(before, "variables.xml", entry, entry.replace("WAS_CELL_NAME", "QUEUE").replace('"C1"', '"ORDERS.IN"'))
    text = "ResourceType=VariableMap\nResourceId={}:VariableMap=\nAttributeInfo=entries(symbolicName,value)\nQUEUE={}\n"
    (tmp_path / "c.props").write_text(text.format("Cell=C1", "OTHER.IN"))
    assert "OTHER.IN" in lintmdb("diff", "before", "--change", "c.props", cwd=tmp_path).stdout
    (tmp_path / "c.props").write_text(text.format("Cell=C1:Node=node1:Server=server1", "OTHER.IN"))
    assert "OTHER.IN" in lintmdb("diff", "before", "--change", "c.props", cwd=tmp_path).stdout


def test_a_queue_is_renamed_with_its_destination(lintmdb: Run, tmp_path: Path) -> None:
    """One pull request that has both parts adds no finding."""
    _exports(tmp_path / "before")
    (tmp_path / "QM1.mqsc").write_text(
        "DEFINE QLOCAL(RENAMED.IN) LIKE(ORDERS.IN)\nSET AUTHREC PROFILE(RENAMED.IN) OBJTYPE(QUEUE) "
        "PRINCIPAL('wasuser') AUTHADD(GET,INQ,BROWSE)\nDELETE QLOCAL(ORDERS.IN)\n"
    )
    (tmp_path / "c.props").write_text(
        f"ResourceType=MQQueue\nResourceId={_PROVIDER}:MQQueue=OrdersQ\nbaseQueueName=RENAMED.IN\n{_CELL}"
    )
    both = lintmdb("diff", "before", "--change", "QM1.mqsc", "--change", "c.props", cwd=tmp_path)
    assert (both.returncode, both.stderr) == (0, "")
    assert "MDB121" not in both.stdout
    assert "MDB121" in lintmdb("diff", "before", "--change", "QM1.mqsc", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("section", "says"),
    [
        (
            f"MQQueue\nResourceId={_PROVIDER}:MQQueue=Nothing\nbaseQueueName=OTHER.IN",
            "c.props:1: the exports contain no MQQueue Nothing at server server1. Judge exports that have the change",
        ),
        (
            "MQQueue\nResourceId=Cell=C1:JMSProvider=WebSphere MQ JMS Provider:MQQueue=OrdersQ\nbaseQueueName=O",
            "c.props:1: the exports contain no MQQueue OrdersQ at the cell. It is at server server1",
        ),
        (
            f"MQQueue\nResourceId={_PROVIDER}:MQQueue=ID#x\nbaseQueueName=OTHER.IN",
            "MQQueue=ID#x does not name its MQQueue. Write MQQueue=NAME",
        ),
        (
            f"MQQueue\nResourceId={_PROVIDER}:MQQueue=OrdersQ\ncolour=OTHER.IN",
            "c.props:3: lintmdb judges no colour of this MQQueue. Check its spelling",
        ),
        (
            "VariableMap\nResourceId=Cell=C1:VariableMap=\nQUEUE=OTHER.IN",
            "c.props:3: lintmdb judges no QUEUE of this VariableMap. Write AttributeInfo=entries(symbolicName,value)",
        ),
    ],
)
def test_what_cannot_be_applied_is_told(lintmdb: Run, tmp_path: Path, section: str, says: str) -> None:
    """With its line and what to do; --strict fails."""
    (tmp_path / "c.props").write_text(f"ResourceType={section}\n{_CELL}")
    told = lintmdb("diff", FIXTURES / "clean", "--change", "c.props", "--strict", cwd=tmp_path)
    assert told.returncode == 4
    assert says in told.stderr


def test_a_finding_points_to_the_line_that_leads_there(lintmdb: Run, tmp_path: Path) -> None:
    """Where a change names another destination, the cause is its line."""
    exports = _exports(tmp_path / "exports")
    resources = next(exports.rglob("server1/resources.xml"))
    text = resources.read_text()
    start = text.index('<factories xmi:type="resources.jms.mqseries:MQQueue"')
    queue = text[start : text.index("/>", start) + 2]
    other = queue.replace('Orders"', 'Other"').replace("ORDERS.IN", "OTHER.IN").replace('xmi:id="', 'xmi:id="x')
    resources.write_text(text.replace(queue, queue + other.replace("OrdersQ", "OtherQ")))
    (tmp_path / "c.props").write_text(
        f"ResourceType=J2CActivationSpec\nResourceId={_SERVER}:J2CResourceAdapter=WebSphere MQ Resource Adapter:"
        f"J2CActivationSpec=OrdersAS\nAttributeInfo=resourceProperties(name,value)\ndestination=jms/q/Other\n{_CELL}"
    )
    told = lintmdb("diff", "exports", "--change", "c.props", cwd=tmp_path).stdout
    assert "MDB121" in told
    assert "c.props:4:1" in told
