"""The members of the clusters at whose scope objects are changed: all of them are restarted, whichever has the flow."""

from __future__ import annotations

from lintmdb.model.environment_names import key_of
from lintmdb.model.facts import Facts
from lintmdb.plan.choices import Changes
from lintmdb.settings.changes import Assignment
from lintmdb.settings.kinds import cluster_of


def name_members(changes: Changes, facts: Facts) -> Changes:
    """The changes, those of objects at cluster scope with the containment paths of the cluster's members."""
    wanted = {
        (change.target.place_key, cluster)
        for change in changes
        if isinstance(change, Assignment) and not change.servers and (cluster := cluster_of(change.target))
    }
    if not wanted:
        return changes
    members: dict[tuple[str, str], dict[str, None]] = {}
    for server in facts.rows["server"]:
        place = key_of(server.environment, server.cell or ""), server.cluster or ""
        if place in wanted and server.config_paths:
            members.setdefault(place, {})[server.config_paths] = None
    paths = {place: " ".join(sorted(found)) for place, found in members.items()}
    return tuple(
        [
            change._replace(servers=paths.get((change.target.place_key, cluster_of(change.target)), ""))
            if isinstance(change, Assignment) and not change.servers
            else change
            for change in changes
        ]
    )
