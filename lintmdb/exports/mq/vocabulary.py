"""The words of MQSC that lintmdb knows: verbs and nouns with their abbreviations, and the parameters that it reads."""

from __future__ import annotations

from lintmdb.model.relations import MQSC_KEYWORDS

VERBS = {
    "ALT": "ALTER", "ARC": "ARCHIVE", "DEF": "DEFINE", "DIS": "DISPLAY", "REC": "RECOVER", "REF": "REFRESH",
    "RES": "RESET", "REV": "REVERIFY", "STA": "START",
    **{verb: verb for verb in (
        "ALTER", "ARCHIVE", "BACKUP", "CLEAR", "DEFINE", "DELETE", "DISPLAY", "MOVE", "PING", "PURGE", "RECOVER",
        "REFRESH", "RESET", "RESOLVE", "RESUME", "RVERIFY", "SET", "START", "STOP", "SUSPEND",
    )},
}  # fmt: skip
"""The verbs, by themselves and by their abbreviations."""
NOUNS = {
    "QL": "QLOCAL", "QA": "QALIAS", "QR": "QREMOTE", "QM": "QMODEL", "QMGR": "QMGR", "CHL": "CHANNEL", "NL": "NAMELIST",
    "PRO": "PROCESS", "QLOCAL": "QLOCAL", "QALIAS": "QALIAS", "QREMOTE": "QREMOTE", "QMODEL": "QMODEL",
    "CHANNEL": "CHANNEL", "TOPIC": "TOPIC", "AUTHREC": "AUTHREC", "QUEUE": "QUEUE", "CHLAUTH": "CHLAUTH",
    "AUTHINFO": "AUTHINFO", "TPC": "TOPIC", "SUB": "SUB", "NAMELIST": "NAMELIST",
}  # fmt: skip
"""The nouns of objects that lintmdb knows, by themselves and by their abbreviations."""
ACTIVE_VERBS = frozenset({"DEFINE", "ALTER", "DELETE", "SET"})
"""Verbs that change the configuration."""
PASSED_OVER_VERBS = frozenset({"CLEAR", "START", "STOP"})
"""Verbs that change no definition, and after which an endpoint may get other messages, or none."""
READ_NOUNS = frozenset(
    {"QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QMGR", "CHANNEL", "TOPIC", "AUTHREC", "CHLAUTH", "AUTHINFO"}
)
"""Nouns of the commands that lintmdb reads."""
NAMED_ONCE = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "CHANNEL"})
"""Nouns that are never a parameter of another command: a second one means that two commands ran together."""
END_WORDS = frozenset({"END", "EXIT", "QUIT"})
"""Words that end a script."""
NOTICED = frozenset({"CERTLABL", "CERTVPOL", "DURSUB", "SSLCAUTH", "SSLCRLNL", "SSLFIPS", "SSLKEYR", "SUITEB"})
"""Parameters of TLS and of subscriptions, of which lintmdb says that they change: no verdict depends on them."""
NEEDED = MQSC_KEYWORDS | NOTICED | {
    "USAGE", "TARGET", "TARGQ", "TARGTYPE", "RNAME", "RQMNAME", "CHLTYPE", "LIKE", "REPLACE", "NOREPLACE",
    "PROFILE", "PRINCIPAL", "GROUP", "OBJTYPE", "AUTHADD", "AUTHRMV", "STGCLASS", "CMDSCOPE", "INDXTYPE",
    "CFSTRUCT", "CFLEVEL", "DISTL", "NODISTL", "NPMCLASS", "SCOPE", "STATQ", "IMGRCOVQ", "TOPICSTR", "PLATFORM",
    "CMDLEVEL", "QMNAME", "CHLTABLE", "SSLCIPH", "CHAD", "CONNAUTH", "AUTHTYPE", "AUTHORMD", "ADOPTCTX", "CHCKCLNT",
    "TYPE", "USERSRC", "USERLIST", "ADDRESS", "ADDRLIST", "CLNTUSER", "SSLPEER", "SSLCERTI", "ACTION", "WARN",
    "DEFXMITQ", "CUSTOM", "CAPEXPRY", "STRMQOS", "TRIGTYPE", "CLUSTER", "CLUSNL", "DEFCLXQ", "REPOS", "IGNSTATE",
    "REPOSNL", "NAMES", "DURSUB", "SUB", "SCYEXIT", "CLCHNAME", "DEFTYPE", "TOPICOBJ", "DESTCLAS",
}  # fmt: skip
"""Parameters that lintmdb reads; the parser drops all others as soon as it has recognised them."""
FLAGS = frozenset({
    "QMGR", "AUTHREC", "CHLAUTH", "REPLACE", "NOREPLACE", "HARDENBO", "NOHARDENBO", "SHARE", "NOSHARE", "DISTL",
    "NODISTL", "TRIGGER", "NOTRIGGER", "FORCE",
})  # fmt: skip
"""Keywords that never have a value: what follows them is the next parameter."""
