"""Which properties hold a secret, judging by their names in the words of WebSphere and of JMS."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from lintmdb.redact.pseudonyms import Kind

_PASSWORD = re.compile(
    r"passw|pwd|(?:pass|pw)(?:\Z|[_\d])|passphrase|secret|credential|token\Z|api_?key|private_?key|crypto|initial_?key",
    re.I,
)
_VARIABLE = re.compile(r"pass|pwd?(?:\Z|[\d_])|secret|token|cred|key(?:\Z|_)", re.I)
_TEXT = re.compile(
    r"descr|certificate|cert_?(?:label|alias|store)|key_?(?:file|store|ring|repository)|trust_?(?:file|store)|peer_?name"
    r"|sslCRL|init_?data|\bbindDN|baseDN|\bDN\Z|realm|contact|e?mail_?address",
    re.I,
)
_HOST = re.compile(
    r"host|connection_?name_?list|conn_?name|local_?addr|\baddress|_ADDR(?:ESS)?\b|ip_?addr|\bIP\Z"
    r"|provider_?endpoints?",
    re.I,
)
_USER = re.compile(r"user(?:_?(?:id|name))?\Z|user_|principal|login|server_?id\Z|admin_?id\Z|runAs", re.I)
_NAME = re.compile(
    r"(?:.*jndi_?name|.*binding-?name|.*queue_?(?:manager)?_?(?:name)?|qmgr_?name|.*queueManagerName|(?:base)?topic_?(?:name|space)?"
    r"|destination(?:_?(?:name|ref|lookup))?|.*destination|channel|.*alias|(?:was_)?(?:cluster|node|server|cell|member|application|app"
    r"|bus|module|storage|subscription|target)_?name|node|server|cell|cluster|(?:target)?bus|.*ref|id|(?:target)?identifier|client_?id|uri|ejb"
    r"|listenerInputPortName|(?:ejb|web)-(?:name|class|link|uri)|jndi-name|.*-ref-name|display-?name|namelist|structureName"
    r"|deployedApplications|cellName|containerName|qmgr|destination-link|message-destination-(?:name|link)|module-name)\Z",
    re.I,
)
_NO_HOST = re.compile(r"virtual_?host|version|jndi", re.I)
_URL = re.compile(r"[\w+.-]+://", re.I)
_ENCODED = re.compile(r"\{(?:xor|aes|hash|custom)[^}]*\}", re.I)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?=\Z|[^\d.])")
_IS_SETTING = re.compile(r"\s*(?:true|false|[-\d.]*)\s*\Z", re.I)


class _Named(NamedTuple):
    """What a name says of its values."""

    password: bool
    no_host: bool
    kind: Kind | None
    """What a value that is no setting holds."""


def kind_of(name: str, value: str) -> Kind | None:
    """What kind of secret a property of a name and a value holds; None for none."""
    if not value.strip():
        return None
    named = _named(name)
    is_setting = _IS_SETTING.match(value) is not None
    if (named.password and not is_setting) or _ENCODED.match(value):
        return "password"
    if _URL.match(value):
        return "url"
    if not named.no_host and _ADDRESS.match(value):
        return "host"
    return None if is_setting else named.kind


def is_secret_variable(name: str) -> bool:
    """Whether a variable of a shell is called as those that hold secrets are: ``MQPW``, ``DB_PASS``, ``API_KEY``."""
    return _VARIABLE.search(name) is not None


@functools.lru_cache(maxsize=4096)  # exports use few names, again and again
def _named(name: str) -> _Named:
    no_host = _NO_HOST.search(name) is not None
    return _Named(_PASSWORD.search(name) is not None, no_host, _kind_of_name(name, no_host=no_host))


def _kind_of_name(name: str, *, no_host: bool) -> Kind | None:
    if _TEXT.search(name):
        return "text"
    if _HOST.search(name) and not no_host:
        return "host"
    if _USER.search(name):
        return "user"
    if name == "location":
        return "path"
    return "name" if _NAME.match(name) else None
