"""Hazards that templates tell, and those that are told one by one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from lintmdb.engine.findings import Finding, Subject
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.tables import CONSUMER_ALIASES
from lintmdb.fleet.arrow import Table, pa, records
from lintmdb.fleet.database import arrow_batches, arrow_table
from lintmdb.fleet.facts.encoding import decode_origins
from lintmdb.fleet.judging.columnar.groups import Group, keys_table, names_query
from lintmdb.fleet.judging.columnar.judge import HAZARD, Judged
from lintmdb.fleet.judging.columnar.rows import PickedFlows
from lintmdb.fleet.judging.columnar.telling import Unlike
from lintmdb.fleet.judging.columnar.templates import Template, make_templates
from lintmdb.fleet.judging.presenting import Presented
from lintmdb.model.origins import Located, Origin
from lintmdb.model.relations import Endpoint
from lintmdb.rules.rule import Rule

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BATCH = 2_000
"""So many flows are told at a time, each with all of its origins."""
_MUCH_FASTER = 4
"""How many flows a template fills in while one flow is worked out by itself."""


class _Group(TypedDict):
    number: int
    """The place of its rule and templates in ``Alike.groups``."""
    flows: int


class _Flow(TypedDict):
    """A flow that shows hazards of some groups."""

    first: int
    groups: list[_Group]
    names: list[str | None]
    origins: list[str | None]


@dataclass(frozen=True, slots=True)
class Alike:
    """Some flows whose hazards differ from those of others in names alone."""

    judged: str
    rules: Sequence[Rule]
    groups: Sequence[tuple[int, Sequence[Template]]]
    """The rule of each group, and its templates."""
    names: Mapping[str, int]
    """The places of columns in the names of a flow."""
    aliases: Mapping[str, int]
    """Those of aliases in its origins."""
    asked: Mapping[str, Collection[str]]
    """The columns whose origins templates ask, by alias."""
    flows: Table

    @property
    def work(self) -> int:
        """As many flows, told one by one, would be as much work."""
        return self.flows.num_rows // _MUCH_FASTER

    def tell(self, presented: Presented) -> list[Unlike]:
        """Add the hazards of all flows that are like a template to the tables."""
        unlike: list[Unlike] = []
        decode = functools.cache(self._decode)  # flows share the rows of a queue manager or a server
        for flow in records(self.flows, _Flow):
            origins = _Decoded(self.aliases, flow["origins"], decode)
            for group in flow["groups"]:
                number, templates = self.groups[group["number"]]
                tried = (
                    t.fill([flow["names"][self.names[name]] or "" for name in t.names], origins) for t in templates
                )
                filled = next(filter(None, tried), None)
                if filled is None:
                    unlike.append(Unlike(self.judged, number, flow["first"], group["flows"]))
                    continue
                told, places = filled
                rule, subject = self.rules[number], Subject(**told["subject"])
                presented.add_finding(_Told(rule, subject, _ASKED_NOTHING, None, group["flows"], places=places), told)
        return unlike

    def _decode(self, alias: str, text: str | None) -> Mapping[str, Located]:
        return decode_origins(text, self.asked[alias])


class _Decoded(dict[str, Mapping[str, Located]]):
    """The origins of a flow by alias, decoded where they are asked for."""

    def __init__(
        self,
        aliases: Mapping[str, int],
        texts: Sequence[str | None],
        decode: Callable[[str, str | None], Mapping[str, Located]],
    ) -> None:
        self._aliases, self._texts, self._decode = aliases, texts, decode

    def __missing__(self, alias: str) -> Mapping[str, Located]:
        place = self._aliases.get(alias)
        found = self[alias] = {} if place is None else self._decode(alias, self._texts[place])
        return found


@dataclass(frozen=TYPE_CHECKING, eq=False)
class _Told(Finding):
    """A finding of which all is known that rows would say."""

    places: list[Origin] = field(default_factory=list[Origin])

    @functools.cached_property
    def _places(self) -> list[Origin]:
        return self.places


_ASKED_NOTHING = FlowRows(Endpoint(id="", kind="listener_port", name=""))


def find_alike(
    connection: DuckDBPyConnection, picked: PickedFlows, hazards: Sequence[Group]
) -> tuple[Iterator[Alike], str]:
    """The groups of hazards that templates tell, in batches; and a query of rule, first and flows of those that they do
    not. Of the ``picked`` flows nothing is read from the facts again, where all that show the hazards are among them.
    """
    judged = picked.judged
    made = [(group, _make_templates(judged, group)) for group in hazards]
    groups = [(group.rule, templates) for group, templates in made if templates]
    known, unknown = f"templates_{judged.name}", f"untold_hazards_{judged.name}"
    connection.register(known, keys_table(group for group, templates in made if templates))
    connection.register(unknown, keys_table(group for group, templates in made if not templates))
    chosen = f"(FROM {judged.chosen} WHERE verdict = {HAZARD}) AS chosen"
    left = f"SELECT chosen.rule, chosen.first, chosen.flows FROM {chosen} SEMI JOIN {unknown} USING (rule, shape)"
    told = f"(SELECT first, number, flows FROM {chosen} INNER JOIN {known} USING (rule, shape))"
    return _batches(connection, picked, groups, told), left


def _make_templates(judged: Judged, group: Group) -> Sequence[Template]:
    if not isinstance(group.first, FlowRows) or not isinstance(group.last, FlowRows):
        return ()
    return make_templates(judged.rules[group.rule], group.first, group.last)


def _batches(
    connection: DuckDBPyConnection, picked: PickedFlows, groups: Sequence[tuple[int, Sequence[Template]]], hazards: str
) -> Iterator[Alike]:
    if not groups:
        return
    judged = picked.judged
    templates = [template for _, several in groups for template in several]
    names = sorted({name for template in templates for name in template.names})
    asked: dict[str, set[str]] = {}
    for alias, column in {place for template in templates for place in template.asked}:
        asked.setdefault(alias, set()).add(column)
    aliases = sorted(asked.keys() - CONSUMER_ALIASES)  # what the join counts has no origins
    connection.execute(
        f"CREATE OR REPLACE TABLE alike AS FROM {judged.judged} AS judged SEMI JOIN {hazards} USING (first)"
    )
    shown = f"SELECT first, LIST(STRUCT_PACK(number := number, flows := flows)) AS groups FROM {hazards} GROUP BY first"
    are_picked = picked.have(arrow_table(connection, "SELECT first FROM alike")["first"])
    if are_picked:
        picked.show(connection)
    flows = names_query(judged, names, aliases, "alike", picked=are_picked)
    query = f"SELECT * FROM ({shown}) INNER JOIN ({flows}) USING (first)"
    places = {name: place for place, name in enumerate(names)}, {alias: place for place, alias in enumerate(aliases)}
    for batch in arrow_batches(connection, query, _BATCH):
        yield Alike(judged.name, judged.rules, groups, *places, asked, pa.Table.from_batches([batch]))
