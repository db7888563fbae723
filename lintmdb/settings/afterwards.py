"""What has to be done before changes act, and whom they concern, as sentences: every report and script asks here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from lintmdb.model.word_lists import listed
from lintmdb.settings.changes import (
    Assignment,
    Change,
    ClusterMover,
    Definition,
    Grant,
    HeldByGroup,
    MayLack,
    Mover,
    Stalled,
)
from lintmdb.settings.kinds import (
    AT_ONCE,
    MOST_NAMES,
    listed_names,
    restarted_servers,
    restarts,
    server_names,
    servers_in,
    when_it_acts,
    when_they_act,
)

_BY_GROUP = (
    "Where the queue manager keeps authorities by group, a grant to a user acts on the primary group of that user, and "
    "all members of the group get it. If you manage authorities by group, grant them to a group of the user instead"
)
_AMONG_GROUPS = (
    "All authority records of {0} are those of groups. Name the groups of {1} with --observations before you run this, "
    "and a plan grants to a group"
)
_WHOLE_GROUP = (
    "A definition with QSGDISP(GROUP) is that of every queue manager of the queue-sharing group: each makes its copy "
    "again, and loses what somebody has altered in that copy alone"
)

_NOT_GRANTED = "These changes add no rights there; a generic profile may already grant them"
_MAY_BE_GRANTED = "A generic profile may already grant them"


def afterwards(changes: Sequence[Change], *, all_names: bool = False) -> list[str]:
    """Each text once, without its last full stop. A queue that one of the changes defines needs nothing: nobody has it
    open yet. With ``all_names`` no list of names is cut short, as in a script, which is all that its reader has.
    """
    defined = dict.fromkeys(change.target for change in changes if isinstance(change, Definition))
    later = (change for change in changes if not isinstance(change, Grant) or change.to_look_up)
    acts = when_they_act((change for change in later if change.target not in defined), all_names=all_names)
    if len(changes) > 1:  # Of several changes it would not say which one.
        acts = [text for text in acts if text != AT_ONCE]
    granted = {(change.target.place_key, change.target.name) for change in changes if isinstance(change, Grant)}
    opened = {
        change.target: change.opened_as or change.target.name
        for change in changes
        if isinstance(change, Definition)
        and ("USAGE", "XMITQ") not in change.attributes  # which nobody opens by its name
    }
    movers = {change.target: change.movers for change in changes if isinstance(change, Definition)}
    some_known = {target for target, known in movers.items() if any(mover.user for mover in known)}
    all_known = {target for target in some_known if all(mover.user for mover in movers[target])}
    open_to_none = [
        name for target, name in opened.items() if (target.place_key, name) not in granted and target not in some_known
    ]
    noting = [change for change in changes if not isinstance(change, Definition)]
    open_to_none += [name for change in noting for name in change.moves_to]
    open_to_none = list(dict.fromkeys(open_to_none))
    on_zos = any(change.on_zos for change in changes if not isinstance(change, Grant))
    rights = [_ungranted(open_to_none, on_zos=on_zos, all_names=all_names)] if open_to_none else []
    if others := [name for target, name in opened.items() if target in some_known - all_known]:
        backout = [c.new for c in noting if isinstance(c, Assignment) and c.attribute == "BOQNAME"]
        backout += [opened[c.target] for c in changes if isinstance(c, Definition) and c.named_by]
        who = who_needs_rights(others, "other user", all_names=all_names, backout=not set(others).isdisjoint(backout))
        rights.append(f"{who}. {_MAY_BE_GRANTED}")
    rights += _possible_readers(changes, all_names=all_names)
    remarks = (text for change in changes for text in _remarks(change, all_names=all_names))
    settled = [
        *_known_rights(changes, all_names=all_names),
        *_held_by_groups(noting, all_names=all_names),
        *_by_qm_ini(noting, all_names=all_names),
        *_revived(changes, all_names=all_names),
    ]
    first = beforehand(changes)
    return list(dict.fromkeys([*first, *acts, *settled, *rights, *remarks, *_shared(changes, all_names=all_names)]))


def beforehand(changes: Iterable[Change]) -> list[str]:
    """What to look at before changes are made, each text once, without its last full stop; part of ``afterwards``."""
    told: dict[str, None] = {}
    shared: dict[str, list[str]] = {}
    for change in changes:
        if isinstance(change, Grant) and change.on_dead_letter_queue:
            shared.setdefault(change.target.name, []).append(change.user)
    for queue, users in shared.items():
        who = listed(list(dict.fromkeys(users)))
        told[f"Ask the owner of the dead-letter queue {queue} whether {who} may put messages there"] = None
    for change in changes:
        if isinstance(change, Grant) and change.among_groups:
            told[_AMONG_GROUPS.format(change.target.place, change.user)] = None
        elif opens(change):
            told[_closed(change)] = None
        elif isinstance(change, Definition) and change.described:
            leads = f"{change.opened_as} leads to {change.target.name}, which is not there"
            told[f"{leads}. DESCR of {change.opened_as}: {change.described}"] = None
        elif isinstance(change, Assignment) and change.described:
            told[f"{change.target.name} no longer stops then. Its description: {change.described}"] = None
        if not isinstance(change, Definition):
            told.update((_FULL.format(queue), None) for queue in change.into_full)
    return list(told)


def _known_rights(changes: Sequence[Change], *, all_names: bool) -> Iterator[str]:
    """Which known users have the rights on new queues already, and which lack them: queues that have all of this in
    common together.
    """
    given = {(c.target.place_key, c.target.name, c.user) for c in changes if isinstance(c, Grant) and not c.group}
    # A group that gets rights is one of the user's: what the user has is what the plan grants.
    by_group = {(c.target.place_key, c.target.name) for c in changes if isinstance(c, Grant) and c.group}
    queues: dict[Mover, dict[str, None]] = {}
    for change in (change for change in changes if isinstance(change, Definition)):
        name = change.opened_as or change.target.name
        place = (change.target.place_key, name)
        for mover in change.movers if place not in by_group else ():
            if mover.user and (*place, mover.user) not in given:
                queues.setdefault(mover, {})[name] = None
    for mover, names in queues.items():
        where = _listed(list(names), all_names=all_names)
        if mover.lacks:
            yield f"{mover.user} lacks {listed(mover.rights)} on {where}, and these changes grant nothing there"
        else:
            by = f", by {mover.record}" if mover.record else ""
            yield f"{mover.user} already has {listed(mover.rights)} on {where}{by}"


def _by_qm_ini(changes: Sequence[Assignment | Grant], *, all_names: bool) -> Iterator[str]:
    """Whose rights on queues of a cluster are those on another profile, if qm.ini says so."""
    queues: dict[ClusterMover, dict[str, None]] = {}
    for mover in (mover for change in changes for mover in change.in_cluster):
        # Of several queues each has a profile of its own name.
        profile = _OWN if mover.profile == mover.queue else mover.profile
        holds = "" if mover.holds == mover.queue else mover.holds
        queues.setdefault(mover._replace(queue="", profile=profile, holds=holds), {})[mover.queue] = None
    shared, by_name = "SYSTEM.CLUSTER.TRANSMIT.QUEUE", "ClusterQueueAccessControl in qm.ini is RQMName (default: Xmitq)"
    for (_, user, profile, holds, record), names in queues.items():
        where = _listed(list(names), all_names=all_names)
        are = "is a queue of a cluster" if len(names) == 1 else "are queues of a cluster"
        if profile and record:
            yield f"{user} already has put and passall on {holds or where}, by {record}"
            continue
        if profile:
            needed = f"{user} needs put and passall on {'that name' if profile == _OWN else profile}, as qm.ini says"
            yield f"{where} {are}. To move messages there, {needed}. These changes grant neither. {_BY_ALIAS}"
            continue
        if not record:
            yield (
                f"{where} {are}. To move messages there, {user} needs put and passall on {shared}, or there if"
                f" {by_name}. These changes grant neither. {_BY_ALIAS}"
            )
            continue
        condition, other = (f"if {by_name}", where) if holds else (f"unless {by_name}", shared)
        yield (
            f"{user} already has put and passall on {holds or where}, by {record}. {where} {are}: {condition}, the"
            f" rights on {other} decide instead, and these changes grant nothing there. {_BY_ALIAS}"
        )


_OWN = "its own"
_BY_ALIAS = "If BOQNAME names a local alias instead, the rights on the alias decide in any case"


def _held_by_groups(changes: Sequence[Assignment | Grant], *, all_names: bool) -> Iterator[str]:
    """Which groups have the rights on queues that messages are newly moved to, and who is taken to be in them."""
    alike: dict[HeldByGroup, list[HeldByGroup]] = {}
    for held in (held for change in changes for held in change.held_there):
        alike.setdefault(held._replace(queue="", reader=""), []).append(held)
    for same, found in alike.items():
        queues, readers = (
            list(dict.fromkeys(names)) for names in zip(*((h.queue, h.reader) for h in found), strict=True)
        )
        where, who = (_listed(names, all_names=all_names) for names in (queues, readers))
        yield (
            f"Group {same.group} already has {listed(same.rights)} on {where}, by {same.record}. No export says that"
            f" {who} {'is' if len(readers) == 1 else 'are'} in it, but no record lets anybody else read the"
            f" {'queue' if len(queues) == 1 else 'queues'}"
        )


def _possible_readers(changes: Sequence[Change], *, all_names: bool) -> Iterator[str]:
    """Who may read queues whose reader nobody names, and lacks rights where their messages are newly moved to."""
    alike: dict[tuple[str, tuple[str, ...]], list[MayLack]] = {}
    for lack in (lack for change in changes for lack in change.may_lack):
        alike.setdefault((lack.who, lack.rights), []).append(lack)
    for (who, rights), found in alike.items():
        sources, queues = (
            _each(names, all_names=all_names) for names in ([f.source for f in found], [f.queue for f in found])
        )
        worse = _each([f.source for f in found if f.worse], all_names=all_names)
        harm = (
            f"With the rights of {who}, messages of {worse} fare worse after these changes than before. "
            if worse
            else ""
        )
        yield (
            f"By the records of the export, {who} may read {sources}, and no record gives {who}"
            f" {listed([r.lower() for r in rights])} on {queues}. {harm}If {who} does read there, say so with"
            " --observations, and a plan grants what is missing"
        )


def _revived(changes: Sequence[Change], *, all_names: bool) -> Iterator[str]:
    """What may have to be started again, and is by no other change."""
    started = {stalled for change in changes for stalled in change.revives if restarts(change, stalled)}
    restarted = {(change.target.place_key, server) for change in changes for server in restarted_servers(change)}
    most = None if all_names else MOST_NAMES
    waiting: dict[Stalled, None] = {}
    for stalled in (stalled for change in changes for stalled in change.revives if stalled not in started):
        servers = servers_in(stalled.servers)
        if not servers or not restarted.issuperset((stalled.cell, server) for server in servers):
            waiting[stalled] = None
    blocked = [stalled for stalled in waiting if not stalled.stops and not stalled.later]
    by_queue = [stalled for stalled in blocked if stalled.queue]
    if by_queue:
        queues = _each([stalled.queue for stalled in by_queue], all_names=all_names)
        readers = _each(
            [stalled.endpoint for stalled in by_queue if stalled.endpoint != stalled.queue], all_names=all_names
        )
        yield f"If delivery has already stopped, restart what reads {queues}{f' ({readers})' * bool(readers)}"
    if names := [stalled.endpoint for stalled in blocked if not stalled.queue]:
        yield f"If delivery has already stopped, restart {_each(names, all_names=all_names)}"
    if names := [stalled.endpoint for stalled in waiting if stalled.stops and not stalled.later]:
        any_of = "any of " if len(set(names)) > 1 else ""
        yield f"If {any_of}{_each(names, all_names=all_names)} has already stopped, start it again"
    # What a later script restarts is not named: some of it may stop again before the changes of that script are made.
    later: dict[str, dict[str, None]] = {}
    for stalled in (stalled for stalled in waiting if stalled.later):
        later.setdefault(stalled.later, {}).update(dict.fromkeys(servers_in(stalled.servers)))
    for cell, servers in later.items():
        where = listed_names(list(servers), most)
        asked = f"the restart of {where} that the script for {cell} asks for"
        yield f"If {'other ' * bool(blocked)}delivery has already stopped, it resumes with {asked}"


def who_needs_rights(queues: Sequence[str], who: str = "user", *, all_names: bool = False, backout: bool = True) -> str:
    """What new queues need that no export contains: other endpoints may move messages there, as other users.
    ``backout`` says whether one of them is a backout queue.
    """
    there = f"Each {who} whose messages are moved to {_listed(queues, all_names=all_names)} needs put and passall there"
    return f"{there}; on a backout queue get, inq and setall, too" if backout else there


def _ungranted(queues: Sequence[str], *, on_zos: bool, all_names: bool) -> str:
    """Who needs rights that the changes do not give: those of the object authority manager, or profiles of RACF."""
    if not on_zos:
        return f"{who_needs_rights(queues, all_names=all_names)}. {_NOT_GRANTED}"
    return (
        f"Each user whose messages are moved to {_listed(queues, all_names=all_names)} needs UPDATE access to hlq.QUEUE"
        " in the RACF class MQQUEUE (MXQUEUE for names in mixed case) and READ access to hlq.CONTEXT.QUEUE in MQADMIN"
        " (MXADMIN), where hlq is the queue manager or its queue-sharing group and QUEUE is the queue."
        " On a backout queue some client levels ask for CONTROL in place of READ. No command of MQSC gives these rights"
    )


def acts_words(change: Change) -> str:
    """What one change by itself asks for, as text without its last full stop."""
    revived = _revived([change], all_names=False)
    return ". ".join(dict.fromkeys((when_it_acts(change), *revived, *_remarks(change), *_shared([change]))))


def cautions(changes: Sequence[Change]) -> list[str]:
    """The same in few words, each text once and as a whole sentence, where a change alone may not be enough."""
    assigned = [change for change in changes if isinstance(change, Assignment)]
    longer = [_longer_words(change) for change in assigned if change.setting in _OF_LONGER]
    longer += [_through_channel(change) for change in assigned if change.setting == _DEAD_LETTER_LENGTH]
    ungranted = [
        _needs_rights(change)
        for change in assigned
        if change.setting == "queue.backout_queue" and change.new in change.moves_to
    ]
    ungranted += [_needs_access(change) for change in changes if isinstance(change, Definition) and change.on_zos]
    raised = [_OF_OTHERS for change in assigned if change.setting in _LIMITS]
    raised += [_closed(change) for change in assigned if opens(change)]
    return [f"{text}." for text in dict.fromkeys([*longer, *ungranted, *raised])]


_DEAD_LETTER_LENGTH = "dead_letter.max_message_bytes"
_THROUGH_CHANNEL = "A client puts the message with its header through its channel, whose MAXMSGL has to allow both"
_FULL = "{0} was full when it was exported. Make room there first: until then no message can be moved to it"
_LIMITS = ("channel.max_instances", "channel.max_instances_per_client")
_OF_OTHERS = "The new limit is the old one, which other clients may use, and what the endpoints need"


def _through_channel(change: Assignment) -> str:
    """What a longer message meets on its way to the dead-letter queue."""
    if not change.channels:
        return _THROUGH_CHANNEL
    several = " and " in change.channels
    less = f"Those of {change.channels} allow less" if several else f"That of {change.channels} allows less"
    raised = f"raise {'them' if several else 'it'} to {change.new}, too"
    return f"{_THROUGH_CHANNEL}. {less}: {raised}, or the longest messages fare as before"


def _into_asf(change: Assignment) -> str:
    """In which mode endpoints receive without a receive timeout."""
    at_port = change.target.kind == "listener_service"
    ports = f"the listener ports of {listed_names(server_names(change.target)) or 'the server'} receive"
    whose = ports if at_port else f"{change.target.name} receives"
    return f"With {change.attribute} 0, {whose} in ASF mode"


def lets_go_on(change: Change) -> TypeGuard[Assignment]:
    """Whether an endpoint no longer stops when deliveries fail."""
    return isinstance(change, Assignment) and (change.setting, change.new) == ("endpoint.stop_on_failure", "false")


def opens(change: Change) -> TypeGuard[Assignment]:
    """Whether a queue takes messages again: nothing but a command closes one."""
    assigned = isinstance(change, Assignment)
    return assigned and (change.attribute, change.old, change.new) == ("PUT", "DISABLED", "ENABLED")


def _closed(change: Assignment) -> str:
    """Who may have closed a queue, and why."""
    closed = f"Somebody closed {change.target.name} to messages, maybe on purpose"
    descr = f"Its DESCR: {change.described}" if change.described else "Look at its DESCR before you open it"
    spare = ". If it is to stay closed, leave its command out: the other changes do no harm without it"
    return f"{closed}. {descr}{spare * change.spare}"


def _needs_rights(change: Assignment) -> str:
    """What moving messages to the queue takes that BOQNAME names then."""
    needed = "UPDATE access in RACF and the right to pass all context" if change.on_zos else "put and passall"
    who = f"Whoever reads {change.target.name} needs {needed} on {change.new}"
    if change.on_zos:
        return f"{who}. No command of MQSC gives these rights"
    return f"{who}. This change grants nothing; a plan with it grants what readers lack whose names it knows"


def _needs_access(definition: Definition) -> str:
    """What moving messages to a new queue of z/OS takes."""
    needed = "UPDATE access in RACF and the right to pass all context"
    return f"Whoever moves messages to {definition.target.name} needs {needed}. No command of MQSC gives these rights"


def _assumed(grant: Grant, *, all_names: bool) -> str:
    """On what a grant to a group rests that no export shows."""
    users = _listed(grant.assumed, all_names=all_names)
    verb = "is" if len(grant.assumed) == 1 else "are"
    why = "no export says so, but no record lets anybody else read the queue"
    assumption = f"The grants to group {grant.user} assume that {users} {verb} in it: {why}"
    return f"{assumption}. Name the groups of {users} with --observations"


def _longer_words(change: Assignment) -> str:
    """What else has to allow a longer message on its way to another queue manager."""
    at_end = change.setting == "backout.end_max_bytes"
    channel = f"the channel to {change.target.place}" if at_end else f"the channel from {change.target.name}"
    way = _channel_words(change) if change.channels else channel
    if at_end:
        ends = (
            f", and MAXMSGL of {'their' if ' and ' in change.channels else 'its'} other end" if change.channels else ""
        )
        return f"A longer message for {change.target.name} also has to fit {way}{ends}"
    return f"A longer message also has to fit {way}, and the queue at the other end"


_OF_LONGER = ("backout.transmission_max_bytes", "backout.end_max_bytes")
"""The settings that limit messages on their way to another queue manager."""


def _channel_words(change: Assignment) -> str:
    several = " and " in change.channels
    return f"{'channels' if several else 'channel'} {change.channels}"


def _shared(changes: Sequence[Change], *, all_names: bool = False) -> Iterator[str]:
    """Which of the changes are those of several queue managers, so that nobody makes them a second time."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for change in changes:
        if change.target.shared_with:
            found.setdefault(tuple(change.target.members), {})[change.target.name] = None
    for members, names in found.items():
        verb = "is" if len(names) == 1 else "are"
        owners, shared = (_listed(list(each), all_names=all_names) for each in (members, names))
        yield f"{shared} {verb} shared by {owners}, so a change at one of them is a change at all"


def _listed(names: Sequence[str], *, all_names: bool) -> str:
    return listed(names) if all_names else listed_names(names)


def _each(names: Sequence[str], *, all_names: bool) -> str:
    return _listed(list(dict.fromkeys(names)), all_names=all_names)


def _remarks(change: Change, *, all_names: bool = False) -> Iterator[str]:
    """What else to know of a change."""
    for queue in change.left_full:
        yield f"{queue} was full when it was exported, and these changes make no room there. Somebody has to look at it"
    if isinstance(change, Grant):
        if not change.group and not change.on_windows:
            if not change.among_groups:
                yield _BY_GROUP
        elif change.assumed:
            yield _assumed(change, all_names=all_names)
        return
    if change.target.disposition == "GROUP":
        yield _WHOLE_GROUP
    if isinstance(change, Assignment) and (change.setting, change.new) == ("endpoint.non_asf_timeout_ms", "0"):
        yield _into_asf(change)
    if isinstance(change, Assignment) and change.makes_room:
        full = f"{change.target.name} was full when it was exported"
        yield f"{full}, and has room with this MAXDEPTH; its messages stay there"
    if isinstance(change, Assignment) and change.setting == _DEAD_LETTER_LENGTH:
        yield _through_channel(change)
    if isinstance(change, Assignment) and change.setting in _OF_LONGER:
        name = change.target.name
        if change.channels or change.setting == "backout.end_max_bytes":
            yield _longer_words(change)
            return
        yield (
            f"The channel that takes messages from {name}, and the queue at its other end, have a MAXMSGL of their own."
            f" DISPLAY CHANNEL(*) WHERE(XMITQ EQ '{name}') MAXMSGL shows that of the channel"
        )
