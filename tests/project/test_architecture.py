"""The direction of imports: each package imports only what stands below it, deferred imports included."""

from __future__ import annotations

import ast
import re

from tests.support.import_graph import LAYERS, diagram, imports, layer_of, modules, part_of
from tests.support.project import ROOT

MAY_DEFER = {
    "__init__": "the package answers for its version without the API",
    "__main__": "--version imports nothing else",
    "api": "importing the package costs nothing until somebody judges",
    "cli": "a command imports what it needs when it runs",
    "fleet/__init__": "the package can be imported without Spark",
    "fleet/audit": "one machine judges without Spark",
    "fleet/session": "whether Spark is installed is found out here",
    "fleet/progress": "only a terminal gets a bar",
    "exports/mq/yaml_nodes": "most exports hold no YAML",
    "report/difference_formats": "only the formats that are asked for are imported",
    "report/formats": "only the formats that are asked for are imported",
    "resolve/observations": "observations in lintmdb.toml need no YAML",
    "rules/loading": "a wheel's rules are JSON and need no YAML",
    "run/config/file": "most runs have no configuration file",
    "schema_check": "only users' own files are checked against a schema",
}
"""Modules, or packages, that import inside functions, and why."""


def test_every_package_has_a_layer() -> None:
    """A new package stands nowhere until somebody says where."""
    assert {part_of(name) for name in modules()} == {name for names in LAYERS for name in names}


def test_imports_point_down() -> None:
    """No module imports from a package above its own, or beside it."""
    wrong = [
        f"{module} imports {found}"
        for module, targets in imports().items()
        for found in targets
        if part_of(module) != part_of(found) and layer_of(found) >= layer_of(module)
    ]
    assert sorted(wrong) == []


def test_no_module_imports_itself_through_others() -> None:
    """There is no circle between modules, not even one that a deferred import hides."""
    graph = imports()
    done: set[str] = set()
    circles: list[str] = []

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            circles.append(" -> ".join((*path[path.index(module) :], module)))
        elif module not in done:
            for found in sorted(graph[module]):
                visit(found, (*path, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())
    assert circles == []


def test_imports_are_deferred_only_for_start_up() -> None:
    """An import inside a function is there because a command starts faster without it, and nowhere else."""
    deferring: set[str] = set()
    for name, file in modules().items():
        tree = ast.parse(file.read_text("utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        if any(isinstance(node, ast.Import | ast.ImportFrom) for function in functions for node in ast.walk(function)):
            place = name.partition(".")[2].replace(".", "/")
            deferring.add(place if place in MAY_DEFER else part_of(name) if part_of(name) in MAY_DEFER else place)
    assert deferring == set(MAY_DEFER)


def test_only_the_command_line_knows_typer() -> None:
    """Libraries raise errors and return results; what a terminal does with them is for cli alone."""
    users = {
        part_of(name)
        for name, file in modules().items()
        if re.search(r"^\s*(?:import|from) typer\b", file.read_text("utf-8"), re.MULTILINE)
    }
    assert users == {"cli"}


def test_the_diagram_shows_the_imports() -> None:
    """The picture in docs/architecture.md is the one that ``make diagram`` draws."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert f"```mermaid\n{diagram()}\n```" in page
