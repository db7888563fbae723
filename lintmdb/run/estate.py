"""From the paths that a user names to the relations of the whole estate: discover, read, resolve, join what belongs
together.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import Discovery, Found, PassedOver, StandardInput, discover, shown_path
from lintmdb.exports.liberty import give_applications, read_liberty
from lintmdb.exports.mq import FormatName, MqscFile, read_mqsc, read_scripts
from lintmdb.exports.mq.client_table import ClientTable, read_client_table
from lintmdb.exports.mq.commands import is_export
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.kustomize import apply_kustomizations
from lintmdb.exports.was import read_cells
from lintmdb.exports.was.application_files import SUFFIXES
from lintmdb.exports.was.objects import CellConfig
from lintmdb.model.columns import Value
from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Export, Problem, QueueManager, Row
from lintmdb.resolve.mq.joined_managers import join_queue_managers, sharing_notices
from lintmdb.resolve.mq.queue_manager import resolve_queue_manager
from lintmdb.resolve.mq.queue_readers import observed_readers
from lintmdb.resolve.mq.script_checks import check_kept_script
from lintmdb.resolve.observations import Observations
from lintmdb.resolve.was.additions import with_additions
from lintmdb.resolve.was.cell import resolve_cell
from lintmdb.run.cell_versions import join_versions, row_values
from lintmdb.run.environments import NONE, Environments, put_in
from lintmdb.run.full_queues import full_queues
from lintmdb.run.join_notices import join_notices, kustomized_bases
from lintmdb.run.overlay import NOTHING, Overlay
from lintmdb.run.queue_status import ShownStatus, shown_status
from lintmdb.run.remote_queues import join_remote_queues, remote_queue_notices
from lintmdb.run.running_order import by_kind, running_order
from lintmdb.run.script_groups import ScriptGroup, group_scripts, is_phantom
from lintmdb.run.script_objects import count_objects
from lintmdb.run.script_versions import Contradiction, changes_of_scripts, contradictions, other_commands
from lintmdb.run.shared_changes import spread

Progress = Callable[[str, int, int], None]
"""Called with a path, the bytes read so far, and the bytes to read."""


@dataclass(frozen=True, slots=True)
class Input:
    """One file that was recognised and read."""

    path: str
    kind: str
    sha256: str | None
    """None where nobody asked for digests."""


class ExportKey(NamedTuple):
    """An export among all others: one file may feed several queue managers."""

    path: str
    name: str | None


def key_of_export(export: Export) -> ExportKey:
    """The key of an export."""
    return ExportKey(export.path, export.name)


@dataclass(slots=True)
class Estate:
    """All facts of a run, and what it rests on."""

    facts: Facts = field(default_factory=Facts)
    inputs: list[Input] = field(default_factory=list[Input])
    passed_over: list[PassedOver] = field(default_factory=list[PassedOver])
    unread: list[PassedOver] = field(default_factory=list[PassedOver])
    """Files and folders that the user named and that hold nothing to read, sorted by path; what could not be read is a
    problem.
    """
    objects: dict[ExportKey, dict[str, int]] = field(default_factory=dict[ExportKey, dict[str, int]])
    """How many objects of each kind an export holds."""
    script_objects: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """How many topic objects and authority records a script defines, by its path."""
    kept_scripts: frozenset[str] = frozenset()
    """The paths of scripts that people keep, which hold what is wanted; a dump or an answer holds what was there."""
    groups: Sequence[ScriptGroup] = field(default_factory=tuple[ScriptGroup, ...], repr=False)
    """The scripts of each queue manager, without changes; none where another process has read them."""
    cells: Sequence[Sequence[CellConfig]] = field(default_factory=tuple[Sequence[CellConfig], ...], repr=False)
    """The exports of each cell, without changes; none where another process has read them."""
    client_tables: dict[str, int] = field(default_factory=dict[str, int])
    """How many client channels a client channel definition table has, by its path."""
    exported_on: dict[str, str] = field(default_factory=dict[str, str])
    """The date in the newest dump of a queue manager, ``2026-03-06``, by ``key_of`` it; most exports have none."""
    queue_status: dict[tuple[str, str], ShownStatus] = field(
        default_factory=dict[tuple[str, str], ShownStatus], repr=False
    )
    """What was going on at a queue when it was exported, by ``key_of`` its queue manager and its name."""
    sources: dict[str, Callable[[], bytes]] = field(default_factory=dict[str, Callable[[], bytes]], repr=False)
    """Reads a file that was recognised again, by its path, for reports that need its text."""
    changed_by: frozenset[str] = frozenset()
    """The files whose changes are on top of the exports."""
    edited: frozenset[str] = frozenset()
    """The files with a content that no file of an earlier state has, where this one is compared with one."""


@dataclass(frozen=True, slots=True)
class UnresolvedEstate:
    """What was read below some paths, before anything is resolved."""

    paths: Sequence[Path | str]
    discovery: Discovery
    cells: Sequence[Sequence[CellConfig]]
    """The exports of each cell."""
    groups: Sequence[ScriptGroup]
    """The scripts of each queue manager."""
    problems: Sequence[Problem]
    unread: Sequence[PassedOver]
    """Named as scripts, and without a command."""
    inputs: Sequence[Input]
    client_tables: Sequence[ClientTable] = ()
    environments: Environments = NONE


class CellPart(NamedTuple):
    """What the exports of one cell come to."""

    facts: Facts
    objects: Mapping[ExportKey, dict[str, int]]
    """As in ``Estate``."""


class ManagerPart(NamedTuple):
    """What the scripts of one queue manager come to."""

    key: str
    """The queue manager among those of all environments, by ``key_of``."""
    facts: Facts
    objects: Mapping[ExportKey, dict[str, int]]
    """As in ``Estate``, as are the next two."""
    script_objects: Mapping[str, dict[str, int]]
    exported_on: str | None
    queue_status: Mapping[str, ShownStatus]
    """By queue."""


def read_estate(
    paths: Sequence[Path | str],
    observed: Observations,
    *,
    queue_managers: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    digests: bool = False,
    stdin: StandardInput | None = None,
    environments: Environments = NONE,
) -> Estate:
    """Read and resolve everything that is recognised below ``paths``; arguments and errors as in ``read_exports``."""
    exports = read_exports(
        paths,
        queue_managers=queue_managers,
        progress=progress,
        digests=digests,
        stdin=stdin,
        environments=environments,
    )
    return resolve_exports(exports, observed)


def read_exports(
    paths: Sequence[Path | str],
    *,
    queue_managers: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    digests: bool = False,
    stdin: StandardInput | None = None,
    environments: Environments = NONE,
) -> UnresolvedEstate:
    """Read everything that is recognised below ``paths``.

    ``queue_managers`` maps a path as given on the command line to the queue manager whose script it is; ``stdin``
    is what the path ``-`` stands for. The exports of each environment are read apart. Raises LintmdbError for a path
    that does not exist, or is in several environments; whatever cannot be read is a Problem.
    """
    discovery, named = find_exports(paths, queue_managers, stdin)
    return read_discovered(discovery, named, environments, paths=paths, progress=progress, digests=digests)


def find_exports(
    paths: Sequence[Path | str], queue_managers: Mapping[str, str] | None, stdin: StandardInput | None
) -> tuple[Discovery, Mapping[str, str]]:
    """What is recognised below ``paths``, and the queue managers of named scripts by shown path; arguments and errors
    as in ``read_exports``.
    """
    named = names_by_shown_path(queue_managers or {})
    if stdin is not None and "-" in (queue_managers or {}):
        named[stdin.shown] = named.pop("-")
    return discover([*paths, *(queue_managers or {})], stdin, named), named


def read_discovered(
    discovery: Discovery,
    named: Mapping[str, str],
    environments: Environments = NONE,
    *,
    paths: Sequence[Path | str] = (),
    progress: Progress | None = None,
    digests: bool = False,
    tls: bool = True,
) -> UnresolvedEstate:
    """Read what a search has found below ``paths``; ``named`` gives queue managers by shown path. Without ``tls`` no
    change can be judged on top of it. Raises LintmdbError for what is in several environments.
    """
    reader = Reader(progress, sum(found.size for found in discovery.files), digests, tls=tls)
    exports = UnresolvedEstate(paths, discovery, [], [], [], [], [], [], environments)
    for environment, files in by_environment(discovery.files, environments):
        reading = reader.read(files, environment)
        exports = replace(
            exports,
            cells=[*exports.cells, *cells_by_name(reading.cells).values()],
            groups=[*exports.groups, *group_scripts(reading.scripts, named, environment)],
            problems=[*exports.problems, *reading.problems],
            unread=[*exports.unread, *reading.unread],
            client_tables=[*exports.client_tables, *reading.client_tables],
        )
    return replace(exports, inputs=sorted(reader.inputs, key=lambda entry: entry.path))


def only_environment(exports: UnresolvedEstate, name: str) -> UnresolvedEstate:
    """The exports of one environment."""

    def own(path: str) -> bool:
        return exports.environments.of(path) == name

    found = exports.discovery
    return replace(
        exports,
        discovery=Discovery(
            [file for file in found.files if own(file.path)],
            [entry for entry in found.passed_over if own(entry.path)],
            [problem for problem in found.problems if own(problem.path)],
            [entry for entry in found.unread if own(entry.path)],
        ),
        cells=[cells for cells in exports.cells if cells[0].environment == name],
        groups=[group for group in exports.groups if group.environment == name],
        problems=[problem for problem in exports.problems if own(problem.path)],
        unread=[entry for entry in exports.unread if own(entry.path)],
        inputs=[entry for entry in exports.inputs if own(entry.path)],
    )


def by_environment(files: Sequence[Found], environments: Environments) -> Iterator[tuple[str | None, Sequence[Found]]]:
    """The files of each environment, those of none first. Raises LintmdbError."""
    if not environments:
        yield None, files
        return
    groups: dict[str | None, list[Found]] = {}
    for found in files:
        groups.setdefault(environments.of(found.path), []).append(found)
    yield from sorted(groups.items(), key=lambda group: group[0] or "")


def resolve_exports(exports: UnresolvedEstate, observed: Observations, overlay: Overlay = NOTHING) -> Estate:
    """The estate that exports make up, with the changes of an overlay on top."""
    overlay = spread(overlay, exports.groups)
    managers = (
        resolve_group(group, observed, overlay.scripts.get(key_of(group.environment, group.name), ()))
        for group in exports.groups
    )
    estate = assemble(exports, resolve_cells(exports, observed, overlay), managers, overlay.problems)
    estate.sources |= overlay.files
    estate.changed_by = frozenset(overlay.files)
    return estate


def resolve_cells(exports: UnresolvedEstate, observed: Observations, overlay: Overlay = NOTHING) -> Iterator[CellPart]:
    """The cells of some exports, with the changes of an overlay on top."""
    observed = replace(observed, client_tables=tuple(exports.client_tables))
    for group in exports.cells:
        facts = cell_facts([overlay.cell(cell) for cell in group], observed)
        yield CellPart(facts, {ExportKey(cell.root, cell.name): cell_objects(cell) for cell in group})


def resolve_group(group: ScriptGroup, observed: Observations, changes: Sequence[MqscFile] = ()) -> ManagerPart:
    """A queue manager, with the changes of some scripts on top."""
    facts = queue_manager_facts(group, observed, changes)
    counts = {path: count_objects(scripts) for path, scripts in _by_path(group.scripts).items()}
    (only,) = counts.values() if len(counts) == 1 else [count_objects(group.scripts)]
    return ManagerPart(
        key_of(group.environment, group.name),
        facts,
        queue_manager_objects(facts, only),
        counts,
        max((script.exported_on for script in group.scripts if script.exported_on), default=None),
        shown_status(group.scripts),
    )


def assemble(
    exports: UnresolvedEstate,
    cells: Iterable[CellPart],
    managers: Iterable[ManagerPart],
    refused: Iterable[Problem] = (),
) -> Estate:
    """The estate of what the cells and queue managers of some exports come to; ``refused`` are changes that cannot be
    made.
    """
    discovery = exports.discovery
    scripts = [script for group in exports.groups for script in group.scripts]
    estate = Estate(
        passed_over=sorted([*discovery.passed_over, *exports.unread]),
        unread=sorted([*discovery.unread, *exports.unread]),
        inputs=list(exports.inputs),
        sources={found.path: found.read for found in discovery.files},
        kept_scripts=frozenset(script.path for script in scripts if not is_export(script)),
        groups=exports.groups,
        cells=exports.cells,
        client_tables={table.path: len(table.channels) for table in exports.client_tables},
    )
    estate.facts.add(*discovery.problems)
    for cell in cells:
        estate.facts.extend(cell.facts)
        estate.objects.update(cell.objects)
    estate.facts.add(*exports.problems, *refused)
    for part in managers:
        estate.facts.extend(part.facts)
        estate.objects.update(part.objects)
        for path, counts in part.script_objects.items():
            estate.script_objects.setdefault(path, Counter()).update(counts)
        if part.exported_on is not None:
            estate.exported_on[part.key] = part.exported_on
        estate.queue_status.update({(part.key, name): shown for name, shown in part.queue_status.items()})
    join_queue_managers(estate.facts)
    join_remote_queues(estate.facts)
    estate.facts.add(*sharing_notices(estate.facts))
    estate.facts.add(*map(not_read, estate.unread))
    told = kustomized_bases(estate.facts.rows["problem"])
    bases = [base._replace(environment=exports.environments.of(base.path)) for base in told]
    estate.facts.add(*join_notices(estate.facts, [shown_path(Path(path)) for path in exports.paths], bases))
    estate.facts.add(*remote_queue_notices(estate.facts))
    if exports.environments:
        estate.facts.rows["problem"] = [
            replace(row, environment=exports.environments.of(row.path)) for row in estate.facts.rows["problem"]
        ]
    return estate


def _by_path(scripts: Sequence[MqscFile]) -> dict[str, list[MqscFile]]:
    found: dict[str, list[MqscFile]] = {}
    for script in scripts:
        found.setdefault(script.path, []).append(script)
    return found


def not_read(entry: PassedOver) -> Problem:
    """A file that the user named and that no reader takes, as a problem of the estate."""
    return Problem(kind="not_read", path=entry.path, text=f"was not read: it {entry.reason}")


def cell_objects(cell: CellConfig) -> dict[str, int]:
    """How many objects of each kind a cell holds."""
    modules = [module for application in cell.applications for module in application.modules]
    ports = sum(len(server.listener_ports) for server in cell.servers)
    counts = {
        "nodes": len(cell.nodes),
        "clusters": len(cell.clusters),
        "application servers": len(cell.servers),
        "listener ports": ports,
        "activation specifications": len(cell.activation_specs),
        "destinations": len(cell.destinations),
        "connection factories": len(cell.connection_factories),
        "bus destinations": len(cell.bus_destinations),
        "messaging engines": len(cell.engines),
        "application files": sum(path.lower().endswith((*SUFFIXES, "/")) for path in cell.files),
        "applications": sum(1 for application in cell.applications if application.name),
        "modules": len(modules),
        "message-driven beans": sum(len(module.beans) for module in modules),
        "variables": sum(len(entries) for entries in cell.variables.values()),
        "J2C aliases": len(cell.aliases),
    }
    return {name: count for name, count in counts.items() if count}


def queue_manager_objects(facts: Facts, counted: Mapping[str, int]) -> dict[ExportKey, dict[str, int]]:
    """How many objects of each kind a queue manager holds, by its export; ``counted`` are those of its scripts that
    ``count_objects`` gives.
    """
    keys = {export.name: key_of_export(export) for export in facts.rows["export"] if export.kind == "queue_manager"}
    objects: dict[ExportKey, dict[str, int]] = {}
    for table, names in (("queue_name", "{} queues"), ("channel", "server connection channels")):
        for row in facts.rows[table]:
            if "name" not in row.origins:
                continue  # nobody defines it: IBM supplies it, or a script deletes it again
            counts = objects.setdefault(keys[row.queue_manager], {})
            name = names.format(getattr(row, "type", ""))
            counts[name] = counts.get(name, 0) + 1
    for key in list(keys.values())[:1]:
        for kind, count in counted.items():
            objects.setdefault(key, {})[_COUNTED[kind]] = count
    return objects


_COUNTED = {"topic": "topics", "authority_record": "authority records"}


@dataclass(slots=True)
class Reading:
    """What some files hold, read and not yet resolved."""

    cells: list[CellConfig]
    """Sorted by name and path; at most one has no name: the loose files that stand in no cell tree."""
    scripts: list[MqscFile]
    problems: list[Problem]
    """Scripts that could not be read."""
    unread: list[PassedOver] = field(default_factory=list[PassedOver])
    """Files that the user names as scripts and that hold no command."""
    client_tables: list[ClientTable] = field(default_factory=list[ClientTable])


class Reader:
    """Reads files once, noting their digests and the progress."""

    def __init__(
        self, progress: Progress | None = None, total: int = 0, digests: bool = False, *, tls: bool = True
    ) -> None:
        self.inputs: list[Input] = []
        self._progress = progress
        self._total = total
        self._digests = digests
        self._tls = tls
        self._done = 0

    def read(self, files: Sequence[Found], environment: str | None = None) -> Reading:
        """The cells and scripts that files of one environment make up."""
        cells = read_cells(((f.path, self._of(f)) for f in files if f.kind == "was"), tls=self._tls)
        servers = read_liberty((found.path, self._of(found)) for found in files if found.kind == "liberty")
        give_applications(servers, cells)
        cells += servers
        cells.sort(key=lambda cell: (cell.name or "", cell.root))
        reading = Reading(cells, [], [])
        for found in files:
            if found.kind != "was" and found.kind != "liberty" and found.kind != "kustomize":
                self._other(found, found.kind, reading)
        parts = {found.path: found.read for found in files if found.kind == "kubernetes"}
        parts.update((found.path, functools.cache(self._of(found))) for found in files if found.kind == "kustomize")
        reading.scripts, problems = apply_kustomizations(reading.scripts, parts)
        reading.problems += problems
        for script in reading.scripts:
            if script.embedded:
                script.problems += check_kept_script(script)
        if environment is not None:
            reading.cells = [replace(cell, environment=environment) for cell in reading.cells]
            reading.client_tables = [table._replace(environment=environment) for table in reading.client_tables]
        return reading

    def _of(self, found: Found) -> Callable[[], bytes]:
        def read() -> bytes:
            data = found.read()
            self._done += len(data)
            digest = hashlib.sha256(data).hexdigest() if self._digests else None
            self.inputs.append(Input(found.path, found.kind, digest))
            if self._progress is not None:
                self._progress(found.path, self._done, self._total)
            return data

        return read

    def _other(self, found: Found, form: Literal["ccdt"] | FormatName, reading: Reading) -> None:
        try:
            if form == "ccdt":
                reading.client_tables.append(read_client_table(self._of(found)(), found.path))
                return
            if found.doubt and not _holds_commands(read_mqsc(found.read(), found.path)):
                reading.unread.append(PassedOver(found.path, found.doubt))
                return
            data = self._of(found)()
            scripts = read_scripts(form, data, found.path)
            if form == "mqsc":
                for script in scripts:
                    if not script.embedded:
                        script.problems += check_kept_script(script, decode(data, found.path))
            for script in scripts:
                if is_phantom(script) and not script.commands:
                    reading.problems += (problem for problem in script.problems if problem.kind != "template")
                else:
                    reading.scripts.append(script)
        except UnreadableError as error:
            reading.problems.append(
                Problem(
                    kind="unreadable",
                    path=error.path or found.path,
                    line=error.line,
                    column=error.column,
                    text=error.text,
                    next_step=error.next_step,
                )
            )


def _holds_commands(script: MqscFile) -> bool:
    return bool(script.commands or script.other_commands or script.lost_commands)


def names_by_shown_path(queue_managers: Mapping[str, str]) -> dict[str, str]:
    """The queue managers of ``--queue-manager``, by path as shown to people."""
    return {shown_path(Path(path)): name for path, name in queue_managers.items()}


def queue_manager_facts(group: ScriptGroup, observed: Observations, changes: Sequence[MqscFile] = ()) -> Facts:
    """The relations of one queue manager from all scripts that are about it; ``changes`` run after them.

    One dump and any scripts make up one queue manager; of several exports that differ none is used.
    """
    if group.is_configuration:
        facts = Facts()
        facts.add(*group.notices)
        return put_in(facts, group.environment)
    name, identities = group.name, observed.identities()
    reader = observed.user_at(name, group.environment)
    dumps, exports, scripts = by_kind(group.scripts)
    versions = [
        resolve_queue_manager(
            name,
            order,
            changes=changes,
            lent=group.lent,
            cluster_queue_access=group.cluster_queue_access,
            identities=identities,
            observed_user=reader.user if reader is not None else None,
            backout_name=observed.backout_name,
            dead_letter_name=observed.dead_letter_name,
        )
        for order in running_order(group.scripts)
    ]
    conflicts = [*_differing_dumps(dumps, versions), *contradictions([*dumps[:1], *exports]), *contradictions(scripts)]
    if conflicts:
        facts = Facts()
        facts.add(QueueManager(name=name, ambiguous=True))
        for version in versions:
            facts.add(*version.rows["export"], *version.rows["problem"])
        facts.add(*_script_conflicts(name, conflicts))
    else:
        facts = versions[0]
        for table in _OF_WAYS:
            facts.rows[table] = _shown_by_all(versions, table)
        if observed.queues or reader is not None:
            facts.rows["queue"] = observed_readers(facts, observed, group.environment)
        if group.is_guessed:
            facts.rows["queue_manager"] = [replace(row, name_guessed=True) for row in facts.rows["queue_manager"]]
        facts.add(*_scripts_beside(name, [*dumps[:1], *exports], scripts))
        facts.add(*full_queues(group.scripts, facts))
    facts.add(*group.notices)
    return put_in(facts, group.environment)


def _differing_dumps(dumps: Sequence[MqscFile], versions: Sequence[Facts]) -> Iterator[Contradiction]:
    """What differs between whole dumps of one queue manager, in whatever kind of object."""
    for dump, version in zip(dumps[1:], versions[1:], strict=False):
        first = dumps[0]
        if values_by_table(version) == values_by_table(versions[0]) and other_commands(dump) == other_commands(first):
            continue
        told = contradictions([first, dump])
        yield told[0] if told else Contradiction("", first, dump)


def _script_conflicts(name: str, conflicts: Sequence[Contradiction]) -> Iterator[Problem]:
    """A conflict at each file that contradicts another."""
    others: dict[str, dict[str, str]] = {}
    for conflict in conflicts:
        for here, there in ((conflict.one.path, conflict.other.path), (conflict.other.path, conflict.one.path)):
            others.setdefault(here, {}).setdefault(there, conflict.shown)
    for path, found in sorted(others.items()):
        about = next((shown for shown in found.values() if shown), "")
        values = f" in {about}" if about else ""
        yield Problem(
            kind="conflicting_exports",
            path=path,
            line=1,
            column=1,
            text=f"the export of queue manager {name} differs from {', '.join(sorted(found))}{values}, so none is used",
            next_step="Give only the current export",
            queue_manager=name,
            object=name,
        )


def _scripts_beside(name: str, exports: Sequence[MqscFile], scripts: Sequence[MqscFile]) -> Iterator[Problem]:
    """A notice for each script that changes what an export says, as the scripts leave it."""
    for change in changes_of_scripts(exports, scripts):
        text = f"changes {change.shown} of {change.one.path}, so the script is assumed to run after it"
        step = "Leave out the script if the export is newer"
        yield Problem(
            kind="script_beside_export", path=change.other.path, text=text, next_step=step, queue_manager=name
        )


_OF_WAYS: tuple[Literal["forwarding"], Literal["cluster_member"]] = ("forwarding", "cluster_member")
"""What tells where messages go that leave for other queue managers."""


def _shown_by_all(versions: Sequence[Facts], table: str) -> list[Row]:
    """What sends messages on in each of several dumps alike: one of them that differs there alone is no conflict."""
    first, *others = (version.rows[table] for version in versions)
    common = [set(map(row_values, rows)) for rows in others]
    return [row for row in first if all(row_values(row) in rows for rows in common)]


def values_by_table(facts: Facts) -> dict[str, set[tuple[Value, ...]]]:
    """The rows of a queue manager that rules depend on, without their origins, for comparison."""
    left_out = ("export", "problem", *_OF_WAYS)
    return {table: set(map(row_values, rows)) for table, rows in facts.rows.items() if table not in left_out}


def cells_by_name(cells: Iterable[CellConfig]) -> dict[str, list[CellConfig]]:
    """The exports of each cell; loose files, which tell no cell, under the empty name."""
    groups: dict[str, list[CellConfig]] = {}
    for cell in cells:
        groups.setdefault(cell.name or "", []).append(cell)
    return groups


def cell_facts(group: Sequence[CellConfig], observed: Observations) -> Facts:
    """The facts of a cell, from all the exports that hold it.

    Rows that agree are kept once. Exports that differ are a conflict that is reported, and where they contradict each
    other each is judged on its own: what one of them says is not joined with what another one does.
    """
    environment = group[0].environment
    tables = tuple(table for table in observed.client_tables if table.environment == environment)
    if tables != observed.client_tables:
        observed = replace(observed, client_tables=tables)
    return put_in(join_versions([resolve_cell(cell, observed) for cell in with_additions(group)]), environment)
