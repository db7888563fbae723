"""Rules: one YAML file each, loaded, checked and ready to judge.

The source is ``rules/*/*.yaml``. A wheel carries the same rules as one JSON file, which loads without the YAML reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from lintmdb.errors import LintmdbError, RuleError
from lintmdb.json_types import read_json_object
from lintmdb.rules.conditions import Condition, check_condition
from lintmdb.rules.example_rows import Examples, check_example_rows, examples_by_verdict
from lintmdb.rules.predictions import PredictionDocument, build_prediction
from lintmdb.rules.repairs import build_repairs
from lintmdb.rules.rule import Example, Rule, Severity

PACKAGE = Path(__file__).resolve().parent.parent
SOURCE = PACKAGE.parent / "rules"
BUNDLE = PACKAGE / "rules.json"
SCHEMA = Path(__file__).resolve().parent / "rule.schema.json"


class RuleEntry(TypedDict):
    """A rule file that fits ``rule.schema.json``."""

    id: str
    name: str
    title: str
    severity: Severity
    confidence: str
    since: str
    subject: str
    when: str
    hazard: str
    message: str
    why: str
    repairs: NotRequired[Sequence[Mapping[str, object]]]
    advice: NotRequired[str]
    references: NotRequired[Sequence[Mapping[str, str]]]
    examples: Mapping[str, Examples]
    exceptions: NotRequired[str]
    predicts: NotRequired[PredictionDocument]


def load_rules(user_folders: Iterable[Path] = ()) -> list[Rule]:
    """The built-in rules and those of the user's folders, sorted by id.

    Raises RuleError with file, line and column for a rule that is not valid, and for an id used twice.
    """
    rules = list(_built_in_rules())
    for folder in user_folders:
        rules.extend(load_folder(folder))
    seen: dict[str, Rule] = {}
    for rule in rules:
        if rule.id in seen:
            raise RuleError(
                f"{rule.id} is defined twice, first in {seen[rule.id].path}",
                path=rule.path,
                next_step="Give one a new id",
            )
        seen[rule.id] = rule
    return sorted(rules, key=lambda rule: rule.id)


def load_folder(folder: Path) -> list[Rule]:
    """A user's own rules: every ``*.yaml`` below a folder (or one file), checked against the schema and by SQLite."""
    if not folder.exists():
        raise LintmdbError(f"{folder} does not exist", next_step="Name a folder of rule files with --rules")
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.yaml"))
    if not files:
        raise LintmdbError(
            f"{folder} holds no rule", next_step="A rule is a .yaml file; lintmdb rules new NAME writes one"
        )
    rules = [load_file(file) for file in files]
    for rule in rules:
        if rule.id.startswith("MDB"):
            raise RuleError(
                f"{rule.id} starts with MDB, which is reserved for built-in rules",
                path=rule.path,
                next_step="Choose another prefix",
            )
    return rules


def load_file(file: Path) -> Rule:
    """One rule file, checked against the schema, token by token, and by preparing it in SQLite."""
    from lintmdb.rules.verdicts import check_grammar
    from lintmdb.yaml_input import read_yaml, validate

    document, lines = read_yaml(file)
    validate(document, read_json_object(SCHEMA), str(file), lines, "a key of a rule", RuleError)
    entry = cast("RuleEntry", document)
    check_example_rows(entry["examples"], str(file), lines.line("examples"))
    rule = _rule(entry, str(file), lines.line)
    check_grammar(rule)
    return rule


@cache
def _built_in_rules() -> tuple[Rule, ...]:
    """The built-in rules, read once in a process: a program that checks many estates pays for them once."""
    return tuple(_rule(document, path, _no_line, typed=False) for document, path in _built_in())  # tests check these


def _built_in() -> Iterable[tuple[RuleEntry, str]]:
    if SOURCE.is_dir() and (PACKAGE.parent / "pyproject.toml").exists():  # a checkout: editing a rule needs no build
        from lintmdb.yaml_input import parse_yaml

        for file in sorted(SOURCE.glob("*/*.yaml")):
            document, _ = parse_yaml(file.read_text("utf-8"), str(file))
            yield cast("RuleEntry", document), str(file)
        return
    if not BUNDLE.exists():
        raise LintmdbError(f"no rules in {SOURCE} or {BUNDLE}", next_step="Install lintmdb again")
    for entry in cast("list[RuleEntry]", json.loads(BUNDLE.read_text("utf-8"))):
        yield entry, f"{entry['id']}-{entry['name']}.yaml"


def _no_line(*_: str) -> int:
    return 0


def _rule(document: RuleEntry, path: str, line: Callable[..., int], *, typed: bool = True) -> Rule:
    examples = {
        verdict: tuple(Example(name, rows) for name, rows in entries)
        for verdict, entries in examples_by_verdict(document["examples"])
    }
    when = check_condition(document["when"], path, line("when"), typed=typed)
    hazard = check_condition(document["hazard"], path, line("hazard"), typed=typed)
    predicts = document.get("predicts")

    def condition(key: str, text: str) -> Condition:
        return check_condition(text, path, line("predicts", key), typed=typed)

    return Rule(
        id=document["id"],
        name=document["name"],
        title=document["title"],
        severity=document["severity"],
        confidence=document["confidence"],
        since=str(document["since"]),
        subject=document["subject"],
        when=when,
        hazard=hazard,
        message=" ".join(document["message"].split()),
        why=document["why"].strip(),
        repairs=build_repairs(document.get("repairs") or (), path, line("repairs"), typed=typed),
        advice=document.get("advice", "").strip(),
        references=tuple(document.get("references") or ()),
        examples=examples,
        path=path,
        columns=tuple(dict.fromkeys((*hazard.columns, *when.columns))),
        exceptions=(document.get("exceptions") or "").strip(),
        predicts=build_prediction(predicts, condition) if predicts else None,
    )
