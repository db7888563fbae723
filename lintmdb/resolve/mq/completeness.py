"""How much of a queue manager its files hold: what a complete export does not define does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lintmdb.exports.mq import Listing, MqscFile
from lintmdb.resolve.mq.objects import DEFAULT_OBJECTS, QUEUE_TYPES, MqObject, ObjectKey, object_key
from lintmdb.resolve.mq.platforms import Platform


def is_partial(file: MqscFile) -> bool:
    """Whether a file lacks definitions of the queue manager that it should hold.

    A broken command of a script defines nothing when the script runs either; in a dump or an answer it hides an object.
    A change takes nothing from what the exports hold.
    """
    if file.is_change:
        return False
    return file.truncated or (file.lost_commands > 0 and (file.dump is not None or file.observed))


def shows_every_attribute(files: Iterable[MqscFile]) -> bool:
    """Whether an attribute that is not there is blank: a dump of the queue manager omits nothing but defaults."""
    return any(_covers_objects(file) and not is_partial(file) for file in files)


def is_complete(files: Sequence[MqscFile], objects: Mapping[ObjectKey, MqObject], platform: Platform | None) -> bool:
    """Whether files hold every object of the queue manager."""
    if any(is_partial(file) for file in files):
        return False
    if any(_covers_objects(file) for file in files) or lists_all_of(
        listings_of(files), (*QUEUE_TYPES, "CHANNEL", "TOPIC")
    ):
        return True
    # A MAKEDEF deck has no header; one of the whole queue manager holds the default objects.
    default = objects.get(object_key("QLOCAL", DEFAULT_OBJECTS["QLOCAL"]))
    if default is None or platform != "zos" or any(file.lost_commands for file in files):
        return False
    return "BOTHRESH" in default.values


def lists_all_of(listings: Iterable[Listing], nouns: Iterable[str]) -> bool:
    """Whether answers of the queue manager show all objects of each of some kinds."""
    return {listing.noun for listing in listings if listing.pattern == "*"}.issuperset(nouns)


def listings_of(files: Sequence[MqscFile]) -> Sequence[Listing]:
    """What answers list in full. Where part of a file is not known, it may define anything."""
    if any(is_partial(file) for file in files):
        return ()
    return [listing for file in files for listing in file.listings]


def _covers_objects(file: MqscFile) -> bool:
    return file.dump in ("dmpmqcfg", "saveqmgr") and file.covers_objects
