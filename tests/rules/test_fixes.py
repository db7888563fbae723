"""Fixes of findings about WebSphere: their commands are about the one object, at its scope.

What commands there are, and that each is Jython, is in tests/settings/test_wsadmin.py; that they end their findings in
tests/plan/test_alternatives.py.
"""

from __future__ import annotations

from pathlib import Path

from tests.resolve.was.test_settings import RESOURCES, Variant
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario


def test_a_specification_is_found_at_its_scope(tmp_path: Path) -> None:
    """A specification of one name at the cell and at the server: the path says which of the two is meant."""
    variant = Variant(tmp_path, "default-activation-spec")
    (finding,) = [f for f in variant.run().judgement.findings if f.rule.id == "MDB301"]
    path = "/Node:node1/Server:server1/J2CResourceAdapter:WebSphere MQ Resource Adapter/J2CActivationSpec:OrdersAS/"
    assert f"AdminConfig.getid('{path}')" in finding.fix


def test_a_late_message_on_a_specification_changes_that_specification(tmp_path: Path) -> None:
    """MDB401 on an activation specification sets its nonASFTimeout, not the property of the listener service."""
    variant = Variant(tmp_path, "clean").edit(
        RESOURCES, 'name="nonASFTimeout" type="int" value="0"', 'name="nonASFTimeout" type="int" value="120000"'
    )
    (finding,) = [f for f in variant.run().judgement.findings if f.rule.id == "MDB401"]
    assert "NON.ASF.RECEIVE.TIMEOUT" not in finding.fix
    assert "'nonASFTimeout'" in finding.fix


def test_a_fix_names_each_member_of_a_cluster() -> None:
    """The commands go over all servers of a cluster whose members agree."""
    rows = run_scenario(FIXTURES / "all-families").estate.facts.rows["server"]
    clusters = [row for row in rows if row.member_count]
    assert clusters
    for row in clusters:
        paths = (row.config_paths or "").split()
        assert len(paths) == row.member_count == len(set(paths))
        assert paths == sorted(paths)
