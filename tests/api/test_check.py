"""The Python API: what it gives, that its documentation runs, and that it keeps nothing between calls."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, asdict, fields
from pathlib import Path
from typing import Any

import pytest

import lintmdb
from lintmdb import api
from lintmdb.run.gate import Gate
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are shown as seen from the project's root."""
    monkeypatch.chdir(ROOT)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "shown"), EXAMPLES)
def test_the_documentation_runs(program: str, shown: str) -> None:
    """Each example of docs/api.md runs and prints what the page shows."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (result.stderr, result.stdout) == ("", shown)


@pytest.mark.parametrize("scenario", ["backout-inert", "all-families", "incomplete-mq", "clean"])
def test_it_says_what_the_command_says(at_root: None, lintmdb: Run, scenario: str) -> None:
    """to_json is the command's JSON report, and exit_code its exit code."""
    report = api.check(f"fixtures/{scenario}")
    command = lintmdb("check", f"fixtures/{scenario}", "--format", "json")
    assert report.to_json() == command.stdout
    assert report.exit_code == command.returncode


def test_the_types_hold_the_whole_report(at_root: None) -> None:
    """Every field of a finding, of an undecided verdict and of the summary is the JSON report's."""
    report = api.check(["fixtures/all-families", "fixtures/incomplete-mq"], on_message="15s")
    document = json.loads(report.to_json())
    assert len(report.findings) == len(document["findings"]) > 5
    for finding, entry in zip(report.findings, document["findings"], strict=True):
        named = {f.name for f in fields(finding) if f.name[0] != "_"} - {"put_back"}  # which only a change brings
        assert named | {"verdict"} == set(entry)
        assert finding.fingerprint == entry["fingerprint"]
        assert [step.text for step in finding.trace] == [step["text"] for step in entry["trace"]]
        assert len(finding.changes) == len(entry["changes"])
        for changes, shown in zip(finding.changes, entry["changes"], strict=True):
            assert _without_blanks(list(map(asdict, changes))) == _without_blanks(shown)
    assert [entry.needs for entry in report.undecided] == [entry["needs"] for entry in document["undecided"]]
    assert report.summary.hazards == document["summary"]["hazards"]


def _without_blanks(entries: list[dict[str, Any]]) -> Any:
    """As JSON holds it, without keys that say nothing."""
    kept = [{key: value for key, value in entry.items() if value not in (None, [], ())} for entry in entries]
    return json.loads(json.dumps(kept))


def test_results_are_frozen_and_pickled(at_root: None) -> None:
    """Results cannot be changed, and go to another process and back."""
    report = api.check("fixtures/backout-inert")
    with pytest.raises(FrozenInstanceError):
        report.exit_code = 0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert again.to_json() == report.to_json()


def test_options() -> None:
    """Options mean what they mean on the command line."""
    folder = FIXTURES / "backout-inert"
    assert {finding.rule for finding in api.check(folder, select=["MDB104"]).findings} == {"MDB104"}
    assert "MDB104" not in {finding.rule for finding in api.check(folder, ignore=["backout-queue-inert"]).findings}
    assert api.check(folder, fail_on="never").exit_code == 0
    assert api.check(FIXTURES / "incomplete-mq", strict=True).exit_code == 4
    assert api.check(FIXTURES / "clean" / "mq").exit_code == 3


def test_only_a_named_configuration_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration is looked for; one that is named counts, with its inputs."""
    file = tmp_path / "lintmdb.toml"
    file.write_text(f'inputs = ["{(FIXTURES / "backout-inert").as_posix()}"]\nignore = ["MDB104"]\n')
    monkeypatch.chdir(tmp_path)
    rules = {finding.rule for finding in api.check(FIXTURES / "backout-inert").findings}
    assert {finding.rule for finding in api.check([], config=file).findings} == rules - {"MDB104"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"paths": []}, "no export is named"),
        ({"paths": "absent"}, "absent does not exist"),
        ({"paths": FIXTURES / "clean", "select": ["MDB999"]}, "MDB999"),
        ({"paths": FIXTURES / "clean", "on_message": "soon"}, "Write 15s"),
        ({"paths": FIXTURES / "clean", "config": "absent.toml"}, "absent.toml"),
        (
            {"paths": FIXTURES / "clean", "fail_on": "errors"},
            "fail_on is 'errors'. Write error, warning, info or never",
        ),
        ({"paths": FIXTURES / "clean", "fail_on": "Error"}, "Write error, warning, info or never"),
        ({"paths": FIXTURES / "clean", "fail_on": ""}, "fail_on is empty"),
        ({"paths": FIXTURES / "clean", "profile": "recomended"}, "There are minimal, recommended, strict"),
        ({"paths": FIXTURES / "clean", "profile": ""}, "profile is empty"),
        ({"paths": FIXTURES / "clean", "on_message": ""}, "on_message is empty"),
        ({"paths": FIXTURES / "clean", "ignore": ["MDB999"]}, "MDB999"),
        ({"paths": FIXTURES / "clean", "rules": ["absent"]}, "absent does not exist"),
        ({"paths": FIXTURES / "clean", "observations": "absent.yaml"}, "absent.yaml"),
    ],
)
def test_errors(arguments: dict[str, Any], says: str) -> None:
    """What is wrong with the call raises one LintmdbError."""
    with pytest.raises(lintmdb.LintmdbError, match=re.escape(says)):
        api.check(**arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"select": "MDB104"}, "select is a sequence of ids, names or prefixes, not one text or path"),
        ({"select": None}, "select is a sequence of ids, names or prefixes, not None"),
        ({"ignore": [104]}, "ignore: an id, name or prefix of a rule is text, not of type int"),
        ({"ignore": b"MDB"}, "ignore is a sequence of ids, names or prefixes, not of type bytes"),
        ({"rules": "rules"}, "rules is a sequence of paths, not one text or path"),
        ({"rules": Path("rules")}, "rules is a sequence of paths, not one text or path"),
        ({"rules": [None]}, "rules: a path is text or a pathlib.Path, not None"),
        ({"paths": None}, "paths is a sequence of paths, not None"),
        ({"paths": 7}, "paths is a sequence of paths, not of type int"),
        ({"paths": [b"was"]}, "paths: a path is text or a pathlib.Path, not of type bytes"),
        ({"config": 7}, "config: a path is text or a pathlib.Path, not of type int"),
        ({"observations": ["a.yaml"]}, "observations: a path is text or a pathlib.Path, not of type list"),
        (
            {"on_message": [15]},
            "on_message is text such as '15s', a number of seconds or a timedelta, not of type list",
        ),
        ({"fail_on": 1}, "fail_on is text such as 'error', not of type int"),
        ({"profile": ["strict"]}, "profile is text such as 'recommended', not of type list"),
        ({"strict": "false"}, "strict is True or False, not of type str"),
    ],
)
def test_arguments_of_another_type(arguments: dict[str, Any], says: str) -> None:
    """Each is refused with the argument's name and what it takes, before anything is read."""
    call: dict[str, Any] = {"paths": "absent", **arguments}
    with pytest.raises(TypeError, match=re.escape(says) + "$"):
        api.check(**call)


@pytest.mark.parametrize("level", ["errors", "ERROR", ""])
def test_no_gate_is_open_by_mistake(level: str) -> None:
    """A gate that is built with an unknown severity fails loudly, it does not let everything pass."""
    with pytest.raises(ValueError, match="not in tuple"):
        assert Gate(level).failing


@pytest.mark.slow
def test_threads(at_root: None) -> None:
    """Many threads at once give what one gives."""
    names = ["backout-inert", "all-families", "clean", "incomplete-mq", "late-message-110-15-120"] * 6

    def judged(name: str) -> str:
        return api.check(f"fixtures/{name}").to_json()

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(judged, names))
    alone = {name: judged(name) for name in set(names)}
    assert together == [alone[name] for name in names]


@pytest.mark.slow
def test_importing_the_package_is_cheap() -> None:
    """import lintmdb imports nothing of it but itself; the names are there all the same."""
    program = (
        "import sys, lintmdb\n"
        "print(sorted(name for name in sys.modules if name.startswith('lintmdb.')))\n"
        "print(lintmdb.Report.__name__, lintmdb.LintmdbError.__name__)\n"
        "print(sorted({'rich', 'yaml', 'typer', 'pyspark'} & set(sys.modules)), hasattr(lintmdb, 'nothing'))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "['lintmdb.version']\nReport LintmdbError\n[] False\n"
