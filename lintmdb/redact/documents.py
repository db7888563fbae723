"""XML of WebSphere and properties without secrets: every line stays where it was."""

from __future__ import annotations

import re
from html import escape, unescape

from lintmdb.redact.pseudonyms import Kind, Pseudonyms
from lintmdb.redact.sensitive import kind_of

_PART = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?](?:[^>\"']|\"[^\"]*\"|'[^']*')*>|<(?:[^>\"']|\"[^\"]*\"|'[^']*')+>|[^<]+",
    re.S,
)
_TAG = re.compile(r"</?\s*(?:[\w.-]+:)?([\w.-]+)")
_ATTRIBUTE = re.compile(r"(\s)([^\s=/>\"']+)(\s*=\s*)(\"[^\"]*\"|'[^']*')")
_NAMED = frozenset({"name", "symbolicName", "key", "propertyName"})
_VALUES = frozenset({"value", "defaultValue", "stringValue"})
_PROPERTY_NAME = frozenset({"activation-config-property-name", "env-entry-name", "param-name"})
_PROPERTY_VALUE = frozenset({"activation-config-property-value", "env-entry-value", "param-value"})
_PROPERTY_TAG = re.compile(r".*propert|entries\Z|variable\Z|feature\Z", re.I)
"""Elements whose name is a word of the product, or a variable's."""
_OF_PORT = re.compile(r"(SERVER\.SESSION\.POOL\.(?:UNUSED\.TIMEOUT|REAP\.TIME)\.)(.+)", re.S)
"""Properties of one listener port, whose name is the end of theirs."""
_VARIABLES = frozenset({"entries", "variable"})
_HOLDS_NAMES = re.compile(r"[/\\]|\b(?:cell|node|server|process|cluster|application|name)=")
"""Values that may hold names of objects whatever they are called: paths, and names of MBeans."""
_NO_SECRET = frozenset({"alias", "enabled", "version", "type"})
_ARGUMENTS = re.compile(r"(-D[^\s=]*=)(\"[^\"]*\"|\S+)")
_LINE = re.compile(r"^([ \t]*)([^#!\s=:][^=:\r\n]*?)([ \t]*=[ \t]*)([^\r\n]*)$", re.M)
_PART_OF_ID = re.compile(r"(=(?:ID#)?)([^:=]+)")
_REMARK = re.compile(r"^[ \t]*[#!][^\r\n]*$", re.M)
_KEPT_REMARK = re.compile(
    r"[ \t]*#+\s*(?:\Z|Extracted on|AttributeInfo|SubSection|Properties file|Environment Variables"
    r"|Configuration properties|\w{3} \w{3} \d)",
    re.I,
)


def redact_document(text: str, pseudonyms: Pseudonyms) -> str:
    """A document of WebSphere in XML without secrets. Raises LintmdbError."""
    return _Document(pseudonyms).redacted(text)


class _Document:
    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._tag = ""
        self._property = ""
        self._is_security = False

    def redacted(self, text: str) -> str:
        pieces: list[str] = []
        end = 0
        for match in _PART.finditer(text):
            if end < match.start():
                pieces.append(self._pseudonyms.value("text", text[end : match.start()]))
            pieces.append(self._part(match[0]))
            end = match.end()
        return "".join([*pieces, self._pseudonyms.value("text", text[end:])])

    def _part(self, part: str) -> str:
        if part.startswith("<!--"):
            return self._pseudonyms.value("text", part)
        if part.startswith(("<?", "<!DOCTYPE")):
            return part
        if not part.startswith("<") or part.startswith("<!["):
            return self._text(part)
        tag = _TAG.match(part)
        self._tag = tag[1] if tag is not None and not part.startswith("</") else ""
        self._is_security = self._is_security or self._tag == "Security"
        return self._element(part)

    def _text(self, text: str) -> str:
        if self._tag in _PROPERTY_NAME:
            self._property = text.strip()
        name = self._property if self._tag in _PROPERTY_VALUE else self._tag
        if not text.strip():
            return text
        kind: Kind | None = kind_of(name, text.strip())
        if self._tag in ("env-entry-value", "param-value") and kind is None:
            kind = "text"
        if kind is None and _HOLDS_NAMES.search(text):
            kind = "path"
        return text if kind is None else self._raw(kind, text)

    def _element(self, part: str) -> str:
        if "=" not in part:
            return part
        attributes = {match[2]: unescape(match[4][1:-1]) for match in _ATTRIBUTE.finditer(part)}
        named = next((attributes[name] for name in attributes if name in _NAMED), "")
        pair = any(name in _VALUES for name in attributes)

        def attribute(match: re.Match[str]) -> str:
            quote = match[4][0]
            if match[2] == "name" and not pair and not self._is_security and not _PROPERTY_TAG.match(self._tag):
                changed = self._raw("name", match[4][1:-1])
            elif match[2] == "name" and (of_port := _OF_PORT.match(match[4][1:-1])) is not None:
                changed = of_port[1] + self._raw("name", of_port[2])
            else:
                changed = self._attribute(match[2], match[4][1:-1], named)
            return f"{match[1]}{match[2]}{match[3]}{quote}{changed}{quote}"

        return _ATTRIBUTE.sub(attribute, part)

    def _attribute(self, name: str, raw: str, named: str) -> str:
        if name == "href":
            return self._reference(raw)
        if name == "id" and self._tag == "resourceAdapter":
            return raw  # other elements have names that contain it
        if name.startswith(("xmi:", "xmlns", "xsi:")):
            return raw
        if name == "genericJvmArguments":
            return _ARGUMENTS.sub(lambda match: match[1] + self._raw("text", match[2]), raw)
        value = unescape(raw)
        kind = kind_of(named if name in _VALUES and named else name, value)
        if kind in (None, "name", "path") and self._is_security and name not in _NO_SECRET:
            kind = "text" if not re.fullmatch(r"true|false|\d*", value) else None
        if (
            kind is None
            and name in _VALUES
            and self._tag in _VARIABLES
            and not re.fullmatch(r"true|false|\d[\d.]*\w{0,2}", value)
        ):
            kind = "name"
        if kind is None and _HOLDS_NAMES.search(value):
            kind = "path"
        return raw if kind is None else self._raw(kind, raw)

    def _reference(self, raw: str) -> str:
        """A reference into a descriptor, whose ids are names of beans."""
        before, mark, behind = raw.partition("ejb-jar.xml#")
        return before + mark + self._raw("name", behind) if mark else raw

    def _raw(self, kind: Kind, raw: str) -> str:
        """A value as the file escapes it."""
        if "&" not in raw:
            return self._pseudonyms.value(kind, raw)
        return escape(self._pseudonyms.value(kind, unescape(raw)))


def redact_variables(text: str, pseudonyms: Pseudonyms) -> str:
    """Lines of ``name=value`` that set variables, without secrets. Raises LintmdbError."""
    return redact_properties(text, pseudonyms, otherwise="name")


def redact_properties(text: str, pseudonyms: Pseudonyms, otherwise: Kind | None = None) -> str:
    """Lines of ``name=value`` without secrets; ``otherwise`` is what a value without one is. Raises LintmdbError."""

    def remark(match: re.Match[str]) -> str:
        return match[0] if _KEPT_REMARK.match(match[0]) else pseudonyms.value("text", match[0])

    def line(match: re.Match[str]) -> str:
        kind = kind_of(match[2], match[4]) or otherwise
        if match[2] == "name" and kind is None:
            kind = "name"
        if match[2] == "ResourceId":
            resource = _PART_OF_ID.sub(lambda part: part[1] + pseudonyms.value("name", part[2]), match[4])
            return f"{match[1]}{match[2]}{match[3]}{resource}"
        if kind is None and _HOLDS_NAMES.search(match[4]):
            kind = "path"
        value = match[4] if kind is None else pseudonyms.value(kind, match[4])
        return f"{match[1]}{match[2]}{match[3]}{value}"

    return _LINE.sub(line, _REMARK.sub(remark, text))
