"""Generic profiles of authority records: which object names they match, and which of two is more specific."""

from __future__ import annotations

import re


def is_generic(profile: str) -> bool:
    """Whether a profile may match more than one name."""
    return "*" in profile or "?" in profile


def compile_profile(profile: str) -> re.Pattern[str]:
    """The names that a profile matches.

    ``?`` is one character, ``*`` any within one part of the name, ``**`` any number of whole parts.
    """
    parts: list[str] = []
    position = 0
    while position < len(profile):
        if profile.startswith("**", position):
            # 'A.**' matches 'A' too: the dot in front belongs to the parts that may be absent.
            if parts and parts[-1] == r"\.":
                parts[-1] = r"(?:\..*)?" if position + 2 == len(profile) else r"\.(?:.*\.)?"
                position += 3 if profile.startswith("**.", position) else 2
                continue
            if profile.startswith("**.", position):
                parts.append(r"(?:.*\.)?")
                position += 3
                continue
            parts.append(".*")
            position += 2
        elif profile[position] == "*":
            parts.append(r"[^.]*")
            position += 1
        elif profile[position] == "?":
            parts.append(r"[^.]")
            position += 1
        else:
            parts.append(re.escape(profile[position]))
            position += 1
    return re.compile("".join(parts))


def specificity(profile: str) -> tuple[int, ...]:
    """A sort key that puts the most specific profile first.

    It compares from left to right: a plain character comes before ``?``, then ``*``, then ``**``.
    """
    ranks: list[int] = []
    position = 0
    while position < len(profile):
        if profile.startswith("**", position):
            ranks.append(3)
            position += 2
        else:
            ranks.append({"?": 1, "*": 2}.get(profile[position], 0))
            position += 1
    ranks.append(4)
    return tuple(ranks)
