"""What redacts a file of each form, and what tells that the copy still says the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lintmdb.errors import LintmdbError
from lintmdb.exports.discovery import Kind
from lintmdb.exports.liberty.files import variables_of
from lintmdb.exports.mq import FormatName
from lintmdb.exports.text import decode_export
from lintmdb.redact.agreement import objects_agree, scripts_agree
from lintmdb.redact.answers import redact_authority_listing, redact_json, redact_transcript
from lintmdb.redact.container_files import redact_dockerfile, redact_queue_manager_ini
from lintmdb.redact.documents import redact_document, redact_properties, redact_variables
from lintmdb.redact.jcl import redact_jcl
from lintmdb.redact.manifests import redact_yaml
from lintmdb.redact.pseudonyms import Pseudonyms
from lintmdb.redact.scripts import redact_script
from lintmdb.redact.sensitive import kind_of
from lintmdb.redact.shell import redact_shell
from lintmdb.redact.wsadmin import redact_wsadmin

_Redact = Callable[[str, Pseudonyms], str]
_Agree = Callable[[bytes, bytes, str, Pseudonyms], bool]


class Form(NamedTuple):
    """How files of a form lose their secrets."""

    redact: _Redact
    """Takes and gives all text of a file. Raises LintmdbError."""
    agree: _Agree | None = None
    """Whether the original and the copy, as bytes, say the same; None where changes of values cannot change more."""
    advice: str = ""
    """What to do where they do not."""


_MQ: Mapping[str, _Redact] = {
    "mqsc": redact_script,
    "transcript": redact_transcript,
    "rest": redact_json,
    "kubernetes": redact_yaml,
    "ansible": redact_yaml,
    "compose": redact_yaml,
    "shell": redact_shell,
    "dmpmqaut": redact_authority_listing,
    "dockerfile": redact_dockerfile,
    "jcl": redact_jcl,
    "qm.ini": redact_queue_manager_ini,
}
_ADVICE: Mapping[FormatName, str] = {
    "dockerfile": "put its scripts into files that COPY names, and make the copy again"
}


def _redact_whole(path: str) -> _Redact:
    """For the file of a variable, which is its value."""
    name = path.rpartition("/")[2]

    def redact(text: str, pseudonyms: Pseudonyms) -> str:
        value = text.rstrip("\r\n")
        return pseudonyms.value(kind_of(name, value) or "name", value) + text[len(value) :]

    return redact


def form_of(kind: Kind, path: str, data: bytes) -> Form:
    """The form of a file of a kind, by its content. Raises LintmdbError for one of which there is no copy."""
    if kind == "kustomize":
        text = "is part of a kustomization: make the copy of what kubectl kustomize prints"
        raise LintmdbError(text, path=path)
    if kind == "ccdt":
        return Form(redact_json)
    if kind not in ("was", "liberty"):

        def agree(before: bytes, after: bytes, shown: str, pseudonyms: Pseudonyms) -> bool:
            return scripts_agree(kind, before, after, shown, pseudonyms)

        return Form(_MQ[kind], agree, _ADVICE.get(kind, ""))
    head = decode_export(data[:8192]).lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        return Form(redact_document)
    if kind == "liberty":
        return Form(
            _redact_whole(path) if variables_of(path) and not path.endswith(".properties") else redact_variables
        )
    if path.endswith(".properties") or "ResourceType=" in head:
        return Form(redact_properties)
    return Form(redact_wsadmin, objects_agree)
