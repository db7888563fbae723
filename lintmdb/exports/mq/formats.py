"""The forms in which people keep the definitions of queue managers; each is told by its content and read to the same
commands, so that nothing behind the readers knows where a command came from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from lintmdb.exports.mq.ansible import has_mqsc, looks_like_ansible, read_ansible
from lintmdb.exports.mq.authority_listing import looks_like_authority_listing, read_authority_listing
from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.concatenated import read_parts
from lintmdb.exports.mq.container_files import (
    looks_like_compose,
    names_queue_manager,
    read_compose,
)
from lintmdb.exports.mq.display import looks_like_transcript, read_transcript
from lintmdb.exports.mq.dockerfile import looks_like_dockerfile, puts_scripts, read_dockerfile
from lintmdb.exports.mq.jcl import changes_objects, looks_like_jcl, read_jcl
from lintmdb.exports.mq.kubernetes import is_about_queue_managers, looks_like_kubernetes, read_kubernetes
from lintmdb.exports.mq.queue_manager_ini import (
    configures_queue_manager,
    looks_like_queue_manager_ini,
    read_queue_manager_ini,
)
from lintmdb.exports.mq.rest import looks_like_rest, read_rest
from lintmdb.exports.mq.shell.scripts import is_about_administration, looks_like_shell, read_shell
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.exports.mq.yaml_files import may_be_yaml

FormatName = Literal[
    "mqsc", "transcript", "rest", "kubernetes", "shell", "dmpmqaut", "ansible", "qm.ini", "dockerfile", "compose",
    "jcl",
]  # fmt: skip


class Format(NamedTuple):
    """One form: its name, whether a file that starts with some bytes has it, and its reader.

    The reader takes all bytes and the shown path, returns the scripts inside the file in the order in which they run,
    and raises UnreadableError only for what is not text.
    """

    name: FormatName
    looks_like: Callable[[bytes], bool]
    read: Callable[[bytes, str], Sequence[MqscFile]]
    is_about_mq: Callable[[bytes], bool] | None = None
    """Whether all bytes of a file say so; None where its first ones do."""


FORMATS = (
    Format("kubernetes", looks_like_kubernetes, read_kubernetes, is_about_queue_managers),
    Format("ansible", looks_like_ansible, read_ansible, has_mqsc),
    Format("dockerfile", looks_like_dockerfile, read_dockerfile, puts_scripts),
    Format("shell", looks_like_shell, read_shell, is_about_administration),
    Format("jcl", looks_like_jcl, read_jcl, changes_objects),
    Format("rest", looks_like_rest, read_rest),
    Format("transcript", looks_like_transcript, read_transcript),
    Format("mqsc", looks_like_mqsc, read_parts),
    Format("qm.ini", looks_like_queue_manager_ini, read_queue_manager_ini, configures_queue_manager),
    Format("compose", looks_like_compose, read_compose, names_queue_manager),
    Format("dmpmqaut", looks_like_authority_listing, read_authority_listing),
)
"""In the order in which they are tried."""

ANSWERS: frozenset[FormatName] = frozenset({"transcript", "rest"})
"""The forms that hold what a queue manager answered."""

EMBEDDING: frozenset[FormatName] = frozenset(
    {"kubernetes", "shell", "dmpmqaut", "ansible", "jcl", "dockerfile", "compose"}
)
"""The forms that contain scripts: a setting may be written there in another way than a script has it."""

_IN_YAML: frozenset[FormatName] = frozenset({"kubernetes", "ansible", "compose"})

_READERS = {form.name: form.read for form in FORMATS}
_TESTS = {form.name: form.is_about_mq for form in FORMATS}


def format_of(head: bytes, path: str = "") -> FormatName | None:
    """The form of a file that starts with these bytes; None where it has none of them. The path, where it is known,
    tells only which files merely quote YAML.
    """
    for form in FORMATS:
        if form.looks_like(head) and (form.name not in _IN_YAML or may_be_yaml(head, path)):
            return form.name
    return None


def quotes_yaml(head: bytes) -> bool:
    """Whether a file quotes what would be an export, were it in a file of its own."""
    return any(form.looks_like(head) and form.name in _IN_YAML for form in FORMATS)


def is_about_mq(name: FormatName, read: Callable[[], bytes]) -> bool:
    """Whether a file of a form is about queue managers; ``read`` gives all of its bytes where that takes them."""
    test = _TESTS[name]
    return test is None or test(read())


def read_scripts(name: FormatName, data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts of one file of a form. Raises UnreadableError only for what is not text."""
    return _READERS[name](data, path)
