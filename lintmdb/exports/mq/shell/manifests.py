"""Manifests in the here-documents of shell scripts: ``cat <<EOF | oc apply -f -``, ``cat > qm1.yaml <<EOF``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder, doubt, move
from lintmdb.exports.mq.kubernetes import is_about_queue_managers, looks_like_kubernetes, read_kubernetes
from lintmdb.exports.mq.shell.syntax import expanded
from lintmdb.model.relations import Problem

_HEAD = 8192
_MANIFEST = re.compile(
    r"<<-?[ \t]*[\"'\\]?\w+[^\n]{0,500}\n(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\r?\n)*[ \t]*(?:apiVersion|kind)[ \t]*:"
)
_WRITER = re.compile(r"\b(?:cat|tee|oc|kubectl)\b")
_DOCUMENT = re.compile(r"^[^#\n]*<<(-?)[ \t]*([\"'\\]?)(\w+)\2[^\n]{0,500}\n", re.M)


def holds_manifest(text: str) -> bool:
    """Whether a script has a manifest as a here-document."""
    for found in _MANIFEST.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if _WRITER.search(line) is not None and "#" not in line:
            return True
    return False


def other_documents(source: EmbeddedText, variables: Mapping[str, str]) -> Iterator[EmbeddedText]:
    """All here-documents, wherever they are: also inside ``$(...)``, which is not followed."""
    position = 0
    while found := _DOCUMENT.search(source.text, position):
        tabs = r"\t*" if found[1] else ""
        end = re.compile(rf"^{tabs}{re.escape(found[3])}\b", re.M).search(source.text, found.end())
        if end is None:
            return
        if found[2]:
            builder = TextBuilder(source)
            builder.copy(found.end(), end.start())
            yield builder.build(found.end())
        else:
            yield expanded(source, found.end(), end.start(), variables)
        position = end.end()


def read_manifest(text: EmbeddedText, path: str, *, conditional: bool) -> list[MqscFile]:
    """The scripts and queue managers of a here-document; none where it is no manifest about these. Of one that may not
    run, or not as it stands, values are unknown.
    """
    data = text.text.encode("utf-8", "replace")
    if not (looks_like_kubernetes(data[:_HEAD]) and is_about_queue_managers(data)):
        return []
    try:
        files = list(read_kubernetes(data, path))
    except UnreadableError as error:
        line, column = text.place(error.line, error.column)
        reason = f"the manifest in a here-document is not read: it {error.text}"
        problem = Problem(kind="not_read", path=path, line=line, column=column, text=reason, next_step=error.next_step)
        return [MqscFile(path, embedded=True, problems=[problem])]
    for file in files:
        move(file, text)
        if conditional:
            doubt(file)
    return files
