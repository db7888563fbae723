"""A redacted application keeps its descriptors and what annotations say, and nothing else."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from lintmdb.exports.was.class_files import read_class
from lintmdb.redact import redact_exports
from lintmdb.redact.applications import redact_application
from lintmdb.redact.pseudonyms import Pseudonyms
from tests.exports.was.test_application_files import annotated, ear, order_bean, verdicts
from tests.support.java_classes import archive, attribute, java_class, message_driven
from tests.support.scenario import run_scenario

_CLASS = "net/example/orderbean/OrderBean"


def _bean() -> tuple[str, bytes]:
    note = message_driven(hostName="mq.bank.example", password="s3cret", destination="jms/q/Orders")
    return _CLASS, java_class(_CLASS, note, attribute("NOT_SUPPORTED"), ballast=b"api key s3cret of bank")


def test_a_redacted_application_has_the_same_verdicts(tmp_path: Path) -> None:
    """The classes of beans and those that they inherit from are there as skeletons."""
    jars = {
        "lib/base.jar": archive({"lib/Base.class": java_class("lib/Base", attribute("NOT_SUPPORTED"))}),
        "lib/other.jar": archive({"x/Secret.class": java_class("x/Secret", ballast=b"s3cret")}),
    }
    variant = annotated(tmp_path, ear(order_bean(methods=(), superclass="lib/Base"), **jars))
    copied = redact_exports([variant.folder], tmp_path / "copy")
    assert not copied.refused
    after = run_scenario(tmp_path / "copy" / variant.folder.name)
    assert verdicts(after) == verdicts(run_scenario(variant.folder))
    assert [row.transaction for row in after.estate.facts.rows["bean"]] == ["not_supported"]


def test_libraries_that_differ_still_do(tmp_path: Path) -> None:
    """Two classes of one name with the same skeleton: which one counts is as unknown as before."""
    jars = {
        f"lib/{name}.jar": archive({"lib/Base.class": java_class("lib/Base", ballast=name.encode())}) for name in "ab"
    }
    variant = annotated(tmp_path, ear(order_bean(methods=(), superclass="lib/Base"), **jars))
    redact_exports([variant.folder], tmp_path / "copy")
    after = run_scenario(tmp_path / "copy" / variant.folder.name)
    assert verdicts(after) == verdicts(run_scenario(variant.folder))


def test_what_is_left_of_a_class() -> None:
    """Its name, its annotations without secrets, and no constant of its code; other members are gone."""
    data = ear(_bean(), **{"secrets.properties": "password=s3cret", "META-INF/MANIFEST.MF": "Built-By: carol\n"})
    copy = redact_application(data, "Orders.ear", Pseudonyms())
    with zipfile.ZipFile(io.BytesIO(copy)) as outer:
        assert outer.namelist() == ["META-INF/application.xml", "orders.jar", "META-INF/MANIFEST.MF"]
        assert b"carol" not in outer.read("META-INF/MANIFEST.MF")
        with zipfile.ZipFile(io.BytesIO(outer.read("orders.jar"))) as module:
            (name,) = module.namelist()
            skeleton = module.read(name)
    assert b"s3cret" not in skeleton
    assert b"bank" not in skeleton
    assert b"jms/q/Orders" in skeleton
    found = read_class(skeleton)
    assert (found.name, found.superclass) == (_CLASS, "java/lang/Object")
    assert [note.type for note in found.annotations] == ["javax/ejb/MessageDriven", "javax/ejb/TransactionAttribute"]
