"""What the distributions hold, and that the wheel works on its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.support.command import Run, clean_environment
from tests.support.project import FIXTURES, ROOT

pytestmark = pytest.mark.slow
SUFFIXES = {".py", ".json", ".sql", ".css", ".j2", ".typed", ".js", ".version", ".txt", ".sh", ".jcl"}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist of a clean checkout and the wheel that is built from it, as ``python -m build`` makes them."""
    folder = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("checkout")
    for name in _tracked():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def _tracked() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in listing.split("\0") if name and (ROOT / name).is_file())


def test_the_wheel_holds_the_package_and_its_rules(distributions: Path) -> None:
    """The wheel is the package as it is tracked, the rules as one file, their version, and its own metadata."""
    (wheel,) = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if ".dist-info/" not in name)
        about = sorted(name.partition(".dist-info/")[2] for name in archive.namelist() if ".dist-info/" in name)
    package = [name for name in _tracked() if name.startswith("lintmdb/")]
    assert names == sorted([*package, "lintmdb/rules.json", "lintmdb/rules.version"])
    assert {Path(name).suffix for name in names} <= SUFFIXES
    assert about == ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]


def test_the_sdist_holds_what_builds_and_tests_it(distributions: Path) -> None:
    """The sdist has the sources, the rules, the tests with their fixtures and the docs, all tracked, and no more."""
    (sdist,) = distributions.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = set(_tracked())
    assert names - tracked == {"PKG-INFO"}
    for folder in ("lintmdb/", "rules/", "tests/", "docs/", "fixtures/"):
        assert {name for name in tracked if name.startswith(folder)} <= names
    assert {"pyproject.toml", "hatch_build.py", "LICENSE", "README.md"} <= names


def test_nothing_is_left_beside_them(distributions: Path) -> None:
    """The build leaves the two distributions, and no file that it made on the way."""
    assert len(list(distributions.iterdir())) == 2


def test_the_wheel_works_without_the_fleet(distributions: Path, lintmdb: Run, tmp_path: Path) -> None:
    """Installed alone, without Spark, Arrow and pandas, it checks, explains, and knows its rules' version."""
    (wheel,) = distributions.glob("*.whl")
    site = tmp_path / "site"
    options = ["--no-deps", "--no-index", "--quiet", "--target", site]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, wheel], check=True, capture_output=True)
    program = (
        "import sys\n"
        "for name in ('pyspark', 'pyarrow', 'pandas'): sys.modules[name] = None\n"
        "from lintmdb.__main__ import main\n"
        "main()\n"
    )

    def run(*arguments: str | Path) -> str:
        command = [sys.executable, "-c", program, *arguments]
        environment = {**clean_environment(), "PYTHONPATH": str(site)}
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
        assert result.stderr == ""
        return result.stdout

    assert "MDB104 A backout queue is named but never used" in run("check", FIXTURES / "backout-inert")
    assert run("explain", "MDB302") == lintmdb("explain", "MDB302").stdout
    assert run("--version") == lintmdb("--version").stdout
    assert run("completion", "bash") == lintmdb("completion", "bash").stdout
