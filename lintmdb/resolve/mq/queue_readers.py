"""Who reads the queues that no endpoint reads, by observations, and the name that each of these users opens.

MQ checks the authority on the name that is opened, and a common way to keep applications off a queue is to let them
open an alias of it alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lintmdb.model.facts import Facts
from lintmdb.model.relations import Authority, Queue, QueueManager, QueueName
from lintmdb.resolve.observations import Observations

_Rights = Mapping[tuple[str, str], Authority]
"""By the name that is opened and the user."""


def observed_readers(facts: Facts, observed: Observations, environment: str | None) -> list[Queue]:
    """The queues of the one queue manager of ``facts`` with their readers.

    An entry of observations may name an alias of a queue: that is then what its user opens. A user that may not get
    from a queue, and may from an alias of it, opens the alias.
    """
    (manager,) = facts.rows["queue_manager"]
    aliases: dict[str, list[QueueName]] = defaultdict(list)
    for name in facts.rows["queue_name"]:
        if name.type == "alias" and name.local_queue:
            aliases[name.local_queue].append(name)
    rights = {(row.queue, row.account): row for row in facts.rows["authority"]} if aliases else {}
    return list(_with_readers(facts.rows["queue"], aliases, rights, manager, observed, environment))


def _with_readers(
    queues: Iterable[Queue],
    aliases: Mapping[str, Sequence[QueueName]],
    rights: _Rights,
    manager: QueueManager,
    observed: Observations,
    environment: str | None,
) -> Iterator[Queue]:
    for queue in queues:
        others = aliases.get(queue.name, ())
        seen = observed.reader([queue.name, *(alias.name for alias in others)], manager.name, environment)
        user = seen.user if seen is not None else None
        reader = user or manager.observed_user
        opened = queue.name
        if reader is not None and others:
            account = reader.lower() if manager.windows_accounts else reader
            named = seen is None or seen.fits(queue.name, manager.name, environment)
            fitting = (
                others
                if seen is None
                else [alias for alias in others if named or seen.fits(alias.name, manager.name, environment)]
            )
            opened = _opened_name(queue.name if named else None, fitting, account, rights)
        if user is not None or opened != queue.name:
            queue = replace(queue, observed_user=user, observed_name=opened if opened != queue.name else None)
        yield queue


def _opened_name(queue: str | None, aliases: Sequence[QueueName], account: str, rights: _Rights) -> str:
    """The name that a user opens: the queue, if that is one of the names and nothing says that the user may not get
    from it; else the first alias from which the user may get.
    """
    if queue is not None and _may_get(queue, account, rights) is not False:
        return queue
    open_aliases = [alias for alias in aliases if alias.get_enabled is not False]
    allowed = [alias.name for alias in open_aliases if _may_get(alias.name, account, rights) is True]
    return allowed[0] if allowed else queue or aliases[0].name


def _may_get(name: str, account: str, rights: _Rights) -> bool | None:
    row = rights.get((name, account))
    return row.source_get if row is not None else None
