"""One queue manager: its scripts, run in order, to relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lintmdb.exports.mq import MqscFile
from lintmdb.exports.mq.commands import SERVER_CONNECTION, ClusterQueueAccessControl
from lintmdb.model.facts import Facts
from lintmdb.model.relations import Export, ListedNames, PutTarget, Queue, QueueManager, QueueName
from lintmdb.resolve.mq.authority_rows import Identities, Reader, authority_rows, find_reader
from lintmdb.resolve.mq.channels import channel_rows, makes_no_channels
from lintmdb.resolve.mq.cluster_members import cluster_member_rows
from lintmdb.resolve.mq.definitions import Definitions
from lintmdb.resolve.mq.forwarding import forwarding_row
from lintmdb.resolve.mq.free_names import BACKOUT_NAME, DEAD_LETTER_NAME
from lintmdb.resolve.mq.lent_queues import NOTHING_LENT, Lent
from lintmdb.resolve.mq.manager import queue_manager_row
from lintmdb.resolve.mq.names import is_local
from lintmdb.resolve.mq.objects import QUEUE_TYPES
from lintmdb.resolve.mq.put_targets import put_target_row
from lintmdb.resolve.mq.queues import absent_name_row, find_backout_chains, queue_name_row, queue_row
from lintmdb.resolve.mq.script import run_scripts
from lintmdb.resolve.mq.topics import topic_rows


def resolve_queue_manager(
    name: str,
    files: Sequence[MqscFile],
    *,
    changes: Sequence[MqscFile] = (),
    lent: Lent = NOTHING_LENT,
    cluster_queue_access: ClusterQueueAccessControl | None = None,
    identities: Identities | None = None,
    observed_user: str | None = None,
    backout_name: str = BACKOUT_NAME,
    dead_letter_name: str = DEAD_LETTER_NAME,
) -> Facts:
    """The relations of one queue manager from its files (at least one), in the order in which they run, and from
    ``changes`` that would run after them.

    ``lent`` is what other queue managers of its queue-sharing group show of shared queues, which count where these
    files leave them out. ``cluster_queue_access`` is what its configuration file says. ``identities`` maps users that
    connect to their groups, or to None where their groups are not known. ``observed_user`` is the one that reads where
    nothing says who does. ``backout_name`` and ``dead_letter_name`` are how new queues would be called.
    """
    definitions = run_scripts(name, files, changes, lent=lent)
    facts = Facts(inline_suppressions=list(definitions.inline_suppressions))
    manager = queue_manager_row(definitions, cluster_queue_access, dead_letter_name)
    manager = replace(manager, observed_user=observed_user)
    names, queues = _add_queues(facts, definitions, manager, backout_name)
    moved_to = {row.backout_queue for row in queues if row.backout_queue}
    if manager.dead_letter_queue:
        moved_to.add(manager.dead_letter_queue)
    dead_letter = manager.dead_letter_queue
    targets = {name: put_target_row(definitions, name, dead_letter=dead_letter) for name in sorted(moved_to)}
    for row in queues:
        # Nobody else has the row yet, and to copy it would take as long as to make it.
        object.__setattr__(row, "poison_queue", _poison_queue(row, targets, dead_letter))
    facts.add(manager, *targets.values())
    facts.add(*cluster_member_rows(definitions))
    facts.add(*channel_rows(definitions), *topic_rows(definitions), *_listed_names(definitions, manager))
    # On z/OS an external security manager decides, not authority records.
    if definitions.platform == "distributed":
        elsewhere = {name for name, target in targets.items() if target.type is None and target.may_be_in}
        records = definitions.authority_records
        near = {name: target.near_name for name, target in targets.items() if target.near_name}
        facts.add(*authority_rows(records, names, queues, manager, identities or {}, elsewhere=elsewhere, near=near))
    gap = definitions.gap or None
    if gap is None and not definitions.authority_records.queues_complete:
        gap = next((file.gap for file in files if file.lacks_records and file.gap), None)
    facts.add(
        Export(
            path=files[0].path,
            kind="queue_manager",
            name=name,
            complete=gap is None,
            gap=gap,
            level=str(manager.command_level) if manager.command_level else None,
            files=len({file.path for file in files}),
        )
    )
    facts.add(*definitions.attributes.problems)
    return facts


def _poison_queue(queue: Queue, targets: Mapping[str, PutTarget], dead_letter: str | None) -> str | None:
    """The name to which the client moves poison messages of a queue (IBM MQ "Handling poison messages")."""
    target = targets.get(queue.backout_queue or "")
    leads_nowhere = queue.backout_resolution in ("not_set", "not_defined", "dangling", "wrong_base", "model")
    if leads_nowhere or (target is not None and target.takes_puts is False):
        return dead_letter
    return queue.backout_queue


def _listed_names(definitions: Definitions, manager: QueueManager) -> Iterator[ListedNames]:
    if not manager.lists_queues:
        for text in definitions.listed_beginnings(QUEUE_TYPES.keys()):
            yield ListedNames(queue_manager=manager.name, kind="queue", beginning=text)
    if not manager.lists_channels and makes_no_channels(definitions):
        for text in definitions.listed_beginnings({SERVER_CONNECTION}):
            yield ListedNames(queue_manager=manager.name, kind="channel", beginning=text)


def _add_queues(
    facts: Facts, definitions: Definitions, manager: QueueManager, backout_name: str
) -> tuple[list[QueueName], list[Queue]]:
    """Add the rows about queues; the result holds those of all names, and those of local and model queues."""
    queues = definitions.queues
    local = [queue for queue in queues if is_local(queue)]
    chains = find_backout_chains(definitions, local)
    longest = manager.max_message_bytes
    rows = [
        queue_row(definitions, queue, chains[queue.name], longest_bytes=longest, backout_name=backout_name)
        for queue in local
    ]
    by_name = {row.name: row for row in rows}

    def reader_of(name: str, local_queue: str | None) -> Reader:
        # On z/OS an external security manager decides, not authority records.
        if definitions.platform != "distributed":
            return Reader()
        return find_reader(definitions.authority_records, name, by_name.get(local_queue or ""), manager)

    names = [queue_name_row(definitions, queue, reader_of) for queue in queues]
    facts.add(*names, *rows)
    facts.add(*(forwarding_row(definitions, queue) for queue in queues if not is_local(queue)))
    facts.add(*(absent_name_row(definitions, name) for name in sorted(definitions.absent_queues)))
    return names, rows
