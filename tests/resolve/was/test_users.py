"""The MQ user of an endpoint, and what the queue manager makes of it, from files to verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.resolve.was.test_settings import RESOURCES, Variant
from tests.support.scenario import Outcome

MQ = "mq/QM1.mqsc"
MCAUSER = "MCAUSER(' ')"
CHANNEL = "DEFINE CHANNEL('WAS.SVRCONN') CHLTYPE(SVRCONN) +"
GRANTED = "AUTHADD(BROWSE,GET,INQ,PUT,PASSALL,SETALL)"
ALIAS = ' authenticationAlias="mqAlias"'
FACTORY = 'name="QM1CF" jndiName="jms/cf/QM1"'
MAP = "SET CHLAUTH('WAS.SVRCONN') TYPE({}) {} USERSRC(MAP) MCAUSER('mqapp')\n"
MQAPP = """SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mqapp') AUTHADD(CONNECT)
SET AUTHREC PROFILE('ORDERS.IN') OBJTYPE(QUEUE) PRINCIPAL('mqapp') AUTHADD(GET,BROWSE,INQ)
"""


def clean(tmp_path: Path, before_channel: str, *edits: tuple[str, str, str]) -> Outcome:
    """The clean scenario with commands in front of its channel, and other edits."""
    variant = Variant(tmp_path, "clean").edit(MQ, CHANNEL, before_channel + CHANNEL)
    for file, old, new in edits:
        variant.edit(file, old, new)
    return variant.run()


def needs(outcome: Outcome, rule: str) -> set[str]:
    """What an undecided rule waits for."""
    return {entry.need.text for entry in outcome.judgement.undecided if entry.rule.id == rule}


def test_a_map_gives_the_endpoint_another_user(tmp_path: Path) -> None:
    """Its rights count, and not those of the J2C alias: it may read, and may not put on the backout queue."""
    outcome = clean(tmp_path, MQAPP + MAP.format("ADDRESSMAP", "ADDRESS('*')"))
    assert sorted(outcome.hazard) == ["MDB113", "MDB115", "MDB125"]
    (finding,) = (finding for finding in outcome.judgement.findings if finding.rule.id == "MDB113")
    assert finding.message.startswith("User mqapp of OrdersAS lacks put and passall authority on ORDERS.BACKOUT")


def test_a_map_can_help_a_user_without_rights(tmp_path: Path) -> None:
    """The same map the other way round: the rights of the user that is mapped to suffice."""
    records = MQAPP.replace("'mqapp'", "'wasuser'") + MAP.format("ADDRESSMAP", "ADDRESS('*')")
    edits = [
        (
            MQ,
            f"PRINCIPAL('wasuser') +\n   OBJTYPE(QUEUE) +\n   {GRANTED}",
            f"PRINCIPAL('mqapp') +\n   OBJTYPE(QUEUE) +\n   {GRANTED}",
        )
    ]
    edits.append((MQ, "PRINCIPAL('wasuser') +\n   OBJTYPE(QMGR)", "PRINCIPAL('mqapp') +\n   OBJTYPE(QMGR)"))
    assert clean(tmp_path, records, *edits).hazard == {}


@pytest.mark.parametrize(
    ("record", "more", "need"),
    [
        (
            MAP.format("ADDRESSMAP", "ADDRESS('10.1.*')"),
            "",
            "the client address of OrdersAS, which decides at {} ADDRESS('10.1.*')",
        ),
        (
            MAP.format("SSLPEERMAP", "SSLPEER('CN=was')"),
            " SSLCIPH('ANY_TLS12')",
            "the client certificate of OrdersAS, which decides at {} SSLPEER('CN=was')",
        ),
    ],
)
def test_what_only_the_client_knows_is_asked_for(tmp_path: Path, record: str, more: str, need: str) -> None:
    """A map by address or certificate leaves the user open, and the question names the record."""
    outcome = clean(tmp_path, record, (MQ, MCAUSER, f"{MCAUSER}{more}"))
    assert outcome.hazard == {}
    for rule in ("MDB113", "MDB127"):
        kind = record.split()[2]
        assert needs(outcome, rule) == {
            need.format(f"CHLAUTH('WAS.SVRCONN') {kind}") + " USERSRC(MAP) MCAUSER('mqapp')"
        }


def test_records_that_are_switched_off(tmp_path: Path) -> None:
    """CHLAUTH(DISABLED) at the queue manager: no record counts."""
    off = (MQ, "CHLAUTH(ENABLED)", "CHLAUTH(DISABLED)")
    refusal = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
    assert clean(tmp_path / "off", refusal, off).hazard == {}
    assert sorted(clean(tmp_path / "on", refusal).hazard) == ["MDB605"]


@pytest.mark.parametrize(
    ("blocks", "rules"), [("", []), ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')\n", ["MDB605"])]
)
def test_mqm_by_the_channel(tmp_path: Path, blocks: str, rules: list[str]) -> None:
    """Without an alias MCAUSER('mqm') may do everything, unless administrators are kept out."""
    edits = [(RESOURCES, ALIAS, ""), (MQ, MCAUSER, "MCAUSER('mqm')")]
    outcome = clean(tmp_path, blocks, *edits)
    assert sorted(outcome.hazard) == rules
    assert not {"MDB113", "MDB125", "MDB127"} & outcome.undecided.keys()


def test_rights_on_the_alias_that_is_opened(tmp_path: Path) -> None:
    """They suffice where the destination is the alias; those on the queue behind it do not help."""
    alias = "DEFINE QALIAS('IN.ALIAS') TARGET('ORDERS.IN')\n"
    named = (RESOURCES, 'baseQueueName="ORDERS.IN"', 'baseQueueName="IN.ALIAS"')
    rights = "SET AUTHREC PROFILE('{}') OBJTYPE(QUEUE) PRINCIPAL('wasuser') AUTHADD({})\n"
    granted = clean(tmp_path / "granted", alias + rights.format("IN.ALIAS", "GET,BROWSE,INQ"), named)
    assert (granted.hazard, granted.undecided) == ({}, {})
    other = clean(tmp_path / "other", alias + rights.format("IN.*", "INQ"), named)
    assert sorted(other.hazard) == ["MDB127"]


@pytest.mark.parametrize(
    ("component", "container", "user"),
    [("mqAlias", "", None), ("", "mqAlias", "wasuser"), ("other", "mqAlias", "wasuser"), ("mqAlias", "other", None)],
)
def test_a_listener_port_connects_by_the_container(
    tmp_path: Path, component: str, container: str, user: str | None
) -> None:
    """The alias of the factory's mapping decides; that of the factory itself is for components."""
    variant = Variant(tmp_path, "listener-port-retries-0")
    own = f' authDataAlias="{component}"' if component else ""
    variant.edit(RESOURCES, FACTORY, FACTORY + own)
    mapping = (
        f'<mapping mappingConfigAlias="DefaultPrincipalMapping" authDataAlias="{container}"/>' if container else ""
    )
    variant.edit(RESOURCES, 'msgRetention="true">\n', f'msgRetention="true">\n{mapping}')
    security = Path(variant.folder / "was/cells/C1/security.xml")
    entry = '<authDataEntries alias="mqAlias" userId="wasuser" password=""/>'
    security.write_text(
        f'<security:Security xmlns:xmi="http://www.omg.org/XMI" xmlns:security="http://x/security.xmi">{entry}</security:Security>',
        "utf-8",
    )
    assert variant.row("endpoint").user == user


_DEFAULT_LOGIN = 'mappingConfigAlias="DefaultPrincipalMapping"'


@pytest.mark.parametrize(
    ("own", "mapping", "expected"),
    [
        ("", "", False),
        ("", f"<mapping {_DEFAULT_LOGIN} authDataAlias='mqAlias'/>", True),
        ("", f"<mapping {_DEFAULT_LOGIN} authDataAlias=''/>", False),
        ("", "<mapping mappingConfigAlias='OwnLogin' authDataAlias=''/>", None),
        (' authDataAlias="mqAlias"', "", None),
        (' secExit="com.example.Exit"', "", None),
    ],
)
def test_a_listener_port_gives_the_password_of_its_container_alias(
    tmp_path: Path, own: str, mapping: str, expected: bool | None
) -> None:
    """Without one it gives none, unless a login or a security exit of somebody's own may."""
    variant = Variant(tmp_path, "late-message-110-15-120").edit(RESOURCES, FACTORY, FACTORY + own)
    variant.edit(RESOURCES, 'msgRetention="true">\n', f'msgRetention="true">\n{mapping}')
    assert variant.row("endpoint").gives_password is expected


@pytest.mark.parametrize(
    ("alias", "more", "expected"),
    [
        (ALIAS, "", True),
        ("", "", False),
        (' authenticationAlias=""', "", False),
        ("", '<resourceProperties name="userName" value="app"/>', True),
        ("", '<resourceProperties name="connectionFactoryLookup" value="jms/cf"/>', None),
        ("", '<resourceProperties name="securityExit" value="com.example.Exit"/>', None),
        (ALIAS, '<resourceProperties name="securityExit" value="com.example.Exit"/>', True),
    ],
)
def test_an_activation_specification_gives_the_password_of_its_alias(
    tmp_path: Path, alias: str, more: str, expected: bool | None
) -> None:
    """Or that of the user it names; a security exit of the client, or a connection factory that it looks up, may give
    any.
    """
    variant = Variant(tmp_path, "clean").edit(RESOURCES, ALIAS, alias)
    variant.edit(RESOURCES, "</j2cActivationSpec>", f"{more}</j2cActivationSpec>")
    assert variant.row("endpoint").gives_password is expected
