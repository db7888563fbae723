"""Reading scenario folders and naming what a verdict is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from lintmdb.engine.findings import Judgement, Subject
from lintmdb.engine.judge import judge
from lintmdb.plan.evaluation import Evaluator
from lintmdb.resolve.observations import Observations, read_observations
from lintmdb.rules.loading import load_rules
from lintmdb.run.estate import Estate, read_estate, read_exports
from lintmdb.yaml_input import read_yaml
from tests.support.scenario_folders import scenario_folder

RULES = load_rules()
SCENARIOS_OF_FORMATS = (
    "all-families",
    "broken-file",
    "bus-retry-spins",
    "clean",
    "conflicting-queue-managers",
    "incomplete-mq",
    "late-message-110-15-120",
    "topic-subscriptions",
    "unresolved-names",
    "zos-non-asf",
)
"""Scenarios that between them hold what the formats of a report must cope with."""


@dataclass(frozen=True)
class Outcome:
    """What a run found, by rule and subject."""

    estate: Estate
    judgement: Judgement
    hazard: dict[str, list[str]]
    clear: dict[str, list[str]]
    undecided: dict[str, list[str]]


def subject_name(subject: Subject) -> str:
    """A subject in the words of expected.yaml."""
    place = subject.server or subject.cluster or subject.cell or "-"
    match subject.kind:
        case "queue":
            return f"{subject.queue} @ {subject.queue_manager}"
        case "queue_manager" | "server" | "cluster":
            return str(subject.name)
        case "destination":
            return f"{subject.name} @ {subject.bus}"
        case "bean":
            return f"{subject.module}/{subject.bean}"
        case "export":
            return PurePosixPath(str(subject.name)).name
        case _:
            bean = f"{subject.bean} @ " if subject.bean else ""
            return f"{bean}{subject.name} @ {place}"


def scenario_inputs(folder: Path, options: dict[str, Any] | None = None) -> tuple[list[Path], Observations]:
    """The exports of a scenario folder, and what the options of its expected.yaml say was observed."""
    options = options or {}
    file = folder / options["observations"] if "observations" in options else None
    apart = ("expected.yaml", "observations.yaml", "README.md")
    inputs = [path for path in sorted(folder.iterdir()) if path.name not in apart]
    return inputs, read_observations(file, options.get("on_message"))


def scenario_evaluator(name: str) -> Evaluator:
    """Judges a scenario with changes on top."""
    folder = scenario_folder(name)
    inputs, observed = scenario_inputs(folder, expected(folder).get("options"))
    return Evaluator(read_exports(inputs), observed, RULES)


def run_scenario(folder: Path, options: dict[str, Any] | None = None) -> Outcome:
    """Judge a scenario folder with the options of its expected.yaml."""
    estate = read_estate(*scenario_inputs(folder, options))
    judgement = judge(estate.facts, RULES)
    hazard: dict[str, list[str]] = {}
    undecided: dict[str, list[str]] = {}
    for finding in judgement.findings:
        hazard.setdefault(finding.rule.id, []).append(subject_name(finding.subject))
    for entry in judgement.undecided:
        undecided.setdefault(entry.rule.id, []).append(subject_name(entry.subject))
    clear: dict[str, list[str]] = {}
    for rule, subject in judgement.clear_subjects:
        clear.setdefault(rule, []).append(subject_name(subject))
    return Outcome(estate, judgement, _sorted(hazard), _sorted(clear), _sorted(undecided))


def _sorted(verdicts: dict[str, list[str]]) -> dict[str, list[str]]:
    return {rule: sorted(subjects) for rule, subjects in sorted(verdicts.items())}


def expected(folder: Path) -> dict[str, Any]:
    """The document of a scenario's expected.yaml."""
    document, _ = read_yaml(folder / "expected.yaml")
    return cast("dict[str, Any]", document)
