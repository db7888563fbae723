"""What an undecided verdict asks for: the source that would settle it, and not what merely depends on that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.command import Run

_PORT = "was/cells/C1/nodes/node1/servers/server1/server.xml"


@pytest.fixture
def lost_factory(tmp_path: Path) -> Path:
    """A cell in which the connection factory of a listener port is not defined."""
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/listener-port-retries-0", estate)
    server = estate / _PORT
    server.write_text(server.read_text().replace('"jms/cf/QM1"', '"jms/cf/Gone"'))
    return estate


def test_a_connection_factory_that_is_not_defined_is_what_is_missing(lintmdb: Run, lost_factory: Path) -> None:
    """Its pools and its channel are not asked for: nobody could export them. The place of the finding does not say
    again what the finding says.
    """
    shown = lintmdb("check", lost_factory).stdout
    assert "the connection factory of OrdersLP, which no file here defines" in shown
    assert "the channel of OrdersLP" not in shown
    assert "pool max" not in shown
    joined = " ".join(shown.split())
    assert joined.count("the connection factory jms/cf/Gone of listener port OrdersLP is not defined anywhere") == 1


@pytest.mark.parametrize("security", [None, "otherAlias"])
def test_a_j2c_alias_that_no_security_xml_defines_is_named(lintmdb: Run, tmp_path: Path, security: str | None) -> None:
    """The alias would tell the user. Where security.xml was read, a notice says that it lacks the alias, and where the
    alias is named; a security domain may still define it, so that no rule fails.
    """
    estate = tmp_path / "estate"
    shutil.copytree("fixtures/clean", estate)
    file = estate / "was/cells/C1/security.xml"
    if security:
        file.write_text(file.read_text().replace("mqAlias", security))
    else:
        file.unlink()
    run = lintmdb("check", estate)
    shown = " ".join(run.stdout.split())
    assert "the MQ user of OrdersAS, whose J2C alias mqAlias no security.xml here defines" in shown
    assert "Add the file that defines it, or name the user with --observations FILE" in shown
    told = "server1/resources.xml:21: the J2C alias mqAlias of activation specification OrdersAS is not defined"
    assert (told in run.stderr) is (security is not None)
    observed = tmp_path / "observed.yaml"
    observed.write_text("endpoints: [{endpoint: OrdersAS, user: wasuser, groups: []}]\n")
    run = lintmdb("check", estate, "--observations", observed)
    assert "mqAlias" not in run.stdout + run.stderr
