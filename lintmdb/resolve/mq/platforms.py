"""What differs between IBM MQ on z/OS and elsewhere: how a script shows its platform, and the defaults of objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from lintmdb.exports.mq import ANY_DISTRIBUTED, MqscFile

Platform = Literal["distributed", "zos"]

_ZOS_NAMES = ("MVS", "Z/OS", "ZOS", "OS/390")
_ZOS_KEYWORDS = frozenset({"QSGDISP", "STGCLASS", "CMDSCOPE", "INDXTYPE", "CFSTRUCT"})
_DISTRIBUTED_KEYWORDS = frozenset({"DISTL", "NODISTL", "NPMCLASS", "SCOPE", "STATQ", "IMGRCOVQ"})
_SUPPLIED_EVERYWHERE = {
    "BOTHRESH": "0", "BOQNAME": "", "PUT": "ENABLED", "GET": "ENABLED", "MAXMSGL": "4194304", "DEFPSIST": "NO",
    "USAGE": "NORMAL", "TARGET": "", "RNAME": "", "SHARECNV": "10", "MAXINST": "999999999", "MAXINSTC": "999999999",
    "MCAUSER": "", "SSLCIPH": "", "QSGDISP": "QMGR", "MDURMDL": "", "MNDURMDL": "", "CUSTOM": "", "CAPEXPRY": "NOLIMIT",
    "DURSUB": "ASPARENT", "SUB": "ASPARENT", "DEFTYPE": "TEMPDYN",
    "STREAMQ": "", "STRMQOS": "BESTEF", "TRIGGER": "no", "TRIGTYPE": "FIRST", "CLUSTER": "", "CLUSNL": "",
    "SCYEXIT": "",
}  # fmt: skip
_SUPPLIED_ON: Mapping[Platform, Mapping[str, str]] = {
    "distributed": {"HARDENBO": "yes", "SHARE": "yes", "DEFSOPT": "SHARED", "MAXDEPTH": "5000"},
    "zos": {"HARDENBO": "no", "SHARE": "no", "DEFSOPT": "EXCL", "MAXDEPTH": "999999999"},
}


def supplied_values(platform: Platform | None) -> Mapping[str, str]:
    """The attributes of IBM's default objects, by keyword; without a platform, those that every platform shares."""
    return MappingProxyType({**_SUPPLIED_EVERYWHERE, **(_SUPPLIED_ON[platform] if platform else {})})


def detect_platform(files: Sequence[MqscFile]) -> Platform | None:
    """The platform of a queue manager: from the header of a dump, else from keywords that only one platform has."""
    for file in files:
        if file.platform:
            return "zos" if file.platform.strip().upper() in _ZOS_NAMES else "distributed"
    return _platform_by_keywords(files)


def find_operating_system(files: Iterable[MqscFile]) -> str:
    """The operating system that an export names, in upper case as IBM MQ writes it; blank where none does."""
    named = (file.platform for file in files if file.platform and file.platform != ANY_DISTRIBUTED)
    return next(named, "").strip().upper()


def _platform_by_keywords(files: Iterable[MqscFile]) -> Platform | None:
    keywords: set[str] = set()
    for file in files:
        for command in file.commands:
            if command.noun == "AUTHREC":
                return "distributed"
            keywords.update(parameter.keyword for parameter, _ in command.parameters)
    if keywords & _ZOS_KEYWORDS:
        return "zos"
    return "distributed" if keywords & _DISTRIBUTED_KEYWORDS else None
