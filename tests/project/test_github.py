"""The workflows, the image and the pages for contributors: what can be tried without running them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from lintmdb.addresses import DOCUMENTATION, OWNER, REPOSITORY
from tests.project.test_docs import links_that_lead_nowhere
from tests.support.project import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CONTAINER = (ROOT / "Containerfile").read_text("utf-8")
_PINNED = re.compile(r"\./|[\w-]+/[\w./-]+@(?:v\d+|release/v\d+|[0-9a-f]{40})")


def _read(file: Path) -> dict[str, Any]:
    return yaml.load(file.read_text("utf-8"), yaml.BaseLoader)  # "on" is a word here, and no truth


def _jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in WORKFLOWS:
        for name, job in _read(file)["jobs"].items():
            yield f"{file.name}: {name}", job


def _steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in _jobs():
        yield from ((name, step) for step in job["steps"])
    action = _read(ROOT / "action.yml")
    yield from (("action.yml", step) for step in action["runs"]["steps"])


def test_actions_are_pinned() -> None:
    """Each action is that of a major version or of a commit, or the repository's own."""
    used = [(name, step["uses"]) for name, step in _steps() if "uses" in step]
    assert len(used) > 15
    assert [entry for entry in used if not _PINNED.fullmatch(entry[1])] == []


def test_jobs_may_do_little() -> None:
    """A workflow may read; only jobs that publish may do more, and only the one that makes a release may write to the
    repository. Each ends after a while.
    """
    for file in WORKFLOWS:
        assert _read(file)["permissions"] == {"contents": "read"}, file.name
    rights = {name: job.get("permissions", {}) for name, job in _jobs()}
    assert {name.partition(":")[0] for name, granted in rights.items() if granted} == {"release.yml"}
    assert [name for name, granted in rights.items() if granted.get("contents") == "write"] == ["release.yml: notes"]
    assert all(0 < int(job["timeout-minutes"]) <= 90 for _, job in _jobs())
    checkouts = [step for _, step in _steps() if str(step.get("uses", "")).startswith("actions/checkout")]
    assert all(step["with"]["persist-credentials"] == "false" for step in checkouts)


def test_no_script_holds_an_expression() -> None:
    """What others may write, such as the name of a branch, reaches a script as a variable alone."""
    assert [name for name, step in _steps() if "${{" in step.get("run", "")] == []


def test_no_secret_is_kept() -> None:
    """Publishing is trusted by what the workflow is; the only secret is the one that every job is given."""
    text = "".join(file.read_text("utf-8") for file in WORKFLOWS)
    assert set(re.findall(r"secrets\.(\w+)", text)) == {"GITHUB_TOKEN"}
    publish = _read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]["publish"]
    assert (publish["environment"], publish["permissions"]) == ("release", {"id-token": "write"})


def test_the_versions_of_python_agree() -> None:
    """What CI tries is what the package says it runs on, the oldest included."""
    tried = _read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    told = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", name)]
    assert tried["python"] == told
    assert PROJECT["requires-python"] == f">={told[0]}"
    assert tried["os"] == ["ubuntu-latest", "windows-latest", "macos-latest"]
    assert f"python:{told[-1]}-slim" in CONTAINER


def test_workflows_pass_actionlint() -> None:
    """A workflow that a runner would refuse is found here."""
    actionlint = shutil.which("actionlint")
    if actionlint is None:
        pytest.skip("actionlint is not installed")
    result = subprocess.run([actionlint, "-no-color"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_notes_of_a_release_are_a_section_of_the_changelog(tmp_path: Path) -> None:
    """The workflow's script takes what is below the version's heading, and stops at the next."""
    bash = shutil.which("bash")
    if bash is None or shutil.which("awk") is None:
        pytest.skip("no bash, or no awk")
    step = _read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]["notes"]["steps"][-1]
    script = step["run"].replace("gh release create", "true")
    changelog = (
        "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.2.0] - 2027-01-01\n\n- second\n\n## [0.1.0]\n\n- first\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    (tmp_path / "dist").mkdir()
    run = [bash, "-euc", script]
    result = subprocess.run(run, cwd=tmp_path, env={"GITHUB_REF_NAME": "v0.2.0", "PATH": "/usr/bin:/bin"}, check=False)
    assert (result.returncode, (tmp_path / "notes.md").read_text().strip()) == (0, "- second")
    result = subprocess.run(run, cwd=tmp_path, env={"GITHUB_REF_NAME": "v0.3.0", "PATH": "/usr/bin:/bin"}, check=False)
    assert result.returncode == 1


def test_the_image_is_small_and_has_no_rights() -> None:
    """Only locked packages are installed, what is copied exists and is not ignored, and the command is no root's."""
    assert re.findall(r"^USER (.*)$", CONTAINER, re.MULTILINE) == ["10001:10001"]
    assert 'ENTRYPOINT ["lintmdb"]' in CONTAINER
    for line in re.findall(r"pip install (.*?)(?: \\)?$", CONTAINER, re.MULTILINE):
        assert "--require-hashes -r requirements" in line or "--no-index --no-deps" in line
    copied = [
        name for words in re.findall(r"^COPY (?!--)(.*)$", CONTAINER, re.MULTILINE) for name in words.split()[:-1]
    ]
    kept = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    assert sorted(copied) == sorted(kept)
    assert all((ROOT / name).exists() for name in copied)


@pytest.mark.parametrize("form", FORMS, ids=lambda file: file.stem)
def test_forms_are_forms(form: Path) -> None:
    """Each field has an id of its own and a label; an export is asked for without names."""
    document = _read(form)
    if form.stem == "config":
        assert all(set(link) == {"name", "url", "about"} for link in document["contact_links"])
        return
    assert {"name", "description", "body"} <= set(document)
    fields = [field for field in document["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    assert len(ids) == len(set(ids))
    assert all(field["attributes"]["label"] for field in fields)
    assert {field["type"] for field in document["body"]} <= {"markdown", "input", "textarea", "checkboxes", "dropdown"}
    if "export" in ids:
        (redacted,) = [field for field in fields if field["id"] == "redacted"]
        assert redacted["attributes"]["options"][0]["required"] == "true"
        assert "faq/#how-do-i-share-an-export-without-our-secrets" in form.read_text("utf-8")


def test_addresses_come_from_one_place() -> None:
    """Every file that names the project's address names that of lintmdb/addresses.py, and these are all such files."""
    urls = cast("dict[str, str]", PROJECT["urls"])
    assert (urls["Homepage"], urls["Documentation"]) == (REPOSITORY, DOCUMENTATION)
    assert all(url.startswith((REPOSITORY, DOCUMENTATION)) for url in urls.values())
    site = _read(ROOT / "mkdocs.yml")
    assert (site["site_url"], site["repo_url"]) == (DOCUMENTATION, REPOSITORY)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    address = re.compile(rf"{OWNER}\.github\.io|github\.com/{OWNER}/|uses: {OWNER}/lintmdb")
    naming = {name for name in listed if (ROOT / name).is_file() and address.search(_text(ROOT / name))}
    schemas = {name for name in naming if name.endswith(".schema.json")}
    assert naming - schemas == {
        ".github/ISSUE_TEMPLATE/config.yml",
        ".github/ISSUE_TEMPLATE/new-export.yml",
        ".github/ISSUE_TEMPLATE/wrong-verdict.yml",
        "docs/ci.md",
        "docs/configuration.md",
        "mkdocs.yml",
        "pyproject.toml",
        "tests/golden/all-families.html",
        "tests/golden/all-families.sarif",
    }


def _text(file: Path) -> str:
    return file.read_text("utf-8", "replace")


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_pages_for_contributors_lead_somewhere(name: str) -> None:
    """Each link has a target, and each file that is named in code is there."""
    page = ROOT / name
    assert links_that_lead_nowhere(page) == []
    for path in re.findall(r"`((?:lintmdb|tests|docs|fixtures|rules|\.github)/[\w./-]*)`", page.read_text("utf-8")):
        assert (ROOT / path).exists() or path.isupper() or re.search(r"[A-Z]{4}", path), path
