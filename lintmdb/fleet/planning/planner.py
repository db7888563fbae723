"""Plans batches of exports: here where there is one, else in processes of this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lintmdb.exports.discovery import discover_listed
from lintmdb.fleet.facts.units import Unit
from lintmdb.fleet.planning.estate_plan import EstatePlan, plan_estate
from lintmdb.plan.evaluation import Evaluator
from lintmdb.plan.policy import Policy
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.run.environments import NONE, Environments
from lintmdb.run.estate import read_discovered
from lintmdb.run.processes import run_in_processes


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the exports of a batch as ``lintmdb plan`` plans those that it is given."""

    observed: Observations
    """With the client channel definition tables of the whole fleet, any of which a cell may name."""
    named: Mapping[str, str]
    """Queue managers by shown path."""
    rules: Sequence[Rule]
    policy: Policy
    environments: Environments = NONE
    all_queues: bool = False
    """Plan for queues that no endpoint leads to, too."""

    def __call__(self, units: Sequence[Unit]) -> EstatePlan:
        """The plan of some units, which are read again: what a change leads to is found by resolving exports."""
        files = sorted((file for unit in units for file in unit.files), key=lambda file: file.shown)
        exports = read_discovered(discover_listed(files, self.named), self.named, self.environments)
        exports = replace(exports, client_tables=self.observed.client_tables)
        return plan_estate(Evaluator(exports, self.observed, self.rules, self.all_queues), self.policy)


def plan_batches(planner: Planner, batches: Sequence[Sequence[Unit]]) -> list[EstatePlan]:
    """The plans of batches; that of nothing where there is none."""
    if len(batches) <= 1:
        return [planner(batches[0] if batches else ())]
    return run_in_processes(planner, batches, without="leave out --plan")
