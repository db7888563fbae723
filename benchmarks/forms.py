"""Reading 20 MB in each form that contains or answers MQSC, in one process: bytes a second to those of the plainest
parser of the form, and to those of the same commands as a plain script; and redacting a script.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
from collections.abc import Callable

import yaml
from generate import queue_manager_dump
from measure import ROOT, say

sys.path.insert(0, str(ROOT))
from lintmdb.exports.mq import read_mqsc, read_scripts
from lintmdb.redact.pseudonyms import Pseudonyms
from lintmdb.redact.scripts import redact_script
from tests.support.display_text import transcript

BYTES = 6_000_000
RUNS = 5
MANIFESTS = 4_000


def main() -> None:
    """Measure a transcript, a ConfigMap, and a shell script with the commands of one queue manager, and a folder of
    manifests of which few have commands.
    """
    script = _script()
    manifest = _manifest(script)
    shell = f"#!/bin/sh\nrunmqsc QM1 <<'EOF'\n{script}EOF\n"
    shown = transcript(read_mqsc(script.encode(), "QM1.mqsc"))
    gc.disable()
    plain = _rate(script, lambda data: read_mqsc(data, "QM1.mqsc"))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    forms: list[tuple[str, str, Callable[[bytes], object], str]] = [
        ("transcript", shown, lambda data: data.decode().split("\n"), "a line split"),
        ("kubernetes", manifest, lambda data: yaml.load(data, loader), "the C loader of YAML"),
        ("shell", shell, lambda data: data.decode().split("\n"), "a line split"),
    ]
    for name, text, plainest, what in forms:
        rate = _rate(text, lambda data, name=name: read_scripts(name, data, "x"))  # type: ignore[arg-type]
        print(f"{name}, {len(text) / 1e6:.0f} MB, {rate / 1e6:.1f} MB/s")
        say(f"  bytes a second to those of {what}", rate / _rate(text, plainest), "at least 0.5")
        say("  bytes a second to those of the same commands as a script", rate / plain, "no goal")
    manifests = _manifests()
    rate = _rate(manifests, lambda data: read_scripts("kubernetes", data, "x"))
    floor = _rate(manifests, lambda data: list(yaml.load_all(data, loader)))
    say("manifests of which 1 in 20 has MQSC, bytes a second to those of the C loader", rate / floor, "at least 0.5")
    rate = _rate(script, lambda data: redact_script(data.decode(), Pseudonyms()))
    say("redacting a script, bytes a second to those of reading it", rate / plain, "no goal")


def _rate(text: str, read: Callable[[bytes], object]) -> float:
    """Bytes a second, the median of some runs."""
    data = text.encode()
    times: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        read(data)
        times.append(time.perf_counter() - start)
    return len(data) / statistics.median(times)


def _script() -> str:
    pieces: list[str] = []
    size = 0
    for piece in queue_manager_dump([f"APP{n:06}.ORDERS" for n in range(BYTES // 2500)], random.Random(1)):
        pieces.append(piece)
        size += len(piece)
        if size >= BYTES:
            break
    return "".join(pieces)


def _manifest(script: str) -> str:
    lines = "".join(f"    {line}\n" for line in script.splitlines())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: orders\ndata:\n  queues.mqsc: |\n{lines}"


def _manifests() -> str:
    """What a folder of an application holds, as one file."""
    documents: list[str] = []
    for number in range(MANIFESTS):
        documents.append(_DEPLOYMENT.format(number))
        if number % 20 == 0:
            documents.append(_manifest(f"DEFINE QLOCAL(APP{number}.IN) BOTHRESH(3) BOQNAME(APP{number}.BO)\n"))
    return "---\n".join(documents)


_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app{0}
  labels: {{app: app{0}, tier: back}}
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: main
          image: registry.example.net/shop/app:1.2.{0}
          env:
            - name: QMGR
              value: QM1
            - name: JAVA_OPTS
              value: "-Xmx512m"
          resources: {{limits: {{cpu: "1", memory: 1Gi}}}}
"""


if __name__ == "__main__":
    main()
