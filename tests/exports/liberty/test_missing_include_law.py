"""A law: without a file that is included, no hazard of a server is clear, and nothing else is a hazard."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.scenario import Outcome
from tests.support.variant import Variant

SERVER = "liberty/servers/shop/server.xml"
INCLUDED = "liberty/servers/shop/prod.xml"
NAMES = ("id", "name", "jndiName", "location")
OTHER_VALUES = {
    "autoStart": "true",
    "channel": "OTHER.SVRCONN",
    "destinationRef": "loopIn",
    "exceptionDestination": "GONE",
    "failedDeliveryPolicy": "DISCARD",
    "maxConcurrency": "7",
    "maxPoolDepth": "9",
    "maxRedeliveryCount": "2",
    "maxSequentialDeliveryFailures": "1",
    "propogatedOrBMTTranLifetimeTimeout": "1s",
    "queueManager": "QM2",
    "totalTranLifetimeTimeout": "1s",
}
MORE = {
    "properties.wmqJms": {"nonASFTimeout": "110000", "messageSelector": "a = 1", "failIfQuiesce": "false"},
    "properties.wasJms": {"maxBatchSize": "3", "remoteServerAddress": "host:7276:BootstrapBasicMessaging"},
    "queue": {"sendAllowed": "false", "maintainStrictOrder": "true", "receiveAllowed": "false"},
    "transaction": {"clientInactivityTimeout": "1s"},
}


def _split(rng: random.Random, element: ET.Element) -> ET.Element | None:
    """Take some attributes of an element, or other values of them, for a copy in another file; None for none."""
    copy = ET.Element(element.tag, {name: element.attrib[name] for name in NAMES[:1] if name in element.attrib})
    for name in [name for name in element.attrib if name not in NAMES]:
        match rng.randrange(6):
            case 0:
                copy.set(name, element.attrib.pop(name))
            case 1 if name in OTHER_VALUES:
                copy.set(name, OTHER_VALUES[name])
            case _:
                pass
    for name, value in MORE.get(element.tag, {}).items():
        if rng.randrange(6) == 0:
            copy.set(name, value)
    for child in element:
        part = _split(rng, child) if child.get("id") or child.tag.startswith("properties") else None
        if part is not None:
            copy.append(part)
    return copy if len(copy) or set(copy.attrib) - set(NAMES) else None


def _verdicts(outcome: Outcome) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    hazard, clear = (
        {(rule, subject) for rule, subjects in found.items() for subject in subjects}
        for found in (outcome.hazard, outcome.clear)
    )
    return hazard, clear


@pytest.mark.parametrize("seed", range(12))
def test_a_missing_include_decides_nothing(tmp_path: Path, seed: int) -> None:
    """Wherever it stands, whatever it moves or changes, and whatever it does where both files have an element."""
    rng = random.Random(seed)
    variant = Variant(tmp_path, "liberty")
    tree = ET.parse(variant.folder / SERVER)
    root, included = tree.getroot(), ET.Element("server")
    for element in root:
        part = _split(rng, element) if element.get("id") or element.tag in ("transaction", "messagingEngine") else None
        if part is not None:
            included.append(part)
    if rng.randrange(2):
        included.append(ET.Element("variable", {"name": "burst.failures", "value": "-1"}))
    policy = rng.choice(({}, {"onConflict": "ignore"}, {"onConflict": "merge"}))
    root.insert(rng.randrange(len(root)), ET.Element("include", {"location": "prod.xml", **policy}))
    tree.write(variant.folder / SERVER, "utf-8")
    variant.write(INCLUDED, ET.tostring(included, "unicode"))
    whole = _verdicts(variant.run())
    (variant.folder / INCLUDED).unlink()
    lacking = _verdicts(variant.run())
    assert lacking[0] - whole[0] == set()
    assert lacking[1] & whole[0] == set()
