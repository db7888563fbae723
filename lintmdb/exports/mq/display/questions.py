"""Commands that a transcript repeats above their answers, and how much an answer to DISPLAY lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lintmdb.exports.mq.commands import SERVER_CONNECTION, Listing, MqscFile
from lintmdb.exports.mq.joined import Joined
from lintmdb.exports.mq.lines import PARAMETER, unquote
from lintmdb.exports.mq.vocabulary import ACTIVE_VERBS, VERBS

_QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
_OF_CLUSTER = ("QCLUSTER",)
_CHANNELS = ("CHANNEL", SERVER_CONNECTION)
_NOUNS: Mapping[str, tuple[str, ...]] = {
    "QUEUE": _QUEUES, "Q": _QUEUES,
    "QLOCAL": ("QLOCAL",), "QL": ("QLOCAL",), "QALIAS": ("QALIAS",), "QA": ("QALIAS",),
    "QREMOTE": ("QREMOTE",), "QR": ("QREMOTE",), "QMODEL": ("QMODEL",), "QM": ("QMODEL",),
    "QCLUSTER": _OF_CLUSTER, "QC": _OF_CLUSTER,
    "CHANNEL": _CHANNELS, "CHL": _CHANNELS, "TOPIC": ("TOPIC",), "AUTHINFO": ("AUTHINFO",),
}  # fmt: skip
_HARMLESS: Mapping[str, frozenset[str]] = {
    "TYPE": frozenset({"ALL"}),
    "CHLTYPE": frozenset({"ALL"}),
    "QSGDISP": frozenset({"LIVE", "ALL"}),
    "TARGTYPE": frozenset({"ALL"}),
    "MATCH": frozenset({"GENERIC"}),
}
"""Parameters of DISPLAY, and the values with which they leave nothing out."""


class Question(NamedTuple):
    """One command of a transcript."""

    verb: str
    noun: str
    """As written, in upper case."""
    name: str
    parameters: Mapping[str, str | None]
    """What stands behind the object, by keyword; None for one without a value."""

    @property
    def changes(self) -> bool:
        """Whether it changes the configuration."""
        return self.verb in ACTIVE_VERBS

    @property
    def queue_noun(self) -> str:
        """The type of queue that it asks for, where it is one."""
        nouns = self.nouns
        return nouns[0] if len(nouns) == 1 and nouns[0] in _QUEUES else ""

    @property
    def nouns(self) -> Sequence[str]:
        """The kinds of objects that it asks for, as far as lintmdb needs them."""
        nouns = _NOUNS.get(self.noun, ())
        if nouns == _QUEUES and (self.kind == "QCLUSTER" or (self.kind == "ALL" and "CLUSINFO" in self.parameters)):
            nouns = (*_QUEUES, *_OF_CLUSTER)
        return (self.kind,) if self.kind in nouns else nouns

    @property
    def kind(self) -> str:
        """The type of queue or channel that a parameter narrows it to; ALL where none does."""
        written = self.parameters.get("TYPE") or self.parameters.get("CHLTYPE") or "ALL"
        return written.upper()


def read_question(joined: Joined) -> Question | None:
    """The command of some joined lines; None where they hold none."""
    found: list[tuple[str, str | None]] = []
    position = 0
    while match := PARAMETER.match(joined.text, position):
        value = match.group(3)
        found.append((match.group(1).upper(), None if match.group(2) is None else unquote(value.strip())))
        position = match.end()
    verb = VERBS.get(found[0][0]) if found and found[0][1] is None else None
    if verb is None or len(found) < 2:
        return None
    noun, name = found[1]
    return Question(verb, noun, name or "", dict(found[2:]))


def note_listing(file: MqscFile, question: Question) -> None:
    """Keep what the answer to a question lists in full."""
    if question.verb != "DISPLAY":
        return
    if question.noun == "AUTHREC":
        _note_authority_records(file, question)
        return
    narrowed = _narrowed(question, {"TYPE", "CHLTYPE"} if question.kind in question.nouns else set())
    if narrowed or not _is_pattern(question.name):
        return
    if question.noun == "CHLAUTH":
        file.covers_channel_records = file.covers_channel_records or question.name == "*"
    file.listings += (Listing(noun, question.name) for noun in question.nouns)


def _note_authority_records(file: MqscFile, question: Question) -> None:
    kind = (question.parameters.get("OBJTYPE") or "ALL").upper()
    if question.name or _narrowed(question, {"OBJTYPE"}):
        return
    file.covers_queue_authorities = file.covers_queue_authorities or kind in ("ALL", "QUEUE")
    file.covers_manager_authorities = file.covers_manager_authorities or kind in ("ALL", "QMGR")


def _narrowed(question: Question, without: set[str]) -> bool:
    """Whether a parameter keeps objects out of the answer, as WHERE does."""
    return any(
        value is not None and keyword not in without and value.upper() not in _HARMLESS.get(keyword, ())
        for keyword, value in question.parameters.items()
    )


def _is_pattern(name: str) -> bool:
    return bool(name) and "*" not in name[:-1] and "?" not in name
