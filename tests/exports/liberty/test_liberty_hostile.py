"""Input that no Liberty server has: one clear problem, no exception, and the other servers are read."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.exports.liberty import read_liberty
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.cell import resolve_cell
from tests.support.command import Run
from tests.support.scenario_folders import scenario_folder

GOOD = b'<server><jmsActivationSpec id="x"><properties.wmqJms queueManager="QM1"/></jmsActivationSpec></server>'
ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   \n",
        b"<server>",
        b"<server><jmsActivationSpec></server>",
        b"<server><!-- never closed",
        b"\x00\x01\x02<server/>",
        b"\xff\xfe<\x00s\x00",
        f'<!DOCTYPE server [<!ENTITY a0 "ha">{ENTITIES}]><server>&a11;</server>'.encode(),
        b'<!DOCTYPE server [<!ENTITY s SYSTEM "file:///etc/passwd">]><server>&s;</server>',
        b"<server>" * 100_000,
        b'<server a="1" a="2"/>',
    ],
)
def test_a_broken_file_is_one_problem(data: bytes) -> None:
    """It is told with the path, and the server beside it is read."""
    files = {"a/servers/bad/server.xml": data, "a/servers/good/server.xml": GOOD}
    bad, good = read_liberty((path, lambda text=text: text) for path, text in files.items())
    assert [(p.kind, p.path) for p in bad.problems] == [("unreadable", "a/servers/bad/server.xml")]
    assert bad.problems[0].text
    assert [spec.name for spec in good.activation_specs] == ["x"]


@pytest.mark.parametrize(
    "content",
    [
        "<jmsActivationSpec/>",
        '<jmsActivationSpec id=""><properties.wmqJms/></jmsActivationSpec>',
        '<jmsActivationSpec id="x"><properties.wmqJms destinationRef="x"/></jmsActivationSpec>' * 2,
        '<jmsActivationSpec id="x"><properties.wmqJms/><properties.wasJms/></jmsActivationSpec>',
        '<jmsActivationSpec id="${x}"><properties. maxPoolDepth="-5"/></jmsActivationSpec>',
        '<jmsActivationSpec id="x"><properties.wmqJms maxPoolDepth="99999999999999999999"/></jmsActivationSpec>',
        '<jmsActivationSpec id="x"><properties.wmqJms maxPoolDepth="2m" startTimeout="soon"/></jmsActivationSpec>',
        '<jmsQueue/><jmsQueue id="q"/><jmsTopic jndiName="t"><properties.wasJms/></jmsTopic>',
        '<messagingEngine/><messagingEngine><queue/><queue id="q"/><queue id="q"/></messagingEngine>',
        '<messagingEngine><alias id="a" targetDestination="a"/></messagingEngine>',
        '<variable/><variable name=""/><variable name="x"/><include/><include location=""/><include location="/"/>',
        '<include location="../../../../../../etc/passwd"/><include location="http://host/x.xml"/>',
        '<transaction totalTranLifetimeTimeout=""/><transaction totalTranLifetimeTimeout="-1"/>',
        "<application/><application name='/'/><resourceAdapter/><resourceAdapter id='wmqJms' location='x.rar'/>",
        f'<jmsActivationSpec id="{"x/" * 5000}"><properties.wmqJms queueManager="QM1"/></jmsActivationSpec>',
        f'<jmsActivationSpec id="x"><properties.wmqJms queueManager="{"${a}" * 5000}"/></jmsActivationSpec>',
        "<server><server/></server>",
    ],
)
def test_odd_content_is_read_without_an_exception(content: str) -> None:
    """What has no use is passed over; what has a wrong value is not known."""
    (cell,) = read_liberty([("s/server.xml", lambda: f"<server>{content}</server>".encode())])
    resolve_cell(cell, Observations())


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_bytes(data: bytes) -> None:
    """No bytes, as any of its files, raise an exception."""
    names = ("server.xml", "server.env", "bootstrap.properties", "configDropins/overrides/x.xml")
    for name in names:
        files = {f"s/{other}": GOOD for other in names} | {f"s/{name}": data}
        for cell in read_liberty((path, lambda text=text: text) for path, text in files.items()):
            resolve_cell(cell, Observations())


@pytest.mark.slow
def test_a_large_engine_takes_a_time_in_proportion() -> None:
    """Tens of thousands of queues and variables are no more than a few seconds."""
    queues = "".join(f'<queue id="Q{n}"/>' for n in range(20_000))
    variables = "".join(f'<variable name="v{n}" value="${{v{n + 1}}}"/>' for n in range(20_000))
    text = f"<server>{variables}<messagingEngine>{queues}</messagingEngine></server>"
    (cell,) = read_liberty([("s/server.xml", text.encode)])
    assert len(cell.bus_destinations) == 20_003


@pytest.mark.parametrize("command", ["check", "inventory"])
def test_a_zipped_server_says_the_same(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """A folder and an archive of it are read alike, with the companions beside server.xml."""
    folder = scenario_folder("liberty")
    with zipfile.ZipFile(tmp_path / "estate.zip", "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.name != "expected.yaml":
                archive.write(file, file.relative_to(folder).as_posix())
    documents = [
        json.loads(lintmdb(command, place, "--format", "json").stdout) for place in (folder, tmp_path / "estate.zip")
    ]
    counts = [document.get("summary") or [entry["objects"] for entry in document["exports"]] for document in documents]
    assert counts[0]
    assert counts[0] == counts[1]


def test_variables_beside_nothing_are_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """server.env alone is no export; the file that the user names is told."""
    (tmp_path / "server.env").write_text("A=1\n")
    result = lintmdb("inventory", "server.env", cwd=tmp_path)
    assert "server.env" in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
