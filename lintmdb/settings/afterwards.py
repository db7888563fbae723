"""What has to be done before changes act, and whom they concern, as sentences: every report and script asks here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.settings.changes import Change, Definition, Grant
from lintmdb.settings.kinds import AT_ONCE, when_it_acts

_BY_GROUP = (
    "Where the queue manager keeps authorities by group, a grant to a user acts on the primary group of that user, and "
    "all members of the group get it; if you manage authorities by group, grant them to a group of the user instead"
)
_WHOLE_GROUP = "A definition with QSGDISP(GROUP) is that of every queue manager of the queue-sharing group: all get it"


def afterwards(changes: Sequence[Change]) -> list[str]:
    """Each sentence once, without its full stop. A queue that one of the changes defines needs nothing: nobody has it
    open yet.
    """
    defined = {change.target for change in changes if isinstance(change, Definition)}
    found = list(dict.fromkeys(text for change in changes for text in _sentences(change, change.target in defined)))
    # Of several changes it would not say which one.
    return [text for text in found if text != AT_ONCE] if len(changes) > 1 else found


def acts_words(change: Change) -> str:
    """What one change by itself asks for, as text without its last full stop."""
    return ". ".join(dict.fromkeys((when_it_acts(change), *_sentences(change, False))))


def _sentences(change: Change, new: bool) -> Iterator[str]:
    if isinstance(change, Grant):
        if not change.group:
            yield _BY_GROUP
        return
    if not new:
        yield when_it_acts(change)
    if change.target.disposition == "GROUP":
        yield _WHOLE_GROUP
