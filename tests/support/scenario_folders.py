"""Folders of the scenarios in fixtures/: whole ones are used in place, overlays are laid over copies of their bases."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Required, TypedDict, cast

from lintmdb.yaml_input import read_yaml
from tests.support.project import FIXTURES

OVERLAYS = FIXTURES / "overlays"


class Replacement(TypedDict):
    """A text that occurs once in a file, and what replaces it."""

    old: str
    new: str


class Differences(TypedDict, total=False):
    """The part of an overlay's expected.yaml that says how the scenario differs from its base."""

    base: Required[str]
    without: list[str]
    replace: dict[str, list[Replacement]]


def scenario_names() -> list[str]:
    """The names of all scenarios, sorted."""
    files = [*FIXTURES.glob("*/expected.yaml"), *OVERLAYS.glob("*/expected.yaml")]
    return sorted(file.parent.name for file in files)


@cache
def scenario_folder(name: str) -> Path:
    """The folder of a scenario with all its files. An overlay is written once per process, to a temporary folder."""
    overlay = OVERLAYS / name
    if not overlay.is_dir():
        return FIXTURES / name
    target = Path(_written().name) / name
    base = scenario_folder(read_differences(overlay)["base"])
    write_scenario(base, overlay, target)
    return target


@cache
def read_differences(overlay: Path) -> Differences:
    """How an overlay differs from its base, apart from the files in its folder."""
    return cast(Differences, read_yaml(overlay / "expected.yaml")[0])


def write_scenario(base: Path, overlay: Path, target: Path) -> None:
    """Copy the base, then apply what the overlay removes, replaces and adds. Raises ValueError where the base does not
    have what the overlay removes or replaces.
    """
    differences = read_differences(overlay)
    shutil.copytree(base, target)
    for path in differences.get("without", []):
        (target / path).unlink()
    for path, replacements in differences.get("replace", {}).items():
        file = target / path
        file.write_bytes(_replaced(file.read_bytes(), replacements, f"{overlay.name}: {path}"))
    shutil.copytree(overlay, target, dirs_exist_ok=True)


def _replaced(content: bytes, replacements: list[Replacement], where: str) -> bytes:
    for replacement in replacements:
        old, new = replacement["old"].encode(), replacement["new"].encode()
        if (count := content.count(old)) != 1:
            raise ValueError(f"{where} has {count} times {replacement['old']!r}, an overlay replaces what occurs once")
        content = content.replace(old, new)
    return content


@cache
def _written() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="scenarios-")
