"""Reduction: the part of an estate that some flows meet, for judging changes to these flows alone.

What is left out is chosen by names, so a reduced estate may show a flow in another light: whoever uses one compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import replace

from lintmdb.engine.findings import FlowHead
from lintmdb.exports.mq import Command, MqscFile
from lintmdb.exports.was.objects import Application, CellConfig, Module
from lintmdb.plan.shape import find_names
from lintmdb.run.estate import UnresolvedEstate

_NUMBERED = re.compile(r"\.\d+\Z")
_QUEUES = frozenset(("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "QUEUE", "QCLUSTER"))


def reduce_exports(exports: UnresolvedEstate, heads: Iterable[FlowHead]) -> UnresolvedEstate:
    """The exports without queues, endpoints and beans that none of these flows names."""
    names = find_names(heads)
    # What made a name for a new queue A.BACKOUT.2 is that there is an A.BACKOUT.
    names |= {before for name in names if (before := _NUMBERED.sub("", name)) != name}
    return replace(
        exports,
        cells=[[_cell(cell, names) for cell in cells] for cells in exports.cells],
        groups=[
            replace(group, scripts=[_script(script, names) for script in group.scripts]) for group in exports.groups
        ],
    )


def _script(script: MqscFile, names: Set[str]) -> MqscFile:
    return replace(script, commands=[command for command in script.commands if _is_met(command, names)])


def _is_met(command: Command, names: Set[str]) -> bool:
    name = command.name
    if command.noun == "AUTHREC":
        of = {parameter.keyword: parameter.value or "" for parameter, _ in command.parameters}
        name = of.get("PROFILE", "") if of.get("OBJTYPE", "").upper() == "QUEUE" else ""
    elif command.noun not in _QUEUES:
        return True
    return not name or name in names or name.startswith("SYSTEM.") or "*" in name or "?" in name


def _cell(cell: CellConfig, names: Set[str]) -> CellConfig:
    return replace(
        cell,
        activation_specs=[spec for spec in cell.activation_specs if spec.name in names],
        applications=[_application(application, names) for application in cell.applications],
    )


def _application(application: Application, names: Set[str]) -> Application:
    return replace(application, modules=tuple([_module(module, names) for module in application.modules]))


def _module(module: Module, names: Set[str]) -> Module:
    return replace(module, beans=tuple([bean for bean in module.beans if bean.name in names]))
