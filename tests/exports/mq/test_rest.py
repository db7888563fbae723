"""Answers of the administrative REST API: the same objects from JSON, with their places in it."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq import MqscFile, format_of
from lintmdb.exports.mq.rest import looks_like_rest, read_rest
from lintmdb.exports.mq.rest.json_text import JsonError, JsonText, Node
from lintmdb.model.relations import Queue
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager

JSON = """\
{
  "commandResponse": [
    {
      "completionCode": 0,
      "parameters": {
        "boqname": "A.BACKOUT",
        "bothresh": 3,
        "hardenbo": "hardenbo",
        "share": "no",
        "queue": "A", "type": "QLOCAL"
      },
      "reasonCode": 0
    }
  ],
  "overallCompletionCode": 0
}
"""
TEXT = """\
{"commandResponse": [{"completionCode": 0, "reasonCode": 0, "text": [
  "AMQ8409I: Display Queue details.",
  "   QUEUE(A)                                TYPE(QLOCAL)",
  "   DESCR(say \\"hi\\")                         BOTHRESH(3)",
  "   BOQNAME(A.BACKOUT)   HARDENBO   NOSHARE"
]}], "overallReasonCode": 0}
"""
V1 = """\
{"queue": [
  {"name": "A", "type": "local",
   "extended": {"backoutRequeueQueueName": "A.BACKOUT",
                "backoutThreshold": 3, "allowSharedInput": false, "hardenGetBackout": true},
   "general": {"inhibitPut": true},
   "storage": {"maximumDepth": 77}},
  {"name": "X", "type": "alias", "alias": {"targetName": "A", "targetType": "queue"}},
  {"name": "C", "type": "cluster"}
]}
"""
ZOS = """\
{"commandResponse": [{"completionCode": 0, "reasonCode": 0, "text": [
  "CSQN205I   COUNT=       3, RETURN=00000000, REASON=00000000",
  "CSQM401I ]MQ21 QUEUE(A    ) TYPE(QLOCAL ) QSGDISP(QMGR ) BOTHRESH(    3) BOQNAME(A.BACKOUT   ) HARDENBO   NOSHARE",
  "CSQ9022I ]MQ21 CSQMDRTS ' DISPLAY QUEUE' NORMAL COMPLETION"
]}]}
"""


def read(text: str) -> MqscFile:
    """The only queue manager of some answers."""
    assert format_of(text.encode()) == "rest"
    (file,) = read_rest(text.encode(), "qm1.json")
    return file


def queue(file: MqscFile) -> Queue:
    """The queue that they show."""
    (row,) = resolve_queue_manager("QM1", [file]).rows["queue"]
    return row


@pytest.mark.parametrize(
    ("text", "place"),
    [(JSON, (7, 9)), (TEXT, (4, 49)), (V1, (4, 17)), (ZOS, (3, 61))],
    ids=["json", "text", "v1", "zos"],
)
def test_each_kind_of_answer(text: str, place: tuple[int, int]) -> None:
    """The values, the place of each in the file, and NULL for what is not there."""
    file = read(text)
    assert file.problems == []
    row = queue(file)
    assert (row.name, row.backout_threshold, row.backout_queue) == ("A", 3, "A.BACKOUT")
    assert (row.harden_backout, row.shareable, row.get_enabled, row.max_message_bytes) == (True, False, None, None)
    origin = row.origins["backout_threshold"]
    assert (origin.line, origin.column) == place
    written = text.splitlines()[origin.line - 1][origin.column - 1 :]
    assert written.lstrip('"').lower().startswith(("bothresh", "backoutthreshold"))
    assert origin.text == "BOTHRESH(3)"
    assert file.listings == []


@pytest.mark.parametrize("gap", [" ", "   "])
def test_a_whole_object_behind_its_message(gap: str) -> None:
    """Some releases send each object as one line of text."""
    attributes = "QUEUE(A)                                TYPE(QLOCAL)   DESCR(a (b) c)   BOTHRESH(3)   HARDENBO"
    lines = [f"AMQ8409I: Display Queue details.{gap}{attributes}", "AMQ8409I: Display Queue details.", "   QUEUE(B   "]
    file = read(json.dumps({"commandResponse": [{"completionCode": 0, "text": lines}]}))
    row = queue(file)
    assert (row.name, row.backout_threshold, row.harden_backout, row.max_depth) == ("A", 3, True, None)
    assert (file.truncated, len(file.problems)) == (True, 1)


def test_what_the_first_version_shows() -> None:
    """Queues of other types, and values in words of its own."""
    file = read(V1)
    rows = resolve_queue_manager("QM1", [file]).rows
    assert (rows["queue"][0].put_enabled, rows["queue"][0].max_depth) == (False, 77)
    assert {(row.name, row.type, row.leads_to) for row in rows["queue_name"]} == {
        ("A", "local", "A"),
        ("X", "alias", "A"),
    }
    assert file.other_commands == 1


def test_the_queue_manager_names_itself() -> None:
    """By DISPLAY QMGR, or by the prefix of messages of z/OS."""
    manager = {"qmname": "QM9", "platform": "UNIX", "cmdlevel": 930, "deadq": "DLQ", "maxmsgl": 4194304}
    text = json.dumps({"commandResponse": [{"completionCode": 0, "parameters": manager}]})
    file = read(text + "\n" + JSON)
    row = resolve_queue_manager("QM9", [file]).rows["queue_manager"][0]
    assert (file.queue_manager, row.platform, row.dead_letter_queue) == ("QM9", "distributed", "DLQ")
    assert len(file.commands) == 2
    assert read(ZOS).queue_manager == "MQ21"


def test_errors_and_states_are_no_objects() -> None:
    """A command that failed shows nothing; nor does the state of a channel or a queue."""
    items = [
        {"completionCode": 2, "reasonCode": 2085, "message": ["AMQ8147E: IBM MQ object Q not found."]},
        {"completionCode": 0, "parameters": {"channel": "C", "chltype": "SVRCONN", "status": "RUNNING"}},
        {"completionCode": 0, "parameters": {"queue": "A", "type": "QUEUE", "curdepth": 3}},
    ]
    assert read_rest(json.dumps({"commandResponse": items}).encode(), "x") == []


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (JSON[:90], (6, 9), "cut off"),
        (JSON.replace('"bothresh": 3', '"bothresh": 3, "bothresh": 4'), (7, 24), "the same name twice"),
        (JSON.replace('"bothresh": 3', '"bothresh": {{'), (7, 22), "is not JSON"),
        ('{"commandResponse": ' + "[" * 100, (1, 70), "nested deeper"),
        ('{"commandResponse": [' + "9" * 5000, (1, 22), "is not JSON"),
    ],
)
def test_broken_answers(text: str, place: tuple[int, int], words: str) -> None:
    """One problem with the place, and nothing is known to be complete."""
    (file,) = read_rest(text.encode(), "x")
    (problem,) = file.problems
    assert words in problem.text
    assert (problem.line, problem.column) == place
    assert file.truncated


@pytest.mark.parametrize("text", ['{"queue": [1]}', '{"queue": [{"name": "A"}]}', "[]", '{"error": []}', "{}", ""])
def test_other_json(text: str) -> None:
    """Other documents are not taken for answers."""
    assert not looks_like_rest(text.encode())


def test_no_text() -> None:
    """Bytes that are no text are an error."""
    with pytest.raises(UnreadableError):
        read_rest(b'{"commandResponse": [\0', "x")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(_VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_is_read_as_python_reads_it(value: object, indent: int | None, escaped: bool) -> None:
    """Each value, and each string begins where the text has it."""
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    (node,) = JsonText(text).documents()

    def plain(found: Node) -> object:
        if isinstance(found.value, dict):
            return {name: plain(member) for name, member in found.members().items()}
        return [plain(item) for item in found.items()] if isinstance(found.value, list) else found.value

    assert plain(node) == value


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1), st.booleans())
def test_places_inside_strings(value: str, escaped: bool) -> None:
    """Each character of a string has its place, behind escapes too."""
    raw = json.dumps(value, ensure_ascii=escaped)
    reader = JsonText(raw)
    (node,) = reader.documents()
    places = [reader.offset_in(node, index) for index in range(len(value))]
    assert places == sorted(places)
    if not escaped:
        assert [json.loads(f'"{raw[a:b]}"') for a, b in zip(places, [*places[1:], len(raw) - 1], strict=True)] == list(
            value
        )


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([JSON, TEXT, V1, ZOS]), st.integers(0, 600), st.integers(0, 40), st.text(max_size=10))
def test_any_damage_is_read(text: str, at: int, length: int, damage: str) -> None:
    """Damage anywhere is never more than a problem."""
    with contextlib.suppress(UnreadableError):
        for file in read_rest((text[:at] + damage + text[at + length :]).encode("utf-8", "replace"), "x"):
            resolve_queue_manager("QM1", [file])


def test_a_document_that_is_empty() -> None:
    """Blanks are no document."""
    assert list(JsonText("  \n ").documents()) == []
    with pytest.raises(JsonError):
        list(JsonText("nul").documents())


def test_queues_of_a_cluster_are_kept_apart() -> None:
    """Another queue manager defines them, which runCommandJSON and the text of runCommand name."""
    parameters = '{"queue": "C", "type": "QCLUSTER", "clusqmgr": "QM2", "put": "enabled"}'
    by_name = f'{{"commandResponse": [{{"completionCode": 0, "reasonCode": 0, "parameters": {parameters}}}]}}'
    lines = '"AMQ8409I: Display Queue details.", "   QUEUE(C)   TYPE(QCLUSTER)   CLUSQMGR(QM2)   PUT(ENABLED)"'
    by_line = f'{{"commandResponse": [{{"completionCode": 0, "reasonCode": 0, "text": [{lines}]}}]}}'
    for text in (by_name, by_line):
        file = read(text)
        (shown,) = file.cluster_queues
        assert (shown.name, shown.value("CLUSQMGR"), shown.value("PUT").upper()) == ("C", "QM2", "ENABLED")
        assert file.commands == []
    assert [shown.name for shown in read(V1).cluster_queues] == ["C"]
