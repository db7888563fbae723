"""Words that several parts of the report use."""

from __future__ import annotations

_PATH_CHARACTERS = 240
_KINDS = {
    "activation_spec": ("activation specification", "activation specifications"),
    "listener_port": ("listener port", "listener ports"),
    "queue": ("queue", "queues"),
    "queue_manager": ("queue manager", "queue managers"),
    "bean": ("bean", "beans"),
    "server": ("server", "servers"),
    "cluster": ("cluster", "clusters"),
    "destination": ("bus destination", "bus destinations"),
    "export": ("export", "exports"),
}


def kind_words(kind: str | None, count: int) -> str:
    """What a kind of subject is called, for one or for more."""
    one, more = _KINDS.get(
        kind or "", ((kind or "object").replace("_", " "), f"{(kind or 'object').replace('_', ' ')}s")
    )
    return one if count == 1 else more


def place_words(path: str, *numbers: int | None) -> str:
    """The end of a path, which says more than its start, with those of line and column that are known."""
    end = path if len(path) <= _PATH_CHARACTERS else "…" + path[1 - _PATH_CHARACTERS :]
    return ":".join([end, *(str(number) for number in numbers if number)])
