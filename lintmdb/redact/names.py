"""Other words for names of objects, such that whatever compares them still comes to the same result.

A letter becomes a letter and a digit a digit; what it becomes depends on the letters before it in its word. So names of
one beginning still have one, which is what generic profiles (``ORDERS.IN*``) match, names keep their length, and no two
names become one. Words of the products stay, and so do names that begin with ``SYSTEM.``, but for the messaging engine
in that of a system exception destination.
"""

from __future__ import annotations

import hashlib
import re
import string
from dataclasses import dataclass, field

_WORD = re.compile(r"[^\W_]+")
_KEPT_PARTS = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|!\{[^}]*\}|\{\{.*?\}\}|\?[\w]+=.*", re.S)
_SYSTEM = re.compile(r"(?<![\w.])_?SYSTEM\.(?:Exception\.Destination\.|[\w.*?%/#-]*)", re.I)
_INNER_WILDCARD = re.compile(r"[*?][^\W_]")
_FIXED_FILE = re.compile(r"\.(?:xml|xmi|properties|env)\Z")
"""Files with these suffixes have names that the products give them."""
_JAVA = re.compile(r"(?:com\.ibm|javax?|jakarta|org\.(?:apache|eclipse|omg))\.[\w.$]+\Z")
_MADE = 4096
"""How many names are remembered as a whole."""
KEPT = frozenset({
    # structure of repositories, archives, and of names in JNDI
    "cell", "cells", "node", "nodes", "server", "servers", "cluster", "clusters", "application", "applications",
    "deployment", "deployments", "bus", "buses", "persistent", "java", "comp", "env", "global", "module", "app", "jms",
    "jdbc", "jca", "ejb", "queue", "topic", "meta", "inf", "web", "ibmconfig", "config", "configdropins", "defaults",
    "overrides", "dropins", "variables", "shared", "apps", "usr", "wlp", "etc", "var", "mqm", "log", "qmgrs", "data",
    "opt", "conf", "resources", "security", "classes", "lib", "path", "class",
    # products and suffixes of files
    "ibm", "mq", "was", "wmq", "sib", "websphere", "liberty", "com", "org", "net", "ear", "war", "jar", "rar", "xml",
    "xmi", "mqsc", "properties", "txt", "json", "yaml", "yml", "sh", "ini", "gz", "zip", "tar", "out", "cfg",
    # objects that the products bring, and words that stand where a name may
    "default", "provider", "messaging", "resource", "adapter", "wmqjcaresourceadapter", "sibjmsrathreadpool",
    "webcontainer", "orb", "thread", "pool", "dmgr", "nodeagent", "defaultcoregroup", "defaultserver", "defaultbus",
    "defaultme", "defaultcell", "defaultapp", "onmessage", "name", "qmgr", "message", "listener", "required", "null",
    "none", "all", "enabled", "disabled", "asparent", "asqmgr", "installedconnectors", "built", "in",
})  # fmt: skip
"""Words that are no name of a user's object, in lower case."""


@dataclass(slots=True)
class Names:
    """The words of names that were replaced so far. The same key gives the same words."""

    key: str
    simple: bool = False
    """One alphabet for all letters: some name has a wildcard in front of letters, which match wherever they are."""
    _met: set[str] = field(default_factory=set[str])
    _words: dict[str, str] = field(default_factory=dict[str, str])
    _alphabets: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    _made: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    """Names that were replaced not long ago: files name the same objects again and again."""

    def value(self, text: str) -> str:
        """A name, or several, in other words."""
        if _JAVA.match(text):
            return text
        self._met.update((text.strip(" '\"").lower(), *text.lower().split("/")))
        return self._renamed(text)

    def meet(self, path: str) -> None:
        """Take note of the names that the folders of a repository give to a path: other values may hold them, too."""
        parts = path.split("/")
        if "cells" not in parts:
            return
        for part in parts[parts.index("cells") + 1 :]:
            if not _FIXED_FILE.search(part):
                self._met.update((part.lower(), part.partition(".")[0].lower()))

    def path(self, text: str) -> str:
        """A path in which only names that were met so far have other words: of folders, and of files without suffixes.
        Inside a repository every folder is a name.
        """
        parts = re.split(r"([/\\\s,\[\]\"'=:]+)", text)
        start = parts.index("cells") if "cells" in parts else len(parts)
        for place, part in enumerate(parts):
            stem, dot, suffix = part.partition(".")
            if place == len(parts) - 1 and _FIXED_FILE.search(part):
                continue
            after_servers = place > 1 and parts[place - 2] == "servers"
            if place > start or after_servers:
                parts[place] = self._renamed(part)
            elif stem.lower() in self._met or part.lower() in self._met:
                parts[place] = self._renamed(stem) + dot + self._renamed(suffix)
            else:
                # Dumps are often called QM1-march.mqsc.
                pieces = re.split(r"([-_]+)", stem)
                parts[place] = "".join(
                    self._renamed(piece) if piece.lower() in self._met else piece for piece in pieces
                ) + dot + suffix  # fmt: skip
        return "".join(parts)

    def _renamed(self, text: str) -> str:
        if text not in self._made:
            if len(self._made) >= _MADE:
                self._made.clear()
            self._made[text] = self._new_name(text)
        return self._made[text]

    def _new_name(self, text: str) -> str:
        if _INNER_WILDCARD.search(text) and not self.simple:
            self.simple = True
            self._words.clear()
            self._made.clear()
        pieces: list[str] = []
        end = 0
        kept = sorted([*_KEPT_PARTS.finditer(text), *_SYSTEM.finditer(text)], key=lambda match: match.start())
        for match in kept:
            if match.start() >= end:
                pieces += (_WORD.sub(self._word, text[end : match.start()]), match[0])
                end = match.end()
        return "".join([*pieces, _WORD.sub(self._word, text[end:])])

    @property
    def words(self) -> dict[str, str]:
        """What each word became, in lower case, sorted."""
        return dict(sorted(self._words.items()))

    def _word(self, match: re.Match[str]) -> str:
        word = match[0]
        key = word.lower()
        if key in KEPT or len(key) != len(word):
            return word
        if key not in self._words:
            self._words[key] = self._new(key)
        return "".join(new.upper() if old.isupper() else new for old, new in zip(word, self._words[key], strict=True))

    def _new(self, word: str) -> str:
        made = word
        while True:
            made = "".join(self._alphabet("" if self.simple else made[:place]).get(char, char)
                           for place, char in enumerate(made))  # fmt: skip
            if made not in KEPT:
                return made

    def _alphabet(self, before: str) -> dict[str, str]:
        """What each letter and digit becomes behind some others."""
        if before not in self._alphabets:
            self._alphabets[before] = {
                **_shuffled(string.ascii_lowercase, f"{self.key}:{before}"),
                **_shuffled(string.digits, f"{self.key}:{before}"),
            }
        return self._alphabets[before]


def _shuffled(alphabet: str, seed: str) -> dict[str, str]:
    order = sorted(alphabet, key=lambda char: hashlib.sha256(f"{seed}:{char}".encode()).digest())
    return dict(zip(alphabet, order, strict=True))
