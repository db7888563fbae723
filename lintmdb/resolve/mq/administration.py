"""Who administers a queue manager, and where its users are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lintmdb.exports.mq import ANY_DISTRIBUTED, MqscFile
from lintmdb.resolve.mq.authorities import IBM_I, UNIX, WINDOWS, Administrators
from lintmdb.resolve.mq.objects import MqObject, ObjectKey

_OPERATING_SYSTEM = "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"


def find_administrators(files: Sequence[MqscFile]) -> Administrators:
    """Who may do everything on the platform that an export names (IBM MQ "Privileged users")."""
    named = (file.platform for file in files if file.platform and file.platform != ANY_DISTRIBUTED)
    platform = next(named, "").strip().upper()
    if platform.startswith("WINDOWS"):
        return WINDOWS
    return IBM_I if platform in ("OS400", "IBM I", "IBMI") else UNIX


def find_undefined_authentication(manager: MqObject, objects: Mapping[ObjectKey, MqObject]) -> str | None:
    """The AUTHINFO that CONNAUTH names and that is not defined; None for the one that every queue manager has."""
    found = manager.values.get("CONNAUTH")
    named = found.text.strip() if found is not None and not found.parameter.template else ""
    return named if named not in ("", _OPERATING_SYSTEM) and ("AUTHINFO", named) not in objects else None


def keeps_users_in_directory(manager: MqObject, objects: Mapping[ObjectKey, MqObject]) -> bool:
    """Whether a directory (LDAP) keeps the users whose rights count, or may keep them. Records then name them by
    distinguished names.
    """
    found = manager.values.get("CONNAUTH")
    named = found.text.strip() if found is not None else ""
    if named in ("", _OPERATING_SYSTEM):
        return False
    info = objects.get(("AUTHINFO", named))
    if info is None or "AUTHTYPE" not in info.values:
        return True  # it may be a directory: short names then prove nothing
    if info.values["AUTHTYPE"].text.upper() != "IDPWLDAP":
        return False
    method = info.values.get("AUTHORMD")
    return method is None or method.text.upper() != "OS"
