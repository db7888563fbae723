"""What the kinds of subjects are called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "listener_port": "listener port",
        "activation_spec": "activation specification",
        "queue_manager": "queue manager",
        "destination": "bus destination",
    }
)


def kind_words(kind: str) -> str:
    """What a kind of subject is called: ``activation specification``."""
    return _WORDS.get(kind) or kind.replace("_", " ")


def a_kind(kind: str) -> str:
    """The same with its article: ``an activation specification``."""
    words = kind_words(kind)
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"
