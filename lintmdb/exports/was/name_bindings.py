"""namebindings.xml: the names that an administrator adds to the name space."""

from __future__ import annotations

from lintmdb.exports.was.objects import NameBinding, Scope
from lintmdb.exports.xml import parse_xml

_SUFFIX = "NameSpaceBinding"


def read_name_bindings(data: bytes, path: str, scope: Scope) -> list[NameBinding]:
    """The name bindings of one scope. Raises UnreadableError.

    Only an indirect lookup within this cell has a ``target``: the other kinds lead to no JNDI name of the cell.
    """
    document = parse_xml(data, path)
    roots = document.root.children if document.root.tag == "XMI" else [document.root]
    return [
        NameBinding(
            scope=scope,
            name=element.get("nameInNameSpace").strip(),
            target=element.get("jndiName").strip()
            if element.tag == f"IndirectLookup{_SUFFIX}" and not element.get("providerURL").strip()
            else "",
        )
        for element in roots
        if element.tag.endswith(_SUFFIX) and element.get("nameInNameSpace").strip()
    ]
