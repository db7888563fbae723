"""What every fixture holds, read once."""

from __future__ import annotations

import functools

from lintmdb.model.facts import Facts
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_estate
from tests.support.fleet_estate import inputs_of
from tests.support.scenario import expected
from tests.support.scenario_folders import scenario_folder, scenario_names


@functools.cache
def read_fixtures() -> tuple[tuple[str, Facts], ...]:
    """Every fixture with the observations of its expectation."""
    found: list[tuple[str, Facts]] = []
    for name in scenario_names():
        folder = scenario_folder(name)
        options: dict[str, str] = expected(folder).get("options") or {}
        file = folder / options["observations"] if "observations" in options else None
        observed = read_observations(file, options.get("on_message"))
        found.append((name, read_estate(inputs_of(folder), observed).facts))
    return tuple(found)
