"""Classes of a real compiler, where there is one: they are read as those of the tests' own writer are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lintmdb.exports.was.bean_classes import FoundClass, may_declare_bean, read_bean_class
from lintmdb.exports.was.class_files import read_class

# The annotations as the specification lays them out, so that no Java EE library is needed.
SOURCES = {
    "{p}/ejb/ActivationConfigProperty": "public @interface ActivationConfigProperty "
    "{{ String propertyName(); String propertyValue(); }}",
    "{p}/ejb/MessageDriven": "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) "
    'public @interface MessageDriven {{ String name() default ""; '
    "ActivationConfigProperty[] activationConfig() default {{}};"
    " Class<?> messageListenerInterface() default Object.class; }}",
    "{p}/ejb/TransactionAttributeType": "public enum TransactionAttributeType {{ REQUIRED, NOT_SUPPORTED }}",
    "{p}/ejb/TransactionAttribute": "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) "
    "public @interface TransactionAttribute "
    "{{ TransactionAttributeType value() default TransactionAttributeType.REQUIRED; }}",
    "{p}/ejb/TransactionManagementType": "public enum TransactionManagementType {{ CONTAINER, BEAN }}",
    "{p}/ejb/TransactionManagement": "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) "
    "public @interface TransactionManagement "
    "{{ TransactionManagementType value() default TransactionManagementType.CONTAINER; }}",
    "{p}/jms/Message": "public interface Message {{}}",
    "{p}/jms/MessageListener": "public interface MessageListener {{ void onMessage(Message message); }}",
    "shop/Base": "import {p}.ejb.*; public abstract class Base<T> implements {p}.jms.MessageListener {{"
    " static final long SERIAL = 123456789012L; double rate = 1.5; protected abstract T convert(Object o);"
    " @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)"
    " public void onMessage({p}.jms.Message m) {{ Runnable r = () -> System.out.println(convert(m)); r.run(); }} }}",
    "shop/OrderBean": "import {p}.ejb.*; @Deprecated @MessageDriven(name = \"Bestellung\\u00e4\","
    " messageListenerInterface = {p}.jms.MessageListener.class, activationConfig = {{"
    ' @ActivationConfigProperty(propertyName = "destination", propertyValue = "jms/q"),'
    ' @ActivationConfigProperty(propertyName = "maxPoolDepth", propertyValue = "" + 3) }})'
    " @TransactionManagement(TransactionManagementType.CONTAINER) public class OrderBean extends Base<String>"
    " {{ protected String convert(Object o) {{ return text(o); }} String text(Object o) {{ return \"\" + o; }} }}",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="no Java compiler is here")
@pytest.mark.parametrize("package", ["javax", "jakarta"])
def test_compiled_beans(tmp_path: Path, package: str) -> None:
    """Generics, lambdas, constants of every kind and annotations of other types do not confuse the reader."""
    files: list[Path] = []
    for name, text in SOURCES.items():
        path = tmp_path / f"{name.format(p=package)}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        owner = ".".join(path.relative_to(tmp_path).parts[:-1])
        path.write_text(f"package {owner};\n{text.format(p=package)}\n", "utf-8")
        files.append(path)
    subprocess.run(["javac", "-proc:none", "-nowarn", "-d", tmp_path, *files], check=True, timeout=120)
    data = (tmp_path / "shop/OrderBean.class").read_bytes()
    assert may_declare_bean(data)
    assert not may_declare_bean((tmp_path / "shop/Base.class").read_bytes())

    def superclass(name: str) -> FoundClass | None:
        return FoundClass(read_class((tmp_path / f"{name}.class").read_bytes()), f"{name}.class")

    found = read_bean_class(FoundClass(read_class(data), "OrderBean.class"), superclass)
    assert (found.name, found.bean) == ("shop.OrderBean", "Bestellungä")
    assert {k: v.value for k, v in found.activation_config.items()} == {"destination": "jms/q", "maxPoolDepth": "3"}
    assert found.management is not None
    assert found.management.value == "Container"
    assert found.attribute is not None
    assert (found.attribute.value, found.attribute.origin.path) == ("NotSupported", "shop/Base.class")
