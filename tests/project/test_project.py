"""The project itself: locks, addresses, versions."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lintmdb.version import __version__
from tests.support.picture_file import MOST_BYTES, PICTURE
from tests.support.project import ROOT

# Spelt in pieces, so that this file does not name what it looks for.
HOSTS = re.compile("python" + "hosted|" + r"pypi\." + "org|registry" + r"\.npmjs|deb\." + "debian")


def _tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def test_no_registry_host_in_any_file() -> None:
    """No tracked file names the host of a package registry."""
    files = _tracked()
    assert len(files) > 100
    assert [f for f in files if HOSTS.search(f.read_text("utf-8", "replace"))] == []


def test_locks_have_hashes() -> None:
    """Every locked package is pinned and has a hash."""
    locks = sorted(ROOT.glob("*.lock"))
    assert len(locks) == 5
    for lock in locks:
        text = lock.read_text("utf-8")
        packages = re.findall(r"^[a-z0-9][^ \n]*==[^\n]*(?:\n    --hash=[^\n]*)+", text, re.MULTILINE)
        assert len(packages) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)) > 5


def test_version_comes_from_one_place() -> None:
    """pyproject.toml holds no version of its own."""
    text = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in text
    assert __version__ not in re.findall(r'^version = "(.*)"', text, re.MULTILINE)


def test_only_the_fleet_may_import_spark() -> None:
    """Nothing outside lintmdb/fleet imports pyspark."""
    offenders = [
        file
        for file in (ROOT / "lintmdb").rglob("*.py")
        if "fleet" not in file.parts and re.search(r"^\s*(?:import|from) pyspark", file.read_text(), re.MULTILINE)
    ]
    assert offenders == []


def test_nothing_below_the_reports_prints() -> None:
    """Readers, resolvers and the engine write to no stream."""
    offenders = [
        file
        for folder in ("exports", "resolve", "engine")
        for file in (ROOT / "lintmdb" / folder).rglob("*.py")
        if re.search(r"\bprint\(|sys\.std(?:out|err)", file.read_text())
    ]
    assert offenders == []


def _git(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_nothing_that_is_generated_is_tracked() -> None:
    """No tracked file is one that git is to ignore."""
    listed = _git("ls-files", "--cached", "--ignored", "--exclude-standard")
    assert (listed.returncode, listed.stdout) == (0, "")


def test_the_picture_of_the_readme_is_the_only_one_and_small() -> None:
    """``make picture`` draws the one tracked file that is made and cannot be compared; it has at most 200 KB."""
    pictures = [file for file in _tracked() if file.suffix in (".png", ".jpg", ".gif", ".svg", ".webp", ".pdf")]
    assert pictures == [PICTURE]
    assert PICTURE.read_bytes().startswith(b"\x89PNG")
    assert PICTURE.stat().st_size <= MOST_BYTES
    shown = re.findall(r"!\[[^\]]{40,}\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert shown == [PICTURE.relative_to(ROOT).as_posix()]
    assert "tests.support.picture" in (ROOT / "Makefile").read_text("utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "dist/lintmdb-1.0.tar.gz",  # python -m build
        "lintmdb/rules.json",  # the build hook
        "lintmdb/rules.version",
        "docs/rules.md",  # make docs
        "docs/rules/MDB101.md",
        "site/index.html",  # mkdocs build
        "out/audits/1/findings/part-0.parquet",  # the --out of the documented audits
        ".coverage",  # make coverage
        ".ruff_cache/0.17.5/1",  # make lint
        ".hypothesis/unicode_data/13.0.0/charmap.json.gz",  # make test
        "lintmdb/__pycache__/api.pyc",
        "tests/support/wsadmin/commands$py.class",  # Jython
    ],
)
def test_what_commands_write_is_ignored(path: str) -> None:
    """What make, a build and the documented commands leave in a checkout is not offered to git."""
    assert _git("check-ignore", "--quiet", "--no-index", path).returncode == 0
