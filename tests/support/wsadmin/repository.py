"""The configuration below a folder ``cells``: objects with ids, found by path or type, read from XML and saved."""
# Runs under Jython 2.7 as well.
# pyright: basic

import os
import re

from metamodel import TYPES, all_parts, is_a

try:  # Java's own parser is ten times as fast under Jython, and its documents have the same methods.
    from java.io import File  # type: ignore[import-not-found]

    # What WebSphere refuses is an exception of Java.
    from java.lang import Exception as Refusal  # type: ignore[import-not-found]
    from javax.xml.parsers import DocumentBuilderFactory  # type: ignore[import-not-found]

    BUILDER = DocumentBuilderFactory.newInstance().newDocumentBuilder()
except ImportError:
    from xml.dom import minidom

    BUILDER = None
    Refusal = Exception


def parse(path):
    """The document of a file."""
    return minidom.parse(path) if BUILDER is None else BUILDER.parse(File(path))


FILES = ("resources.xml", "server.xml", "sib-destinations.xml")
XMI = "http://www.omg.org/XMI"
_ID = re.compile(r'"?(?P<name>.*)\((?P<folder>[^()|]*)\|(?P<file>[^()|#]*)(?:#(?P<id>[^()]*))?\)"?\Z', re.DOTALL)
_SCOPES = {"cells": "Cell", "nodes": "Node", "servers": "Server", "clusters": "ServerCluster", "buses": "SIBus"}


class ScriptingError(Refusal):  # pyright: ignore[reportGeneralTypeIssues]
    """What AdminConfig and AdminTask raise."""


class Item:
    """An object: an element of a document, or a scope, which is a folder."""

    def __init__(self, kind, name, folder, file, element):
        self.kind = kind
        self.name = name
        self.folder = folder
        self.file = file
        self.element = element
        self.parent = None
        self.path = None
        self.inner = []

    def all(self):
        """The object, and all inside it."""
        found = [self]
        for item in self.inner:
            found.extend(item.all())
        return found

    def config_id(self):
        """Its id, as wsadmin writes it: quoted where the name has a blank."""
        mark = "#" + self.element.getAttribute("xmi:id") if self.element is not None else ""
        text = self.name + "(" + self.folder + "|" + self.file + mark + ")"
        return '"' + text + '"' if " " in text else text


class Repository:
    """The objects of an exported configuration, and the documents that they were read from."""

    def __init__(self, folder):
        self._root = os.path.join(folder, "")
        self.load()

    def load(self):
        """Read all documents; what was not saved is lost."""
        self.documents = {}
        self._changed = {}
        self._known = None
        self.tops = []
        self._next = 1900000000000
        for path, folders, files in sorted(os.walk(self._root)):
            folders.sort()
            if os.path.basename(path) == "cells":
                for name in folders:
                    self.tops.append(self._scope("cells", os.path.join(path, name)))
                del folders[:]
            elif "server.xml" in files and not self.tops:
                self.tops.append(self._loose(path))

    def _loose(self, path):
        """A server whose files are together in one folder."""
        document = self._read(path, "server.xml")
        server = self._roots(document)[0]
        item = self._scope("servers", path)
        item.name = server.getAttribute("name")
        return item

    def _scope(self, kind, path):
        relative = path[len(self._root) :].replace(os.sep, "/")
        relative = relative[relative.find("cells/") :] if "cells/" in relative else relative
        name = os.path.basename(path)
        files = {"cells": "cell.xml", "nodes": "node.xml", "clusters": "cluster.xml", "buses": "sib-bus.xml"}
        item = Item(_SCOPES[kind], name, relative, files.get(kind, "server.xml"), None)
        for file in FILES:
            if os.path.isfile(os.path.join(path, file)):
                self._add_document(item, path, file)
        for inner in ("clusters", "buses", "nodes", "servers"):
            folder = os.path.join(path, inner)
            for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                if os.path.isdir(os.path.join(folder, entry)):
                    self._put(item, self._scope(inner, os.path.join(folder, entry)))
        return item

    def _read(self, path, file):
        full = os.path.join(path, file)
        if full not in self.documents:
            self.documents[full] = parse(full)
        return self.documents[full]

    def _roots(self, document):
        root = document.documentElement
        return elements(root) if local(root.tagName) == "XMI" else [root]

    def _add_document(self, scope, path, file):
        for element in self._roots(self._read(path, file)):
            kind = local(element.tagName)
            if kind == "Server" and scope.kind == "Server":
                scope.element = element
                self._identify(scope)
                self._add_parts(scope, element, os.path.join(path, file))
            elif kind in TYPES:
                self._put(scope, self._item(kind, element, scope.folder, file, os.path.join(path, file)))

    def _item(self, kind, element, folder, file, path):
        name = element.getAttribute("name") or element.getAttribute("identifier")
        item = Item(kind, name, folder, file, element)
        self._identify(item)
        self._add_parts(item, element, path)
        return item

    def _identify(self, item):
        """Give an object an id if its element has none."""
        if not item.element.getAttribute("xmi:id"):
            item.element.setAttribute("xmi:id", self.new_id(item.kind))

    def new_id(self, kind):
        """An id that no object has."""
        self._next += 1
        return kind + "_" + str(self._next)

    def _add_parts(self, item, element, path):
        item.path = path
        parts = all_parts(item.kind)
        for child in elements(element):
            if child.tagName not in parts:
                continue
            declared = parts[child.tagName][0]
            kind = local(child.getAttribute("xmi:type")) or declared
            kind = kind if kind in TYPES else declared
            file = os.path.basename(path)
            self._put(item, self._item(kind, child, item.folder, file, path))

    def _put(self, parent, item):
        item.parent = parent
        parent.inner.append(item)

    def everything(self):
        """All objects."""
        found = []
        for top in self.tops:
            found.extend(top.all())
        return found

    def find(self, config_id):
        """The object that an id names. Refuses what is no id, and one that names nothing."""
        if _ID.match(config_id or "") is None:
            raise ScriptingError("WASX7077E: Incorrect configuration ID: " + repr(config_id))
        if self._known is None:
            self._known = {item.config_id().strip('"'): item for item in self.everything()}
        found = self._known.get(config_id.strip('"'))
        if found is None:
            raise ScriptingError("WASX7280E: An object with the configuration ID " + config_id + " does not exist.")
        return found

    def by_path(self, path):
        """The objects at a containment path, which may begin at any type."""
        steps = []
        for step in path.strip("/").split("/"):
            kind, colon, name = step.partition(":")
            if not colon or kind not in TYPES:
                raise ScriptingError("WASX7435W: Incorrect containment path: " + path)
            steps.append((kind, name))
        found = [item for item in self.everything() if _fits(item, steps[0])]
        for step in steps[1:]:
            found = [inner for item in found for inner in item.inner if _fits(inner, step)]
        return found

    def touch(self, item):
        """Note that the document of an object changes."""
        self._changed[item.path] = True

    def add(self, parent, tag, kind):
        """A new part of an object, as its last one."""
        element = parent.element.ownerDocument.createElement(tag)
        element.setAttribute("xmi:id", self.new_id(kind))
        parent.element.appendChild(element)
        item = Item(kind, "", parent.folder, os.path.basename(parent.path), element)
        item.path = parent.path
        self._put(parent, item)
        self._known = None  # No other change makes an id, or takes one away.
        self.touch(parent)
        return item

    def drop(self, item):
        """Take an object away."""
        item.element.parentNode.removeChild(item.element)
        item.parent.inner.remove(item)
        self._known = None
        self.touch(item)

    def save(self):
        """Write the documents that changed."""
        for path in self._changed:
            text = '<?xml version="1.0" encoding="UTF-8"?>\n' + written(self.documents[path].documentElement) + "\n"
            with open(path, "wb") as file:
                file.write(text.encode("utf-8"))
        self._changed = {}

    def reset(self):
        """Forget what was changed and not saved."""
        if self._changed:
            self.load()


def _fits(item, step):
    return is_a(item.kind, step[0]) and (not step[1] or item.name == step[1])


def local(name):
    """A name without its prefix. Types such as resources.jms.mqseries:MQQueue have dots in theirs."""
    return name[name.rfind(":") + 1 :]


def children(parent):
    """The nodes inside one."""
    return [parent.childNodes.item(number) for number in range(parent.childNodes.length)]


def elements(parent):
    """The child elements of one."""
    return [node for node in children(parent) if node.nodeType == node.ELEMENT_NODE]


def written(node):
    """A node as XML, with line ends in attributes kept."""
    if node.nodeType == node.COMMENT_NODE:
        return "<!--" + node.data + "-->"
    if node.nodeType != node.ELEMENT_NODE:
        return _escaped(node.nodeValue)
    named = [node.attributes.item(number) for number in range(node.attributes.length)]
    texts = [" " + entry.name + '="' + _escaped(entry.value, True) + '"' for entry in named]
    inside = "".join([written(child) for child in children(node)])
    start = "<" + node.tagName + "".join(texts)
    return start + ">" + inside + "</" + node.tagName + ">" if inside else start + "/>"


def _escaped(text, in_attribute=False):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if in_attribute:
        for letter in '"\n\r\t':
            text = text.replace(letter, "&#" + str(ord(letter)) + ";")
    return text
