"""Properties files as exports: the law that they say what a repository says, and what they leave open."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lintmdb.exports.discovery import discover
from lintmdb.exports.was import read_cells
from lintmdb.exports.was.objects import CellConfig
from lintmdb.exports.was.property_exports import looks_like_properties
from lintmdb.exports.was.property_files import quoted_value, read_property_file
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Endpoint, Server
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.cell import resolve_cell
from tests.support.listed_objects import property_text
from tests.support.scenario_folders import scenario_folder, scenario_names

# A repository tells what a properties file does not: who uses an endpoint, where else names may be defined, and levels.
LEFT_OPEN = {
    "id", "origins", "server_id", "missing_files", "bean_count", "adapter_beans", "connection_pool_beans", "cluster",
    "adapter_connections_max", "reconnection_retries", "reconnection_interval_ms", "reconnection_ms", "factory_path",
    "config_path", "destination_id", "provider", "session_pool_properties", "destination_found", "destination_asked",
}  # fmt: skip
COMPARED = [field.name for field in fields(Endpoint) if field.name not in LEFT_OPEN]
OF_SERVERS = ("total_timeout_ms", "listener_threads_max", "activation_threads_max", "listener_recovery_ms")


def cells_of(name: str) -> list[CellConfig]:
    """The cells of a scenario that stand in repositories."""
    files = [found for found in discover([scenario_folder(name)]).files if found.kind == "was"]
    return [cell for cell in read_cells((found.path, found.read) for found in files) if "/cells/" in cell.root]


def facts(cell: CellConfig) -> Facts:
    """Resolved without applications: what both forms can tell."""
    cell.applications.clear()
    return resolve_cell(cell, Observations())


def by_name(rows: list[Endpoint]) -> dict[tuple[str, str | None, str | None], Endpoint]:
    """Endpoints by name and place."""
    return {(row.name, row.node, row.server): row for row in rows}


BLANKS = {"property-name-misspelt"}
"""Names with blanks around them cannot be written in a properties file."""


def compare(name: str) -> int:
    """Hold the endpoints and servers of a scenario against those of its properties file; gives how many there are."""
    compared = 0
    for cell in cells_of(name):
        if cell.clusters or cell.unreadable or cell.name_bindings:
            continue  # members of clusters and name bindings are in files of their own
        text = property_text(cell).encode()
        (listed,) = read_cells([("was.props", lambda text=text: text)])
        assert listed.problems == []
        assert listed.name == cell.name
        there, here = facts(cell).rows, facts(listed).rows
        found = by_name(here["endpoint"])
        for key, row in by_name(there["endpoint"]).items():
            if row.provider in ("wmq", None):
                told = {column: getattr(row, column) for column in COMPARED}
                assert {column: getattr(found[key], column) for column in COMPARED} == told
                compared += 1
        servers: dict[str, Server] = {row.id: row for row in here["server"]}
        for server in there["server"]:
            told = [getattr(server, column) for column in OF_SERVERS]
            assert [getattr(servers[server.id], column) for column in OF_SERVERS] == told
    return compared


@pytest.mark.parametrize("name", sorted({*scenario_names()} - BLANKS))
def test_a_properties_file_says_what_the_repository_says(name: str) -> None:
    """The law: each endpoint has the same values, as far as a properties file can tell them."""
    compare(name)


def test_the_law_holds_for_something() -> None:
    """Listener ports and activation specifications are among what is compared."""
    assert compare("clean") == 1
    assert compare("listener-port-retries-0") == 1


PART = """ResourceType=J2CActivationSpec
ImplementingResourceType=J2CResourceAdapter
ResourceId=Cell=!{cellName}:Node=n1:Server=s1:J2CResourceAdapter=WebSphere MQ Resource Adapter:J2CActivationSpec=AS
AttributeInfo=resourceProperties(name,value)
destination=jms/q
useJNDI=true

ResourceType=ListenerPort
ImplementingResourceType=Server
ResourceId=Cell=!{cellName}:Node=n1:Server=s1:ApplicationServer=:EJBContainer=:MessageListenerService=:ListenerPort=LP
maxRetries=4 #integer,required,default(0)
maxSessions=null

ResourceType=ThreadPool
ImplementingResourceType=Server
ResourceId=Cell=!{cellName}:Node=n1:Server=s1:ThreadPoolManager=:ThreadPool=WMQJCAResourceAdapter
maximumSize=100

EnvironmentVariablesSection
cellName=C1
"""


def endpoints(text: str) -> dict[str, Endpoint]:
    """The endpoints of a file, by name."""
    (cell,) = read_cells([("part.props", text.encode)])
    return {row.name: row for row in resolve_cell(cell, Observations()).rows["endpoint"]}


def test_what_a_part_leaves_out_is_unknown() -> None:
    """A file that was not extracted, or was cut, sets what it says and leaves the rest open; null is the default."""
    found = endpoints(PART)
    spec, port = found["AS"], found["LP"]
    assert (spec.stop_on_failure, spec.failure_threshold, spec.max_sessions, spec.provider) == (None, None, None, "wmq")
    assert (port.failure_threshold, port.max_sessions, port.max_batch, port.non_asf_timeout_ms) == (4, 1, None, None)
    assert port.origins["failure_threshold"].line == 11
    assert "max_batch" not in port.origins
    extracted = endpoints("# Extracted on Sun Nov 22 10:00:00 UTC 2026\n" + PART)["AS"]
    assert (extracted.stop_on_failure, extracted.failure_threshold, extracted.max_sessions) == (True, 0, 10)


def test_misspelt_properties_are_told_with_their_lines() -> None:
    """As those in server.xml and resources.xml are: of the message listener service, whose properties are known, and of
    activation specifications. What has no value, or acts, is none.
    """
    service = (
        "ResourceType=MessageListenerService\nResourceId=Cell=!{cellName}:Node=n1:Server=s1:MessageListenerService=\n"
        "AttributeInfo=properties(name,value)\nNON.ASF.RECIEVE.TIMEOUT=5000\nMAX.RECOVERY.RETRIES=7\n"
        "RECOVERY.RETRY.INTERVALL=\n\n"
    )
    text = service + PART.replace("useJNDI=true", "useJNDI=true\nnonASFtimeout=3")
    (cell,) = read_cells([("part.props", text.encode)])
    told = [(problem.line, problem.text) for problem in cell.problems if problem.kind == "misspelt_property"]
    assert [line for line, _ in told] == [14, 4]
    assert 'nonASFtimeout" of activation specification AS differs from nonASFTimeout' in told[0][1]
    assert 'NON.ASF.RECIEVE.TIMEOUT" of the message listener service of server s1 differs from' in told[1][1]
    assert {problem.cell for problem in cell.problems} == {"C1"}


def test_a_pool_that_may_grow_has_no_known_maximum() -> None:
    """maximumSize alone does not bound a pool: isGrowable may be set."""
    (cell,) = read_cells([("part.props", PART.encode)])
    (server,) = resolve_cell(cell, Observations()).rows["server"]
    assert server.activation_threads_max is None


def test_no_password_is_kept() -> None:
    """The user of an alias is read, and never its password."""
    text = (
        "ResourceType=JAASAuthData\nResourceId=Cell=C1:Security=:JAASAuthData=a\nalias=a\nuserId=u\npassword=secret\n"
    )
    (cell,) = read_cells([("a.props", text.encode)])
    assert {alias: user.value for alias, user in cell.aliases.items()} == {"a": "u"}
    assert "secret" not in repr(cell)


def test_files_of_one_cell_are_parts_of_it() -> None:
    """Files that list different objects make up one cell, or the same alike; two that differ in one are versions."""
    first, second = PART.split("ResourceType=ListenerPort")
    tail = "EnvironmentVariablesSection\ncellName=C1\n"
    files = [("a.props", (first + tail).encode), ("b.props", ("ResourceType=ListenerPort" + second).encode)]
    (cell,) = read_cells(files)
    assert (len(cell.activation_specs), len(cell.servers), len(cell.files)) == (1, 1, 2)
    (cell,) = read_cells([*files, ("c.props", PART.encode)])
    assert cell.files == {"a.props", "b.props", "c.props"}
    assert len(read_cells([*files, ("c.props", PART.replace("destination=jms/q", "destination=jms/x").encode)])) == 2


def test_variables_without_a_value_leave_things_open() -> None:
    """A file without its last section names no cell: it is loose, and nothing is invented."""
    (cell,) = read_cells([("a.props", PART.partition("EnvironmentVariablesSection")[0].encode)])
    assert (cell.name, cell.rooted, len(cell.activation_specs)) == (None, False, 1)


@pytest.mark.parametrize("data", [b"", b"a=b\n", b"DEFINE QLOCAL(A)\n", b"\0ResourceType", b"# ResourceType=\n"])
def test_other_files_are_not_properties_files(data: bytes) -> None:
    """A section makes one."""
    assert not looks_like_properties(data)


@pytest.mark.parametrize("data", [b"ResourceType=A\nx", b"ResourceType=A\n\0", b"x=y\nResourceType=A\n"])
def test_what_is_broken_is_one_problem(data: bytes) -> None:
    """With the file, and nothing else is lost."""
    (cell,) = read_cells([("a.props", lambda: data)])
    assert [(problem.kind, problem.path) for problem in cell.problems] == [("unreadable", "a.props")]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PART.split("\n")), max_size=60), st.text(max_size=10))
def test_any_lines(lines: list[str], more: str) -> None:
    """Sections in any order, with anything in them, are read or refused."""
    for cell in read_cells([("a.props", ("ResourceType=Server\n" + "\n".join([*lines, more])).encode)]):
        resolve_cell(cell, Observations())


@given(st.text(st.characters(exclude_categories=["C", "Z"], include_characters=' "#\\\\'), max_size=12))
def test_values_are_read_back(value: str) -> None:
    """Whatever a name consists of, it stays one value."""
    data = f"ResourceType=A\nResourceId=Cell=c\nx={quoted_value(value)}\n".encode()
    (section,) = read_property_file(data, "x.props", fill=False)
    assert [entry.value for entry in (*section.properties, *section.nulls)] == [value]


def test_files_of_the_corpus(corpus: Path) -> None:
    """Public files are told by their content and read without a problem."""
    files = sorted((corpus / "was").glob("*.props"))
    assert len(files) == 4
    assert [found.kind for found in discover(files).files] == ["was"] * 4
    assert [cell.problems for cell in read_cells((str(file), file.read_bytes) for file in files)] == [[]]
