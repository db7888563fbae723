"""The small files of a cell: nodes, clusters, variables and J2C aliases."""

from __future__ import annotations

import re

from lintmdb.exports.was.objects import Cluster, Node
from lintmdb.exports.xml import parse_xml
from lintmdb.model.origins import Origin, Setting

_PROPERTY = re.compile(r"[ \t\f]*((?:\\.|[^\s\\=:#!])(?:\\.|[^\s\\=:])*)[ \t\f]*[=:]?[ \t\f]*(.*)")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)")
_VERSION = "com.ibm.websphere.baseProductVersion"
_SYSTEM = "com.ibm.websphere.nodeOperatingSystem"


def read_node_metadata(data: bytes, path: str, node: Node) -> Node:
    """``node`` with the version and operating system of node-metadata.properties."""
    found: dict[str, Setting] = {}
    text = data.decode("latin-1")
    for number, line in enumerate(text.split("\n"), 1):
        match = _PROPERTY.match(line.rstrip("\r"))
        if match is not None and match.group(1) in (_VERSION, _SYSTEM):
            value = _ESCAPE.sub(_unescape, match.group(2)).strip()
            column = match.start(1) + 1
            found[match.group(1)] = Setting(value, Origin(path, number, column, f"{match.group(1)}={value}"))
    return Node(
        node.name,
        version=found.get(_VERSION),
        operating_system=found.get(_SYSTEM),
        servers=node.servers,
        deployed=node.deployed,
        has_index=node.has_index,
    )


def _unescape(match: re.Match[str]) -> str:
    body = match.group(1)
    if len(body) == 5:
        return chr(int(body[1:], 16))
    return {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}.get(body, body)


def read_serverindex(data: bytes, path: str, node: Node) -> Node:
    """``node`` with the servers of serverindex.xml and the applications deployed on them. Raises UnreadableError."""
    document = parse_xml(
        data, path, skip=("specialEndpoints", "endPoint", "extendedApplicationDataElements"), text=True
    )
    servers: dict[str, str] = {}
    deployed: dict[str, tuple[str, ...]] = {}
    for entry in document.root.walk():
        if entry.tag == "serverEntries":
            name = entry.get("serverName")
            servers[name] = entry.get("serverType")
            deployed[name] = tuple(
                child.text.strip().rpartition("/deployments/")[2] for child in entry.all("deployedApplications")
            )
    return Node(node.name, node.version, node.operating_system, servers, deployed, has_index=True)


def read_cluster(data: bytes, path: str, name: str) -> Cluster:
    """The cluster of cluster.xml; without members where the file defines no cluster. Raises UnreadableError."""
    document = parse_xml(data, path)
    root = document.root if document.root.tag == "ServerCluster" else document.root.first("ServerCluster")
    if root is None:
        return Cluster(name, (), document.origin(document.root, f"cluster {name}"))
    members = tuple((member.get("nodeName"), member.get("memberName")) for member in root.all("members"))
    return Cluster(name or root.get("name"), members, document.origin(root, f"cluster {name}"))


def read_variables(data: bytes, path: str) -> dict[str, Setting]:
    """Variable name to value, from one variables.xml. Raises UnreadableError."""
    document = parse_xml(data, path)
    entries: dict[str, Setting] = {}
    for entry in document.root.walk():
        if entry.tag == "entries" and entry.get("symbolicName"):
            name, value = entry.get("symbolicName"), entry.get("value")
            entries[name] = document.setting(entry, "value", f'{name} value="{value}"')
    return entries


def read_aliases(data: bytes, path: str) -> dict[str, Setting]:
    """J2C alias to user name, from security.xml. Keeps no password. Raises UnreadableError."""
    document = parse_xml(data, path, skip=_SECURITY_SKIP)
    aliases: dict[str, Setting] = {}
    for entry in document.root.walk():
        if entry.tag == "authDataEntries" and entry.get("alias"):
            aliases[entry.get("alias")] = document.setting(entry, "userId")
    return aliases


_SECURITY_SKIP = frozenset(
    {
        "userRegistries",
        "authMechanisms",
        "repertoire",
        "keyStores",
        "trustManagers",
        "keyManagers",
        "keySets",
        "keySetGroups",
        "managementScopes",
        "wsSchedules",
        "wsNotifications",
        "wsSecurityScannerMonitor",
        "CSI",
        "IBM",
        "systemLoginConfig",
        "applicationLoginConfig",
        "adminAudit",
        "certificates",
        "sslConfigGroups",
    }
)
