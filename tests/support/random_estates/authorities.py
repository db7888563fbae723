"""Random authority records and channel authentication records."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.random_estates.draw import Draw

USERS = ("wasuser", "mqapp")
"""Users of J2C aliases and channels."""
_ENTITIES: Mapping[str, float] = {
    "PRINCIPAL('wasuser')": 8,
    "PRINCIPAL('mqapp')": 3,
    "GROUP('mqusers')": 1,
    "GROUP('cn=mqapps,ou=groups,o=corp')": 0.7,
    "PRINCIPAL('cn=wasuser,ou=people,o=corp')": 0.7,
}
_PROFILES: Mapping[str, float] = {
    "**": 3, "ORDERS.**": 3, "ORDERS.BACKOUT": 2, "ORDERS.IN": 2, "DEAD": 2, "A.*": 1, "FAR": 1, "BILLS.I?": 0.5,
    "MODEL": 0.5,
}  # fmt: skip
_RIGHTS: Mapping[str, float] = {
    "BROWSE,GET,INQ,PUT,PASSALL,SETALL": 6, "ALL": 1, "ALLMQI": 2, "BROWSE,GET,INQ,PUT": 2, "PUT,PASSALL": 2,
    "PUT,PASSALL,INQ": 1, "GET": 1, "GET,INQ": 1, "DSP": 0.5, "NONE": 0.5,
}  # fmt: skip


def authority_commands(draw: Draw) -> list[str]:
    """SET AUTHREC commands on different profiles and entities, so that they may run in any order."""
    if draw.chance(0.15):
        return []
    found: dict[tuple[str, str], str] = {}
    for _ in range(draw.one((2, 4, 6))):
        profile, entity = draw.weighted(_PROFILES), draw.weighted(_ENTITIES)
        found[profile, entity] = _record(profile, entity, "QUEUE", draw.weighted(_RIGHTS))
    for user in USERS:  # who may read by an alias may lack the rights on the queue behind it, which no draw decides
        entity = f"PRINCIPAL('{user}')"
        if ("A.*", entity) in found:
            found.setdefault(("ORDERS.IN", entity), _record("ORDERS.IN", entity, "QUEUE", "DSP"))
    for user in draw.some(USERS, 0.8):
        rights = draw.weighted({"CONNECT,INQ": 5, "CONNECT": 2, "INQ": 1})
        found["self", user] = _record("self", f"PRINCIPAL('{user}')", "QMGR", rights)
    return list(found.values())


def _record(profile: str, entity: str, kind: str, rights: str) -> str:
    return " +\n   ".join(["SET AUTHREC", f"PROFILE('{profile}')", entity, f"OBJTYPE({kind})", f"AUTHADD({rights})\n"])


_CHANNEL_RECORDS: Mapping[tuple[str, ...], float] = {
    ("TYPE(BLOCKUSER)", "USERLIST('*MQADMIN')"): 4,
    ("TYPE(BLOCKUSER)", "USERLIST('wasuser')"): 0.7,
    ("TYPE(ADDRESSMAP)", "ADDRESS('*')", "USERSRC(CHANNEL)"): 2,
    ("TYPE(ADDRESSMAP)", "ADDRESS('*')", "USERSRC(NOACCESS)"): 1,
    ("TYPE(ADDRESSMAP)", "ADDRESS('*')", "USERSRC(MAP)", "MCAUSER('mqapp')"): 1,
    ("TYPE(ADDRESSMAP)", "ADDRESS('10.1.*')", "USERSRC(MAP)", "MCAUSER('nobody')"): 1,
    ("TYPE(USERMAP)", "CLNTUSER('wasuser')", "USERSRC(MAP)", "MCAUSER('mqapp')"): 1,
    ("TYPE(SSLPEERMAP)", "SSLPEER('CN=was')", "USERSRC(MAP)", "MCAUSER('mqapp')"): 0.5,
    ("TYPE(QMGRMAP)", "QMNAME('*')", "USERSRC(NOACCESS)"): 0.5,
}
_CHANNEL_PROFILES: Mapping[str, float] = {"WAS.SVRCONN": 4, "SYSTEM.*": 2, "*": 2, "WAS.*": 1}


def channel_authentication(draw: Draw, manager: str) -> list[str]:
    """SET CHLAUTH commands; of one profile and type there is at most one."""
    if draw.chance(0.5):
        return []
    found: dict[tuple[str, str], str] = {}
    of_passwords = Draw(f"passwords at {manager}")
    for _ in range(draw.one((1, 2, 3))):
        profile, record = draw.weighted(_CHANNEL_PROFILES), draw.weighted(_CHANNEL_RECORDS)
        check = of_passwords.weighted({"": 6.0, "ASQMGR": 1.0, "REQUIRED": 1.0, "REQDADM": 1.0})
        asked = [f"CHCKCLNT({check})"] if check and record[0].endswith("MAP)") and "QMGRMAP" not in record[0] else []
        words = [f"SET CHLAUTH('{profile}')", *record, *asked, "ACTION(REPLACE)\n"]
        found[profile, record[0]] = " +\n   ".join(words)
    return list(found.values())
