"""Output and scripts of wsadmin without secrets: the values of parameters and attributes, by their names."""

from __future__ import annotations

import re

from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.sensitive import kind_of

_COMMENT = re.compile(r"^[ \t]*#(?!!).*$", re.M)
_TALK = re.compile(r"(\b(?:print|puts|sys\.stdout\.write|log|raise)\b)(?![^\n]*Admin)([^\n]*)")
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_PAIR = re.compile(
    # [hostName mq.example.net], {hostName "mq.example.net"}
    rf"(?P<pair>[\[{{](?P<name>\w+)[ \t]+)(?P<value>{_QUOTED}|\[[^\[\]\n]*\]|[^\[\]{{}}\n]*)"
    # "-hostName", "mq.example.net" and -hostName mq.example.net
    rf"|(?P<option>(?<![\w-])-(?P<word>[A-Za-z]\w*)[\"']?[ \t]*,?[ \t\n]*)(?P<given>"
    rf"{_QUOTED}|\{{[^{{}}\n]*\}}|[^\s\[\],(){{}}\"'-][^\s\[\],(){{}}\"']*)"
    # {name=OrdersAS, hostName=mq.example.net} and password = "secret"
    rf"|(?P<before>(?<![\w.])(?P<key>\w+)[ \t]*=(?!=)[ \t]*)(?P<set>{_QUOTED}|[^,}}\]\n)]*)"
    # set password secret
    rf"|(?P<tcl>^[ \t]*set[ \t]+(?P<variable>\w+)[ \t]+)(?P<is>{_QUOTED}|\S+)",
    re.M,
)
_PARTS = (("pair", "name", "value"), ("option", "word", "given"), ("before", "key", "set"), ("tcl", "variable", "is"))
_NAMED = re.compile(r"\[name[ \t]+\"?(\w+)\"?\](?:[^\n\[\]]|\[(?!value\b)[^\[\]]*\])*\[value[ \t]+\Z", re.S)
_ID = re.compile(r"([\w .$/-]*)(\(cells/[^|()\n]*)(\|[\w.-]+\.xml#\w+\))")
"""A configuration id: the name of the object, and the folders of its scope."""
_CONTAINED = re.compile(r"(/[A-Z]\w*:)([^/'\"\s:]+)")
_PROPERTY = re.compile(r"\]?\s*\[(?:required|value|type|description)\b")
_CALL = re.compile(r"[\w.]+\(|\$\w+|\[\$|Admin(?:Config|Task)\b")
_URL = re.compile(r"(?<=://)[^/?#\s\"']+")


def redact_wsadmin(text: str, pseudonyms: Pseudonyms) -> str:
    """What wsadmin printed, or a script for it, without secrets. Raises LintmdbError."""
    text = _COMMENT.sub(lambda match: pseudonyms.value("text", match[0]), text)
    text = _TALK.sub(lambda match: match[1] + pseudonyms.value("text", match[2]), text)

    def pair(match: re.Match[str]) -> str:
        lead, name, value = next(parts for parts in _PARTS if match[parts[0]] is not None)
        named = match[name]
        if named == "value" and (found := _NAMED.search(text[max(match.start() - 300, 0) : match.start(value)])):
            named = found[1]
        if named == "name" and not _PROPERTY.match(text, match.end()):
            named = "jndiName"  # a name all the same
        return match[lead] + _changed(named, match[value], pseudonyms)

    text = _PAIR.sub(pair, text)
    text = _ID.sub(
        lambda found: pseudonyms.value("name", found[1]) + pseudonyms.value("name", found[2]) + found[3], text
    )
    text = _CONTAINED.sub(lambda found: found[1] + pseudonyms.value("name", found[2]), text)
    return _URL.sub(lambda match: pseudonyms.value("host", match[0]), text)


def _changed(name: str, written: str, pseudonyms: Pseudonyms) -> str:
    """A value as written, perhaps in quotation marks or brackets."""
    if _CALL.match(written):
        return written
    left = len(written) - len(written.lstrip("\"'[{"))
    right = len(written.rstrip("\"']} \t\r"))
    value = written[left:right] if left < right else ""
    kind: Kind | None = kind_of(name, value)
    if kind is None:
        return written
    return written[:left] + pseudonyms.value(kind, value) + written[max(right, left) :]
