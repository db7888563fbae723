"""What can be named as an export: standard input, lists of paths, and text in the encodings of Windows."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from lintmdb import check
from tests.support.command import Run, clean_environment, run_here
from tests.support.project import FIXTURES, ROOT

SCENARIO = FIXTURES / "backout-inert"
WAS = "fixtures/backout-inert/was"
DUMP = (SCENARIO / "mq" / "QM1.mqsc").read_bytes()


def _piped(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    result = run_here(*arguments, stdin=data)
    return subprocess.CompletedProcess(result.args, result.returncode, result.stdout.encode(), result.stderr.encode())


@pytest.mark.slow
def test_a_pipe_is_standard_input() -> None:
    """A process reads what another one writes, of any encoding."""
    command = [sys.executable, "-m", "lintmdb", "check", WAS, "-"]
    data = DUMP + b"* \xfc\n"
    result = subprocess.run(command, cwd=ROOT, input=data, capture_output=True, check=False, env=clean_environment())
    assert re.search(rb"\n  MQ +ORDERS.IN +BOTHRESH +0 +-:21\n", result.stdout)
    assert (result.returncode, result.stderr) == (1, b"")


def _archive(file: Path) -> bytes:
    with tarfile.open(file, "w:gz") as archive:
        archive.add(SCENARIO, "export")
    return file.read_bytes()


def test_mqsc_on_standard_input() -> None:
    """A dash is standard input, and its findings point at it."""
    result = _piped(DUMP, "check", WAS, "-")
    assert b"MDB104" in result.stdout
    assert re.search(rb"\n  MQ +ORDERS.IN +BOTHRESH +0 +-:21\n", result.stdout)
    assert result.returncode == 1


def test_an_archive_on_standard_input(tmp_path: Path) -> None:
    """Archives are read from standard input too, with the places of their members."""
    result = _piped(_archive(tmp_path / "a.tar.gz"), "check", "-", "--stdin-name", "backup/prod.tar.gz")
    assert b"MDB104" in result.stdout
    assert b"../export/mq/QM1.mqsc:21\n" in result.stdout
    told = _piped(_archive(tmp_path / "a.tar.gz"), "check", "-", "--stdin-name", "backup/prod.tar.gz", "-v")
    assert b"backup/prod.tar.gz!/export/mq/QM1.mqsc:21\n" in told.stdout
    assert b"MDB104" in _piped(gzip.compress(DUMP), "check", WAS, "-").stdout


def test_stdin_name_is_all_that_is_seen(tmp_path: Path) -> None:
    """Every report shows the given name, SARIF also reads the lines, and no temporary path comes out."""
    result = _piped(DUMP, "check", WAS, "-", "--stdin-name", "mq/QM1.mqsc", "--format", "sarif")
    assert b'"mq/QM1.mqsc"' in result.stdout
    assert b"tmp" not in result.stdout
    named = _piped(DUMP, "check", WAS, "fixtures/backout-inert/mq", "--format", "sarif")
    regions = [
        [entry["locations"][0]["physicalLocation"]["region"] for entry in json.loads(run.stdout)["runs"][0]["results"]]
        for run in (result, named)
    ]
    assert regions[0] == regions[1]


def test_standard_input_of_a_named_queue_manager() -> None:
    """--queue-manager NAME=- says whose script is piped in, whatever it is shown as."""
    script = b"DEFINE QLOCAL(ORDERS.IN) BOTHRESH(0) BOQNAME(' ')\n"
    for more in ([], ["--stdin-name", "scripts/orders.txt"]):
        result = _piped(script, "check", "fixtures/incomplete-mq", "--queue-manager", "QM1=-", *more)
        assert b"MDB101" in result.stdout, result


@pytest.mark.parametrize("command", ["inventory", "trace"])
def test_other_commands_read_it_too(command: str, tmp_path: Path) -> None:
    """inventory and trace take standard input as check does."""
    result = _piped(_archive(tmp_path / "a.tgz"), command, "-")
    assert result.returncode == 0, result.stderr
    assert b"QM1" in result.stdout


def test_a_baseline_from_standard_input(tmp_path: Path) -> None:
    """A baseline is written and updated from what is piped in."""
    data, file = _archive(tmp_path / "a.tgz"), str(tmp_path / "known.jsonl")
    assert _piped(data, "baseline", "write", file, "-").returncode == 0
    assert _piped(data, "check", "-", "--baseline", file).returncode == 0
    assert b"0 removed, 0 added" in _piped(data, "baseline", "update", file, "-").stdout


def test_nothing_on_standard_input_is_nothing_to_judge() -> None:
    """An empty pipe never passes."""
    assert _piped(b"", "check", "-").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", WAS, "--stdin-name", "x"], "Also name - as an EXPORT"),
        (["check", "-", "@-"], "both name standard input"),
        (["check", "@absent"], "absent: the list cannot be read"),
    ],
)
def test_wrong_use_is_one_error(arguments: list[str], says: str) -> None:
    """What cannot be meant is said in one line."""
    result = _piped(b"", *arguments)
    assert result.returncode == 2
    assert says in result.stderr.decode()


@pytest.mark.slow
def test_standard_input_that_is_closed() -> None:
    """A closed standard input is an error of use, not of lintmdb."""
    command = f'"{sys.executable}" -m lintmdb check - <&-'
    result = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "standard input is closed" in result.stderr


def _told(text: str) -> list[str]:
    """The lines of a report, without the command at its end, which names what was given."""
    return [line for line in text.splitlines() if "lintmdb plan" not in line]


def test_a_list_of_exports(lintmdb: Run, tmp_path: Path) -> None:
    """@FILE names one path a line; blank lines, comments, a mark of UTF-8 and Windows' line ends do not matter."""
    names = tmp_path / "exports.txt"
    names.write_bytes(
        b"\xef\xbb\xbf# production\r\n\r\nfixtures/backout-inert/was\r\n  fixtures/backout-inert/mq  \r\n"
    )
    listed = lintmdb("check", f"@{names}")
    assert _told(listed.stdout) == _told(lintmdb("check", "fixtures/backout-inert").stdout)
    assert listed.returncode == 1


def test_a_list_on_standard_input(lintmdb: Run) -> None:
    """@- takes the list from a pipe, as find writes it."""
    paths = "\n".join(
        path.relative_to(ROOT).as_posix() for path in SCENARIO.rglob("*") if path.suffix != ".yaml" and path.is_file()
    )
    listed = lintmdb("check", "@-", stdin=paths).stdout
    assert _told(listed) == _told(lintmdb("check", "fixtures/backout-inert").stdout)


def test_a_wrong_line_of_a_list_is_named(lintmdb: Run, tmp_path: Path) -> None:
    """A path of a list that does not exist is reported with the list's line, and an empty list is an error."""
    names = tmp_path / "exports.txt"
    names.write_text("fixtures/clean\nfixtures/absent\n")
    assert f"{names}:2: 'fixtures/absent' does not exist" in lintmdb("check", f"@{names}").stderr
    names.write_text("# nothing\n")
    assert "the list contains no export" in lintmdb("check", f"@{names}").stderr
    names.write_bytes(b"fixtures/clean\nB\xfcro\n")
    assert f"{names}:2: the list is not UTF-8" in lintmdb("check", f"@{names}").stderr


def test_a_folder_whose_name_begins_with_an_at_sign(lintmdb: Run, tmp_path: Path) -> None:
    """What exists under the very name is itself, not a list."""
    shutil.copytree(SCENARIO, tmp_path / "@prod")
    assert "MDB104" in lintmdb("check", "@prod", cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}).stdout


def _tar(name: str, data: bytes) -> bytes:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


DECK = "INSTALL A\nLIST ALL\nCOPY GROUP A\nDEFINE QLOCAL('ORDERS.IN') BOTHRESH(0) BOQNAME(' ')\n"
"""Statements of another product first, which outvote the commands of MQ."""
UNREAD = {
    "notes.txt": (b"Ask Ann before a release.\n", "it is not an export that lintmdb recognises"),
    "deck.txt": (DECK.encode(), "it is not an export that lintmdb recognises"),
    "empty.mqsc": (b"", "it is empty"),
    "state.sh": (b"#!/bin/sh\necho hello\n", "it is not an export of a queue manager"),
    "core.bin": (b"\0\1\2", "it is not an export: it is not text"),
    "backup.tar": (_tar("notes.txt", b"Ask Ann.\n"), "it is an archive that contains no export"),
    "notes.gz": (gzip.compress(b"Ask Ann.\n", mtime=0), "it is not an export that lintmdb recognises"),
}
JUDGED = ("check", "fixtures/clean", "--on-message", "15s")


@pytest.mark.parametrize("name", UNREAD)
def test_a_named_file_that_is_not_read(lintmdb: Run, tmp_path: Path, name: str) -> None:
    """One line says why, the text report too, and a strict run fails; from Python too."""
    file = tmp_path / name
    data, reason = UNREAD[name]
    file.write_bytes(data)
    alone, loose, strict = lintmdb(*JUDGED), lintmdb(*JUDGED, file), lintmdb(*JUDGED, file, "--strict")
    assert [run.returncode for run in (alone, loose, strict)] == [0, 0, 4]
    told = f"\nNot read: 1 named input\n  {file} was not read: {reason}"
    assert loose.stdout.splitlines()[1:] == strict.stdout.splitlines()[1:]
    assert "Gate      fails: 1 input was not read, and the gate is strict\n" in strict.stdout
    assert told in loose.stdout
    shown = loose.stdout[: loose.stdout.index(told)].replace("Not read  1 named input (see the end)\n", "")
    assert shown == alone.stdout
    assert loose.stderr == strict.stderr
    assert loose.stderr.startswith(f"lintmdb: {file} was not read: {reason}")
    assert loose.stderr.count("\n") == 1
    assert check([FIXTURES / "clean", file], on_message="15s", strict=True).exit_code == 4


def test_files_of_a_named_folder_are_passed_over(lintmdb: Run, tmp_path: Path) -> None:
    """In silence, unless they are named themselves, before or after the folder."""
    for name, (data, _) in UNREAD.items():
        (tmp_path / name).write_bytes(data)
    shutil.copy(FIXTURES / "clean/mq/QM1.mqsc", tmp_path)
    below = lintmdb(*JUDGED, tmp_path, "--strict")
    assert (below.returncode, below.stderr) == (0, "")
    for order in ([tmp_path, tmp_path / "notes.txt"], [tmp_path / "notes.txt", tmp_path]):
        both = lintmdb(*JUDGED, *order, "--strict")
        assert both.returncode == 4
        told = f"lintmdb: {tmp_path}/notes.txt was not read: it is not an export that lintmdb recognises\n"
        assert both.stderr == told


@pytest.mark.parametrize("files", [{}, {"notes.txt": "Ask Ann.\n"}, {"kustomization.yaml": "resources: [../base]\n"}])
def test_a_named_folder_without_an_export(lintmdb: Run, tmp_path: Path, files: dict[str, str]) -> None:
    """The step before may have exported nothing, or the base of an overlay may lie elsewhere: a strict run fails."""
    folder = tmp_path / "mq"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    loose, strict = lintmdb(*JUDGED, folder), lintmdb(*JUDGED, "--strict", folder)
    told = f"lintmdb: {folder} was not read: it is a folder without an export that lintmdb recognises\n"
    assert (loose.returncode, loose.stderr) == (0, told)
    assert (strict.returncode, strict.stderr) == (4, told)
    document = json.loads(lintmdb(*JUDGED, folder, "--format", "json").stdout)
    assert [entry["path"] for entry in document["inputs"] if entry["kind"] is None] == [str(folder)]


def test_folders_with_exports_are_not_told(lintmdb: Run, tmp_path: Path) -> None:
    """Whatever is named beside them, and however: from within, or one above the other."""
    shutil.copytree(FIXTURES / "clean", tmp_path / "exports")
    for paths in ((".",), ("exports", "."), ("exports/mq", tmp_path), (".", FIXTURES / "clean")):
        result = lintmdb("inventory", *paths, cwd=tmp_path)
        assert (result.returncode, "without an export" in result.stdout + result.stderr) == (0, False)
    (tmp_path / "empty").mkdir()
    beside = lintmdb("check", ".", FIXTURES / "clean", "--summary", cwd=tmp_path / "empty")
    assert beside.stderr == "lintmdb: . was not read: it is a folder without an export that lintmdb recognises\n"


def test_a_script_of_setmqaut_below_a_folder(lintmdb: Run, tmp_path: Path) -> None:
    """It holds authorities, which count beside those of the dump."""
    (tmp_path / "mq").mkdir()
    (tmp_path / "mq" / "grants.sh").write_text("#!/bin/sh\nsetmqaut -m QM1 -t q -n ORDERS.BACKOUT -p wasuser +put\n")
    document = json.loads(lintmdb(*JUDGED, tmp_path, "--format", "json").stdout)
    assert {entry["kind"] for entry in document["inputs"]} == {"was", "mqsc", "shell"}
    assert document["notices"] == []


@pytest.mark.parametrize("name", ["notes.txt", "backup.tar", "core.bin"])
def test_the_json_report_lists_a_file_that_is_not_read(lintmdb: Run, tmp_path: Path, name: str) -> None:
    """Its inputs hold the file without kind, and its notices say why."""
    data, reason = UNREAD[name]
    file = tmp_path / name
    file.write_bytes(data)
    document = json.loads(lintmdb(*JUDGED, file, "--format", "json").stdout)
    (entry,) = [entry for entry in document["inputs"] if entry["path"] == str(file)]
    assert (entry["kind"], [problem["kind"] for problem in entry["problems"]]) == (None, ["not_read"])
    (notice,) = document["notices"]
    assert (notice["kind"], notice["path"]) == ("not_read", str(file))
    assert notice["text"].startswith(f"was not read: {reason}")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.zip", b"PK\5\6" + b"\0" * 18),
        ("none.zip", b""),
        ("text.zip", b"Ask Ann.\n"),
        ("text.car", b"Ask Ann.\n"),
        ("none.tgz", b""),
        ("cut.tar.gz", gzip.compress(b"x" * 4096, mtime=0)[:20]),
        ("none.gz", gzip.compress(b"", mtime=0)),
        ("zero.tar", bytes(10240)),
    ],
)
@pytest.mark.parametrize("how", ["named", "found"])
def test_an_archive_that_is_empty_or_broken(lintmdb: Run, tmp_path: Path, name: str, data: bytes, how: str) -> None:
    """It is an unreadable export (MDB901), whether it is named or found by its suffix."""
    (tmp_path / name).write_bytes(data)
    where = tmp_path / name if how == "named" else tmp_path
    result = lintmdb(*JUDGED, where, "--format", "json")
    assert result.returncode == 1
    assert [(f["rule"], f["subject"]["name"]) for f in json.loads(result.stdout)["findings"]] == [
        ("MDB901", str(tmp_path / name))
    ]


def test_a_script_with_the_suffix_of_an_archive_is_read(lintmdb: Run, tmp_path: Path) -> None:
    """Some tools inflate a file and leave its name as it was."""
    (tmp_path / "QM1.mqsc.gz").write_bytes(DUMP)
    assert lintmdb("check", WAS, tmp_path).stdout.count("MDB104") == 1


def test_standard_input_and_pipes_that_are_not_read(lintmdb: Run, tmp_path: Path) -> None:
    """They are named like any file; a pipe is never opened."""
    os.mkfifo(tmp_path / "pipe")
    pipe = lintmdb(*JUDGED, tmp_path / "pipe", "--strict")
    assert (pipe.returncode, pipe.stderr) == (4, f"lintmdb: {tmp_path}/pipe was not read: it is not a regular file\n")
    piped = lintmdb(*JUDGED, "-", "--strict", stdin="Ask Ann.\n")
    assert (piped.returncode, piped.stderr) == (
        4,
        "lintmdb: - was not read: it is not an export that lintmdb recognises\n",
    )


def test_a_finding_goes_before_a_file_that_is_not_read(lintmdb: Run, tmp_path: Path) -> None:
    """The exit code of findings stays 1, and that of an empty run 3."""
    (tmp_path / "notes.txt").write_text("Ask Ann.\n")
    assert lintmdb("check", "fixtures/backout-inert", tmp_path / "notes.txt", "--strict").returncode == 1
    assert lintmdb("check", tmp_path / "notes.txt", "--strict").returncode == 3


@pytest.mark.parametrize("name", ["deck.txt", "deck.txt.gz"])
def test_a_queue_manager_decides_over_what_a_file_looks_like(lintmdb: Run, tmp_path: Path, name: str) -> None:
    """NAME=PATH says that it is MQSC: it is read, and its commands count."""
    file = tmp_path / name
    file.write_bytes(gzip.compress(DECK.encode()) if name.endswith(".gz") else DECK.encode())
    named = ("--queue-manager", f"QM1={file}")
    shown = lintmdb("inventory", "fixtures/incomplete-mq", *named)
    assert "queue manager QM1" in shown.stdout
    result = lintmdb("check", "fixtures/incomplete-mq", *named, "--select", "MDB101", "--format", "json")
    refused = f"lintmdb: {file}:1: this line is not an MQSC command (and 2 more, see lintmdb inventory)"
    assert result.stderr.rstrip() == refused
    assert [finding["rule"] for finding in json.loads(result.stdout)["findings"]] == ["MDB101"]


@pytest.mark.parametrize("name", ["notes.txt", "state.txt", "empty.mqsc", "server.xml"])
def test_a_queue_manager_without_a_command(lintmdb: Run, tmp_path: Path, name: str) -> None:
    """What holds no MQSC at all is not read, whoever says that it is MQSC."""
    file = tmp_path / name
    data, reason = UNREAD.get(name, (b'<?xml version="1.0"?>\n<process:Server name="s"/>\n', "it "))
    file.write_bytes(data)
    result = lintmdb(*JUDGED, "--queue-manager", f"CSQ4={file}", "--strict")
    assert result.returncode == 4
    assert set(lintmdb(*JUDGED).stdout.splitlines()[1:]) <= set(result.stdout.splitlines())
    assert result.stderr.startswith(f"lintmdb: {file} was not read: {reason}")


@pytest.mark.parametrize("command", ["trace", "baseline", "diff"])
def test_other_commands_say_it_too(lintmdb: Run, tmp_path: Path, command: str) -> None:
    """trace, baseline and diff judge what is left, and say what they did not read."""
    file = tmp_path / "notes.txt"
    file.write_text("Ask Ann.\n")
    arguments = {
        "trace": ("trace", "fixtures/clean", file),
        "baseline": ("baseline", "write", tmp_path / "known.jsonl", "fixtures/clean", file),
        "diff": ("diff", "fixtures/clean", "fixtures/clean", "--after", file, "--strict"),
    }
    result = lintmdb(*arguments[command])
    assert f"lintmdb: {file} was not read: it is not an export that lintmdb recognises\n" in result.stderr
    assert result.returncode == (4 if command == "diff" else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["check", "fixtures/all-families"], ["--help"], ["--version"], ["rules", "list"]]
)
def test_a_reader_that_goes_away(arguments: list[str]) -> None:
    """A broken pipe ends the command without a word, and not with the exit code of a finding."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = subprocess.run(
            [sys.executable, "-m", "lintmdb", *arguments],
            cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


def _export(folder: Path, *, was: str = "utf-8", declared: str = "UTF-8", mq: str = "utf-8", end: str = "\n") -> Path:
    """The scenario with words of German and a Windows path in it, in other encodings."""
    shutil.copytree(SCENARIO, folder)
    for file in folder.rglob("resources.xml"):
        text = file.read_text("utf-8").replace('encoding="UTF-8"', f'encoding="{declared}"')
        text = re.sub(r"(<resourceProperties [^>]*?) type=", r'\1 description="Büro C:\\IBM\\Größe" type=', text)
        file.write_bytes(text.replace("\n", end).encode(was))
    file = folder / "mq" / "QM1.mqsc"
    text = file.read_text("utf-8").replace("BOTHRESH(0)", r"DESCR('Büro D:\MQ\Größe') BOTHRESH(0)")
    file.write_bytes(text.replace("\n", end).encode(mq))
    return folder


def _places(lintmdb: Run, folder: Path) -> list[Any]:
    """Rule, file, line, columns of all findings of a run, and the hashes of their lines."""
    report = folder.parent / "out.sarif"
    result = lintmdb("check", folder.name, "--format", f"sarif={report}", cwd=folder.parent, env={"PYTHONPATH": ROOT})
    assert result.stderr == ""
    return [
        [entry["ruleId"], entry["locations"][0]["physicalLocation"], entry["partialFingerprints"]]
        for entry in json.loads(report.read_text())["runs"][0]["results"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {"mq": "cp1252", "was": "cp1252", "declared": "windows-1252"},
        {"mq": "cp1252", "was": "cp1252", "declared": "windows-1252", "end": "\r\n"},
        {"mq": "cp1252", "was": "latin-1", "declared": "ISO-8859-1"},
        {"mq": "latin-1", "was": "iso8859-15", "declared": "ISO-8859-15"},
    ],
    ids=str,
)
def test_other_encodings_have_the_same_places(lintmdb: Run, tmp_path: Path, how: dict[str, str]) -> None:
    """Findings, lines, columns and hashes are those of the same export in UTF-8."""
    plain = _places(lintmdb, _export(tmp_path / "a" / "export"))
    assert len(plain) >= 2
    assert _places(lintmdb, _export(tmp_path / "b" / "export", **how)) == plain


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [
        {"mq": "utf-8-sig", "was": "utf-8-sig"},
        {"mq": "utf-16", "was": "utf-16", "declared": "UTF-16"},
        {"mq": "utf-16", "was": "utf-16", "end": "\r\n"},  # saved anew by a tool that leaves the declaration alone
    ],
    ids=str,
)
def test_text_with_a_mark(lintmdb: Run, tmp_path: Path, how: dict[str, str]) -> None:
    """UTF-8 and UTF-16 with a byte order mark give the same findings on the same lines."""

    def lines(places: list[Any]) -> list[Any]:
        return [(rule, place["artifactLocation"], place["region"]["startLine"]) for rule, place, _ in places]

    plain = _places(lintmdb, _export(tmp_path / "a" / "export"))
    assert lines(_places(lintmdb, _export(tmp_path / "b" / "export", **how))) == lines(plain)


def test_xml_that_is_not_what_it_declares(lintmdb: Run, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 in a file without another declaration are reported, not guessed at."""
    result = lintmdb("check", _export(tmp_path / "export", was="cp1252"))
    assert "MDB901" in result.stdout


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE"])
def test_utf_16_without_a_mark_says_what_it_is_and_what_to_do(lintmdb: Run, tmp_path: Path, encoding: str) -> None:
    """An export in it is not passed over: without it other verdicts would be wrong. Other text in it is no export."""
    dump = (FIXTURES / "clean/mq/QM1.mqsc").read_text()
    (tmp_path / "QM1.mqsc").write_bytes(dump.encode(encoding))
    (tmp_path / "notes.txt").write_bytes("Ask Ann before a release.\n".encode(encoding))
    says = f"is text in UTF-16 without a byte order mark: save it as UTF-8 (iconv -f {encoding} -t UTF-8)"
    below = lintmdb("check", FIXTURES / "clean/was", tmp_path)
    assert "MDB901" in below.stdout
    assert says in " ".join(below.stdout.split())
    assert "notes.txt" not in below.stdout + below.stderr
    change = lintmdb("diff", FIXTURES / "clean", "--change", tmp_path / "QM1.mqsc")
    assert (change.returncode, f"QM1.mqsc: {says}" in change.stderr) == (2, True)
    named = lintmdb("check", FIXTURES / "clean", tmp_path / "notes.txt")
    assert f"notes.txt was not read: it is not an export: it is text in {encoding}" in named.stdout


@pytest.mark.parametrize(
    ("command", "code"), [(("check",), 4), (("plan",), 4), (("baseline", "write", "known.jsonl"), 2)]
)
def test_a_product_that_the_configuration_requires(command: tuple[str, ...], code: int, tmp_path: Path) -> None:
    """Every command that judges says that its exports are missing, and no baseline is written without them."""
    (tmp_path / "lintmdb.toml").write_text('require = ["mq"]\n')
    result = run_here(*command, FIXTURES / "clean" / "was", cwd=tmp_path)
    assert result.returncode == code
    assert "no IBM MQ export was read, and one is required" in result.stdout + result.stderr
    assert not (tmp_path / "known.jsonl").exists()
