"""A finding that a change brings about points to a line of the change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from lintmdb.engine.findings import Judgement
from lintmdb.engine.judge import judge
from lintmdb.plan.what_if import WhatIf
from lintmdb.report.places import find_places
from lintmdb.run.estate import Estate, UnresolvedEstate, resolve_exports
from tests.laws.laws import OBSERVED, batches, read_exports_of
from tests.support.random_estates.changes import change_properties, change_script
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.estates import RandomEstate, build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_Write: TypeAlias = Callable[[Path, Sequence[RandomEstate], UnresolvedEstate], Iterator[Path]]


def _differs(estate: RandomEstate) -> bool:
    """Whether two exports of a queue manager contradict each other: a change may settle that without a place of its
    own, as everything of the queue manager is undecided until then.
    """
    return any(path.endswith("-old.mqsc") for path in estate.files)


def _write_scripts(folder: Path, estates: Sequence[RandomEstate], _: UnresolvedEstate) -> Iterator[Path]:
    for estate in estates:
        for manager in estate.managers:
            file = folder / f"{manager.name}.mqsc"
            file.write_text(change_script(Draw(f"script {manager.name}"), manager.name))
            yield file


def _write_properties(folder: Path, estates: Sequence[RandomEstate], exports: UnresolvedEstate) -> Iterator[Path]:
    cells = {part.name: part for parts in exports.cells for part in parts}
    for estate in estates:
        for name in estate.cells:
            file = folder / f"{name}.props"
            managers = [manager.name for manager in estate.managers]
            file.write_text(change_properties(Draw(f"properties {name}"), cells[name], managers))
            yield file


def _misplaced(before: Judgement, after: Judgement, estate: Estate) -> Iterator[tuple[bool, str]]:
    """Each finding that the change brings about: whether its place in reports is none of the change, and what it is."""
    known = {finding.fingerprint for finding in before.findings}
    for finding in after.findings:
        if finding.fingerprint not in known:
            location = finding.location
            primary = find_places(finding, after, estate).primary
            places = {location.path if location is not None else "", primary.path}
            yield not places <= estate.changed_by, f"{finding.rule.id} {finding.message}"


@pytest.mark.parametrize(("write", "count"), [(_write_scripts, 200), (_write_properties, 100)])
def test_what_a_change_brings_about_is_on_a_line_of_it(tmp_path: Path, write: _Write, count: int) -> None:
    """In JSON and in the reports that have one place for a finding, whatever the change is."""
    found: list[tuple[bool, str]] = []
    for batch in batches(count):
        estates = [estate for estate in map(build_estate, batch) if not _differs(estate)]
        exports = read_exports_of(batch)
        files = list(write(tmp_path, estates, exports))
        overlay = WhatIf(files=files).overlay(exports, OBSERVED)
        before = judge(resolve_exports(exports, OBSERVED).facts, RULES)
        estate = resolve_exports(exports, OBSERVED, overlay)
        found += _misplaced(before, judge(estate.facts, RULES), estate)
    assert len(found) > count // 4
    assert [told for misplaced, told in found if misplaced] == []
