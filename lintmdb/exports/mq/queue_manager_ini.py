"""The configuration file of a queue manager, ``qm.ini``: the scripts that the queue manager runs whenever it starts,
and on which profile it checks rights on cluster queues.

The file does not name its queue manager, but it is in the queue manager's folder, and names that of its log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lintmdb.exports.mq.commands import Asked, ClusterQueueAccess, ClusterQueueAccessControl, MqscFile
from lintmdb.exports.mq.decoding import decode

SCRIPTS = "MQSCConfig"
"""The attribute that names a script, or a folder of scripts."""
_STANZAS = (
    "AccessMode|ApiExitLocal|AuditLog|AutoCluster|AutoConfig|Channels|DiagnosticMessages|ExitPath|ExitPropertiesLocal|"
    "InstanceData|Log|LU62|NativeHALocalInstance|QMErrorLog|RestrictedMode|Security|Service|ServiceComponent|SSL|"
    "Subpool|TCP|TuningParameters|XAResourceManager"
)
_STANZA = re.compile(rf"^({_STANZAS}):[ \t]*\d*[ \t]*\r?$", re.M)
_ATTRIBUTE = re.compile(r"^[ \t]+([A-Za-z]\w*)[ \t]*=", re.M)
_WRITTEN = re.compile(r"^[ \t]*ClusterQueueAccessControl\b", re.M | re.I)
_FOLDER = re.compile(r"(?:^|/)qmgrs/([^/]+)/[^/]+\Z")
_LOG = re.compile(r"[/\\]([^/\\]+)[/\\]?\Z")
_ACCESS: Mapping[str, ClusterQueueAccess] = {"xmitq": "Xmitq", "rqmname": "RQMName"}
_MANGLED = {"!": ".", "&": "/"}


def looks_like_queue_manager_ini(head: bytes) -> bool:
    """Whether a file that starts like this has the stanzas of a queue manager's configuration file."""
    text = head.decode("utf-8", "replace")
    return _ATTRIBUTE.search(text) is not None and len({found[1] for found in _STANZA.finditer(text)}) > 1


def configures_queue_manager(data: bytes) -> bool:
    """Whether it holds something that is read of it: scripts, or whose rights on cluster queues count. A whole file
    says the latter by leaving it out.
    """
    return re.search(rb"(?m)^[ \t]+(MQSCConfig|ClusterQueueAccessControl|LogPath)[ \t]*=", data) is not None


def read_queue_manager_ini(data: bytes, path: str) -> Sequence[MqscFile]:
    """The queue manager, which asks for the scripts that it runs when it starts.

    Raises UnreadableError for what is not text.
    """
    text = decode(data, path)
    file = MqscFile(
        path,
        embedded=True,
        configuration=True,
        asked=tuple(_asked(text)),
        cluster_queue_access=_cluster_queue_access(text, path),
    )
    file.queue_manager = _name(text, path)
    return [file]


def _attributes(text: str) -> Iterator[tuple[str, str, str, int, int]]:
    """Stanza, attribute, value, line and column of the value, of all attributes."""
    stanza = ""
    for number, line in enumerate(text.split("\n"), 1):
        if found := _STANZA.match(line):
            stanza = found[1]
        elif found := _ATTRIBUTE.match(line):
            value = line[found.end() :]
            yield stanza, found[1], value.strip(), number, found.end() + len(value) - len(value.lstrip()) + 1


def _asked(text: str) -> Iterator[Asked]:
    for stanza, attribute, value, line, column in _attributes(text):
        if (stanza, attribute) == ("AutoConfig", SCRIPTS) and value:
            yield Asked(SCRIPTS, "", value.replace("\\", "/"), None, line, column)


def _cluster_queue_access(text: str, path: str) -> ClusterQueueAccessControl | None:
    """As the file sets it. The default, Xmitq, counts where the file is whole, as every queue manager has a log, and
    nowhere has the attribute, however it is written.
    """
    found: ClusterQueueAccessControl | None = None
    for stanza, attribute, value, line, column in _attributes(text):
        if (stanza, attribute) == ("Security", "ClusterQueueAccessControl"):
            known = _ACCESS.get(value.lower())
            if known is None:
                return None
            found = ClusterQueueAccessControl(known, path, line, column)
        elif attribute == "LogPath" and found is None:
            found = ClusterQueueAccessControl("Xmitq", path, 1, 1, default=True)
    doubtful = found is not None and found.default and (_WRITTEN.search(text) or not text.endswith("\n"))
    return None if doubtful else found


def _name(text: str, path: str) -> str | None:
    """The queue manager, by the folder of the file or of its log, in which some characters stand for others."""
    folder = _FOLDER.search(path)
    name = folder[1] if folder is not None else ""
    for _, attribute, value, _, _ in _attributes(text):
        if attribute == "LogPath" and not name and (log := _LOG.search(value)):
            name = log[1]
    return "".join(_MANGLED.get(char, char) for char in name) or None
