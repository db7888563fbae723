"""Commands that somebody typed, or that a script seems to give to runmqsc and does not: nothing says what runs."""

from __future__ import annotations

import re

from lintmdb.model.relations import Problem

_TYPED = re.compile(
    r"^[ \t]*(?:\S*[/\\])?runmqsc(?:[ \t]+([\w.%/$\"'{}-]+))?[ \t]*\r?\n(?:[ \t]*(?:[#*][^\n]*)?\r?\n)*"
    r"[ \t]*(?:DEF(?:INE)?|ALT(?:ER)?|DELETE|SET)[ \t]+(?:(?:NO)?REPLACE[ \t]+)?"
    r"(?:Q[A-Z]+|CHANNEL|CHL|CHLAUTH|AUTHREC|AUTHINFO|LISTENER|TOPIC|SUB|SERVICE|PROCESS|NAMELIST)\b",
    re.M | re.I,
)
_PROSE = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".html", ".htm")


def typed_commands(text: str, path: str) -> Problem | None:
    """That the commands below ``runmqsc QM1`` are not read; None where there are none, or in documentation."""
    found = list(_TYPED.finditer(text)) if not path.lower().endswith(_PROSE) else []
    if not found:
        return None
    name = (found[0][1] or "").strip("\"'")
    places = len(found) - 1
    more = f" (and at {places} more place{'s' * (places > 1)})" if places else ""
    return Problem(
        kind="not_read",
        path=path,
        line=text.count("\n", 0, found[0].start()) + 1,
        column=1,
        text=f"the commands below {f'runmqsc {name}'.strip()} are not read, as nothing gives them to it{more}",
        next_step="Put them into a file of MQSC, or into a here-document (runmqsc QM1 <<END)",
    )
