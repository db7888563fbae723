"""plan.json: it fits its schema, and tells of what only people can decide as the pages of a plan do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from shlex import quote
from typing import Any, cast

import jsonschema
import pytest
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from lintmdb.plan.document import merge_documents, plan_document
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.schemas import read_schema
from tests.support.command import Run
from tests.support.project import FIXTURES
from tests.support.scenario import scenario_evaluator
from tests.support.scenario_folders import scenario_names

_STOPPING = "stop-3-sessions-5-bothresh-5"


def _validator() -> Any:
    report = json.loads(read_schema("report"))
    resource: Any = DRAFT202012.create_resource(report)
    registry: Any = cast("Any", Registry)().with_resource(report["$id"], resource)
    return jsonschema.Draft202012Validator(json.loads(read_schema("plan")), registry=registry)


def _plan(name: str) -> Plan:
    return make_plan(scenario_evaluator(name), Policy(most_states=20))


@pytest.mark.parametrize("name", scenario_names())
def test_it_fits_its_schema_and_says_what_the_text_says(name: str) -> None:
    """Each choice of the owners is there with the changes that it is instead of, and the option that asks for it."""
    plan = _plan(name)
    document = plan_document(plan)
    assert list(_validator().iter_errors(json.loads(json.dumps(document)))) == []
    page = render_plan_markdown(plan)
    for choice in document["choices"]:
        assert f"if {choice['choose_if']}:" in page
        assert quote(choice["keep"]) in page
        assert all(number < len(document["changes"]) for number in choice["instead_of"])


def test_a_choice_is_what_its_option_plans(lintmdb: Run) -> None:
    """The changes of a choice are those of the plan that keeps what it names."""

    def planned(*options: str) -> Mapping[str, Any]:
        return json.loads(lintmdb("plan", FIXTURES / _STOPPING, "--format", "json", *options).stdout)

    plan = planned()
    (choice,) = plan["choices"]
    other = planned("--keep", choice["keep"])
    assert choice["instead_of"] == [0]
    assert [change["commands"] for change in other["changes"]] == [choice["changes"][0]["commands"]]
    assert other["choices"] == []


def test_plans_made_apart_keep_what_their_choices_are_instead_of() -> None:
    """The places among the changes of one plan are others among those of all plans."""
    one, other = plan_document(_plan("estate")), plan_document(_plan(_STOPPING))
    merged = merge_documents([one, other, other])
    assert one["changes"]
    told = [[merged["changes"][number]["place"] for number in choice["instead_of"]] for choice in merged["choices"]]
    places = len(one["choices"])
    assert told[places:] == [["C1"], ["C1"]]
    assert [choice["instead_of"] for choice in merged["choices"][places:]] == [
        [len(one["changes"])],
        [len(one["changes"]) + 1],
    ]
