"""Kubernetes manifests: queue managers, and the MQSC that ConfigMaps and Secrets keep for them.

What a QueueManager of IBM's operator runs is in ConfigMaps and Secrets that it names, which may be in other files: the
result holds both, and says what is kept where and who asks for it. Workloads that run IBM's container image get their
scripts as files in ``/etc/mqm``.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import Asked, Kept, MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import (
    EmbeddedText,
    Stretch,
    TextBuilder,
    doubt_lines,
    one_template_problem,
    read_embedded,
)
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, YamlError, documents
from lintmdb.model.relations import Problem

FOLDER = "/etc/mqm"
"""From which IBM's container image runs scripts."""
RENDER = "Render the chart with helm template and provide its output"
_KEPT = ("ConfigMap", "Secret")
GENERATORS = (("ConfigMap", "configMapGenerator"), ("Secret", "secretGenerator"))
_WORKLOADS = frozenset({"StatefulSet", "Deployment", "Pod"})
_KIND = re.compile(r"""^(?:[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?(?:[\w{]+)|(?:configMap|secret)Generator:)""", re.M)
_MANIFEST = re.compile(
    r"""^[ \t{]*["']?apiVersion["']?[ \t]*:[ \t]*["']?[a-z{$]|^(?:configMap|secret)Generator:""", re.M
)
_ABOUT_MQ = re.compile(
    r"mq\.ibm\.com/|kind:[ \t]*QueueManager\b|MQ_QMGR_NAME|\.mqsc\b|"
    r"\b(?:DEF(?:INE)?|ALT(?:ER)?|SET|DELETE)[ \t]+"
    r"(?:Q(?:LOCAL|ALIAS|REMOTE|MODEL|MGR|[LARM])|CHANNEL|CHL|CHLAUTH|AUTHREC|AUTHINFO|TOPIC)\b",
    re.I,
)
_LARGEST_NAME = 1024
_QUOTES = "\"'"
"""What kustomize takes off both ends of a literal's value."""


def looks_like_kubernetes(head: bytes) -> bool:
    """Whether a file that starts like this is a manifest, or a kustomization; most of them are not about MQ."""
    text = head.decode("utf-8", "replace")
    if text.startswith("#!") or "\0" in text:
        return False
    return _MANIFEST.search(text) is not None and _KIND.search(text) is not None


def is_about_queue_managers(data: bytes) -> bool:
    """Whether a manifest has anything to do with queue managers: a quick test that parses nothing."""
    return _ABOUT_MQ.search(data.decode("utf-8", "replace")) is not None


def read_kubernetes(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts that manifests keep and the queue managers that ask for scripts, in the order of the file.

    Raises UnreadableError for a file of which nothing can be read.
    """
    text = decode(data, path)
    found: list[MqscFile] = []
    problems: list[Problem] = []
    for document in documents(text):
        if _KIND.search(document.text) is None:
            continue
        try:
            scripts = list(scripts_of(document.root(), path))
        except YamlError as error:
            step = RENDER if document.template_line() else "Correct it. The other documents are read"
            problem = Problem(
                kind="unreadable", path=path, line=error.line, column=error.column, text=error.text, next_step=step
            )
            problems.append(problem)
            continue
        found += scripts
        if scripts and (line := document.template_line()):
            problems.append(_template(path, line))
            for script in scripts:
                doubt_lines(script, document.conditional_lines())
    return _with_problems(found, problems)


def _with_problems(found: list[MqscFile], problems: Sequence[Problem]) -> Sequence[MqscFile]:
    """Scripts with the problems of their file. Raises UnreadableError where there are problems alone."""
    others = [problem for problem in problems if problem.kind != "template"]
    if others and not found:
        first = others[0]
        raise UnreadableError(
            first.text, path=first.path, line=first.line, column=first.column, next_step=first.next_step
        )
    one_template_problem(found, [problem for problem in problems if problem.kind == "template"], RENDER)
    for script in found[:1]:
        script.problems += others
    return found


def _template(path: str, line: int) -> Problem:
    text = "contains template text that has not been filled in, so its values are unknown"
    return Problem(kind="template", path=path, line=line, column=1, text=text)


def scripts_of(root: Node | None, path: str) -> Iterator[MqscFile]:
    """What one object has; a List has several. A value that is in another file is where that file has it."""
    if isinstance(root, Mapped):
        kind = root.text("kind")
        if kind in _KEPT:
            yield from _kept_scripts(root, kind, path)
        elif kind == "QueueManager" and root.text("apiVersion").startswith("mq.ibm.com/"):
            yield _queue_manager(root, path)
        elif kind in _WORKLOADS:
            yield from _workload(root, path)
        elif kind == "Kustomization" or any(root.get(word) is not None for _, word in GENERATORS):
            yield from _generated(root, path)
        elif kind.endswith("List"):
            for item in root.mappings("items"):
                if not item.text("kind").endswith("List"):
                    yield from scripts_of(item, path)


def _namespace(root: Mapped) -> str:
    """The namespace of an object; blank where it has none, or one that is not filled in."""
    name = root.text("metadata", "namespace")
    return "" if "$" in name or "{{" in name else name


def _kept_scripts(root: Mapped, kind: str, path: str) -> Iterator[MqscFile]:
    """The scripts among the values of a ConfigMap or Secret, in the order of their keys."""
    name, namespace = root.text("metadata", "name")[:_LARGEST_NAME], _namespace(root)
    values = {key: (value.text(), value.path) for key, value in root.scalars("data") if kind == "ConfigMap"}
    encoded = [*root.scalars("binaryData"), *(root.scalars("data") if kind == "Secret" else ())]
    values.update((key, (text, value.path)) for key, value in encoded if (text := _decoded(value)) is not None)
    values.update((key, (value.text(), value.path)) for key, value in root.scalars("stringData"))
    for place, (key, (text, file)) in enumerate(sorted(values.items(), key=lambda pair: pair[0])):
        if _is_script(key, text.text):
            script = read_embedded(text, file or path)
            script.kept, script.turn = Kept(kind, namespace, name, key), (path, place)
            yield script


def _decoded(value: Scalar) -> EmbeddedText | None:
    """The text of a value in base64, all of it where the value begins; None where it is something else."""
    try:
        data = base64.b64decode("".join(value.value.split()), validate=True)
        return EmbeddedText(decode(data, ""), [Stretch(0, value.line, value.column, encoded=True)])
    except (binascii.Error, ValueError, UnreadableError):
        return None


def _queue_manager(root: Mapped, path: str) -> MqscFile:
    """A QueueManager of IBM's operator: its name is that of the resource where ``spec`` has no other."""
    name = root.get("spec", "queueManager", "name") or root.get("metadata", "name")
    asked = [one for entry in root.mappings("spec", "queueManager", "mqsc") for one in _asked(entry, _namespace(root))]
    return _asking(name, asked, path)


def _asking(name: Node | None, asked: Sequence[Asked], path: str) -> MqscFile:
    script = MqscFile(path, embedded=True, asked=tuple(asked))
    if isinstance(name, Scalar) and name.value and not re.search(r"[{$]|__", name.value):
        script.queue_manager = name.value[:_LARGEST_NAME]
    return script


def _asked(entry: Mapped, namespace: str) -> Iterator[Asked]:
    """What one entry of ``mqsc`` names: a ConfigMap or Secret, and the keys of it that run, in this order."""
    for kind, word in (("ConfigMap", "configMap"), ("Secret", "secret")):
        source = entry.get(word)
        if isinstance(source, Mapped):
            yield from _keys(
                source, kind, namespace, [item for item in source.items("items") if isinstance(item, Scalar)]
            )


def _keys(source: Mapped, kind: str, namespace: str, items: Sequence[Scalar]) -> Iterator[Asked]:
    node = source.get("name") or source.get("secretName")
    if not isinstance(node, Scalar):
        return
    name = node.value[:_LARGEST_NAME]
    for item in items:
        yield Asked(kind, namespace, name, item.value[:_LARGEST_NAME], item.line, item.column)
    if not items:
        yield Asked(kind, namespace, name, None, node.line, node.column)


def _workload(root: Mapped, path: str) -> Iterator[MqscFile]:
    """The queue manager of a workload, with the scripts that it mounts into ``/etc/mqm``, by their names there."""
    template = root if root.text("kind") == "Pod" else root.get("spec", "template")
    if not isinstance(template, Mapped):
        return
    volumes = {volume.text("name"): volume for volume in template.mappings("spec", "volumes")}
    for container in template.mappings("spec", "containers"):
        variables = {entry.text("name"): entry.get("value") for entry in container.mappings("env")}
        mounted: list[tuple[str, Asked]] = []
        for mount in container.mappings("volumeMounts"):
            volume = volumes.get(mount.text("name"))
            if volume is not None:
                mounted += _mounted(mount, volume, _namespace(root))
        if mounted or "MQ_QMGR_NAME" in variables:
            asked = [one for _, one in sorted(mounted, key=lambda pair: pair[0])]
            yield _asking(variables.get("MQ_QMGR_NAME") or root.get("metadata", "name"), asked, path)


def _mounted(mount: Mapped, volume: Mapped, namespace: str) -> Iterator[tuple[str, Asked]]:
    """The files that a mount puts into ``/etc/mqm``: their names there, and what they are."""
    place, part = mount.text("mountPath").rstrip("/"), mount.text("subPath")
    if place != FOLDER and not place.startswith(f"{FOLDER}/"):
        return
    for kind, word in (("ConfigMap", "configMap"), ("Secret", "secret")):
        source = volume.get(word)
        if not isinstance(source, Mapped):
            continue
        files = {entry.text("path"): entry.get("key") for entry in source.mappings("items")}
        if part:
            key = files.get(part)
            items = [key] if isinstance(key, Scalar) else []
            named = mount.get("subPath") if not items else None
            items += [named] if isinstance(named, Scalar) else []
            yield from ((place, one) for one in _keys(source, kind, namespace, items))
        elif files:
            for file, key in files.items():
                if isinstance(key, Scalar):
                    yield from ((f"{FOLDER}/{file}", one) for one in _keys(source, kind, namespace, [key]))
        else:
            yield from ((place, one) for one in _keys(source, kind, namespace, []))


def _generated(root: Mapped, path: str) -> Iterator[MqscFile]:
    """The ConfigMaps and Secrets that a kustomization makes of files in its folder: keys that are kept elsewhere."""
    folder = path.rpartition("/")[0]
    for kind, word in GENERATORS:
        for generator in root.mappings(word):
            for item in generator.items("files"):
                if not isinstance(item, Scalar):
                    continue
                key, equals, file = item.value.partition("=")
                file = file if equals else key
                key = key if equals else key.rpartition("/")[2]
                kept = Kept(kind, "", generator.text("name"), key)
                place = "/".join(part for part in (folder, file.removeprefix("./")) if part)
                yield MqscFile(path, embedded=True, kept=kept, elsewhere=place)
            if generator.text("behavior") in ("", "create"):
                for literal in literals_of(generator).values():
                    script = literal_script(literal, kind, generator.text("name"), path)
                    if script is not None:
                        yield script


def literals_of(generator: Mapped) -> Mapping[str, Scalar]:
    """The literals of a generator, ``KEY=VALUE``, by key."""
    literals = [item for item in generator.items("literals") if isinstance(item, Scalar)]
    return {item.value.partition("=")[0]: item for item in literals if "=" in item.value}


def literal_script(literal: Scalar, kind: str, name: str, path: str) -> MqscFile | None:
    """The script that a literal adds to the object with a name; None for one that is no script."""
    whole = literal.text()
    key, _, value = whole.text.partition("=")
    builder = TextBuilder(whole)
    start = len(whole.text) - len(value.lstrip(_QUOTES))
    builder.copy(start, start + len(value.strip(_QUOTES)))
    return value_script(builder.build(0), Kept(kind, "", name, key), literal.path or path)


def value_script(value: EmbeddedText, kept: Kept, path: str) -> MqscFile | None:
    """The script that a value is which an object keeps; None for one that is no script."""
    if not _is_script(kept.key, value.text):
        return None
    script = read_embedded(value, path)
    script.kept = kept
    return script


def _is_script(key: str, text: str) -> bool:
    return key.endswith(".mqsc") or looks_like_mqsc(text[:8192].encode("utf-8", "replace"))
