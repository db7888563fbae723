"""Client channel definition tables in JSON, and what they decide."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq.client_table import ClientTable, looks_like_client_table, read_client_table
from lintmdb.fleet.facts.client_tables import with_client_tables
from lintmdb.fleet.facts.units import list_units
from lintmdb.model.relations import Endpoint
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.client_tables import channel_of, find_table, member_of
from lintmdb.run.estate import read_estate
from tests.support.scenario import run_scenario
from tests.support.scenario_folders import scenario_folder


def table(*channels: tuple[str, str, str], path: str = "x/ccdt.json") -> ClientTable:
    """A table of channels, each with its queue manager and its connections."""
    entries = [
        {
            "name": name,
            "clientConnection": {
                "connection": [{"host": host} for host in hosts.split()],
                "queueManager": manager,
            },
            "type": "clientConnection",
        }
        for name, manager, hosts in channels
    ]
    return read_client_table(json.dumps({"channel": entries}).encode(), path)


def test_positions() -> None:
    """A channel is found by its line and column, with tabs as blanks."""
    text = '{"channel": [\n\t{\n\t\t"name": "A.B",\n\t\t"clientConnection": {"queueManager": "QM1"}}]}'
    assert looks_like_client_table(text.encode())
    assert recognise(text.encode()) == ("ccdt", "")
    (channel,) = read_client_table(text.encode(), "x").channels
    assert (channel.origin.line, channel.origin.column, channel.origin.text) == (3, 11, 'name: "A.B"')
    assert (channel.manager_origin.line, channel.manager_origin.column) == (4, 40)


def test_channels_and_members() -> None:
    """One channel, and one queue manager behind a group, are known; several are not."""
    found = table(
        ("C", "GRP", "a"), ("C", "QM1", "a"), ("D", "QM2", "b"), ("E", "QM2", "b"), ("F", "ALL", "a b"), ("G", "", "c")
    )
    channels = [channel_of(found, name) for name in ("*GRP", "QM1", "QM2", "X", "")]
    assert [channel.value if channel else None for channel in channels] == ["C", "C", None, None, "G"]
    member = member_of(found, "*GRP")
    assert member is not None
    assert member.value == "QM1"
    assert member_of(found, "*ALL") is None
    assert member_of(found, "*X") is None
    assert member_of(table(("C", "G", "a"), ("C", "QM1", "a"), ("C", "QM2", "a")), "*G") is None


def test_the_table_of_a_url() -> None:
    """By its file name; files of one name that differ leave it open, files that agree do not."""
    one, other = table(("C", "QM1", "a")), table(("D", "QM1", "a"), path="y/ccdt.json")
    assert find_table([one], "file:///opt/ccdt.json") is one
    assert find_table([one], "file:///c:/x%20y/ccdt.json") is one
    assert find_table([one], "file:///opt/other.json") is None
    assert find_table([one, other], "http://host/ccdt.json") is None
    assert find_table([one, one._replace(path="z/ccdt.json")], "ccdt.json") is one


def endpoint(folder: Path) -> Endpoint:
    """The endpoint of a scenario."""
    (row,) = read_estate([folder / "was", folder / "mq"], Observations()).facts.rows["endpoint"]
    assert isinstance(row, Endpoint)
    return row


def test_the_law() -> None:
    """With its table a connection is judged as one that names queue manager and channel itself."""
    options = {"on_message": "15s"}
    named, listed = (run_scenario(scenario_folder(name), options) for name in ("clean", "client-table"))
    assert (named.hazard, named.undecided, named.clear) == (listed.hazard, listed.undecided, listed.clear)
    found = endpoint(scenario_folder("client-table"))
    assert (found.queue_manager, found.channel) == ("QM1", "WAS.SVRCONN")
    assert found.origins["channel"].path.endswith("orders-ccdt.json")


def test_without_the_table_nothing_is_known(tmp_path: Path) -> None:
    """Neither queue manager nor channel are guessed."""
    shutil.copytree(scenario_folder("client-table"), tmp_path / "x")
    (tmp_path / "x/mq/orders-ccdt.json").unlink()
    found = endpoint(tmp_path / "x")
    assert (found.queue_manager, found.channel) == (None, None)


def test_the_fleet_reads_tables_first() -> None:
    """Every cell of a fleet may name any table."""
    units = list_units([str(scenario_folder("client-table"))]).units
    (found,) = with_client_tables(Observations(), units).client_tables
    assert [channel.queue_manager for channel in found.channels] == ["ORDERS", "QM1", "QM2"]


@pytest.mark.parametrize(
    "text", ['{"channel": [', '{"channel": [{"name": 1, "name": 2}]}', "[1]", '{"channel": [' + "[" * 9000]
)
def test_broken_tables_are_one_problem(text: str) -> None:
    """It says where."""
    with pytest.raises(UnreadableError) as raised:
        read_client_table(text.encode(), "x")
    assert raised.value.path == "x"


WRONG = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "clientConnection", "connection", "queueManager", "host", "port", "type"]), inner
        )
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(WRONG, st.binary(max_size=80))
def test_any_table_is_read_or_refused(channels: object, data: bytes) -> None:
    """Whatever stands where a value is expected, the table is read without it."""
    found = read_client_table(json.dumps({"channel": channels}).encode(), "x")
    member_of(found, "*A")
    channel_of(found, "")
    with contextlib.suppress(UnreadableError):
        read_client_table(b'{"channel": [{"clientConnection": ' + data, "x")
