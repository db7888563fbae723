"""Dockerfiles and qm.ini without secrets: what lintmdb reads of them stays, and the rest is text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lintmdb.redact.pseudonyms import Kind, Pseudonyms

_COPY = re.compile(r"[ \t]*(?:COPY|ADD)\s.*[ \t]/etc/mqm(?:/\S*)?[ \t]*\r?\Z", re.I)
_NAMED = re.compile(r"MQ_QMGR_NAME[= \t]+[\"']?[\w.%/]+[\"']?")
_INSTRUCTION = re.compile(
    r"[ \t]*(?:FROM|ARG|ENV|COPY|ADD|RUN|USER|LABEL|WORKDIR|EXPOSE|ENTRYPOINT|CMD|VOLUME)\b", re.I
)
_STANZA = re.compile(r"[A-Za-z]\w*:[ \t]*\d*[ \t]*\r?\Z")
_SETTING = re.compile(r"([ \t]+)([A-Za-z]\w*)([ \t]*=)(.*)", re.S)
_READ: Mapping[str, Kind] = {"mqscconfig": "path", "logpath": "name"}


def redact_dockerfile(text: str, pseudonyms: Pseudonyms) -> str:
    """A Dockerfile without secrets. Raises LintmdbError."""
    return "\n".join(_instruction(line, pseudonyms) for line in text.split("\n"))


def _instruction(line: str, pseudonyms: Pseudonyms) -> str:
    if _COPY.match(line):
        return pseudonyms.value("path", line)
    found = _INSTRUCTION.match(line)
    start = found.end() if found is not None else 0
    named = _NAMED.search(line, start)
    if named is None:
        return line[:start] + pseudonyms.value("text", line[start:])
    before, behind = line[start : named.start()], line[named.end() :]
    return (
        line[:start]
        + pseudonyms.value("text", before)
        + pseudonyms.value("name", named[0])
        + pseudonyms.value("text", behind)
    )


def redact_queue_manager_ini(text: str, pseudonyms: Pseudonyms) -> str:
    """A qm.ini without secrets: stanzas, names of attributes and the paths that are read. Raises LintmdbError."""

    def line(written: str) -> str:
        found = _SETTING.match(written)
        if found is None:
            return written if _STANZA.match(written) else pseudonyms.value("text", written)
        value = pseudonyms.value(_READ.get(found[2].lower(), "text"), found[4])
        return f"{found[1]}{found[2]}{found[3]}{value}"

    return "\n".join(map(line, text.split("\n")))
