"""Applications that lie unpacked in a folder: ``installedApps/CELL/X.ear/``, or what a build assembles in ``target``.

Such a folder is read as the archive that it unpacks: its files are packed in memory. The path of an unpacked archive
ends with ``/``, and so does that of a module which is a folder in it, so that places are paths of files.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

FOLDER = 0x10
"""The attribute of MS-DOS by which a member of the archive in memory says that it is a folder on disk."""
_NEEDED = (".class", ".xml", ".xmi", ".jar", ".war")
_DEPLOYED = "/deployment.xml"
_LONGEST_PATH = 1024
"""In characters; a longer path is that of no application."""
_HINT = re.compile(r"/(?:META|WEB)-INF/|\.(?:ear|[jw]ar)(?:/|\Z)", re.IGNORECASE)
_APPLICATION = (
    re.compile(r"(?P<root>.*?[^/])/META-INF/(?:application\.xml\Z|ibmconfig/)", re.IGNORECASE),
    re.compile(r"(?P<root>(?:.*?/)??[^/]+\.ear)/[^/]+\.[jw]ar(?:/|\Z)", re.IGNORECASE),
)
_OWN_MODULE = (
    re.compile(r"(?P<root>.*?[^/])/WEB-INF/classes/.+\.class\Z", re.IGNORECASE),
    re.compile(r"(?P<root>(?:.*?/)??[^/]+\.[jw]ar)/(?:.+\.class|WEB-INF/lib/[^/]+\.jar)\Z", re.IGNORECASE),
)
_MODULE = re.compile(r"/[^/]+\.[jw]ar(?:/|\Z)", re.IGNORECASE)
_UNPACKED_MODULE = re.compile(r"(.*?\.[jw]ar)/(.+)", re.IGNORECASE)
_INSTALLED = re.compile(r"(?:\A|/)installedApps/([^/]+)/[^/]+/\Z")


def application_folders(paths: Iterable[str]) -> frozenset[str]:
    """The folders that are unpacked applications, or unpacked modules outside one, judging by the paths of files.

    A folder with a ``deployment.xml`` is a copy from a repository, which holds descriptors and no modules.
    """
    paths = list(paths)
    copied = {path.removesuffix(_DEPLOYED) for path in paths if path.endswith(_DEPLOYED)}
    near = {path for path in paths if len(path) <= _LONGEST_PATH and _HINT.search(path)}
    described = _roots(near, _APPLICATION)
    # The sources of an application have its descriptor, but no modules.
    found = {
        above
        for path in near
        for above in _folders_above(path)
        if above in described and _MODULE.search(path, len(above))
    } | _roots(near, _OWN_MODULE)
    found -= copied
    return frozenset(root for root in found if found.isdisjoint(_folders_above(root)))


def _roots(paths: Iterable[str], marks: Iterable[re.Pattern[str]]) -> set[str]:
    return {match.group("root") for mark in marks for path in paths if (match := mark.match(path)) is not None}


def _folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in, the outermost first."""
    at = path.find("/", 1)
    while at != -1:
        yield path[:at]
        at = path.find("/", at + 1)


def lying_here(paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths that are files of an application which the working directory is; none where it is not one."""
    name = Path.cwd().name
    below = [path for path in paths if not path.startswith("/") and "!/" not in path]
    return frozenset(below) if name in application_folders(f"{name}/{path}" for path in below) else frozenset()


def folder_of(path: str, folders: Collection[str]) -> str | None:
    """The one of some unpacked applications that a path lies in."""
    return next((above for above in _folders_above(path) if above in folders), None) if folders else None


def packed_beside(folder: str, paths: Collection[str]) -> str | None:
    """The archive next to a folder that holds the same application, as builds leave it."""
    return next((beside for suffix in (".ear", ".war", ".jar") if (beside := folder + suffix) in paths), None)


def installed_in(path: str) -> str | None:
    """The cell in whose folder below ``installedApps`` an unpacked application lies; None elsewhere."""
    match = _INSTALLED.search(path)
    return match.group(1) if match is not None else None


def needed(name: str) -> bool:
    """Whether lintmdb may read a file of an application, judging by its name."""
    return name.lower().endswith(_NEEDED)


def packed(files: Mapping[str, Callable[[], bytes]]) -> bytes:
    """The archive that a folder unpacks, from its files by their paths below it. Raises what their readers raise."""
    modules: dict[str, dict[str, Callable[[], bytes]]] = {}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, read in sorted(files.items()):
            module = _UNPACKED_MODULE.match(name)
            if module is not None:
                modules.setdefault(module.group(1), {})[module.group(2)] = read
            else:
                archive.writestr(zipfile.ZipInfo(name), read())
        for name, inner in sorted(modules.items()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = FOLDER
            archive.writestr(entry, packed(inner))
    return target.getvalue()
