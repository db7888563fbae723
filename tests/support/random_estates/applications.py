"""Random applications: deployment.xml, ejb-jar.xml and binding files of either generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.random_estates.blocks import Block
from tests.support.random_estates.draw import Draw
from tests.support.random_estates.elements import (
    Identifiers,
    document,
    element,
    fixed,
    plain_document,
    text_element,
)


@dataclass(frozen=True, slots=True)
class Bean:
    """A message-driven bean and what its binding names; both blank where there is no binding."""

    name: str
    port: str = ""
    spec: str = ""


@dataclass(frozen=True, slots=True)
class Application:
    """An application with one module."""

    name: str
    target: str
    servers: Sequence[tuple[str, str]]
    """Nodes and names."""
    clustered: bool
    beans: tuple[Bean, ...]


_MODULE = "beans.jar"


def application_files(draw: Draw, ids: Identifiers, application: Application) -> dict[str, Block]:
    """The files of an application by path."""
    folder = f"applications/{application.name}.ear/deployments/{application.name}/"
    inner = f"{folder}{_MODULE}/META-INF/"
    old = draw.chance(0.25)
    declared = [bean for bean in application.beans if old or not draw.chance(0.2)]
    files = {f"{folder}deployment.xml": _deployment(draw, ids, application)}
    if declared:
        files[f"{inner}ejb-jar.xml"] = _ejb_jar(draw, declared, old=old)
    if old != draw.chance(0.05):
        files[f"{inner}ibm-ejb-jar-bnd.xmi"] = _old_binding(draw, ids, application.beans)
    else:
        files[f"{inner}ibm-ejb-jar-bnd.xml"] = _binding(draw, application.beans)
    if draw.chance(0.12) and not old:
        files[f"{inner}ibm-ejb-jar-ext.xml"] = _extension(draw, application.beans)
    return files


def _deployment(draw: Draw, ids: Identifiers, application: Application) -> Block:
    enabled = draw.weighted({"true": 12, "false": 1})

    def mapping() -> Block:
        identity = ids.next("DeploymentTargetMapping")
        return element("targetMappings", {"xmi:id": identity, "enable": enabled, "target": "Target_1"})

    module = element(
        "modules",
        {"xmi:type": "appdeployment:EJBModuleDeployment", "xmi:id": ids.next("EJBModuleDeployment"), "uri": _MODULE},
        [mapping()],
    )
    complete = element("properties", {"xmi:id": ids.next("P"), "name": "metadata.complete", "value": "true"})
    deployed = element(
        "deployedObject",
        {
            "xmi:type": "appdeployment:ApplicationDeployment",
            "xmi:id": ids.next("ApplicationDeployment"),
            "startingWeight": "1",
            "useMetadataFromBinaries": draw.weighted({None: 20, "false": 5, "true": 1}),
        },
        [mapping(), module, *([complete] if draw.chance(0.3) else [])],
    )
    kind = "Clustered" if application.clustered else "Server"
    node = None if application.clustered else application.servers[0][0]
    target = element(
        "deploymentTargets",
        {
            "xmi:type": f"appdeployment:{kind}Target",
            "xmi:id": "Target_1",
            "name": application.target,
            "nodeName": node,
        },
    )
    return document("appdeployment:Deployment", {"xmi:id": "Deployment_1"}, ("appdeployment",), [deployed, target])


def _ejb_jar(draw: Draw, beans: Sequence[Bean], *, old: bool) -> Block:
    described = [_described(draw, bean, old=old) for bean in beans]
    transactions = [
        fixed(
            "container-transaction",
            [
                fixed("method", [text_element("ejb-name", bean.name), text_element("method-name", "onMessage")]),
                text_element("trans-attribute", draw.weighted({"Required": 5, "NotSupported": 1})),
            ],
        )
        for bean in beans
        if draw.chance(0.8)
    ]
    assembly = [element("assembly-descriptor", {}, transactions)] if transactions else []
    attributes: dict[str, str | None] = {
        "id": "ejb-jar_ID",
        "xmlns": "http://java.sun.com/xml/ns/j2ee" if old else "http://java.sun.com/xml/ns/javaee",
        "version": "2.1" if old else "3.1",
        "metadata-complete": draw.weighted({None: 1, "true": 2}) if not old else None,
    }
    return plain_document("ejb-jar", attributes, [element("enterprise-beans", {}, described), *assembly])


def _described(draw: Draw, bean: Bean, *, old: bool) -> Block:
    kind = draw.weighted({"Container": 8, "Bean": 1})
    parts = [text_element("ejb-name", bean.name), text_element("transaction-type", kind)]
    config = {
        "maxPoolDepth": draw.weighted({None: 12, "20": 1}),
        "destinationLookup": draw.weighted({None: 25, "jms/d/nowhere": 1}),
        "userName": draw.weighted({None: 25, "mqapp": 1}),
        "subscriptionDurability": draw.weighted({None: 12, "Durable": 1}),
    }
    found = [
        fixed(
            "activation-config-property",
            [
                text_element("activation-config-property-name", name),
                text_element("activation-config-property-value", v),
            ],
        )
        for name, v in config.items()
        if v is not None and bean.spec
    ]
    if found and not old:
        parts.append(element("activation-config", {}, found).text)
    return fixed("message-driven", parts, {"id": f"{bean.name}_ID"})


def _binding(draw: Draw, beans: Sequence[Bean]) -> Block:
    entries: list[Block] = []
    for bean in beans:
        if bean.port:
            inner = element("listener-port", {"name": bean.port})
        elif bean.spec:
            own = draw.weighted({None: 15, "jms/d/nowhere": 1})
            alias = draw.weighted({None: 12, "node/mqapp": 1})
            inner = element(
                "jca-adapter",
                {
                    "activation-spec-binding-name": bean.spec,
                    "destination-binding-name": own,
                    "activation-spec-auth-alias": alias,
                },
            )
        else:
            continue
        entries.append(element("message-driven", {"name": bean.name}, [inner]))
    return plain_document(
        "ejb-jar-bnd", {"xmlns": "http://websphere.ibm.com/xml/ns/javaee", "version": "1.1"}, entries or [""]
    )


def _old_binding(draw: Draw, ids: Identifiers, beans: Sequence[Bean]) -> Block:
    entries: list[Block] = []
    for bean in beans:
        attributes = {"listenerInputPortName": bean.port or None, "activationSpecJndiName": bean.spec or None}
        if bean.port or bean.spec:
            reference = element(
                "enterpriseBean", {"xmi:type": "ejb:MessageDriven", "href": f"META-INF/ejb-jar.xml#{bean.name}_ID"}
            )
            identity = {
                "xmi:type": "ejbbnd:MessageDrivenBeanBinding",
                "xmi:id": ids.next("MessageDrivenBeanBinding"),
                "activationSpecAuthAlias": draw.weighted({None: 12, "node/mqapp": 1}) if bean.spec else None,
            }
            entries.append(element("ejbBindings", {**identity, **attributes}, [reference]))
    names: dict[str, str | None] = {"xmlns:ejb": "ejb.xmi", "xmlns:ejbbnd": "ejbbnd.xmi"}
    return document("ejbbnd:EJBJarBinding", {**names, "xmi:id": "EJBJarBinding_1"}, (), entries or [""])


def _extension(draw: Draw, beans: Sequence[Bean]) -> Block:
    entries = [
        element(
            "message-driven",
            {"name": bean.name},
            [element("global-transaction", {"transaction-time-out": draw.weighted({"5": 1, "60": 2, "0": 1})})],
        )
        for bean in beans
    ]
    return plain_document("ejb-jar-ext", {"xmlns": "http://websphere.ibm.com/xml/ns/javaee", "version": "1.1"}, entries)
