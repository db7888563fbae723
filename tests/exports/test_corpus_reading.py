"""Real files (a corpus beside the repository): what is read, what is guessed, and that nothing unread is repeated."""

from __future__ import annotations

from pathlib import Path

from lintmdb.engine.judge import judge
from lintmdb.exports.discovery import HEAD
from lintmdb.exports.mq import ANSWERS, format_of
from lintmdb.model.relations import Problem
from lintmdb.resolve.observations import Observations
from lintmdb.rules.loading import load_rules
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.estate import read_estate


def test_scripts_of_one_stem_are_not_one_queue_manager(corpus: Path) -> None:
    """Each script of the corpus is a queue manager of its own, and each name is told as guessed. A manifest names its
    queue manager.
    """
    estate = read_estate([corpus / "mq"], Observations())
    managers = [export for export in estate.facts.rows["export"] if export.kind == "queue_manager"]
    guesses = {problem.path for problem in estate.facts.rows["problem"] if problem.kind == "guessed_name"}
    assert len(managers) > 30
    named = {"MYQMGR", "QM1", "QMDEMO"}
    assert guesses == {export.path for export in managers if export.name not in named}
    assert all(export.files == 1 for export in managers if export.name not in {*named, "qmgr-setup"})


def test_lines_that_are_not_understood_are_not_repeated(corpus: Path) -> None:
    """A problem says where, and at most verb and object."""
    estate = read_estate([corpus / "mq"], Observations())
    found: list[Problem] = [problem for problem in estate.facts.rows["problem"] if problem.kind == "not_understood"]
    assert found
    for problem in found:
        line = Path(problem.path).read_text("utf-8", "replace").splitlines()[problem.line - 1].strip()
        command, refused, reason = problem.text.partition(" would be refused by ")
        assert line not in (reason if refused else command), problem


def test_no_script_is_taken_for_an_answer(corpus: Path) -> None:
    """The corpus has no transcripts: scripts, templates, YAML and descriptors that mention messages are none."""
    files = [path for path in corpus.rglob("*") if path.is_file()]
    assert len(files) > 80
    assert [path for path in files if format_of(path.read_bytes()[:HEAD]) in ANSWERS] == []


def test_every_queue_manager_is_judged_without_endpoints(corpus: Path) -> None:
    """The scripts hold no queue with backout attributes; each queue manager's dead-letter queue is judged."""
    estate = read_estate([corpus / "mq"], Observations())
    rules = load_rules()
    judgement = judge(estate.facts, rules)
    judge_all_queues(judgement, estate.facts, rules)
    subjects = {subject.name for subject, _, _ in judgement.judged}
    assert subjects == {manager.name for manager in estate.facts.rows["queue_manager"]}
