"""Files that quote YAML, and files that are YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.exports.discovery import discover, recognise
from lintmdb.model.relations import Problem
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate

MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: s\ndata:\n  s.mqsc: |\n    DEFINE QLOCAL(A)\n"
COMPOSE = "services:\n  mq:\n    environment:\n      MQ_QMGR_NAME: QM1\n"
TASKS = "- hosts: mq\n  tasks:\n    - copy: {dest: a.mqsc}\n"


def estate_problems(folder: Path) -> list[Problem]:
    """What could not be read."""
    rows = read_estate([folder], Observations()).facts.rows["problem"]
    return [row for row in rows if isinstance(row, Problem) and row.kind == "unreadable"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", f"# Steps\nOne: apply it\n\n```yaml\n{MANIFEST}```\n"),
        ("README.md", f"---\ntitle: Steps: two\n---\n```yaml\n{COMPOSE}```\n"),
        ("notes.txt", f"Give the cluster this, with oc apply:\n\n{MANIFEST}"),
        ("notes", f"# Notes\n`compose` has\n{COMPOSE}"),
        ("main.tf", f'resource "manifest" "a" {{\n  yaml = <<EOT\n{MANIFEST}EOT\n}}\n'),
        ("deploy.py", f'TEXT = """\n{MANIFEST}"""\n'),
        ("play.rb", f"PLAY = <<~PLAY\n{TASKS}PLAY\n"),
    ],
)
def test_a_quoted_manifest_is_no_export(tmp_path: Path, name: str, text: str) -> None:
    """Nobody says that such a file is YAML, so it is not broken: it is passed over, with the reason."""
    (tmp_path / name).write_text(text)
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(A)\n")
    found = discover([tmp_path])
    assert [Path(file.path).name for file in found.files] == ["QM1.mqsc"]
    (passed,) = found.passed_over
    assert passed.reason == "is not an export: it may quote a manifest, but is not YAML itself"
    assert estate_problems(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "above"),
    [
        ("a.yaml", "garbage here: and: there\n"),
        ("a.yml", "`x`\n"),
        ("a.txt", "# A comment\n\n---\nkind: [\n"),
        ("manifest", "{{- if .Values.mq }}\n%YAML 1.2\n---\nname: : :\n"),
    ],
)
def test_yaml_that_is_broken_stays_so(tmp_path: Path, name: str, above: str) -> None:
    """By its name, or by its first line where the name does not tell."""
    (tmp_path / name).write_text(above + MANIFEST)
    problems = estate_problems(tmp_path)
    assert [(problem.kind, "is not valid YAML" in problem.text) for problem in problems] == [("unreadable", True)]


@pytest.mark.parametrize("text", [MANIFEST, f"# x\n\n---\n{MANIFEST}", f"{{% if a %}}\n{MANIFEST}"])
def test_yaml_without_a_name_that_says_so(text: str) -> None:
    """Its first line is a key."""
    assert recognise(text.encode(), "exported.txt") == ("kubernetes", "")
    assert recognise(text.encode()) == ("kubernetes", "")
