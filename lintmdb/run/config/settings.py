"""What a run uses: defaults, the configuration file over them, the command line over both; each with its source."""

from __future__ import annotations

import datetime
import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple, NotRequired, TypedDict, cast

from lintmdb.errors import LintmdbError
from lintmdb.model.origins import Origin
from lintmdb.resolve.mq.free_names import BACKOUT_NAME, DEAD_LETTER_NAME
from lintmdb.resolve.observations import (
    EndpointObservation,
    Observations,
    ObservationsEntry,
    build_observations,
    parse_duration,
    read_observations,
)
from lintmdb.rules.repairs import POLICY
from lintmdb.rules.rule import Severity
from lintmdb.run.config.file import Configuration, read_configuration, shown
from lintmdb.run.config.profiles import fails_undecided
from lintmdb.run.config.search import candidates, home_folder
from lintmdb.run.environments import NONE, Environments, build_environments, parse_environments
from lintmdb.run.suppression import Suppression
from lintmdb.settings.changes import Product


class SuppressionEntry(TypedDict):
    """One entry of ``suppressions``, as the file has it."""

    rule: str
    subject: str | Mapping[str, str]
    reason: str
    expires: NotRequired[str]
    owner: NotRequired[str]


class IdentityEntry(TypedDict):
    """One entry of ``identities``."""

    endpoint: str
    user: str
    groups: NotRequired[Sequence[str]]


OwnersEntry = TypedDict(
    "OwnersEntry",
    {
        "environments": NotRequired[Mapping[str, str]],
        "cells": NotRequired[Mapping[str, str]],
        "applications": NotRequired[Mapping[str, str]],
        "queue-managers": NotRequired[Mapping[str, str]],
    },
)
"""The table ``owners``: patterns and who owns what they fit."""

PlanEntry = TypedDict(
    "PlanEntry",
    {
        "only": Literal["mq", "was"] | None,
        "keep": Sequence[str],
        "severity": Severity,
        "backout-threshold": int,
        "backout-name": str,
        "dead-letter-name": str,
        "owners": Mapping[str, str],
    },
)
"""The table ``plan``."""

Values = TypedDict(
    "Values",
    {
        "inputs": Sequence[str],
        "select": Sequence[str],
        "ignore": Sequence[str],
        "profile": str | None,
        "severities": Mapping[str, Severity],
        "fail-on": str,
        "strict": bool,
        "require": Sequence[Product],
        "all-queues": bool,
        "rules": Sequence[str],
        "baseline": str | None,
        "locked": Sequence[str],
        "suppressions": Sequence[SuppressionEntry],
        "identities": Sequence[IdentityEntry],
        "observations": str | ObservationsEntry,
        "queue-managers": Mapping[str, str],
        "environments": Mapping[str, str | Sequence[str]],
        "owners": OwnersEntry,
        "plan": PlanEntry,
    },
)
"""Every setting as a plain value."""

DEFAULTS: Values = {
    "inputs": [],
    "select": [],
    "ignore": [],
    "profile": "recommended",
    "severities": {},
    "fail-on": "error",
    "strict": False,
    "require": [],
    "all-queues": False,
    "rules": [],
    "baseline": None,
    "locked": [],
    "suppressions": [],
    "identities": [],
    "observations": {},
    "queue-managers": {},
    "environments": {},
    "owners": {},
    "plan": {
        "only": None,
        "keep": [],
        "severity": "warning",
        "backout-threshold": POLICY["policy.backout_threshold"],
        "backout-name": BACKOUT_NAME,
        "dead-letter-name": DEAD_LETTER_NAME,
        "owners": {},
    },
}
"""The value of each setting where nothing sets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says; None or empty where it says nothing."""

    config: Path | None = None
    search: bool = True
    """Whether a configuration file is looked for where none is named."""
    inputs: Sequence[Path] = ()
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    profile: str | None = None
    fail_on: str | None = None
    strict: bool = False
    require: Sequence[str] = ()
    all_queues: bool = False
    rules: Sequence[Path] = ()
    baseline: Path | None = None
    no_baseline: bool = False
    observations: Path | None = None
    on_message: str | None = None
    only: str | None = None
    keep: Sequence[str] = ()
    severity: str | None = None
    environments: Sequence[str] = ()
    """``NAME=PATH`` each; the paths are inputs, too."""


class Source(NamedTuple):
    """Where a value comes from: ``default``, an option, or a file with its line."""

    text: str
    path: str = ""
    line: int = 0


class Lock(NamedTuple):
    """A rule, or a prefix of rules, that is locked, and where."""

    word: str
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a run uses."""

    values: Values
    """Every setting as plain values, as the file would spell it."""
    sources: Mapping[str, Source]
    """By key; those of a table that has defaults for its keys also by ``plan.KEY``."""
    file: Configuration | None
    inputs: Sequence[Path]
    rules: Sequence[Path]
    baseline: Path | None
    observed: Observations
    environments: Environments = NONE
    suppressions: Sequence[Suppression] = ()
    locked: Sequence[Lock] = field(default_factory=tuple[Lock, ...])
    """The locks of the file itself and of those above it."""

    @property
    def fail_on(self) -> str:
        """From which severity on a finding fails the run, or ``never``."""
        return self.values["fail-on"]

    @property
    def strict(self) -> bool:
        """Whether anything undecided or unreadable fails the run."""
        return self.values["strict"]

    @property
    def require(self) -> tuple[Product, ...]:
        """The products of which an export has to be there."""
        return tuple(self.values["require"])

    @property
    def all_queues(self) -> bool:
        """Whether queues and queue managers that no endpoint leads to are judged, too."""
        return self.values["all-queues"]

    def error(self, text: str, *place: str | int, next_step: str = "") -> LintmdbError:
        """An error about a setting, at its place in the file where it comes from there."""
        words = [str(word) for word in place]
        source = self.sources.get(".".join(words[:2])) or self.sources[words[0]]
        if self.file is not None and source.path:
            return self.file.error(text, *place, next_step=next_step)
        return LintmdbError(text, next_step=next_step)


def read_settings(options: Options | None = None, *, needs_inputs: bool = False) -> Settings:
    """The settings of a run in the working directory. Raises LintmdbError with file and line.

    With ``needs_inputs`` it is an error where neither the command line nor the file names an export.
    """
    options = options or Options()
    file, above = _files(options.config) if options.config is not None or options.search else (None, [])
    values = cast("Values", {**DEFAULTS, **(file.values if file is not None else {})})
    sources = dict.fromkeys(values, Source("default"))
    if file is not None:
        for key in file.values:
            line = file.line(key)
            sources[key] = Source(f"{file.path}:{line}", file.path, line)
    if file is not None and file.values.get("select") and file.values.get("profile"):
        raise file.error(
            "select and profile both say which rules are used", "profile", next_step="Keep one. ignore works with both"
        )
    _apply_options(options, values, sources)
    _apply_plan(options, values, sources, file)
    if sources["strict"].text == "default" and fails_undecided(values["profile"]):
        values["strict"] = True
        sources["strict"] = sources["profile"]
    inputs = [_path(entry, sources["inputs"], file) for entry in values["inputs"]]
    named = parse_environments(options.environments)
    inputs += [path for _, entry in named for path in map(Path, _expanded(entry)) if path not in inputs]
    if needs_inputs and not inputs:
        raise LintmdbError(
            "no EXPORT is named", next_step="Name files, folders or archives, or set inputs in lintmdb.toml"
        )
    return Settings(
        values=values,
        sources=sources,
        file=file,
        inputs=inputs,
        rules=[_path(entry, sources["rules"], file) for entry in values["rules"]],
        baseline=_path(baseline, sources["baseline"], file) if (baseline := values["baseline"]) else None,
        observed=_observed(options, values, sources, file),
        environments=_environments(named, values, file),
        suppressions=_suppressions(file),
        locked=[lock for each in (file, *above) if each is not None for lock in _locks(each)],
    )


def _expanded(entry: str) -> list[str]:
    """A path of ``--environment``, or what its wildcards find. Raises LintmdbError where they find nothing."""
    if os.path.lexists(entry) or not glob.has_magic(entry):
        return [entry]
    found = sorted(glob.glob(entry))
    if not found:
        raise LintmdbError(f"{entry} of --environment matches nothing", next_step="Name a folder of exports")
    return found


def _environments(named: Sequence[tuple[str, str]], values: Values, file: Configuration | None) -> Environments:
    """The environments of the options, or of the file where there are none. Raises LintmdbError."""
    if named or file is None:
        return build_environments(named)
    entries = [
        (name, file.beside(path).as_posix())
        for name, paths in values["environments"].items()
        for path in ([paths] if isinstance(paths, str) else paths)
    ]
    try:
        return build_environments(entries)
    except LintmdbError as error:
        raise file.error(error.text, "environments", next_step=error.next_step) from error


def _files(named: Path | None) -> tuple[Configuration | None, list[Configuration]]:
    """The file that counts, and those above it, of which only the locks count."""
    if named is not None and not named.is_file():
        raise LintmdbError("is not a file", path=shown(named), next_step="Name a configuration file with --config")
    start = Path.cwd() if named is None else named.absolute().parent
    found: dict[Path, Configuration] = {}
    if named is not None:
        own = read_configuration(named)
        assert own is not None
        found[start] = own
    for file in candidates(start, home_folder()):
        if file.parent in found:
            continue
        configuration = read_configuration(file, required=False)
        if configuration is not None:
            found[file.parent] = configuration
    first, *above = [*found.values()] or [None]
    return first, [each for each in above if each is not None]


def _apply_options(options: Options, values: Values, sources: dict[str, Source]) -> None:
    if options.select and options.profile:
        raise LintmdbError("--select and --profile both say which rules are used", next_step="Use one of them")
    if options.baseline and options.no_baseline:
        raise LintmdbError("--baseline and --no-baseline contradict each other", next_step="Use one of them")
    if options.inputs:
        values["inputs"] = [path.as_posix() for path in options.inputs]
        sources["inputs"] = Source("command line")
    if options.select:
        values["select"], values["profile"] = list(options.select), None
        sources["select"] = sources["profile"] = Source("--select")
    if options.profile:
        values["profile"], values["select"] = options.profile, []
        sources["profile"] = sources["select"] = Source("--profile")
    elif values["select"]:
        values["profile"] = None
        sources["profile"] = sources["select"]
    if options.ignore:
        values["ignore"] = list(options.ignore)
        sources["ignore"] = Source("--ignore")
    _apply_gate(options, values, sources)
    _apply_switches(options, values, sources)
    if options.rules:
        values["rules"] = [path.as_posix() for path in options.rules]
        sources["rules"] = Source("--rules")
    if options.baseline:
        values["baseline"] = options.baseline.as_posix()
        sources["baseline"] = Source("--baseline")
    if options.no_baseline:
        values["baseline"] = None
        sources["baseline"] = Source("--no-baseline")
    if options.observations:
        values["observations"] = options.observations.as_posix()
        sources["observations"] = Source("--observations")


def _apply_gate(options: Options, values: Values, sources: dict[str, Source]) -> None:
    """What fails a run."""
    if options.fail_on:
        values["fail-on"] = options.fail_on
        sources["fail-on"] = Source("--fail-on")
    if options.strict:
        values["strict"] = True
        sources["strict"] = Source("--strict")
    if options.require:
        values["require"] = cast("Sequence[Product]", list(dict.fromkeys(options.require)))
        sources["require"] = Source("--require")


def _apply_switches(options: Options, values: Values, sources: dict[str, Source]) -> None:
    """What an option turns on and no option turns off, beside the gate."""
    if options.all_queues:
        values["all-queues"] = True
        sources["all-queues"] = Source("--all-queues")


def _apply_plan(options: Options, values: Values, sources: dict[str, Source], file: Configuration | None) -> None:
    """The table ``plan``, whose keys have defaults and options of their own."""
    said = cast("PlanEntry", (file.values.get("plan") or {}) if file is not None else {})
    plan = cast("PlanEntry", {**DEFAULTS["plan"], **said})
    for key in plan:
        line = file.line("plan", key) if file is not None else 0
        sources[f"plan.{key}"] = (
            Source(f"{file.path}:{line}", file.path, line) if file is not None and key in said else Source("default")
        )
    if options.only:
        plan["only"] = cast("Literal['mq', 'was']", options.only)
        sources["plan.only"] = Source("--only")
    if options.keep:
        plan["keep"] = list(options.keep)
        sources["plan.keep"] = Source("--keep")
    if options.severity:
        plan["severity"] = cast("Severity", options.severity)
        sources["plan.severity"] = Source("--severity")
    values["plan"] = plan


def _path(text: str, source: Source, file: Configuration | None) -> Path:
    """A path of a setting: one of the file starts at the file's folder."""
    return file.beside(text) if file is not None and source.path else Path(text)


def _observed(
    options: Options, values: Values, sources: Mapping[str, Source], file: Configuration | None
) -> Observations:
    given = values["observations"]
    if isinstance(given, str):
        observed = read_observations(_path(given, sources["observations"], file), options.on_message)
    else:
        time = parse_duration(options.on_message) if options.on_message is not None else None
        observed = Observations(time) if file is None or not given else _inline(file, given, time)
    plan = values["plan"]
    observed = replace(observed, backout_name=plan["backout-name"], dead_letter_name=plan["dead-letter-name"])
    if file is None:
        return observed
    endpoints = dict(observed.endpoints)
    for number, entry in enumerate(values["identities"]):
        name = entry["endpoint"]
        known = endpoints.get(name)
        if known is not None and (known.user is not None or known.groups is not None):
            raise file.error(f"the user of {name} is given twice", "identities", number, "endpoint")
        groups = frozenset(entry["groups"]) if "groups" in entry else None
        origin = _origin(file, name, "identities", number)
        endpoints[name] = replace(
            known or EndpointObservation(origin=origin), user=entry["user"], groups=groups, origin=origin
        )
    return replace(observed, endpoints=endpoints, queue_managers=values["queue-managers"])


def _origin(file: Configuration, name: str, *place: str | int) -> Origin:
    return Origin(file.path, file.line(*place), 0, f"observed of {name}")


def _inline(file: Configuration, document: ObservationsEntry, time: int | None) -> Observations:
    """Observations that stand in the file itself; each entry knows its line."""
    numbered = document.copy()
    if "beans" in document:
        numbered["beans"] = [
            {**entry, "line": file.line("observations", "beans", number)}
            for number, entry in enumerate(document["beans"])
        ]
    if "endpoints" in document:
        numbered["endpoints"] = [
            {**entry, "line": file.line("observations", "endpoints", number)}
            for number, entry in enumerate(document["endpoints"])
        ]
    if "queue_managers" in document:
        numbered["queue_managers"] = [
            {**entry, "line": file.line("observations", "queue_managers", number)}
            for number, entry in enumerate(document["queue_managers"])
        ]
    if "queues" in document:
        numbered["queues"] = [
            {**entry, "line": file.line("observations", "queues", number)}
            for number, entry in enumerate(document["queues"])
        ]
    return build_observations(numbered, file.path, time)


def _suppressions(file: Configuration | None) -> list[Suppression]:
    suppressions: list[Suppression] = []
    entries = cast("Values", file.values).get("suppressions", ()) if file is not None else ()
    for number, entry in enumerate(entries):
        assert file is not None
        expires = None
        if "expires" in entry:
            try:
                expires = datetime.date.fromisoformat(entry["expires"])
            except ValueError as error:
                raise file.error(
                    f"suppressions.{number + 1}.expires: there is no date {entry['expires']}",
                    *("suppressions", number, "expires"),
                ) from error
        suppressions.append(
            Suppression(
                rule=entry["rule"],
                subject=entry["subject"],
                reason=" ".join(entry["reason"].split()),
                path=file.path,
                line=file.line("suppressions", number),
                expires=expires,
                owner=entry.get("owner"),
            )
        )
    return suppressions


def _locks(file: Configuration) -> list[Lock]:
    words = cast("Values", file.values).get("locked", ())
    return [Lock(word, file.path, file.line("locked", number)) for number, word in enumerate(words)]
