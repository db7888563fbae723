"""Findings that are worked out once for all flows that differ in names alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from lintmdb.engine.findings import Finding
from lintmdb.engine.flow_rows import FlowRows
from lintmdb.engine.judge import judge
from lintmdb.fleet.judging.columnar import templates
from lintmdb.fleet.judging.columnar.recipes import LookedIntoError
from lintmdb.model.columns import columns
from lintmdb.model.origins import LazyOrigin, Located, Origin
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.fleet_estate import inputs_of
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder, scenario_names

_replace: Callable[..., Any] = replace


@cache
def _findings() -> list[Finding]:
    """Two findings of each rule that is about flows, of all fixtures."""
    found: dict[str, list[Finding]] = {}
    for name in scenario_names():
        facts = read_estate(inputs_of(scenario_folder(name)), Observations()).facts
        for finding in judge(facts, RULES).findings:
            if isinstance(finding.rows, FlowRows) and len(found.setdefault(finding.rule.id, [])) < 2:
                found[finding.rule.id].append(finding)
    return [finding for several in found.values() for finding in several]


def _renamed(rows: FlowRows, rename: Callable[[str], str]) -> FlowRows:
    """A flow whose names are others, wherever they stand."""
    names = {value for column, value in _texts(rows) if column in templates.NAMES and templates.is_like_name(value)}
    pattern = re.compile("|".join(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])" for name in sorted(names)) or r"\Z")

    def changed(row: Any) -> Any:
        relation: type = row.__class__
        values = {column.name: getattr(row, column.name) for column in columns(relation)}
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        return _replace(row, **{n: pattern.sub(lambda found: rename(found.group()), v) for n, v in texts.items()})

    fields = {name: value for name, value in rows._asdict().items() if hasattr(value, "origins")}
    user = pattern.sub(lambda found: rename(found.group()), rows.user) if rows.user else rows.user
    return rows._replace(user=user, **{name: changed(row) for name, row in fields.items()})


def _texts(rows: FlowRows) -> Iterator[tuple[str, str]]:
    for row in rows:
        if hasattr(row, "origins"):
            yield from (
                (column.name, value)
                for column in columns(type(row))
                if isinstance(value := getattr(row, column.name), str)
            )
    if rows.user:
        yield "user", rows.user


def test_other_names_are_filled_in() -> None:
    """What a template tells of a flow with other names is what the functions of ``check`` tell; most have one."""
    told = 0
    for finding in _findings():
        rows = finding.rows
        assert isinstance(rows, FlowRows)
        renamed = _renamed(rows, lambda name: f"{name[:1]}X7{name[1:]}")
        for template in templates.make_templates(finding.rule, rows):
            filled = template.fill_rows(renamed)
            if filled is None:  # a text of a row has a name inside it that no column has by itself
                continue
            assert filled == templates.tell(finding.rule, renamed), finding.rule.id
            told += 1
    assert told > 0.9 * len(_findings())


_OTHER: dict[str, Callable[[str], str]] = {
    "quotation marks": lambda name: f"{name}'s",
    "blanks": lambda name: f"{name} 2",
    "slashes": lambda name: f"jms/{name}",
    "one name": lambda _: "SAME",
    "small letters": str.lower,
    "a word of a column": lambda _: "local",
    "a word of texts": lambda name: "the" if name.endswith(("LP", "AS")) else name,
    "variables": lambda name: f"{name}$(Q)",
    "other letters": lambda name: f"Ü{name}",
    "plain in MQSC": lambda name: name.replace(".", "").upper(),
}


@pytest.mark.parametrize("names", _OTHER)
def test_names_that_are_not_alike_are_not_filled_in(names: str) -> None:
    """Names of other characters, or equal where they were not: what a template does not tell right it does not tell."""
    for finding in _findings():
        rows = finding.rows
        assert isinstance(rows, FlowRows)
        renamed = _renamed(rows, _OTHER[names])
        for template in templates.make_templates(finding.rule, rows):
            assert template.fill_rows(renamed) in (None, templates.tell(finding.rule, renamed)), finding.rule.id


_MOVED: dict[str, Callable[[int, Origin], Origin]] = {
    "other lines": lambda number, place: place._replace(line=place.line + number + 1, column=number),
    "other files": lambda number, place: place._replace(path=f"{number}.xml"),
    "one line": lambda _, place: place._replace(path="a.xml", line=1, column=1, text="x"),
    "other texts": lambda number, place: place._replace(text=f'x="${{V{number}}}"'),
    "defaults": lambda _, place: place._replace(default=not place.default),
}


@pytest.mark.parametrize("moved", [*_MOVED, "nowhere"])
def test_each_finding_has_its_own_places(moved: str) -> None:
    """Of the same names at other places a template tells those; where it depends on what is written there, nothing."""
    told = 0
    for finding in _findings():
        rows = finding.rows
        assert isinstance(rows, FlowRows)
        number = itertools.count()

        def changed(row: Any, number: Iterator[int] = number) -> Any:
            if moved == "nowhere":
                return _replace(row, origins={})
            places = {column: _MOVED[moved](next(number), _resolved(place)) for column, place in row.origins.items()}
            return _replace(row, origins=places)

        others = rows._replace(**{n: changed(r) for n, r in rows._asdict().items() if hasattr(r, "origins")})
        for template in templates.make_templates(finding.rule, rows):
            filled = template.fill_rows(others)
            assert filled in (None, templates.tell(finding.rule, others)), finding.rule.id
            told += filled is not None
    assert told or moved in ("defaults", "nowhere")
    assert told > 0.9 * len(_findings()) or moved != "other lines"


def _resolved(place: Located) -> Origin:
    return place.resolve() if isinstance(place, LazyOrigin) else place


def test_nothing_but_passing_on_is_allowed_with_a_mark() -> None:
    """A function that looks at the letters of a name would say of all flows what is true of one."""
    name, other = templates.Mark("zQ1.QZ"), templates.Mark("ZQ2QZ")
    assert f"{name} of " + other == "zQ1.QZ of ZQ2QZ"
    assert name != other
    assert name == templates.Mark("zQ1.QZ")
    assert name not in ("", "local", "a b", None)
    assert name.replace("'", "''") == name.strip() == name
    assert not name.startswith("/Server:")
    looks: dict[str, Callable[[], object]] = {
        "comparison": lambda: name == "LP1",
        "order": lambda: name < "M",
        "search": lambda: "L" in name,
        "beginning": lambda: name.startswith("SYSTEM."),
        "letters": lambda: name[0],
        "length": lambda: len(name),
        "case": lambda: name.upper(),
        "iteration": lambda: list(name),
        "end": lambda: name.strip("-Z"),
    }
    for look in looks.values():
        with pytest.raises(LookedIntoError):
            look()
