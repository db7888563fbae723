"""What an audit is to do, from the configuration file and the command line, as ``check`` reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.fleet.audit import Request
from lintmdb.fleet.facts.units import is_uri
from lintmdb.run.config.choice import choose_rules
from lintmdb.run.config.settings import Options, Settings, read_settings
from lintmdb.run.environments import parse_environments
from lintmdb.run.gate import Gate


def build_request(
    inputs: Sequence[str],
    out: Path,
    options: Options,
    queue_managers: Mapping[str, str],
    *,
    incremental: bool,
    suppressions: bool,
) -> tuple[Request, Gate]:
    """What to audit, and what fails the run. Raises LintmdbError with the place in the file where that is wrong."""
    settings = read_settings(options)
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
        all_queues=settings.all_queues,
    )
    return request, Gate(settings.fail_on, settings.strict)


def _read_inputs(settings: Settings) -> list[str]:
    """The inputs of the file; a URI stays as it is written."""
    written = settings.values["inputs"]  # paths of --environment come behind them
    return [entry if is_uri(entry) else str(path) for entry, path in zip(written, settings.inputs, strict=False)]
