"""The files of a Liberty server: what tells them, and which server they belong to."""

from __future__ import annotations

import posixpath
import re

_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:server|client)(?=[\s/>])([^<>]*)", re.DOTALL)
_NOISE = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_NAMESPACE = re.compile(rb"""xmlns(?::[\w.-]+)?\s*=\s*["'](?!http://www\.w3\.org/|http://www\.ibm\.com/)[^"']""")
SERVER_FILE = "server.xml"
BOOTSTRAP = "bootstrap.properties"
ENVIRONMENT = "server.env"
RUNTIME_ENVIRONMENT = f"etc/{ENVIRONMENT}"
"""Beside ``usr``: what each server of a runtime has in its environment, unless its own server.env says otherwise."""
COMPANIONS = frozenset({BOOTSTRAP, ENVIRONMENT})
"""Files beside server.xml that say nothing by themselves."""
VARIABLES = "variables"
"""The folder whose files are variables: by their names, or as properties files list them."""
DEFAULTS, OVERRIDES = "configDropins/defaults", "configDropins/overrides"
_GENERIC = frozenset({"config", "liberty", "wlp", "usr", "servers", "src", "main", "opt", "ibm", "defaultServer", ""})
"""Folders that say nothing about which server it is."""


def looks_like_liberty(head: bytes) -> bool:
    """Whether a file begins like a configuration file of Liberty: its root is ``server`` in no namespace.

    WildFly's root has the same name in a namespace of its own.
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.decode("utf-16", "ignore").encode()
    text = _NOISE.sub(b"", head.removeprefix(b"\xef\xbb\xbf")).lstrip()
    root = _ROOT.match(text)
    return root is not None and _NAMESPACE.search(root.group(1)) is None


def is_companion(path: str) -> bool:
    """Whether a file, judging by its path, sets variables of a server if there is one."""
    return posixpath.basename(path) in COMPANIONS or variables_of(path) is not None


def companion_folder(path: str) -> str:
    """The folder of the server whose variables a file sets. Only for a path that ``is_companion``."""
    folder = variables_of(path)
    return posixpath.dirname(path) if folder is None else folder


def variables_of(path: str) -> str | None:
    """The folder of the server whose folder ``variables`` has a file; None for any other file."""
    folder, found, name = f"/{path}".rpartition(f"/{VARIABLES}/")
    return folder.removeprefix("/") if found and not name.lower().endswith(".xml") else None


def dropins_of(path: str) -> str | None:
    """The folder of the server whose ``configDropins`` hold a file; None for any other file."""
    folder = posixpath.dirname(path)
    for part in (DEFAULTS, OVERRIDES):
        if folder == part or folder.endswith(f"/{part}"):
            return folder[: -len(part)].rstrip("/")
    return None


def server_folder(path: str) -> str:
    """The folder of all that a server.xml may include, judging by its path: the one with ``servers`` and ``shared`` in
    it, or its own.
    """
    folder = companion_folder(path)
    parent = posixpath.dirname(folder)
    return posixpath.dirname(parent) if posixpath.basename(parent) == "servers" else folder


def shared_environments(path: str) -> list[str]:
    """The server.env files that the server of a server.xml shares with others, by its path: that of the runtime, then
    that of the folder ``shared``, which wins. Empty where the path does not tell them.

    Source: IBM's page "Setting environment entries" for the runtime; the tests of Open Liberty Tools for ``shared``.
    """
    folder = server_folder(path)
    if folder == companion_folder(path):
        return []
    of_user = posixpath.join(folder, "shared", ENVIRONMENT)
    if posixpath.basename(folder) != "usr":
        return [of_user]
    return [posixpath.join(posixpath.dirname(folder), RUNTIME_ENVIRONMENT), of_user]


def server_name(path: str) -> str:
    """The name of the server that a file configures, by its path alone, so that any run finds the same one.

    It is the folder below ``servers``; elsewhere the nearest folder with a name of its own, or the file's.
    """
    folder, file = posixpath.split(path)
    if file != SERVER_FILE:
        return file.rpartition(".")[0] or file
    inside, whole = f"{folder}/".rpartition("!/")[2].rstrip("/"), f"{folder}/".replace("!/", "/")
    parent, name = posixpath.split(inside)
    if posixpath.basename(parent) == "servers" and name not in _GENERIC:
        return name
    named = [part for part in whole.split("/") if part not in _GENERIC and part not in (".", "..")]
    return re.sub(r"\.(?:zip|tar|tgz|tar\.gz)\Z", "", named[-1]) if named else name or "defaultServer"
