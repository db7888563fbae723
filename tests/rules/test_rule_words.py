"""The texts of the built-in rules are sentences that an administrator would say."""

from __future__ import annotations

import re

import pytest

from lintmdb.rules.loading import load_rules
from lintmdb.rules.rule import Rule

RULES = load_rules()
STRANGE = (
    "give me",
    "is told",
    "are told",
    "be told",
    "lets go of",
    "at that",
    "for want of",
    "goes round",
    "takes the way of",
    "anew",
    "stands beside",
    "there where",
    "should be",
    "!",
)
"""Turns of phrase that are not idiomatic, or that blame the reader."""


def _texts(rule: Rule) -> list[str]:
    because = rule.predicts.because if rule.predicts is not None else ""
    return [rule.title, rule.message, rule.why, rule.advice, rule.exceptions, because]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_message_says_what_is_and_what_happens(rule: Rule) -> None:
    """``<object> <what is>, so <what happens>``: a comma alone joins no two statements."""
    if rule.message.endswith("{problem.text}"):
        return
    cause, joint, effect = rule.message.partition(", so ")
    assert joint, rule.message
    assert cause[0].isupper() or cause.startswith(("{", "onMessage")), rule.message
    assert ", so " not in effect, rule.message
    assert not rule.message.endswith("."), rule.message


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_speaks_plainly(rule: Rule) -> None:
    """No phrase that a native speaker would stumble over, and every paragraph is a sentence."""
    for text in _texts(rule):
        plain = " ".join(text.split()).lower()
        for phrase in STRANGE:
            assert not re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", plain), (phrase, text)
    for text in (rule.why, rule.exceptions, rule.advice):
        assert not text or text.strip()[-1] in ".)", text
