"""The examples of rules as tests, and the starter of a new rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lintmdb.errors import LintmdbError
from lintmdb.rules.rule import Rule
from lintmdb.rules.verdicts import judge_example

VERDICT_WORDS = {0: "not applicable", 1: "clear", 2: "undecided", 3: "hazard"}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")

_STARTER = """\
id: SITE001
name: {name}
title: The backout threshold is higher than our standard
severity: warning
confidence: high
since: 0.1.0
subject: queue
when: endpoint.provider = 'wmq' AND endpoint.destination_type = 'queue'
hazard: queue.backout_threshold > 5
message: "{{queue.name}} moves a message only after {{queue.backout_threshold}} backouts, our standard is 5"
why: |
  Say who counts, who moves, and what goes wrong.
repairs:
  - set: {{queue.backout_threshold: 5}}
examples:
  shared: {{endpoint: {{provider: wmq, destination_type: queue}}}}
  hazard:
    six backouts: {{queue.backout_threshold: 6}}
  clear:
    five backouts: {{queue.backout_threshold: 5}}
  undecided:
    the queue manager was not exported: {{}}
"""


def wrong_examples(rule: Rule) -> Iterator[str]:
    """One line for each example whose verdict differs from the one that it is listed under."""
    for claimed, examples in rule.examples.items():
        for number, example in enumerate(examples, 1):
            verdict = VERDICT_WORDS[judge_example(rule, example)]
            if verdict != claimed:
                yield f"{rule.path}: example {number} under {claimed} ({example.name}) is {verdict}"


def starter_rule(name: str, folder: Path) -> Path:
    """Write a starter rule for a name. Raises LintmdbError where the name is not usable or the file exists."""
    if not _NAME.match(name):
        raise LintmdbError(f"{name!r} is not a rule name", next_step="Use lower-case words with dashes")
    file = folder / f"{name}.yaml"
    if file.exists():
        raise LintmdbError("exists already", path=str(file), next_step="Choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(_STARTER.format(name=name), "utf-8")
    except OSError as error:
        raise LintmdbError(f"cannot be written: {error.strerror}", path=str(file)) from error
    return file
