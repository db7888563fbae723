"""Deployed applications: deployment.xml, ejb-jar.xml, and the binding and extension files as .xml or .xmi.

A reader parses one file and raises UnreadableError, with line and column, where the XML is broken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from lintmdb.exports.was.bean_classes import BeanClass
from lintmdb.exports.was.objects import BeanBinding, Target
from lintmdb.exports.xml import Document, Element, parse_xml
from lintmdb.model.origins import Origin, Setting

_ON_MESSAGE = frozenset({"onMessage", "*"})
_INACTIVE = re.compile(rb"^[ \t]*config\.state[ \t]*[=:][ \t]*INACTIVE\s*?$", re.MULTILINE)


@dataclass(slots=True)
class Deployment:
    """What deployment.xml says: the targets of each module, and which descriptors count."""

    origin: Origin
    modules: dict[str, tuple[Target, ...]]
    metadata_complete: bool
    """The descriptors already include what the annotations say (``metadata.complete``)."""
    started_by_hand: dict[str, dict[Target, Origin]]
    """Module URI to the targets on which the module does not start automatically, each with where the file says so."""
    from_binaries: bool
    """WebSphere uses the descriptors inside the EAR (``useMetadataFromBinaries``), not those next to deployment.xml."""


@dataclass(slots=True)
class Declared:
    """A message-driven bean as ejb-jar.xml declares it."""

    name: str
    id: str
    class_name: str
    """``shop.OrderBean``, of ``ejb-class``; '' where annotations give it."""
    management: Setting | None
    """``Bean`` or ``Container``, of ``transaction-type``."""
    attribute: Setting | None
    """The transaction attribute of onMessage."""
    activation_config: dict[str, Setting]
    subscription_durability: Setting | None
    no_annotations: bool
    origin: Origin
    destination_link: Setting | None = None
    """``message-destination-link``: the logical destination that the bean reads."""

    @property
    def leaves_transaction_open(self) -> bool:
        """Whether annotations may decide in which transaction onMessage runs."""
        attribute = self.attribute is None and (self.management is None or self.management.value != "Bean")
        return not self.no_annotations and (self.management is None or attribute)


@dataclass(slots=True)
class ModuleFiles:
    """What the descriptors of one module say. They may be read in any order."""

    origin: Origin | None = None
    declared: list[Declared] = field(default_factory=list[Declared])
    merged: list[Declared] | None = None
    """The beans of ejb-jar_merged.xml, which WebSphere keeps with the annotations in it; None without such a file."""
    has_descriptor: bool = False
    """An ejb-jar.xml was read."""
    complete: bool = False
    """Annotations do not count for any bean of the module."""
    classes: list[BeanClass] | None = None
    """The classes of its beans; None where no application file with them was read."""
    by_name: dict[str, tuple[BeanBinding, Origin]] = field(default_factory=dict[str, tuple[BeanBinding, Origin]])
    by_id: dict[str, tuple[BeanBinding, Origin]] = field(default_factory=dict[str, tuple[BeanBinding, Origin]])
    timeout_by_name: dict[str, Setting] = field(default_factory=dict[str, Setting])
    timeout_by_id: dict[str, Setting] = field(default_factory=dict[str, Setting])
    forms: set[Literal["xml", "xmi"]] = field(default_factory=set[Literal["xml", "xmi"]])
    """The forms of binding and extension files that WebSphere reads: .xmi before Java EE 5, .xml since. Both if loose
    files of several modules share a folder.
    """
    has_binding_file: bool = False
    """A binding file of either form was read, whether it counts or not."""
    own_name: str = ""
    """``module-name`` of its descriptor; '' where there is none."""
    uri: str = ""
    """Its place in the application file; '' where no such file was read."""
    destinations: dict[str, Setting] = field(default_factory=dict[str, Setting])
    """Logical destination to the JNDI name that the binding file gives it."""

    @property
    def beans(self) -> list[Declared]:
        """The beans of the descriptor that WebSphere uses."""
        return self.declared if self.merged is None else self.merged

    @property
    def has_beans(self) -> bool:
        """Whether any file tells of a message-driven bean in the module."""
        return bool(self.beans or self.by_name or self.by_id or self.classes)

    def counting(self) -> ModuleFiles:
        """A copy without the bindings and timeouts in the form that WebSphere does not read for this module."""
        forms = self.forms or ({"xml"} if self.by_name else set[str]())
        if forms == {"xml"}:
            return replace(self, by_id={}, timeout_by_id={})
        return replace(self, by_name={}, timeout_by_name={}) if forms == {"xmi"} else self


def is_inactive_edition(data: bytes) -> bool:
    """Whether ibm-edition-metadata.props says that an edition of an application is inactive."""
    return _INACTIVE.search(data) is not None


def read_deployment(data: bytes, path: str) -> Deployment:
    """Parse deployment.xml.

    ``modules`` has the URI of every module, with an empty tuple where it is mapped to no target. A mapping with
    ``enable="false"`` means that the module does not start automatically on that target. Raises UnreadableError.
    """
    document = parse_xml(data, path)
    targets: dict[str, Target] = {}
    for target in document.root.all("deploymentTargets"):
        if target.type == "ClusteredTarget":
            targets[target.id] = (target.get("name"), None, None)
        else:
            targets[target.id] = (None, target.get("nodeName") or None, target.get("name"))
    deployed = document.root.first("deployedObject")
    modules: dict[str, tuple[Target, ...]] = {}
    by_hand: dict[str, dict[Target, Origin]] = {}
    complete = from_binaries = False
    if deployed is not None:
        whole = _by_hand(document, deployed, targets)
        for module in deployed.all("modules"):
            uri, mapped = module.get("uri"), [mapping.get("target") for mapping in module.all("targetMappings")]
            modules[uri] = tuple(targets[target] for target in mapped if target in targets)
            own = whole | _by_hand(document, module, targets)
            by_hand[uri] = {target: origin for target, origin in own.items() if target in modules[uri]}
        complete = any(
            prop.get("name") == "metadata.complete" and prop.get("value").lower() == "true"
            for prop in deployed.all("properties")
        )
        from_binaries = deployed.get("useMetadataFromBinaries").strip().lower() == "true"
    return Deployment(document.origin(document.root, "deployment"), modules, complete, by_hand, from_binaries)


def _by_hand(document: Document, mapped: Element, targets: Mapping[str, Target]) -> dict[Target, Origin]:
    """The targets on which an application or a module does not start automatically, with where the file says so."""
    return {
        targets[mapping.get("target")]: document.attribute_origin(mapping, "enable")
        for mapping in mapped.all("targetMappings")
        if mapping.get("target") in targets and mapping.get("enable", "true").strip().lower() == "false"
    }


def read_ejb_jar(data: bytes, path: str, files: ModuleFiles, *, merged: bool = False) -> None:
    """Add the message-driven beans of ejb-jar.xml to ``files``. Raises UnreadableError.

    ``merged``: it is ejb-jar_merged.xml, in which WebSphere put the annotations.
    """
    document = parse_xml(data, path, text=True)
    root = document.root
    files.origin = files.origin or document.origin(root, "module")
    complete = merged or _annotations_impossible(root)
    files.has_descriptor = True
    files.complete = files.complete or complete
    files.forms.add("xml" if merged else _binding_form(root))
    files.own_name = _text(root.first("module-name")) or files.own_name
    attributes = _container_transactions(document, root)
    beans = [
        _declared(document, bean, attributes, complete=complete)
        for group in root.all("enterprise-beans")
        for bean in group.all("message-driven")
    ]
    if merged:
        files.merged = beans
    else:
        files.declared.extend(beans)


def _declared(document: Document, bean: Element, attributes: Mapping[str, Setting], *, complete: bool) -> Declared:
    name, kind = _text(bean.first("ejb-name")), bean.first("transaction-type")
    management = None
    if kind is not None:
        written = kind.text.strip()
        management = Setting(written, document.origin(kind, f"<transaction-type>{written}</transaction-type>"))
    config = _activation_config(document, bean)
    link = bean.first("message-destination-link")
    return Declared(
        name=name,
        id=bean.id,
        class_name=_text(bean.first("ejb-class")),
        management=management,
        attribute=attributes.get(name, attributes.get("*")),
        activation_config=config,
        subscription_durability=_durability(document, bean) or config.get("subscriptionDurability"),
        no_annotations=complete,
        origin=document.origin(bean, f"message-driven bean {name}"),
        destination_link=_linked(document, link) if link is not None and _text(link) else None,
    )


def _linked(document: Document, link: Element) -> Setting:
    return Setting(_text(link), document.origin(link, f"<message-destination-link>{_text(link)}"))


def _annotations_impossible(root: Element) -> bool:
    """Whether ejb-jar.xml alone counts: EJB 2.1 and earlier, or ``metadata-complete``."""
    if root.get("metadata-complete").strip().lower() == "true":
        return True
    version = root.get("version").strip()
    if re.match(r"[12]\.", version):
        return True
    # A file without a version has a DOCTYPE of EJB 1.1 or 2.0, unless it names a namespace.
    return not version and "xmlns" not in root.attributes


def _binding_form(root: Element) -> Literal["xml", "xmi"]:
    """The form of the binding file for this ejb-jar.xml: .xmi with EJB 2.1 and earlier or a DOCTYPE, otherwise .xml.

    Source: "Enterprise JavaBeans (EJB) 3.0 module packaging overview".
    """
    version = root.get("version").strip()
    if version:
        return "xmi" if re.match(r"[12]\.", version) else "xml"
    return "xmi" if "xmlns" not in root.attributes or "j2ee" in root.get("xmlns") else "xml"


def _container_transactions(document: Document, root: Element) -> dict[str, Setting]:
    """Bean name to the transaction attribute of ``onMessage``, from the assembly descriptor; "*" is all beans."""
    found: dict[str, Setting] = {}
    for assembly in root.all("assembly-descriptor"):
        for entry in assembly.all("container-transaction"):
            attribute = entry.first("trans-attribute")
            if attribute is None:
                continue
            value = attribute.text.strip()
            setting = Setting(value, document.origin(attribute, f"<trans-attribute>{value}</trans-attribute>"))
            for method in entry.all("method"):
                name, bean = _text(method.first("method-name")), _text(method.first("ejb-name"))
                # A named method takes precedence over the wildcard.
                if name in _ON_MESSAGE and (name == "onMessage" or bean not in found):
                    found[bean] = setting
    return found


def _activation_config(document: Document, bean: Element) -> dict[str, Setting]:
    """The ``activation-config-property`` values by name. EJB 2.0's ``message-selector`` counts as messageSelector."""
    found: dict[str, Setting] = {}
    for config in bean.all("activation-config"):
        for prop in config.all("activation-config-property"):
            name = _text(prop.first("activation-config-property-name"))
            value = prop.first("activation-config-property-value")
            if name and value is not None:
                text = value.text.strip()
                found[name] = Setting(text, document.origin(value, f"{name}={text}"))
    old = bean.first("message-selector")
    if old is not None:
        found.setdefault("messageSelector", Setting(old.text.strip(), document.origin(old, "<message-selector>")))
    return found


def _durability(document: Document, bean: Element) -> Setting | None:
    """``subscription-durability`` of EJB 2.0, or None."""
    for destination in bean.all("message-driven-destination"):
        element = destination.first("subscription-durability")
        if element is not None:
            text = element.text.strip()
            origin = document.origin(element, f"<subscription-durability>{text}</subscription-durability>")
            return Setting(text, origin)
    return None


def read_binding_xml(data: bytes, path: str, files: ModuleFiles) -> None:
    """Add the bindings of ibm-ejb-jar-bnd.xml, by bean name, to ``files``. Raises UnreadableError."""
    document = parse_xml(data, path)
    files.has_binding_file = True
    files.origin = files.origin or document.origin(document.root, "module")
    for bean in document.root.all("message-driven"):
        name = bean.get("name").strip()
        adapter, port = bean.first("jca-adapter"), bean.first("listener-port")
        binding: BeanBinding | None = None
        if adapter is not None and adapter.get("activation-spec-binding-name"):
            binding = _binding(
                document,
                adapter,
                "activation_spec",
                "activation-spec-binding-name",
                "destination-binding-name",
                "activation-spec-auth-alias",
            )
        elif port is not None and port.get("name"):
            binding = _binding(document, port, "listener_port", "name", "", "")
        if name and binding is not None:
            files.by_name[name] = (binding, document.origin(bean, f"message-driven bean {name}"))
    for destination in document.root.all("message-destination"):
        target = destination.get("binding-name").strip()
        if target:
            place = document.attribute_origin(destination, "binding-name")
            files.destinations[destination.get("name").strip()] = Setting(target, place)


def read_binding_xmi(data: bytes, path: str, files: ModuleFiles) -> None:
    """Add the bindings of ibm-ejb-jar-bnd.xmi, by bean id in ejb-jar.xml, to ``files``. Raises UnreadableError."""
    document = parse_xml(data, path)
    root = document.root if document.root.tag == "EJBJarBinding" else document.root.first("EJBJarBinding")
    if root is None:
        return
    files.has_binding_file = True
    files.origin = files.origin or document.origin(root, "module")
    for entry in root.all("ejbBindings"):
        bean = entry.first("enterpriseBean")
        identifier = bean.get("href").rpartition("#")[2] if bean is not None else ""
        binding: BeanBinding | None = None
        if entry.get("activationSpecJndiName"):
            binding = _binding(
                document,
                entry,
                "activation_spec",
                "activationSpecJndiName",
                "destinationJndiName",
                "activationSpecAuthAlias",
            )
        elif entry.get("listenerInputPortName"):
            binding = _binding(document, entry, "listener_port", "listenerInputPortName", "", "")
        if identifier and binding is not None:
            files.by_id[identifier] = (binding, document.origin(entry, f"message-driven bean {identifier}"))


def _binding(
    document: Document,
    element: Element,
    kind: Literal["listener_port", "activation_spec"],
    target: str,
    destination: str,
    alias: str,
) -> BeanBinding:
    def setting(name: str) -> Setting | None:
        value = element.get(name) if name else ""
        return Setting(value, document.attribute_origin(element, name)) if value.strip() else None

    required = Setting(element.get(target), document.attribute_origin(element, target))
    return BeanBinding(kind, required, setting(destination), setting(alias))


def read_extension(data: bytes, path: str, files: ModuleFiles) -> None:
    """Add the transaction timeouts (seconds) of ibm-ejb-jar-ext.xml or .xmi to ``files``. Raises UnreadableError."""
    document = parse_xml(data, path)
    for element in document.root.walk():
        if element.tag == "message-driven":
            timeout = element.first("global-transaction")
            if timeout is not None and timeout.get("transaction-time-out"):
                origin = document.attribute_origin(timeout, "transaction-time-out")
                files.timeout_by_name[element.get("name").strip()] = Setting(
                    timeout.get("transaction-time-out"), origin
                )
        elif element.tag == "ejbExtensions":
            bean, timeout = element.first("enterpriseBean"), element.first("globalTransaction")
            if bean is not None and timeout is not None and timeout.get("componentTransactionTimeout"):
                origin = document.attribute_origin(timeout, "componentTransactionTimeout")
                identifier = bean.get("href").rpartition("#")[2]
                files.timeout_by_id[identifier] = Setting(timeout.get("componentTransactionTimeout"), origin)


def _text(element: Element | None) -> str:
    return element.text.strip() if element is not None else ""
