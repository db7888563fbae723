"""Reading a repository with EAR files of 20 MB: time against inflating what tells about beans, and peak memory."""

from __future__ import annotations

import random
import sys
import tempfile
import zipfile
from pathlib import Path

from measure import ROOT, interleaved, say

sys.path.insert(0, str(ROOT))
from tests.support.java_classes import archive, java_class, message_driven

EARS, CLASSES, ANNOTATED = 15, 300, 5
CLASS_BYTES, EAR_BYTES = 4_000, 20_000_000
READ = """\
import gc, pathlib, sys
from lintmdb.exports.discovery import discover
from lintmdb.exports.was import read_cells
gc.disable()
(cell,) = read_cells((found.path, found.read) for found in discover([sys.argv[1]]).files)
beans = [bean for application in cell.applications for module in application.modules for bean in module.beans]
assert len(beans) == int(sys.argv[2]) and all(bean.transaction_default for bean in beans), len(beans)
"""
# What no reader can do without: the central directories, and the bytes of each module's descriptors and classes. That a
# class is annotated is in its constants, which are compressed, so each class of a module has to be inflated.
INFLATE = """\
import io, pathlib, sys, zipfile, lintmdb.exports.discovery, lintmdb.exports.was
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.ear")):
    if path.is_file():
        with zipfile.ZipFile(path) as ear:
            module = zipfile.ZipFile(io.BytesIO(ear.read("beans.jar")))
            found = [name for name in module.namelist() if b"Ljavax/ejb/MessageDriven;" in module.read(name)]
            assert len(found) == int(sys.argv[2])
"""
BINDING = '<ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">{}</ejb-jar-bnd>'
BEAN = '<message-driven name="{}"><jca-adapter activation-spec-binding-name="jms/as/{}"/></message-driven>'
DEPLOYMENT = (
    '<appdeployment:Deployment xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI" '
    'xmlns:appdeployment="http://www.ibm.com/websphere/appserver/schemas/5.0/appdeployment.xmi">'
    '<deployedObject xmi:type="appdeployment:ApplicationDeployment">'
    '<modules xmi:type="appdeployment:EJBModuleDeployment" uri="beans.jar"/></deployedObject>'
    "</appdeployment:Deployment>"
)


def main() -> None:
    """Measure a repository in which each application has a few annotated beans among many classes and libraries."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "config"
        size = _write(folder / "cells" / "C1")
        read = [sys.executable, "-c", READ, folder, str(EARS * ANNOTATED)]
        inflate = [sys.executable, "-c", INFLATE, folder, str(ANNOTATED)]
        start = [sys.executable, "-c", "import zipfile, lintmdb.exports.discovery, lintmdb.exports.was"]
        (seconds, memory), (least, _), (nothing, _) = interleaved([read, inflate, start], 5)
        print(f"{EARS} EAR files, {size * EARS / 1e6:.0f} MB")
        say(
            "  time to inflating descriptors and classes",
            (seconds - nothing) / (least - nothing),
            "at most 1.5",
        )
        say("  peak memory to 8 times an EAR plus 60 MB", memory / (8 * size + 60e6), "at most 1")


def _write(cell: Path) -> int:
    """Write the repository; gives the bytes of one EAR."""
    randomness = random.Random(1)
    words = [f"net/example/{randomness.randbytes(4).hex()}/" for _ in range(400)]
    members: dict[str, bytes | str] = {}
    for number in range(CLASSES):
        text = "".join(randomness.choices(words, k=CLASS_BYTES // 20)).encode()
        own = [message_driven()] if number < ANNOTATED else []
        # A constant that nobody refers to stands for the code that a class has.
        members[f"shop/Bean{number}.class"] = java_class(f"shop/Bean{number}", *own, ballast=text)
    library = archive({"L.class": randomness.randbytes(EAR_BYTES // 4)}, zipfile.ZIP_STORED)
    ear = archive({"beans.jar": archive(members), **{f"lib/{n}.jar": library for n in range(4)}})
    beans = "".join(BEAN.format(f"Bean{number}", number) for number in range(ANNOTATED))
    for number in range(EARS):
        application = cell / "applications" / f"A{number}.ear"
        inner = application / "deployments" / f"A{number}" / "beans.jar" / "META-INF"
        inner.mkdir(parents=True)
        (inner / "ibm-ejb-jar-bnd.xml").write_text(BINDING.format(beans))
        (inner.parent.parent / "deployment.xml").write_text(DEPLOYMENT)
        (application / f"A{number}.ear").write_bytes(ear)
    return len(ear)


if __name__ == "__main__":
    main()
