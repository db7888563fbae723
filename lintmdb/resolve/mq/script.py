"""Running MQSC scripts: DEFINE, ALTER, DELETE and SET AUTHREC in order, as the queue manager would run them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from lintmdb.exports.mq import Command, Listing, MqscFile, Parameter
from lintmdb.exports.mq.commands import is_export
from lintmdb.model.origins import InlineSuppression, Origin
from lintmdb.model.relations import Problem
from lintmdb.resolve.mq.administration import (
    find_accounts,
    find_administrators,
    find_longest_user,
    keeps_users_in_directory,
    lost_authentication,
)
from lintmdb.resolve.mq.authorities import NOBODY, AuthorityRecords
from lintmdb.resolve.mq.authority_commands import set_authority
from lintmdb.resolve.mq.channel_records import ChannelRecords
from lintmdb.resolve.mq.clusters import find_clusters, is_cluster_channel, run_namelists
from lintmdb.resolve.mq.completeness import (
    find_gap,
    holds_every_queue,
    is_complete,
    is_partial,
    listings_of,
    lists_all_of,
    shows_every_attribute,
)
from lintmdb.resolve.mq.default_objects import hide_edited_defaults
from lintmdb.resolve.mq.definitions import Definitions, RefusedCommand
from lintmdb.resolve.mq.dispositions import (
    disposition_of,
    find_opened,
    group_place,
    is_shared,
    place_of,
    private_place,
)
from lintmdb.resolve.mq.gap_notices import incomplete_exports
from lintmdb.resolve.mq.group_copies import find_copy, find_drift, made_again, overwritten_copy
from lintmdb.resolve.mq.lent_queues import NOTHING_LENT, Lent
from lintmdb.resolve.mq.objects import (
    DEFAULT_OBJECTS,
    PREDEFINED,
    QUEUE_TYPES,
    AttributeReader,
    CopiedValue,
    MqObject,
    ObjectKey,
    Value,
    not_set,
    object_key,
)
from lintmdb.resolve.mq.platforms import detect_platform, supplied_values
from lintmdb.resolve.mq.refusals import Refusal, find_refusal, parameter_word
from lintmdb.resolve.mq.script_refusals import find_refused, find_too_early, is_refused_by_exports

_SPELT_OTHERWISE: Mapping[str, tuple[str, str | None]] = {
    "HARDENBO": ("HARDENBO", "yes"), "NOHARDENBO": ("HARDENBO", "no"),
    "SHARE": ("SHARE", "yes"), "NOSHARE": ("SHARE", "no"),
    "TRIGGER": ("TRIGGER", "yes"), "NOTRIGGER": ("TRIGGER", "no"),
    "TARGQ": ("TARGET", None),
}  # fmt: skip
"""Switches, with the value that each sets, and older keywords of an attribute, which have a value themselves. Whichever
is set last counts.
"""
# A dump has millions of values, and Value(...) takes three times as long.
_new_value = cast("Callable[[type[Value], tuple[str, MqscFile, Parameter, int]], Value]", tuple[object, ...].__new__)


@dataclass(slots=True)
class _State:
    """A queue manager while its scripts run."""

    manager: MqObject
    authorities: AuthorityRecords = field(default_factory=AuthorityRecords)
    channel_records: ChannelRecords = field(default_factory=ChannelRecords)
    understood: bool = True
    """No authority record holds text that a deployment tool fills in."""
    objects: dict[ObjectKey, MqObject] = field(default_factory=dict[ObjectKey, MqObject])
    deleted: dict[ObjectKey, Origin] = field(default_factory=dict[ObjectKey, Origin])
    """What a script defined and deleted again, and where; a later DEFINE may have created it again."""
    inline_suppressions: list[InlineSuppression] = field(default_factory=list[InlineSuppression])
    refusals: list[tuple[MqscFile, Command, Refusal]] = field(default_factory=list[tuple[MqscFile, Command, Refusal]])
    """Commands that change nothing because the queue manager refuses them."""
    too_early: list[Problem] = field(default_factory=list[Problem])
    """ALTER above the DEFINE of the same object."""
    complete: bool = False
    """The scripts before the changes hold every object, so that a change to another one is refused."""
    queues_complete: bool = False
    """The same of queues."""
    records_complete: bool = False
    """The same of channel authentication records."""


def run_scripts(
    queue_manager: str, files: Sequence[MqscFile], changes: Sequence[MqscFile] = (), *, lent: Lent = NOTHING_LENT
) -> Definitions:
    """The state that scripts leave at a queue manager; each file runs after the one before it, and ``changes`` last. A
    command of these that the queue manager would refuse is a Problem. ``lent`` is what other queue managers show of the
    shared queues that these files leave out.
    """
    shared: dict[ObjectKey, MqObject] | None = None
    beside_exports: list[RefusedCommand] = []
    exported = functools.cache(lambda: _exported(files))
    changes = [replace(file, is_change=True) for file in changes]
    files = [*files, *changes]
    state = _State(
        MqObject("QMGR", queue_manager, files[0], 1, 1, unset="unknown"),
        inline_suppressions=[
            lost._replace(queue_manager=queue_manager) for file in files for lost in file.lost_inline_suppressions
        ],
    )
    state.authorities.accounts = find_accounts(files)
    problems = [
        _of_manager(problem, queue_manager)
        for problem in dict.fromkeys(problem for file in files for problem in file.problems)
    ]
    has_templates = any(problem.kind == "template" for problem in problems)
    for file in files:
        if file.is_change and shared is None:
            shared = _borrow(state, files, lent)
            exports = files[: -len(changes)]
            state.complete = is_complete(exports, state.objects, detect_platform(exports))
            state.queues_complete = holds_every_queue(exports, state.objects, detect_platform(exports))
            state.records_complete = _covered(exports, "covers_channel_records")
        if file.is_change:
            state.authorities.queues.begin_changes()
        for command in file.commands:
            if _is_for_another(command, queue_manager):
                problems += [_sent_elsewhere(queue_manager, file, command)] if file.is_change else []
                continue
            if command.inline_suppressions:
                state.inline_suppressions += (
                    _attached(comment, queue_manager, command) for comment in command.inline_suppressions
                )
            drift = find_drift(state.objects, command) if file.is_change else None
            refusal = _run(state, file, command, templates=has_templates or command.doubtful or file.is_change)
            if drift is not None:
                remade = find_copy(state.objects, command)
                overwritten = overwritten_copy(queue_manager, file, command, drift, remade)
                problems += [] if overwritten is None else [overwritten]
            if refusal is not None and not file.is_change and command.noun != "CHLAUTH":
                place, shown = place_of(command), refusal
                existing = state.objects.get(place)
                refusal = find_refused(file, command, existing, shown)
                if refusal is None and is_refused_by_exports(file, command, existing, place in exported()):
                    told = _refused(queue_manager, file, command, shown)
                    beside_exports.append(RefusedCommand(file, command, told))
            if refusal is not None:
                state.refusals.append((file, command, refusal))
    if shared is None:
        shared = _borrow(state, files, lent)
    platform = detect_platform(files)
    supplied = supplied_values(platform)
    gap = find_gap(files, state.objects, platform)
    complete, every_queue = not gap, holds_every_queue(files, state.objects, platform)
    _drop_unfounded(state, complete=complete, every_queue=every_queue)
    opened = find_opened(hide_edited_defaults(state.objects, supplied))
    deletions = {key: place for key, place in state.deleted.items() if key not in opened.objects}
    listings = listings_of(files)
    namelists = run_namelists(files)
    answers_alone = all(file.observed for file in files) and not lists_all_of(listings, ("CHANNEL",))
    clusters = find_clusters(state.manager, state.objects.values(), namelists, answers_alone=answers_alone)
    shows_shared = platform != "zos" or bool(shared) or lent.complete or _is_in_no_group(files)
    problems += [
        _refused(queue_manager, file, command, refusal)
        for file, command, refusal in state.refusals
        if not file.told_elsewhere
        and (not refusal.if_complete or (every_queue if command.noun in QUEUE_TYPES else complete))
    ]
    problems += [replace(problem, queue_manager=queue_manager) for problem in state.too_early]
    refused = {(file.path, command.line) for file, command, _ in state.refusals}
    problems += lost_authentication(state.manager, state.objects, changes, refused)
    problems += incomplete_exports(queue_manager, files, gap, platform)
    return Definitions(
        queue_manager=queue_manager,
        files=files,
        platform=platform,
        manager=state.manager,
        objects=opened.objects,
        # On z/OS a name that is private no longer may be that of a shared queue.
        deleted=frozenset() if platform == "zos" else deletions.keys(),
        deletions=deletions,
        clashes=opened.clashes,
        authority_records=_proven(state, files),
        channel_records=state.channel_records,
        channel_records_complete=_covered(files, "covers_channel_records"),
        subscriptions_complete=_covered(files, "covers_subscriptions"),
        authorities_complete=_covered(files, "covers_queue_authorities")
        and _covered(files, "covers_manager_authorities"),
        refused_by_exports=beside_exports,
        inline_suppressions=state.inline_suppressions,
        attributes=AttributeReader(queue_manager, supplied, problems),
        shared_queues=shared,
        gap=gap,
        lists_queues=shows_shared and (every_queue or lists_all_of(listings, QUEUE_TYPES)),
        listings=[listing for listing in listings if shows_shared or listing.noun not in QUEUE_TYPES],
        clustered=any(is_cluster_channel(target) for target in state.objects.values())
        or bool(listings and not complete and not lists_all_of(listings, ("CHANNEL",))),
        cluster_queues=_cluster_queues(files, queue_manager),
        clusters=clusters,
        namelists=namelists,
    )


def _run(state: _State, file: MqscFile, command: Command, *, templates: bool) -> Refusal | None:
    """Run one command, or take in what it shows, unless the queue manager refuses it."""
    if command.noun == "AUTHREC":
        if templates and any(parameter.template for parameter, _ in command.parameters):
            state.understood = False
        else:
            set_authority(state.authorities, file, command)
    elif command.noun == "CHLAUTH":
        return _set_channel_record(state, file, command)
    elif command.noun == "QMGR":
        if command.verb in ("ALTER", "DISPLAY"):
            state.manager = _merged(state.manager, file, command)
    elif command.verb == "DISPLAY":
        _observe(state, file, command)
    elif command.name:
        return _change_object(state, file, command)
    return None


def _drop_unfounded(state: _State, *, complete: bool, every_queue: bool) -> None:
    """Take out what scripts only alter where the exports hold every object of its kind: ALTER makes none. A shared
    queue or a group definition may be in the exports of another queue manager.
    """
    altered = [place_of(command) for _, command, refusal in state.refusals if refusal.if_complete]
    for key in altered:
        target = state.objects.get(key)
        if target is None or target.defined or key != private_place(key):
            continue
        if every_queue if target.noun in QUEUE_TYPES else complete:
            del state.objects[key]


def _of_manager(problem: Problem, queue_manager: str) -> Problem:
    """A refusal by the queue manager that runs a script: the script itself may not name it."""
    nobody = " would be refused by the queue manager: "
    if nobody not in problem.text:
        return problem
    return replace(problem, text=problem.text.replace(nobody, f" would be refused by {queue_manager}: ", 1))


def _set_channel_record(state: _State, file: MqscFile, command: Command) -> Refusal | None:
    """Run one SET CHLAUTH, or take in a record, unless the queue manager refuses it: a change, or the second of two in
    one script that people keep.
    """
    records = state.channel_records
    refusal = records.find_refusal(command)
    if refusal is not None and file.is_change and (state.records_complete or not refusal.if_complete):
        return refusal._replace(if_complete=False)
    if refusal is not None and not (command.doubtful or is_export(file)) and records.defined_in(command) == file.path:
        return refusal
    records.run(file, command)
    return None


def _borrow(state: _State, files: Sequence[MqscFile], lent: Lent) -> dict[ObjectKey, MqObject]:
    """Add the shared queues that others show and the scripts leave out; the result holds those that they show. Scripts
    that show every shared queue, or answers that show all with some names, leave out nothing of these.
    """
    shared = {key: target for key, target in state.objects.items() if is_shared(key)}
    if not lent.queues:
        return shared
    listings = listings_of(files) if shared else ()
    if shared and holds_every_queue(files, state.objects, detect_platform(files)):
        return shared
    for key, target in lent.queues.items():
        if not any(listing.noun == target.noun and _covers(listing, target.name) for listing in listings):
            state.objects.setdefault(key, target)
    return shared


def _covers(listing: Listing, name: str) -> bool:
    if listing.pattern.endswith("*"):
        return name.startswith(listing.pattern[:-1])
    return name == listing.pattern


def _is_in_no_group(files: Sequence[MqscFile]) -> bool:
    """Whether QSGNAME is blank: without a queue-sharing group there are no shared queues to leave out."""
    return {file.sharing_group for file in files if file.sharing_group is not None} == {""}


def _proven(state: _State, files: Sequence[MqscFile]) -> AuthorityRecords:
    """The authority records, with what is known of those that are not there and of who needs none."""
    records = state.authorities
    records.queues_complete = state.understood and _covered(files, "covers_queue_authorities")
    # Every queue manager has a record for its administrators: a dump without any leaves out those of the queue manager.
    covered = state.understood and _covered(files, "covers_manager_authorities")
    records.manager_complete = covered and bool(records.manager)
    records.directory = keeps_users_in_directory(state.manager, state.objects) or (
        "CONNAUTH" not in state.manager.values
        and any(file.observed for file in files)
        and not shows_every_attribute(files)
        and not _names_users_plainly(records)
    )
    records.longest_user = None if records.directory else find_longest_user(files)
    records.administrators = NOBODY if records.directory else find_administrators(files, records.accounts)
    return records


def _names_users_plainly(records: AuthorityRecords) -> bool:
    """Whether a record is about a user of the operating system: a directory has distinguished names."""
    return any("=" not in user for user in records.queues.principals | records.manager.principals)


def _covered(
    files: Sequence[MqscFile],
    kind: Literal[
        "covers_queue_authorities", "covers_manager_authorities", "covers_channel_records", "covers_subscriptions"
    ],
) -> bool:
    """Whether some dump holds every record of a kind, or every subscription.

    A file that could not be read to its end may change any.
    """
    if any(is_partial(file) for file in files):
        return False
    return any(getattr(file, kind) and not file.lacks_records for file in files)


def _exported(files: Iterable[MqscFile]) -> frozenset[ObjectKey]:
    """The objects that dumps and answers show."""
    return frozenset(place_of(command) for file in files if is_export(file) for command in file.commands)


def _is_for_another(command: Command, queue_manager: str) -> bool:
    """Whether CMDSCOPE sends a command to another queue manager of the group; an asterisk sends it to all of them."""
    return command.value("CMDSCOPE").strip() not in ("", "*", queue_manager)


def _sent_elsewhere(queue_manager: str, file: MqscFile, command: Command) -> Problem:
    return Problem(
        kind="unjudged_change",
        path=file.path,
        line=command.line,
        column=command.column,
        text=f"CMDSCOPE sends {command.verb} {command.noun}({command.name}) elsewhere, so it is not judged",
        next_step="Put it into a change of that queue manager",
        queue_manager=queue_manager,
        object=f"{command.noun} {command.name}",
    )


def _refused(queue_manager: str, file: MqscFile, command: Command, refusal: Refusal) -> Problem:
    return Problem(
        kind="refused_change" if file.is_change else "not_understood",
        path=file.path,
        line=command.line,
        column=command.column,
        text=f"{command.verb} {command.noun}({command.name}) would be refused by {queue_manager}: {refusal.reason}",
        next_step=refusal.next_step,
        queue_manager=queue_manager,
        object=f"{command.noun} {command.name}",
    )


def _change_object(state: _State, file: MqscFile, command: Command) -> Refusal | None:
    """Run one DEFINE, ALTER or DELETE of an object, unless the queue manager refuses it."""
    objects, key = state.objects, place_of(command)
    existing = objects.get(key)
    refusal = find_refusal(objects, key, command, is_change=file.is_change)
    is_known = state.queues_complete if command.noun in QUEUE_TYPES else state.complete
    if refusal is not None and (not refusal.if_complete or (file.is_change and is_known)):
        return refusal
    if command.verb == "DELETE":
        if existing is not None and existing.defined:
            text = f"DELETE {command.noun}('{command.name}')"
            state.deleted[private_place(key)] = file.place(command.line, command.column, text)
        objects.pop(key, None)
        if command.noun in QUEUE_TYPES and parameter_word(command, "AUTHREC") != "NO":
            state.authorities.queues.remove_all_on(command.name)
        elif command.noun == "TOPIC" and parameter_word(command, "AUTHREC") != "NO":
            state.authorities.topics.remove_all_on(command.name)
    elif command.verb == "DEFINE":
        too_early = find_too_early(file, command, existing)
        if too_early is not None:
            state.too_early.append(too_early)
        objects[key] = _defined(objects, file, command)
    elif command.verb == "ALTER":
        objects[key] = _merged(existing or _altered_only(file, command), file, command)
    # The copies that exports show are as they were when these were written, whichever of their commands comes first.
    if (file.is_change or command.verb != "DEFINE") and disposition_of(command) == "GROUP":
        _refresh_copy(objects, command)
    return refusal


def _observe(state: _State, file: MqscFile, command: Command) -> None:
    """Take in an object as an answer of the queue manager shows it."""
    key = place_of(command)
    known = state.objects.get(key)
    if known is None or known.noun != command.noun:
        known = MqObject(command.noun, command.name, file, command.line, command.column, unset="unknown")
    seen = _merged(known, file, command)
    state.objects[key] = replace(seen, unset="default", hidden=frozenset()) if command.shows_all else seen


def _refresh_copy(objects: dict[ObjectKey, MqObject], command: Command) -> None:
    """Make the copy of the queue manager again after a command about the group definition, or delete it with that."""
    copy, key = find_copy(objects, command), object_key(command.noun, command.name)
    definition = objects.get(group_place(key))
    if copy is not None and definition is not None:
        objects[key] = made_again(copy, definition)
    elif copy is not None:
        del objects[key]


def _defined(objects: Mapping[ObjectKey, MqObject], file: MqscFile, command: Command) -> MqObject:
    """The object that DEFINE creates: a copy of another, with the attributes that the command sets. What a change
    copies is found where the change does so.
    """
    inherited, unset = _inherited(objects, file, command)
    if file.is_change:
        inherited = _copied(inherited, file, command)
    values = _with_parameters(inherited, file, command)
    if command.doubtful:
        unset = "unknown"  # where something else defines it, that decides
    if command.cut:
        values, unset = _with_parameters({}, file, command), "unknown"
    return MqObject(command.noun, command.name, file, command.line, command.column, values, unset)


def _inherited(
    objects: Mapping[ObjectKey, MqObject], file: MqscFile, command: Command
) -> tuple[Mapping[str, Value], Literal["default", "unknown"]]:
    """What DEFINE copies, by LIKE or from the default object: values, and what attributes without a value have."""
    like = command.value("LIKE")
    default = DEFAULT_OBJECTS.get(command.noun, "")
    source = like or default
    group = objects.get(group_place(object_key(command.noun, command.name)))
    if not like and group is not None and disposition_of(command) == "COPY":
        return group.values, group.unset
    if not like and (source == command.name or file.dump is not None):
        return {}, "default"  # the order of a dump says nothing: hide_edited_defaults looks at the default object
    copied = objects.get(object_key(command.noun, source))
    if copied is not None:
        return copied.values, copied.unset
    return {}, "default" if source == default else "unknown"


def _copied(values: Mapping[str, Value], file: MqscFile, command: Command) -> Mapping[str, Value]:
    """Values that DEFINE copies, at the LIKE that does so, or else at the command."""
    like = next(((p, line) for p, line in command.parameters if p.keyword == "LIKE" and p.value), None)
    source = like[0].value if like is not None else DEFAULT_OBJECTS.get(command.noun)
    if not like and disposition_of(command) == "COPY":
        source = "its group definition"
    column, line = (like[0].column, like[1]) if like is not None else (command.column, command.line)
    return {
        keyword: CopiedValue(
            value.text,
            file,
            value.parameter._replace(text=not_set(keyword, value.text, f"that of {source}"), column=column),
            line,
        )
        for keyword, value in values.items()
    }


def _altered_only(file: MqscFile, command: Command) -> MqObject:
    """An object that the scripts alter without defining it."""
    target = MqObject(command.noun, command.name, file, command.line, command.column)
    if command.name == DEFAULT_OBJECTS.get(command.noun):
        return target  # as IBM supplies it
    return replace(target, unset="unknown", defined=command.name in PREDEFINED)


def _merged(target: MqObject, file: MqscFile, command: Command) -> MqObject:
    if command.cut:
        target = replace(target, values={}, unset="unknown")
    return replace(target, values=_with_parameters(target.values, file, command))


def _with_parameters(values: Mapping[str, Value], file: MqscFile, command: Command) -> Mapping[str, Value]:
    """Values with those that a command sets in their place."""
    merged = dict(values)
    for parameter, line in command.parameters:
        keyword, value = parameter.keyword, parameter.value
        if keyword in _SPELT_OTHERWISE:
            keyword, switched = _SPELT_OTHERWISE[keyword]
            value = value if switched is None else switched
        if value is not None:
            merged[keyword] = _new_value(Value, (value, file, parameter, line))
    return merged


def _cluster_queues(files: Iterable[MqscFile], queue_manager: str) -> Mapping[str, Sequence[MqObject]]:
    """Queues of a cluster by name; none for a name that answers show at this queue manager alone."""
    found: dict[str, dict[str, MqObject]] = {}
    for file in files:
        for shown in file.cluster_queues:
            blank = MqObject(shown.noun, shown.name, file, shown.line, shown.column, unset="unknown")
            instances, host = found.setdefault(shown.name, {}), shown.value("CLUSQMGR")
            if host != queue_manager:
                instances[host] = _merged(blank, file, shown)
    return {name: list(instances.values()) for name, instances in found.items()}


def _attached(inline_suppression: InlineSuppression, queue_manager: str, command: Command) -> InlineSuppression:
    """The allowance of a comment above a command, for the object of that command."""
    if command.noun == "QMGR":
        return inline_suppression._replace(queue_manager=queue_manager, kind="queue_manager", name=queue_manager)
    kind = "queue" if command.noun in QUEUE_TYPES else "other"
    return inline_suppression._replace(queue_manager=queue_manager, kind=kind, name=command.name or command.noun)
