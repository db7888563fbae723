"""Which scripts make up one queue manager, and what a reader has to know about that."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from lintmdb.engine.judge import judge
from lintmdb.exports.mq import read_mqsc
from lintmdb.model.relations import Problem, QueueManager
from lintmdb.resolve.observations import Observations
from lintmdb.run.conflicts import DifferingExportsError, refuse_conflicts
from lintmdb.run.environments import Environments
from lintmdb.run.estate import Estate, read_estate
from lintmdb.run.reading_notices import reading_notices
from lintmdb.run.script_groups import group_scripts
from tests.support.command import Run
from tests.support.dumps import WHOLE
from tests.support.project import FIXTURES

DUMP = f"* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -a\n{WHOLE}"
PART = "* Queue manager name: QM1\n* Command issued: dmpmqcfg -m QM1 -n ORDERS.*\n"


def _groups(files: dict[str, str], named: dict[str, str] | None = None) -> dict[str, list[str]]:
    scripts = [read_mqsc(text.encode(), path) for path, text in files.items()]
    return {group.name: [script.path for script in group.scripts] for group in group_scripts(scripts, named or {})}


def _estate(folder: Path, files: dict[str, str]) -> Estate:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return read_estate([folder], Observations())


def _problems(estate: Estate, kind: str) -> list[Problem]:
    return [problem for problem in estate.facts.rows["problem"] if problem.kind == kind]


SCRIPT = "DEFINE QLOCAL(A)\n"


def test_a_guessed_name_never_joins_folders() -> None:
    """Files of one stem in two folders are two queue managers, in one folder they are one."""
    groups = _groups({"a/config.mqsc": SCRIPT, "b/config.mqsc": SCRIPT, "b/config.txt": SCRIPT})
    assert groups == {
        "config (a/config.mqsc)": ["a/config.mqsc"],
        "config (b/config.mqsc)": ["b/config.mqsc", "b/config.txt"],
    }
    assert _groups({"a/config.mqsc": SCRIPT}) == {"config": ["a/config.mqsc"]}


def test_a_guess_joins_a_dump_of_its_own_folder_only() -> None:
    """A script beside the dump of its name belongs to it; one of another folder does not."""
    groups = _groups({"a/dump.txt": DUMP + SCRIPT, "a/QM1.mqsc": SCRIPT, "b/QM1.mqsc": SCRIPT})
    assert groups == {"QM1": ["a/QM1.mqsc", "a/dump.txt"], "QM1 (b/QM1.mqsc)": ["b/QM1.mqsc"]}


def test_names_that_are_given_join_whatever_the_folder() -> None:
    """--queue-manager says it, and a header does: nothing is guessed."""
    files = {"a/x.mqsc": SCRIPT, "b/y.mqsc": SCRIPT, "c/z.txt": DUMP + SCRIPT}
    scripts = [read_mqsc(text.encode(), path) for path, text in files.items()]
    (group,) = group_scripts(scripts, {"a/x.mqsc": "QM1", "b": "QM1"})
    assert (group.name, len(group.scripts), list(group.notices)) == ("QM1", 3, [])


def test_a_guess_is_told(tmp_path: Path) -> None:
    """The notice says which name, and how to say another."""
    (notice,) = reading_notices(_estate(tmp_path, {"config.mqsc": SCRIPT}).facts.rows["problem"])
    assert notice.kind == "guessed_name"
    assert "its file name is used: config" in notice.text
    assert "--queue-manager" in notice.next_step


@pytest.mark.parametrize("script", ["mq/QM1.mqsc", "scripts/QM1.mqsc"])
def test_a_name_that_a_dump_confirms_is_no_guess(lintmdb: Run, tmp_path: Path, script: str) -> None:
    """The script belongs to the queue manager of the dump, beside it and elsewhere, and nobody is asked to name it."""
    estate = _estate(tmp_path, {"mq/dump.txt": DUMP + SCRIPT, script: "DEFINE QLOCAL(B)\n"})
    assert _problems(estate, "guessed_name") == []
    assert {queue.queue_manager for queue in estate.facts.rows["queue"]} == {"QM1"}
    assert "guessed" not in lintmdb("inventory", tmp_path).stdout
    (tmp_path / "mq/dump.txt").write_text(f"* Queue manager name: QM1\n{SCRIPT}")
    assert "name guessed" in lintmdb("inventory", tmp_path).stdout


def test_a_guess_that_nothing_confirms_fails_a_strict_run(lintmdb: Run, tmp_path: Path) -> None:
    """A run passes where the user or an endpoint names the queue manager."""
    clean = FIXTURES / "clean"
    dump = (clean / "mq" / "QM1.mqsc").read_text().replace("Queue manager name: QM1", "").replace("QMNAME(QM1)", "")
    for name in ("booking.mqsc", "QM1.mqsc"):
        (tmp_path / name).write_text(dump)
    run = ("check", "booking.mqsc", "--all-queues", "--strict", "--fail-on", "never")
    guessed = lintmdb(*run, cwd=tmp_path)
    named = lintmdb(*run, "--queue-manager", "QM1=booking.mqsc", cwd=tmp_path)
    known = lintmdb("check", clean / "was", "QM1.mqsc", "--strict", "--on-message", "15s", cwd=tmp_path)
    assert (guessed.returncode, named.returncode, known.returncode) == (4, 0, 0)
    assert "fails: 1 queue manager is known by a guessed name, and the gate is strict" in guessed.stdout
    assert "Name it with --queue-manager NAME=PATH" in guessed.stderr
    assert "its file name is used: QM1" in known.stderr


def test_template_text_names_no_queue_manager(tmp_path: Path) -> None:
    """Neither in a header nor as the name of a ConfigMap; the file's name is the guess."""
    keeper = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-mqsc\ndata:\n  a.mqsc: |\n"
    header = "* Queue manager name: {{ qm }}\n"
    estate = _estate(tmp_path, {"cm.yaml": f"{keeper}    {SCRIPT}", "head.mqsc": header + SCRIPT})
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["cm", "head"]
    assert all("its file name is used" in problem.text for problem in _problems(estate, "guessed_name"))


DIFFERENT = {
    "queue": ("DEFINE QLOCAL(A) BOTHRESH(3)\n", "DEFINE QLOCAL(A) BOTHRESH(5)\n"),
    "type": ("DEFINE QLOCAL(A)\n", "DEFINE QALIAS(A) TARGET(B)\n"),
    "flag": ("DEFINE QLOCAL(A) SHARE\n", "DEFINE QLOCAL(A) NOSHARE\n"),
    "channel": (
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MAXINST(1)\n",
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MAXINST(2)\n",
    ),
    "topic": ("DEFINE TOPIC(T) TOPICSTR(a) MDURMDL(X)\n", "DEFINE TOPIC(T) TOPICSTR(a) MDURMDL(Y)\n"),
    "manager": ("ALTER QMGR DEADQ(X)\n", "ALTER QMGR DEADQ(Y)\n"),
}
AUTHORITIES = (
    "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)\n",
    "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)\n",
)


@pytest.mark.parametrize("head", [DUMP, PART, ""], ids=["dumps", "parts", "scripts"])
@pytest.mark.parametrize("what", DIFFERENT)
def test_exports_that_differ_are_a_conflict_in_any_order(tmp_path: Path, head: str, what: str) -> None:
    """None of them is used, and each is told."""
    for number, order in enumerate(itertools.permutations(DIFFERENT[what])):
        folder = tmp_path / str(number)
        estate = _estate(
            folder, {f"QM1.{name}": head + text for name, text in zip(("txt", "mqsc"), order, strict=True)}
        )
        found = _problems(estate, "conflicting_exports")
        assert {problem.path for problem in found} == {str(folder / "QM1.txt"), str(folder / "QM1.mqsc")}
        assert estate.facts.rows["queue_manager"] == [QueueManager(name="QM1", ambiguous=True)]


def test_whole_dumps_that_differ_in_authorities_only(tmp_path: Path) -> None:
    """Authority records are compared too, though no flow may need them."""
    one, other = AUTHORITIES
    assert _problems(_estate(tmp_path / "a", {"1.txt": DUMP + one, "2.txt": DUMP + other}), "conflicting_exports")
    assert not _problems(_estate(tmp_path / "b", {"1.txt": DUMP + one, "2.txt": DUMP + one}), "conflicting_exports")


def test_parts_that_do_not_overlap_make_up_one_queue_manager(tmp_path: Path) -> None:
    """Dumps of some objects each, and equal objects in two of them, are no conflict."""
    files = {"1.txt": PART + "DEFINE QLOCAL(A) BOTHRESH(3)\n", "2.txt": PART + "DEFINE QLOCAL(B)\n"}
    files["3.txt"] = PART + "DEFINE QLOCAL(A) BOTHRESH(3)\n"
    estate = _estate(tmp_path, files)
    assert not _problems(estate, "conflicting_exports")
    assert {row.name for row in estate.facts.rows["queue"]} == {"A", "B"}


@pytest.mark.parametrize("names", [("1.txt", "2.mqsc"), ("2.txt", "1.mqsc")])
def test_a_script_that_changes_a_dump_is_told(tmp_path: Path, names: tuple[str, str]) -> None:
    """It is taken to run later, whatever the order of names; the notice says so."""
    texts = (DUMP + "DEFINE QLOCAL(A) BOTHRESH(3)\n", "* QMNAME(QM1)\nALTER QLOCAL(A) BOTHRESH(5)\n")
    estate = _estate(tmp_path, dict(zip(names, texts, strict=True)))
    (problem,) = _problems(estate, "script_beside_export")
    assert problem.path == str(tmp_path / names[1])
    assert "QLOCAL(A)" in problem.text
    assert [row.backout_threshold for row in estate.facts.rows["queue"]] == [5]


@pytest.mark.parametrize(("first", "last", "told"), [(4, 3, False), (3, 4, True), (4, 4, True)])
def test_scripts_that_leave_a_dump_as_it_is_are_not_told(tmp_path: Path, first: int, last: int, told: bool) -> None:
    """A value that a later script of the queue manager sets again was never what the queue manager ends with."""
    files = {"QM1.txt": DUMP + "DEFINE QLOCAL(A) BOTHRESH(3)\n"}
    manager = (
        "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: qm1}\nspec:\n  queueManager:\n"
        "    name: QM1\n    mqsc: [{configMap: {name: cm, items: [a.mqsc, b.mqsc]}}]\n---\n"
    )
    keys = "".join(f"  {key}.mqsc: ALTER QLOCAL(A) BOTHRESH({value})\n" for key, value in (("a", first), ("b", last)))
    files["all.yaml"] = f"{manager}apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: cm}}\ndata:\n{keys}"
    estate = _estate(tmp_path, files)
    assert [row.backout_threshold for row in estate.facts.rows["queue"]] == [last]
    assert [problem.path for problem in _problems(estate, "script_beside_export")] == (
        [str(tmp_path / "all.yaml")] if told else []
    )


def test_notices_are_no_verdicts(tmp_path: Path) -> None:
    """What is told about names and files is judged by no rule."""
    from lintmdb.rules.loading import load_rules

    estate = _estate(tmp_path, {"a/config.mqsc": "gibberish\n" + SCRIPT, "b/config.mqsc": SCRIPT})
    assert len(reading_notices(estate.facts.rows["problem"])) == 3
    judgement = judge(estate.facts, load_rules())
    assert (judgement.clear, judgement.findings, judgement.undecided) == (0, [], [])


def _deck(threshold: int) -> str:
    return f"DEFINE NOREPLACE -\n QLOCAL('A') -\n QSGDISP(QMGR) -\n BOTHRESH({threshold})\n"


def test_decks_of_one_name_are_exports_of_one_queue_manager(tmp_path: Path) -> None:
    """MAKEDEF never names its queue manager, so that the file's name has to: an old deck beside a new one differs."""
    assert _groups({"new/CSQ1.mqsc": _deck(3), "old/CSQ1.txt": _deck(5)}) == {"CSQ1": ["new/CSQ1.mqsc", "old/CSQ1.txt"]}
    estate = _estate(tmp_path, {"new/CSQ1.mqsc": _deck(3), "old/CSQ1.mqsc": _deck(5)})
    assert {problem.queue_manager for problem in _problems(estate, "conflicting_exports")} == {"CSQ1"}
    with pytest.raises(DifferingExportsError, match="CSQ1 differ"):
        refuse_conflicts(estate.facts.rows["problem"], estate.facts.rows["export"], Environments())
    alike = _estate(tmp_path / "alike", {"a/CSQ1.mqsc": _deck(3), "b/CSQ1.mqsc": _deck(3)})
    assert not _problems(alike, "conflicting_exports")


@pytest.mark.parametrize(
    ("name", "other"), [("MAKEDEF", _deck(5)), ("CSQ1", "DEFINE QLOCAL(A)\n"), ("CSQ1", "* QMNAME(CSQ2)\n" + _deck(5))]
)
def test_other_files_of_one_name_stay_apart(name: str, other: str) -> None:
    """No queue manager on z/OS has a name of more than four characters, a script may be for any, and who names itself
    is not guessed.
    """
    assert len(_groups({f"a/{name}.mqsc": _deck(3), f"b/{name}.mqsc": other})) == 2


def test_the_notice_about_a_deck_says_how_it_can_name_its_queue_manager(tmp_path: Path) -> None:
    """A comment in the deck, which then counts."""
    (notice,) = _problems(_estate(tmp_path, {"CSQ1.mqsc": _deck(3)}), "guessed_name")
    assert notice.next_step.endswith("with the comment * QMNAME(NAME)")
    assert _groups({"deck.txt": "* QMNAME(CSQ7)\n" + _deck(3)}) == {"CSQ7": ["deck.txt"]}
    (script,) = _problems(_estate(tmp_path / "other", {"config.mqsc": SCRIPT}), "guessed_name")
    assert "QMNAME" not in script.next_step
