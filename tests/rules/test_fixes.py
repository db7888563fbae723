"""Commands of fixes: each can be pasted as it is, changes what the finding is about and nothing else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from lintmdb.report.rule_pages.explanation import sections
from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from tests.resolve.was.test_settings import RESOURCES, Variant
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario

RULES = load_rules()


def _fix(rule: Rule) -> str:
    """The fix as the explanation of the rule shows it."""
    section = next(section for section in sections(rule) if section.title == "Fix")
    return "\n".join("\n".join(block) for block in section.blocks if isinstance(block, tuple))


FIXES = [pytest.param(rule, fix, id=rule.id) for rule in RULES if "wsadmin: " in (fix := _fix(rule))]
PLACEHOLDER = re.compile(r"'[^']*\b(NAME|NODE|NUMBER|SECONDS|MILLISECONDS|a number)\b[^']*'")


def commands(fix: str) -> list[str]:
    """The lines for wsadmin."""
    return [line.removeprefix("wsadmin: ") for line in fix.splitlines() if line.startswith("wsadmin: ")]


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_commands_store_no_placeholder(rule: Rule, fix: str) -> None:
    """A property's value is a string, so that WebSphere saves any text; a name that is not set is an error."""
    for command in commands(fix):
        assert not PLACEHOLDER.search(command), rule.id


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_commands_are_jython(rule: Rule, fix: str) -> None:
    """Each line is a statement of its own."""
    assert commands(fix)
    for command in commands(fix):
        assert ast.parse(command).body, rule.id


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_specifications_hang_on_the_adapter_of_their_provider(rule: Rule, fix: str) -> None:
    """getid finds nothing elsewhere."""
    adapters = re.findall(
        r"J2CResourceAdapter:(WebSphere MQ|SIB JMS) Resource Adapter/J2CActivationSpec", " ".join(fix.split())
    )
    edits = re.findall(r"AdminTask\.modify(WMQ|SIBJMS)ActivationSpec", fix)
    assert {"WMQ" if name == "WebSphere MQ" else "SIBJMS" for name in adapters} >= set(edits), rule.id


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_a_change_reaches_the_servers(rule: Rule, fix: str) -> None:
    """What is saved is only in the master configuration: nodes are synchronised, and most changes need a restart."""
    assert re.search(r"ynchronise the nodes.*restart", fix), rule.id


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
