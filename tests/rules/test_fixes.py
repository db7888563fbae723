"""Commands of fixes: each can be pasted as it is, changes what the finding is about and nothing else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule
from tests.resolve.was.test_settings import RESOURCES, Variant
from tests.support.project import FIXTURES
from tests.support.scenario import run_scenario

RULES = load_rules()
FIXES = [
    pytest.param(rule, fix, id=f"{rule.id}-{kind}")
    for rule in RULES
    for kind, fix in (rule.fixes or {"any": rule.fix}).items()
    if "wsadmin: " in fix
]
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
    """Each line is a statement of its own, also the one behind the colon of a comment."""
    for command in commands(fix):
        code = re.sub(r"\{[a-z_.]+\}", "1", command)
        ast.parse(code)
        if code.startswith("# ") and ": Admin" in code:
            ast.parse(code[code.index(": Admin") + 2 :].split(", then")[0])
    assert rule.id


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_commands_name_the_one_object(rule: Rule, fix: str) -> None:
    """Names exist at several scopes, so a path or a server of the finding leads to the object."""
    for command in commands(fix):
        assert "getid('/" not in command, rule.id
        if "AdminConfig.list('ListenerPort'" in command or "AdminConfig.list('MessageListenerService'" in command:
            assert "{server.config_paths}" in command, rule.id


@pytest.mark.parametrize(("rule", "fix"), FIXES)
def test_a_change_reaches_the_servers(rule: Rule, fix: str) -> None:
    """What is saved is only in the master configuration: nodes are synchronised, and most changes need a restart."""
    if any("AdminConfig.save()" in command for command in commands(fix) if not command.startswith("#")):
        assert re.search(r"ynchronise the nodes.*restart", fix), rule.id


def test_fixes_of_activation_specifications_leave_listener_ports_alone() -> None:
    """A rule about both kinds has a fix for each."""
    for rule in RULES:
        fix = rule.fix_for("activation_spec")
        about_ports = "endpoint.kind = 'activation_spec'" not in rule.when.text and "listener_port" in rule.when.text
        if rule.fixes or not about_ports:
            assert not re.search("ListenerPort|MessageListenerService", fix), rule.id


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
