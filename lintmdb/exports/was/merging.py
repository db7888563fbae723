"""Puts together what the files of one application say: descriptors, bindings, extensions, and annotations.

Descriptors win over annotations, value by value (Enterprise JavaBeans 3.2, 13.3.7 and 16). Annotations do not count
where a descriptor is complete, and where WebSphere stored it merged with them.
"""

from __future__ import annotations

from collections.abc import Mapping

from lintmdb.exports.was.applications import Declared, Deployment, ModuleFiles
from lintmdb.exports.was.bean_classes import BeanClass
from lintmdb.exports.was.objects import Application, BeanBinding, MessageDrivenBean, Module, Settings
from lintmdb.model.origins import Origin, Setting


def build_application(
    name: str | None, deployment: Deployment | None, modules: Mapping[str, ModuleFiles], *, beans_unknown: bool = False
) -> Application:
    """Combine the files of all modules into one application.

    ``name`` and ``deployment`` are None for loose descriptors. With ``beans_unknown`` the descriptors that count were
    not read, and the application has no modules.
    """
    built = [
        _module(uri, files.counting(), deployment)
        for uri, files in sorted(modules.items())
        if files.has_beans and not beans_unknown
    ]
    origin = deployment.origin if deployment else built[0].origin if built else Origin("", 0, 0, "")
    return Application(name, tuple(built), deployment is not None, origin, beans_unknown)


def unread_classes(files: ModuleFiles, deployment: Deployment | None) -> bool:
    """Whether annotations may say something of the beans of a module that its descriptors leave open."""
    if deployment is not None and deployment.metadata_complete:
        return False
    counting = files.counting()
    if any(not bean.no_annotations for bean in counting.beans):
        return True
    names = {bean.name for bean in counting.beans}
    return bool(counting.by_name.keys() - names) and not _annotations_ignored(counting)


def _annotations_ignored(files: ModuleFiles) -> bool:
    return files.has_descriptor and files.complete


def _module(uri: str, files: ModuleFiles, deployment: Deployment | None) -> Module:
    complete = deployment is not None and deployment.metadata_complete
    classes = None if complete or _annotations_ignored(files) else files.classes
    by_class = {entry.name: entry for entry in classes or ()}
    beans: list[MessageDrivenBean] = []
    bound: set[str] = set()
    for bean in files.beans:
        found = files.by_name.get(bean.name) or files.by_id.get(bean.id)
        bound |= {bean.name, bean.id}
        annotated = None
        if not bean.no_annotations:
            annotated = by_class.get(bean.class_name) or _named(classes, bean.name)
        timeout = files.timeout_by_name.get(bean.name) or files.timeout_by_id.get(bean.id)
        beans.append(_declared_bean(bean, annotated, found[0] if found else None, timeout, complete=complete))
    for entry in classes or ():
        if entry.bean is not None and entry.bean not in bound and entry.name not in {b.class_name for b in files.beans}:
            bound.add(entry.bean)
            found = files.by_name.get(entry.bean)
            timeout = files.timeout_by_name.get(entry.bean)
            beans.append(_annotated_bean(entry, entry.bean, found[0] if found else None, timeout))
    # Of beans that appear only in a binding file nothing else is known, unless it is that there is no such bean.
    unread = not complete and classes is None and not _annotations_ignored(files)
    for name, (binding, origin) in sorted({**files.by_id, **files.by_name}.items()):
        if name not in bound:
            timeout = files.timeout_by_name.get(name) or files.timeout_by_id.get(name)
            beans.append(MessageDrivenBean(name, binding, None, complete, {}, timeout, None, complete, origin, unread))
    targets = deployment.modules.get(uri, ()) if deployment else ()
    by_hand = deployment.started_by_hand.get(uri, {}) if deployment else {}
    origin = files.origin or (beans[0].origin if beans else Origin("", 0, 0, ""))
    return Module(
        uri,
        tuple(beans),
        targets,
        origin,
        by_hand,
        has_binding_file=files.has_binding_file,
        own_name=files.own_name,
        path=files.uri,
        destinations=files.destinations,
    )


def _named(classes: list[BeanClass] | None, bean: str) -> BeanClass | None:
    return next((entry for entry in classes or () if entry.bean == bean), None)


def _declared_bean(
    bean: Declared, annotated: BeanClass | None, binding: BeanBinding | None, timeout: Setting | None, *, complete: bool
) -> MessageDrivenBean:
    """A bean that ejb-jar.xml declares, with what the annotations of its class add."""
    alone = bean.no_annotations or complete
    config: Settings = (
        {**annotated.activation_config, **bean.activation_config} if annotated else bean.activation_config
    )
    management = bean.management or (annotated.management if annotated else None)
    attribute, known = bean.attribute, alone
    if annotated is not None:
        attribute, known = attribute or annotated.attribute, annotated.attribute_known
    bean_managed = management is not None and management.value == "Bean"
    # Without its annotations a bean may still be bean-managed, whatever attribute its descriptor gives onMessage.
    transaction = management if bean_managed else attribute
    return MessageDrivenBean(
        name=bean.name,
        binding=binding,
        transaction=transaction,
        transaction_default=transaction is None and known,
        activation_config=config,
        transaction_timeout_s=timeout,
        subscription_durability=bean.subscription_durability or config.get("subscriptionDurability"),
        no_annotations=alone or annotated is not None,
        origin=bean.origin,
        destination_link=bean.destination_link,
    )


def _annotated_bean(
    entry: BeanClass, name: str, binding: BeanBinding | None, timeout: Setting | None
) -> MessageDrivenBean:
    """A bean that only annotations declare."""
    bean_managed = entry.management is not None and entry.management.value == "Bean"
    transaction = entry.management if bean_managed else entry.attribute
    return MessageDrivenBean(
        name=name,
        binding=binding,
        transaction=transaction,
        transaction_default=transaction is None and entry.attribute_known,
        activation_config=entry.activation_config,
        transaction_timeout_s=timeout,
        subscription_durability=entry.activation_config.get("subscriptionDurability"),
        no_annotations=True,
        origin=entry.origin._replace(text=f"message-driven bean {name}"),
    )
