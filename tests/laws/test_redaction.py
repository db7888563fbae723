"""A redacted copy comes to the same verdicts, about the same objects, on the same lines."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lintmdb.engine.findings import Subject
from lintmdb.engine.judge import judge
from lintmdb.exports.discovery import shown_path
from lintmdb.redact import redact_exports
from lintmdb.redact.names import Names
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.laws.laws import OBSERVED, batches, write_estates
from tests.support.scenario import RULES, expected, scenario_inputs
from tests.support.scenario_folders import scenario_folder, scenario_names


def _shown(subject: Subject) -> str:
    """All names of a subject; its detail is words of lintmdb."""
    return " @ ".join(name or "" for name in subject._replace(detail=None)[1:])


def _verdicts(paths: Sequence[Path], base: Path, observed: Observations) -> Counter[str]:
    """Every verdict as text; the places of findings by file below the base, and line."""
    judgement = judge(read_estate(paths, observed).facts, RULES)
    prefix = shown_path(base) + "/"
    verdicts = Counter(
        f"{rule.id} {number} {subject.kind} {_shown(subject)}".replace(prefix, "")
        for subject, rules, numbers in judgement.judged
        for rule, number in zip(rules, numbers, strict=True)
    )
    for finding in judgement.findings:
        place = finding.location
        where = f"{place.path}:{place.line}" if place is not None else "nowhere"
        verdicts[f"{finding.rule.id} at {where}".replace(prefix, "")] += 1
    return verdicts


@functools.cache
def _of_scenario(name: str) -> Counter[str]:
    """The verdicts of a scenario as it is, for both of its copies."""
    folder = scenario_folder(name)
    inputs, observed = scenario_inputs(folder, expected(folder).get("options"))
    return _verdicts(inputs, folder, observed)


def _renamed(observed: Observations, words: Mapping[str, str]) -> Observations:
    """The observations with the users of the copy."""
    endpoints = {
        name: replace(entry, user=words[entry.user] if entry.user else entry.user)
        for name, entry in observed.endpoints.items()
    }
    return replace(observed, endpoints=endpoints)


def _with_names(observed: Observations, names: Names) -> Observations:
    """The observations about the endpoints and beans of a copy with other names."""
    endpoints = {names.value(name): entry for name, entry in observed.endpoints.items()}
    beans = {names.value(name): entry for name, entry in observed.beans.items()}
    return replace(observed, endpoints=endpoints, beans=beans)


def _named(verdict: str, names: Names, folder: str) -> str:
    """A verdict about the same thing in the copy. Which of several places a finding shows depends on names."""
    rule, _, subject = verdict.partition(" ")
    if subject.startswith("at "):
        return f"{rule} somewhere"
    number, kind, *rest = subject.split(" ", 2)
    shown = " ".join(rest)
    path, at, others = shown.partition(" @ ") if kind == "export" else ("", "", shown)
    shown = names.path(path) + at + names.value(others)
    return f"{rule} {number} {kind} {shown.replace(names.value(folder), folder)}"


def _all_named(verdicts: Counter[str], names: Names | None, folder: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for verdict, count in verdicts.items():
        found[_named(verdict, names or _Same(""), folder)] += count
    return found


class _Same(Names):
    """No other names."""

    def value(self, text: str) -> str:
        return text

    def path(self, text: str) -> str:
        return text


@pytest.mark.parametrize("name", scenario_names())
def test_a_redacted_scenario_has_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """Every rule, verdict, subject and line; nothing is refused."""
    folder = scenario_folder(name)
    _, observed = scenario_inputs(folder, expected(folder).get("options"))
    copied = redact_exports([folder], tmp_path / "copy")
    assert not copied.refused
    before = _of_scenario(name)
    assert before
    after = _verdicts([tmp_path / "copy"], tmp_path / "copy" / name, _renamed(observed, copied.words))
    assert after == before


@pytest.mark.parametrize("name", scenario_names())
def test_a_scenario_with_other_names_has_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """Every rule, verdict, subject and line, in other names."""
    folder = scenario_folder(name)
    _, observed = scenario_inputs(folder, expected(folder).get("options"))
    names = Names("law")
    copied = redact_exports([folder], tmp_path / "copy", names)
    assert not copied.refused
    (copy,) = (tmp_path / "copy").iterdir()
    after = _verdicts([copy], copy, _with_names(_renamed(observed, copied.words), names))
    before = _of_scenario(name)
    assert _all_named(after, None, name) == _all_named(before, names, name)
    assert _words_left(before, copy, names) <= _PRODUCTS | _OTHER_NAMES
    left = _names_left(folder, copy, names)
    assert not [entry for entry in left if not entry.startswith(_WORDS_OF_PRODUCTS)]


_COLUMNS = {
    "endpoint": ("name", "cell", "node", "server", "cluster", "queue_manager", "queue"),
    "server": ("name", "node", "cell"),
    "bean": ("name", "application", "module"),
    "queue_name": ("name",),
    "queue": ("backout_queue",),
    "queue_manager": ("name",),
    "channel": ("name",),
    "destination": ("name", "bus"),
}
"""Where rows have the names of objects."""


def _names_left(folder: Path, copy: Path, names: Names) -> list[str]:
    """Each name of an object that stands in a copy as a word, in a path or in a line of a file, with that line. A
    letter or a digit by itself is in every number, and a queue manager that only the name of its dump names keeps it.
    """
    facts = read_estate([folder], Observations()).facts
    contents = "\n".join(path.read_text("latin-1") for path in folder.rglob("*") if path.is_file())
    every = {
        name
        for table, columns in _COLUMNS.items()
        for row in facts.rows[table]
        for column in columns
        if isinstance(name := getattr(row, column), str) and len(name) > 1 and name in contents
    }
    lines = [
        f"{path.relative_to(copy)}: {line}"
        for path in copy.rglob("*")
        if path.is_file()
        for line in path.read_text("utf-8", "replace").splitlines() or [""]
    ]
    shown = "\n".join(lines)
    left: list[str] = []
    for name in sorted(every - set(map(names.value, every))):  # one name may be the pseudonym of another
        if name not in shown or names.value(name) == name:
            continue
        word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
        left += [f"{name}: {line}" for line in lines if name in line and word.search(line)][:1]
    return left


_WORDS_OF_PRODUCTS = ("DISCARD: liberty/servers/",)
"""A queue of the scenario is called as a value of failedDeliveryPolicy."""
_WORD = re.compile(r"[^\W_]{4,}")
_PRODUCTS = {"SYSTEM", "SVRCONN", "LOCAL", "MODEL", "DURABLE", "NDURABLE", "DEAD", "LETTER", "AUTO", "DISCARD", "KEEP"}
"""Words of the products that are words of names in some scenario."""
_OTHER_NAMES = {"PAYMENTS", "BURST", "ORDERS", "orders"}
"""Words in the names of variables and of files, which stay."""


def _words_left(verdicts: Counter[str], copy: Path, names: Names) -> set[str]:
    """The words of names of subjects that are anywhere in a copy though they have another word there."""
    words = {
        word
        for verdict in verdicts
        if " at " not in verdict and " export " not in verdict
        for word in _WORD.findall(verdict.split(" ", 3)[3])
    }
    shown = " ".join(
        f"{path.relative_to(copy)} {path.read_text('utf-8')}" for path in copy.rglob("*") if path.is_file()
    )
    return {word for word in words & set(_WORD.findall(shown)) if names.value(word) != word}


@pytest.mark.slow
def test_redacted_random_estates_have_the_same_verdicts(tmp_path: Path) -> None:
    """Estates of all kinds, a batch at a time."""
    for number, batch in enumerate(batches(100)):
        folder, copy = tmp_path / f"estates{number}", tmp_path / f"copy{number}"
        write_estates(folder, batch)
        assert not redact_exports([folder], copy).refused
        before = _verdicts([folder], folder, OBSERVED)
        assert len(before) > 1000
        assert _verdicts([copy], copy / folder.name, OBSERVED) == before


@pytest.mark.slow
def test_random_estates_with_other_names_have_the_same_verdicts(tmp_path: Path) -> None:
    """The same, with all names replaced; observations, which name beans, are left out."""
    for number, batch in enumerate(batches(50)):
        folder = tmp_path / f"estates{number}"
        write_estates(folder, batch)
        names = Names(f"law{number}")
        assert not redact_exports([folder], tmp_path / f"copy{number}", names).refused
        (copy,) = (tmp_path / f"copy{number}").iterdir()
        after = _verdicts([copy], copy, Observations())
        before = _verdicts([folder], folder, Observations())
        assert _all_named(after, None, folder.name) == _all_named(before, names, folder.name)
        assert not _names_left(folder, copy, names)
