"""Objects that a properties file names by their ``xmi:id``, as WebSphere extracts them: the repository has the name."""

from __future__ import annotations

import html
import re

from lintmdb.exports.text import decode_export
from lintmdb.exports.was.property_files import Section
from lintmdb.plan.property_objects import scope_of
from lintmdb.run.estate import UnresolvedEstate
from lintmdb.run.overlay import files_of

_NAME = re.compile(r"""\sname=(?:"([^"]*)"|'([^']*)')""")


def find_name(section: Section, environment: str | None, exports: UnresolvedEstate) -> str:
    """The name of the object that the last step of a section's ResourceId tells by ``ID#``; blank where the files of
    its scope do not hold it, or where several cells do.
    """
    identifier = section.steps[-1][1].removeprefix("ID#") if section.steps else ""
    if section.own_name or not identifier or section.steps[-1][1] == identifier:
        return ""
    cell = dict(section.steps).get("Cell", "")
    ends = tuple(f"/cells/{cell}/{file}" if cell else f"/{file}" for file in files_of(scope_of(section)))
    element = re.compile(rf"""<[^<>]*\sxmi:id=["']{re.escape(identifier)}["'][^<>]*>""")
    names: set[str] = set()
    for file in exports.discovery.files:
        if f"/{file.path}".endswith(ends) and environment in (None, exports.environments.of(file.path)):
            found = element.search(decode_export(file.read()))
            name = _NAME.search(found[0]) if found is not None else None
            names |= {html.unescape(name[1] or name[2] or "")} if name is not None else set()
    return names.pop() if len(names) == 1 else ""
