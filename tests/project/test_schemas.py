"""The JSON Schemas: each is valid, has an address, and says what the code and the fixtures say."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, Required, get_origin, get_type_hints

import jsonschema
import pytest
import yaml

from lintmdb import schemas
from lintmdb.addresses import DOCUMENTATION
from lintmdb.resolve.observations import BeanEntry, EndpointEntry, ObservationsEntry
from lintmdb.rules.loading import RuleEntry
from lintmdb.rules.predictions import PredictionDocument
from lintmdb.run.config.settings import IdentityEntry, PlanEntry, SuppressionEntry, Values
from lintmdb.yaml_input import parse_yaml
from tests.support.command import Run
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario import RULES


def _schema(name: str) -> dict[str, Any]:
    return json.loads(schemas.read_schema(name))


def _validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(_schema(name))


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_each_is_a_schema_with_an_address(name: str) -> None:
    """It fits the schema of schemas, and its $id is where the documentation's site has it."""
    schema = _schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{DOCUMENTATION}schemas/{schemas.SCHEMAS[name].name}"
    assert schema["title"]


def test_every_schema_is_listed() -> None:
    """No schema of the package is left out."""
    assert set(schemas.SCHEMAS.values()) == set((ROOT / "lintmdb").rglob("*.schema.json"))


@pytest.mark.parametrize(
    ("name", "place", "kind"),
    [
        ("config", (), Values),
        ("config", ("suppressions", "items"), SuppressionEntry),
        ("config", ("identities", "items"), IdentityEntry),
        ("config", ("plan",), PlanEntry),
        ("observations", (), ObservationsEntry),
        ("observations", ("beans", "items"), BeanEntry),
        ("observations", ("endpoints", "items"), EndpointEntry),
        ("rule", (), RuleEntry),
        ("rule", ("predicts",), PredictionDocument),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_schema_and_code_know_the_same_keys(name: str, place: tuple[str, ...], kind: type) -> None:
    """What the code reads is what an editor completes, and what must be there is required."""
    schema = _schema(name)
    for key in place:
        schema = schema["properties"][key] if key != "items" else schema["items"]
    assert set(schema["properties"]) == set(get_type_hints(kind))
    if name == "rule" or place[-1:] == ("items",):
        assert set(schema["required"]) == set(_required(kind))


def _required(kind: type) -> Iterator[str]:
    """The keys that a TypedDict must have."""
    for key, hint in get_type_hints(kind, include_extras=True).items():
        origin = get_origin(hint)
        if origin is Required or (origin is not NotRequired and getattr(kind, "__total__", True)):
            yield key


@pytest.mark.parametrize("name", ["config", "rule", "observations"])
def test_an_editor_shows_what_a_key_means(name: str) -> None:
    """Every key at the top has a description, or is of a kind that its name says."""
    plain = {"beans", "endpoints"}
    bare = {key for key, entry in _schema(name)["properties"].items() if "description" not in entry}
    assert bare <= plain


def _configurations() -> Iterator[Path]:
    for folder in (FIXTURES, ROOT / "docs"):
        yield from folder.rglob("lintmdb.toml")


def test_configurations_fit() -> None:
    """Each lintmdb.toml of the project fits, and a misspelt key does not."""
    found = list(_configurations())
    assert found
    for file in found:
        document = json.loads(json.dumps(tomllib.loads(file.read_text("utf-8")), default=str))
        assert list(_validator("config").iter_errors(document)) == [], file
    assert list(_validator("config").iter_errors({"fail_on": "error"}))


def test_rules_fit() -> None:
    """Each rule of the project fits, and one without a message does not."""
    files = sorted((ROOT / "rules").glob("*/*.yaml"))
    assert len(files) == len(RULES)
    validator = _validator("rule")
    for file in files:
        document: Any = parse_yaml(file.read_text("utf-8"), str(file))[0]
        assert list(validator.iter_errors(document)) == [], file
        assert list(validator.iter_errors({key: entry for key, entry in document.items() if key != "message"}))


def test_observations_fit() -> None:
    """Each file of observations fits, and a misspelt key does not."""
    files = sorted(FIXTURES.rglob("observations.yaml"))
    assert files
    for file in files:
        assert list(_validator("observations").iter_errors(yaml.safe_load(file.read_text("utf-8")))) == [], file
    assert list(_validator("observations").iter_errors({"onMessage": "15s"}))


def test_the_catalogue_leads_to_the_schemas(tmp_path: Path) -> None:
    """What a site has is each schema under the name of its $id, and a catalogue of those that people edit."""
    schemas.write_schemas(tmp_path)
    catalogue = json.loads((tmp_path / "catalog.json").read_text("utf-8"))
    assert catalogue["version"] == 1
    for entry in catalogue["schemas"]:
        assert set(entry) == {"name", "description", "fileMatch", "url"}
        folder, _, name = entry["url"].rpartition("/")
        assert f"{folder}/" == f"{DOCUMENTATION}schemas/"
        assert json.loads((tmp_path / name).read_text("utf-8"))["$id"] == entry["url"]
    assert [match for entry in catalogue["schemas"] for match in entry["fileMatch"] if match == "lintmdb.toml"]


def test_the_command_prints_them(lintmdb: Run) -> None:
    """Who has no site has the command."""
    for name in schemas.SCHEMAS:
        result = lintmdb("config", "schema", name)
        assert (result.returncode, result.stdout) == (0, schemas.read_schema(name))


def test_the_documented_directives_name_the_schemas() -> None:
    """The comments by which editors find a schema have its address, and the file with one is read as before."""
    text = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    for name in ("config", "rule", "observations"):
        assert f"{DOCUMENTATION}schemas/{schemas.SCHEMAS[name].name}" in text
    assert "#:schema " in text
    assert "# yaml-language-server: $schema=" in text
