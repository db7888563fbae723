"""What an audit is to do, from the configuration file and the command line, as ``check`` reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lintmdb.cli import terminal
from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit import Request
from lintmdb.fleet.facts.units import expanded, is_uri
from lintmdb.fleet.summary import read_summary
from lintmdb.plan.policy import read_policy
from lintmdb.resolve.observations import Observations
from lintmdb.run.config.choice import choose_rules
from lintmdb.run.config.settings import Options, Settings, read_settings
from lintmdb.run.environments import parse_environments
from lintmdb.run.estate import UnresolvedEstate, read_exports
from lintmdb.run.gate import Gate
from lintmdb.run.owners import read_owners

NEW = "new"
"""What ``--fail-on`` says where findings that the audit before lacks fail an audit, whatever their severity."""


def build_request(
    inputs: Sequence[str],
    out: Path,
    options: Options,
    queue_managers: Mapping[str, str],
    *,
    incremental: bool,
    suppressions: bool,
    plan: bool = False,
) -> tuple[Request, Gate]:
    """What to audit, and what fails the run. Raises LintmdbError with the place in the file where that is wrong."""
    only_new = options.fail_on == NEW
    settings = read_settings(replace(options, fail_on="never") if only_new else options)
    given = list(inputs) or _read_inputs(settings)
    given += [path for _, path in parse_environments(options.environments) if path not in given]
    if not given and not queue_managers:
        raise LintmdbError(
            "no INPUT is named", next_step="Name folders, archives or globs, or set inputs in lintmdb.toml"
        )
    choice = choose_rules(settings)
    request = Request(
        given,
        out,
        choice.rules,
        settings.observed,
        queue_managers,
        incremental,
        choice=choice,
        suppressions=suppressions,
        baseline=settings.baseline,
        environments=settings.environments,
        owners=read_owners(settings),
        all_queues=settings.all_queues,
        plan=read_policy(settings) if plan else None,
    )
    return request, Gate(settings.fail_on, settings.strict, settings.require)


def read_newer_exports(
    inputs: Sequence[str], audit: Path, options: Options, queue_managers: Mapping[str, str]
) -> tuple[UnresolvedEstate, Observations]:
    """The exports that are named, else those of the configuration file, else those that an audit was made of; and what
    the configuration file says of them.

    Raises LintmdbError for exports that are not there, or not on this machine.
    """
    settings = read_settings(options)
    given = list(inputs) or _read_inputs(settings) or read_summary(audit)["inputs"]
    given += [path for _, path in parse_environments(options.environments) if path not in given]
    for entry in given:
        if is_uri(entry):
            raise LintmdbError(f"{entry} is on another file system", next_step="Name a folder of this machine")
    paths = [path for entry in given for path in expanded(entry)]
    with terminal.progress() as progress:
        read = read_exports(paths, queue_managers=queue_managers, progress=progress, environments=settings.environments)
    return read, settings.observed


def _read_inputs(settings: Settings) -> list[str]:
    """The inputs of the file; a URI stays as it is written."""
    written = settings.values["inputs"]  # paths of --environment come behind them
    return [entry if is_uri(entry) else str(path) for entry, path in zip(written, settings.inputs, strict=False)]
