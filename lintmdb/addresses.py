"""Where the project is on the web: every address in a report or a package comes from here.

``example`` stands for whoever publishes lintmdb. A publisher sets OWNER, and tests say which other files name it.
"""

from __future__ import annotations

OWNER = "example"
REPOSITORY = f"https://github.com/{OWNER}/lintmdb"
DOCUMENTATION = f"https://{OWNER}.github.io/lintmdb/"
"""The site that the release workflow publishes from docs/."""
GLOSSARY = f"{DOCUMENTATION}glossary/"
"""The terms of WebSphere, IBM MQ and lintmdb; each is a heading, as in ``#poison-message``."""


def rule_address(rule: str) -> str:
    """The page of a built-in rule."""
    return f"{DOCUMENTATION}rules/{rule}/"


def schema_address(name: str) -> str:
    """The ``$id`` of a JSON schema."""
    return f"{DOCUMENTATION}schemas/{name}"
