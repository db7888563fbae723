"""A plan in the scripts that people keep: what is edited, what stays, and that it gives what was promised."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from lintmdb.errors import LintmdbError
from lintmdb.exports.mq.script_text import ScriptText, lowered
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.script_edits import EditedScript, edit_scripts
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import UnresolvedEstate, read_exports
from lintmdb.settings.changes import Assignment, Target
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import RULES

_INERT = FIXTURES / "backout-inert"
_LOOSE = FIXTURES / "loose-files"


def _records(*lines: str, end: str = "") -> bytes:
    return "".join(f"{line:<72}{number:08d}{end}" for number, line in enumerate(lines, 1)).encode()


_VARIANTS: dict[str, tuple[bytes, list[bytes]]] = {
    # Each script, and what stands in it afterwards.
    "carriage returns": (
        b"* hand\r\nDEFINE QLOCAL(ORDERS.IN) +\r\n* why\r\n  BOTHRESH(0) +\r\n\r\n  MAXDEPTH(10)\r\nDEF QL(B)\r\n",
        [b"* why\r\n  BOTHRESH(3) +\r\n\r\n  MAXDEPTH(10) +\r\n  BOQNAME('ORDERS.IN.BACKOUT')\r\nDEF QL(B)\r\nDEF"],
    ),
    "lower case": (
        b"define qlocal(orders.x)\ndefine ql('ORDERS.IN') bothresh ( 0 ) boqname( )\n",
        [b"bothresh ( 3 ) boqname( orders.in.backout)\ndefine qlocal('ORDERS.IN.BACKOUT') usage"],
    ),
    "a word that is split": (
        b"DEFINE QLOCAL(ORDERS.IN) BOTH-\nRESH(0) MAXDEPTH(10)\n",
        [b"BOTH-\nRESH(3) MAXDEPTH(10) +\nBOQNAME('ORDERS.IN.BACKOUT')\nDEFINE"],
    ),
    "a value that is split": (
        b"DEFINE QLOCAL(ORDERS.IN) BOTHRESH(0+\n* c\n  ) BOQNAME('GO+\n\n   NE')\nDEFINE QLOCAL(GONE)\n",
        [b"BOTHRESH(3+\n* c\n  ) BOQNAME('GO+\n\n   NE')\n"],
    ),
    "several commands on a line": (
        b"DEFINE QLOCAL(A);DEFINE QLOCAL(ORDERS.IN) BOTHRESH(0) ; DEFINE QLOCAL(B)",
        [b";DEFINE QLOCAL(ORDERS.IN) BOTHRESH(3) +\n   BOQNAME('ORDERS.IN.BACKOUT') ; DEFINE QLOCAL(B)\nDEF"],
    ),
    "REPLACE and END": (
        b"DEF QL('ORDERS.IN') REPLACE\nEND\nnobody reads this: '+\n",
        [b"BOQNAME('ORDERS.IN.BACKOUT') BOTHRESH(3) REPLACE\nDEFINE", b")\nEND\nnobody reads this: '+\n"],
    ),
    "altered afterwards": (
        b"DEF QL('ORDERS.IN') BOTHRESH(3) REPLACE\nALTER QL(ORDERS.IN) BOTHRESH(0) BOQNAME(X)\nDEF QL(X)\n",
        [b"REPLACE\nALTER QL(ORDERS.IN) BOTHRESH(3) BOQNAME(X)\n"],
    ),
    "altered only": (
        b"ALTER QLOCAL(ORDERS.IN) BOTHRESH(0) BOQNAME('')\n",
        [b"ALTER QLOCAL(ORDERS.IN) BOTHRESH(3) BOQNAME('ORDERS.IN.BACKOUT')\n"],
    ),
    "a definition that is ignored": (
        b"DEF QL('ORDERS.IN') BOTHRESH(0)\nDEF QL('ORDERS.IN') BOTHRESH(0)\n",
        [b"DEF QL('ORDERS.IN') BOTHRESH(3) BOQNAME('ORDERS.IN.BACKOUT')\nDEF QL('ORDERS.IN') BOTHRESH(0)\nDEFINE"],
    ),
    "copied from another": (
        b"DEF QL(T) BOTHRESH(0)\nDEF QL('ORDERS.IN') LIKE(T)\n",
        [b"DEF QL(T) BOTHRESH(0)\nDEF QL('ORDERS.IN') LIKE(T) BOQNAME('ORDERS.IN.BACKOUT') BOTHRESH(3)\n"],
    ),
    "UTF-16": (
        "DEF QL('ORDERS.IN') DESCR('\u00fc')\n".encode("utf-16"),
        ["DESCR('\u00fc') BOQNAME('ORDERS.IN.BACKOUT') BOTHRESH(3)\n".encode("utf-16-le")],
    ),
    "UTF-8 with a mark": (
        b"\xef\xbb\xbfDEF QL('ORDERS.IN') DESCR('\xc3\xbc')\n",
        [b"\xef\xbb\xbfDEF", b"\xc3\xbc') BOQ"],
    ),
    "Latin-1": (b"DEF QL('ORDERS.IN') DESCR('\xfc')\n", [b"DESCR('\xfc') BOQNAME('ORDERS.IN.BACKOUT') BOTHRESH(3)\n"]),
    "records": (
        _records("DEFINE QLOCAL('ORDERS.IN') +", "   BOTHRESH(0) +", "   MAXDEPTH(5000)", "DEFINE QLOCAL('OTHER')"),
        [
            _records("", "   BOTHRESH(3) +", "   MAXDEPTH(5000) +")[80:],
            b"   BOQNAME('ORDERS.IN.BACKOUT')".ljust(80) + b"DEFINE QLOCAL('OTHER')".ljust(72) + b"00000004",
        ],
    ),
    "records in lines": (
        _records("DEFINE QLOCAL('ORDERS.IN') MAXDEPTH(5) TRIGGER HARDENBO    BOTHRESH(0)", "DEF QL('B')", end="\r\n"),
        [b"HARDENBO    BOTHRESH(3) +".ljust(8), b"DEF QL('B')".ljust(72) + b"00000002\r\n"],
    ),
    "a number that gets longer than a record": (
        _records("DEFINE QLOCAL('ORDERS.IN') MAXDEPTH(5) BOQNAME(B) HARDENBO BOTHRESH(0)", "DEF QL('B')", end="\n"),
        [b"BOQNAME(B) HARDENBO +", b"   BOTHRESH(333333333)"],
    ),
}
_SAME_BUT = {"records in lines", "a number that gets longer than a record"}


def _planned(folder: Path) -> tuple[UnresolvedEstate, Plan]:
    exports = read_exports([folder])
    return exports, make_plan(Evaluator(exports, Observations(), RULES), Policy(only="mq"))


def _folder(folder: Path, script: bytes) -> Path:
    shutil.copytree(_INERT / "was", folder / "was")
    (folder / "QM1.mqsc").write_bytes(script)
    return folder


@pytest.mark.parametrize("name", [name for name in _VARIANTS if name not in _SAME_BUT])
def test_scripts_give_what_the_plan_promised(name: str, tmp_path: Path) -> None:
    """In every style of script: attributes are replaced where they stand or added to their command, the rest stays."""
    script, shown = _VARIANTS[name]
    exports, plan = _planned(_folder(tmp_path, script))
    assert plan.changes
    edited, elsewhere = edit_scripts(plan.changes, exports, Observations())
    assert elsewhere == []
    (one,) = edited
    for text in shown:
        assert text in one.after, one.after
    Path(one.path).write_bytes(one.after)
    after, again = _planned(tmp_path)
    assert again.before.verdicts == plan.after.verdicts
    assert again.changes == ()
    assert {script.path for script in after.groups[0].scripts} == {one.path}


def test_the_loose_script_of_the_fixtures(tmp_path: Path) -> None:
    """Three lines by hand, one of them changed."""
    shutil.copytree(_LOOSE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "expected.yaml").unlink()
    exports, change = read_exports([tmp_path]), _assigned("BOTHRESH", "1")
    promised = Evaluator(exports, Observations(), RULES).judge((change,)).verdicts
    (one,), _ = edit_scripts((change,), exports, Observations())
    assert one.after == one.before.replace(b"bothresh (3)", b"bothresh (1)")
    Path(one.path).write_bytes(one.after)
    assert Evaluator(read_exports([tmp_path]), Observations(), RULES).judge(()).verdicts == promised
    assert list(one.diff())[3:] == [
        " * hand kept",
        " ALTER QMGR DEADQ('QM1.DEAD')",
        "-define qlocal(ORDERS.IN) bothresh (3) +",
        "+define qlocal(ORDERS.IN) bothresh (1) +",
        "    boqname(ORDERS.BACKOUT)",
        " define ql(orders.backout)",
        " define ql('QM1.DEAD')",
    ]


def _edited(folder: Path, script: bytes, *changes: Assignment) -> EditedScript:
    exports = read_exports([_folder(folder, script)])
    (one,), _ = edit_scripts(changes, exports, Observations())
    return one


def _assigned(attribute: str, new: str, kind: str = "QLOCAL", name: str = "ORDERS.IN") -> Assignment:
    settings = {
        "BOTHRESH": "queue.backout_threshold",
        "BOQNAME": "queue.backout_queue",
        "HARDENBO": "queue.harden_backout",
        "DEADQ": "queue_manager.dead_letter_queue",
        "TARGET": "queue_name.leads_to",
    }
    return Assignment(Target("mq", "QM1", kind, name), settings[attribute], attribute, new)


@pytest.mark.parametrize("name", sorted(_SAME_BUT))
def test_records_keep_columns_73_to_80(name: str, tmp_path: Path) -> None:
    """What does not fit into column 72 goes on in a record of its own."""
    script, shown = _VARIANTS[name]
    one = _edited(tmp_path, script, _assigned("BOTHRESH", "3" if "lines" in name else "333333333"))
    lines = one.after.decode().splitlines()
    assert {len(line) for line in lines} == {80}
    assert [line[72:] for line in lines if line[72:].strip()] == ["00000001", "00000002"]
    if "lines" in name:
        assert one.after == script.replace(b"BOTHRESH(0)", b"BOTHRESH(3)")
    else:
        assert shown[0] in one.after
        assert b"   BOTHRESH(333333333)" in one.after


@pytest.mark.parametrize(
    ("script", "change", "after"),
    [
        (b"def ql('ORDERS.IN') nohardenbo\n", _assigned("HARDENBO", "HARDENBO"), b"def ql('ORDERS.IN') hardenbo\n"),
        (b"DEF QL('ORDERS.IN')\n", _assigned("HARDENBO", "NOHARDENBO"), b"DEF QL('ORDERS.IN') NOHARDENBO\n"),
        (b"DEF QL('ORDERS.IN') BOQNAME(A)\n", _assigned("BOQNAME", "a b"), b"DEF QL('ORDERS.IN') BOQNAME('a b')\n"),
        (b"DEF QL('ORDERS.IN') BOQNAME('A')\n", _assigned("BOQNAME", ""), b"DEF QL('ORDERS.IN') BOQNAME(' ')\n"),
        (b"DEF QA(X) TARGQ(A)\n", _assigned("TARGET", "B", "QALIAS", "X"), b"DEF QA(X) TARGQ(B)\n"),
        (b"ALTER QMGR DESCR('A')\n", _assigned("DEADQ", "D", "QMGR", "QM1"), b"ALTER QMGR DESCR('A') DEADQ(D)\n"),
        (b"DEF QL(A)\n", _assigned("DEADQ", "D", "QMGR", "QM1"), b"DEF QL(A)\nALTER QMGR DEADQ(D)\n"),
        (
            b"def ql(a)\ndef ql(b)",
            _assigned("DEADQ", "d", "QMGR", "QM1"),
            b"def ql(a)\ndef ql(b)\nalter qmgr deadq('d')\n",
        ),
    ],
)
def test_single_attributes(tmp_path: Path, script: bytes, change: Assignment, after: bytes) -> None:
    """Switches, names with quotes and without, an older keyword, and the queue manager."""
    one = _edited(tmp_path, script, change)
    assert one.after.replace(b"DEADQ('D')", b"DEADQ(D)") == after


def test_a_keyword_that_two_lines_share_is_not_edited(tmp_path: Path) -> None:
    """Half of it would stay behind."""
    with pytest.raises(LintmdbError, match="the keyword NOHARDENBO is split over two lines"):
        _edited(tmp_path, b"DEF QL('ORDERS.IN') NOHAR+\nDENBO GET(ENABLED)\n", _assigned("HARDENBO", "HARDENBO"))


@pytest.mark.parametrize(
    "data", [b"A\r\nB", b"A\rB\r", b"", b"\xff\xfeA\0", b"\xef\xbb\xbf", b"A  \n\n B \n", b"\xa3", b"A\xc2\x85B"]
)
def test_a_script_without_an_edit_stays_byte_for_byte(data: bytes) -> None:
    """Whatever its encoding and its line ends."""
    assert ScriptText(data, "x").data() == data


@pytest.mark.parametrize("data", [b"A\x81\n", b"\xff\xfeA"])
def test_a_script_in_no_encoding_is_refused(data: bytes) -> None:
    """It could not be written back."""
    with pytest.raises(LintmdbError, match="could not be written back"):
        ScriptText(data, "x")


def test_lower_case_leaves_quoted_text() -> None:
    """A quoted name has its own case."""
    assert lowered("DEFINE QLOCAL('Ab''C') PUT(ENABLED)") == "define qlocal('Ab''C') put(enabled)"


def test_diff_changes_nothing(lintmdb: Run, tmp_path: Path) -> None:
    """--diff prints what --write would do, with --write as well."""
    script, _ = _VARIANTS["carriage returns"]
    folder = _folder(tmp_path, script)
    (tmp_path / "lintmdb.toml").touch()
    shown = lintmdb("plan", folder, "--diff", cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("--- QM1.mqsc\n+++ QM1.mqsc\n@@ ")
    assert "\n-  BOTHRESH(0) +\n+  BOTHRESH(3) +\n" in shown.stdout
    assert lintmdb("plan", folder, "--diff", "--write", cwd=tmp_path).stdout == shown.stdout
    assert (tmp_path / "QM1.mqsc").read_bytes() == script


def test_write_edits_and_keeps_the_mode(lintmdb: Run, tmp_path: Path) -> None:
    """The script is edited in its place; a second run finds nothing to do."""
    folder = _folder(tmp_path, _VARIANTS["carriage returns"][0])
    (tmp_path / "QM1.mqsc").chmod(0o640)
    result = lintmdb("plan", folder, "--write", cwd=tmp_path)
    assert (result.returncode, "QM1.mqsc is edited" in result.stderr) == (0, True)
    assert (tmp_path / "QM1.mqsc").stat().st_mode & 0o777 == 0o640
    assert b"BOTHRESH(3)" in (tmp_path / "QM1.mqsc").read_bytes()
    again = lintmdb("plan", folder, "--write", cwd=tmp_path)
    assert (again.returncode, "is edited" in again.stderr) == (0, False)
    assert "Nothing to change" in again.stdout


def test_a_dump_is_never_edited(lintmdb: Run, tmp_path: Path) -> None:
    """Nor a script beside it: the changes stay for --out, and the command says whose they are."""
    shutil.copytree(_INERT, tmp_path / "x")
    before = (tmp_path / "x" / "mq" / "QM1.mqsc").read_bytes()
    result = lintmdb("plan", tmp_path / "x", "--write")
    assert result.returncode == 0
    assert (
        "not edited, because only plain MQSC scripts are, and none of theirs was read: queue manager QM1"
        in result.stderr
    )
    assert (tmp_path / "x" / "mq" / "QM1.mqsc").read_bytes() == before
    assert lintmdb("plan", tmp_path / "x", "--diff").stdout == ""


def test_what_cannot_be_written_is_one_clear_error(lintmdb: Run, tmp_path: Path) -> None:
    """A protected file, one in an archive, standard input: nothing is written anywhere."""
    script, _ = _VARIANTS["carriage returns"]
    folder = _folder(tmp_path / "a", script)
    (folder / "QM1.mqsc").chmod(0o444)
    protected = lintmdb("plan", folder, "--write")
    assert protected.returncode == 2
    assert "QM1.mqsc: cannot be edited: it is write-protected. Run the script that --out DIR writes" in protected.stderr
    assert (folder / "QM1.mqsc").read_bytes() == script
    with zipfile.ZipFile(tmp_path / "scripts.zip", "w") as archive:
        archive.writestr("QM1.mqsc", script)
    zipped = lintmdb("plan", folder / "was", tmp_path / "scripts.zip", "--write")
    assert zipped.returncode == 2
    assert "scripts.zip!/QM1.mqsc: cannot be edited: it is in an archive" in zipped.stderr
    (tmp_path / "QM1.mqsc").write_bytes(script)
    piped = lintmdb(
        "plan", folder / "was", "-", "--stdin-name", "QM1.mqsc", "--write", cwd=tmp_path, stdin=script.decode()
    )
    assert piped.returncode == 2
    assert "QM1.mqsc: cannot be edited: it is standard input" in piped.stderr
    assert (tmp_path / "QM1.mqsc").read_bytes() == script
