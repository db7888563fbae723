"""What the header of a dmpmqcfg dump says that the dump holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
_FLAGS = "az"


class Scope(NamedTuple):
    """Whether a dump holds every object of the queue manager, and every attribute of each."""

    objects: bool
    attributes: bool


def scope_of(command: str) -> Scope:
    """The scope of the command that made a dump: ``dmpmqcfg -m QM1 -x object -a``.

    An option and its value may be written as one word (``-nAPP.*``), and flags may be joined (``-az``).
    """
    options = _options(command)
    whole = (
        options.get("t", "all").lower() == "all"
        and options.get("x", "all").lower() in ("all", "object")
        and options.get("n", "*") in ("", "*", "**")
    )
    return Scope(objects=whole, attributes="a" in options)


def _options(command: str) -> Mapping[str, str]:
    options: dict[str, str] = {}
    waiting = ""
    for word in _WORD.findall(command):
        if not word.startswith("-"):
            if waiting:
                options[waiting] = re.sub("['\"]", "", word)
            waiting = ""
            continue
        letters = word[1:]
        waiting = ""
        while letters:
            letter, letters = letters[0], letters[1:]
            options[letter] = ""
            if letter not in _FLAGS:
                options[letter] = re.sub("['\"]", "", letters)
                waiting = "" if letters else letter
                break
    return options
