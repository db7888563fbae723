"""Observations: what a file of them must look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.errors import LintmdbError
from lintmdb.resolve.observations import Observations, read_observations
from lintmdb.run.estate import read_estate
from tests.support.scenario import RULES
from tests.support.variant import Variant


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("o.yaml", "beans: [{bean: A, on_message: 1s}, {bean: A, on_message: 2s}]", r"beans\.2: A is given twice"),
        ("o.yaml", "endpoints: [{endpoint: E, user: a}, {endpoint: E, user: b}]", r"endpoints\.2: E is given twice"),
        ("o.yaml", "on_message: 999999999h", "is not a duration"),
        ("o.yaml", "on_message: 99999999999m", "is longer than any transaction"),
        ("o.csv", "bean,color\nA,red\n", "unknown columns: color"),
        ("o.csv", "", "unknown columns: none given"),
        ("o.csv", "bean,on_message\nA,1s,2s\n", "another number of fields"),
        ("o.csv", "bean,endpoint,on_message\n,,1s\n", "a row names a bean, an endpoint, a queue or queue manager with"),
        (
            "o.yaml",
            "queues: [{queue: A, queue_manager: Q, user: a}, {queue: A, user: a}, {queue: A, user: b}]",
            r"queues\.3: A is given twice",
        ),
        (
            "o.yaml",
            "queue_managers: [{queue_manager: Q, user: a}, {queue_manager: Q, user: b}]",
            r"2: Q is given twice",
        ),
        ("o.csv", 'bean,on_message\n"A" b,1s\n', "is not valid CSV"),
        ("o.yaml", "on_message: 1s\nuser: ' '", ":2: user: is blank"),
        ("o.yaml", "endpoints:\n  - endpoint: E\n    user: ' '", r":3: endpoints\.1\.user: is blank"),
        ("o.yaml", "users: [{user: a, groups: ['']}]", r":1: users\.1\.groups\.1: is blank"),
    ],
)
def test_a_wrong_file_is_one_error(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    """It says what is wrong and names the file."""
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(LintmdbError, match=complaint) as caught:
        read_observations(file, None)
    assert caught.value.path in (str(file), "")


def test_csv_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, and a file that is not there, are one error each."""
    file = tmp_path / "o.csv"
    file.write_bytes(b"bean,on_message\n\xff\xfe,1s\n")
    for path in (file, tmp_path / "none.csv"):
        with pytest.raises(LintmdbError, match="cannot be read as UTF-8 text"):
            read_observations(path, None)


def test_csv_and_yaml_say_the_same(tmp_path: Path) -> None:
    """Groups are separated by blanks in CSV; a row has its line."""
    yaml, csv = tmp_path / "o.yaml", tmp_path / "o.csv"
    yaml.write_text(
        "beans: [{bean: A, on_message: 2s}]\nendpoints: [{endpoint: E, user: u, groups: [g, h]}]\n"
        "queue_managers: [{queue_manager: Q*, user: v}]\n"
        "queues: [{queue: A.*, queue_manager: Q*, user: w}, {queue: B.IN, user: x}]\n"
    )
    csv.write_text(
        "bean,endpoint,queue,queue_manager,on_message,user,groups\nA,,,,2s,,\n,E,,,,u,g h\n,,,Q*,,v,\n"
        ",,A.*,Q*,,w,\n,,B.IN,,,x,\n"
    )
    first, second = read_observations(yaml, "5s"), read_observations(csv, "5s")
    assert first.on_message_ms == second.on_message_ms == 5000
    assert first.beans["A"][0] == second.beans["A"][0] == 2000
    assert second.beans["A"][1].line == 2
    users = {"u": frozenset({"g", "h"}), "v": None, "w": None, "x": None}
    assert first.identities() == second.identities() == users
    for observed in (first, second):
        assert [_reader(observed, name, "QM1") for name in ("A.IN", "B.IN", "C.IN")] == ["w", "x", None]
        user = observed.user_at("QM1", None)
        assert user is not None
        assert user.user == "v"


def test_the_first_queue_manager_that_fits_names_the_user(tmp_path: Path) -> None:
    """A pattern may begin with the environment. The user of all others is that of the whole file."""
    file = tmp_path / "o.yaml"
    file.write_text(
        "user: a\nqueue_managers:\n  - {queue_manager: prod/QM1, user: b}\n  - {queue_manager: QM*, user: c}\n"
    )
    observed = read_observations(file, None)

    def user_at(name: str | None, environment: str | None = None) -> str | None:
        found = observed.user_at(name, environment)
        return found.user if found is not None else None

    assert user_at("QM1") == "c"
    assert user_at("QM1", "prod") == "b"
    assert user_at("ZM1") == "a"
    assert user_at(None) == "a"


def test_the_first_entry_that_fits_names_the_reader_of_a_queue(tmp_path: Path) -> None:
    """A queue manager is matched as elsewhere. What no entry fits has no reader of its own."""
    file = tmp_path / "o.yaml"
    file.write_text(
        "queues:\n  - {queue: A.IN, queue_manager: prod/QM1, user: a}\n  - {queue: A.*, queue_manager: QM*, user: b}\n"
        "  - {queue: A.IN, user: c}\n"
    )
    observed = read_observations(file, None)
    assert _reader(observed, "A.IN", "QM1", "prod") == "a"
    assert _reader(observed, "A.IN", "QM1") == _reader(observed, "A.IN", "QM2", "prod") == "b"
    assert _reader(observed, "A.IN", "ZM1") == "c"
    assert _reader(observed, "A.OUT", "ZM1") is None


def _reader(observed: Observations, queue: str, queue_manager: str, environment: str | None = None) -> str | None:
    found = observed.reader([queue], queue_manager, environment)
    return found.user if found is not None else None


def test_a_user_for_all_endpoints_and_groups_by_user_decide_the_rest(tmp_path: Path) -> None:
    """What an export or a line of the file names wins over the user for all. Groups count whatever names the user."""
    yaml, csv = tmp_path / "o.yaml", tmp_path / "o.csv"
    users = "user: u\nusers: [{user: u, groups: []}, {user: v, groups: [g]}]\n"
    yaml.write_text(f"{users}endpoints: [{{endpoint: E, user: v}}]\n")
    observed = read_observations(yaml, None)
    assert observed.identities() == {"u": frozenset(), "v": frozenset({"g"})}
    csv.write_text("endpoint,user,groups\nE,v,\n,v,g\n")
    assert read_observations(csv, None).identities() == {"v": frozenset({"g"})}

    clean = Variant(tmp_path, "clean")
    resources = "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    inputs = [clean.folder / "was", clean.folder / "mq"]
    assert read_estate(inputs, observed).facts.rows["endpoint"][0].user == "wasuser"
    clean.edit(resources, ' authenticationAlias="mqAlias"', "")
    clean.edit("mq/QM1.mqsc", "CHLAUTH(ENABLED)", "CHLAUTH(ENABLED) CONNAUTH(' ')")
    endpoint = read_estate(inputs, observed).facts.rows["endpoint"][0]
    assert (endpoint.user, endpoint.user_observed) == ("u", True)
    yaml.write_text(f"{users}queue_managers: [{{queue_manager: QM*, user: v}}]\n")
    assert read_estate(inputs, read_observations(yaml, None)).facts.rows["endpoint"][0].user == "v"
    waiting = judge(read_estate(inputs, observed).facts, RULES).undecided
    assert {entry.need.kind for entry in waiting} == {"on_message"}


@pytest.mark.parametrize("text", ["", "# to be written\n", "null\n"])
def test_an_empty_file_is_called_empty(text: str, tmp_path: Path) -> None:
    """Not a null that is no table."""
    (tmp_path / "o.yaml").write_text(text)
    with pytest.raises(LintmdbError, match=r"o\.yaml: is empty\. Add observations"):
        read_observations(tmp_path / "o.yaml", None)
