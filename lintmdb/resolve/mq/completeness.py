"""How much of a queue manager its files hold: what a complete export does not define does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lintmdb.exports.mq import Listing, MqscFile
from lintmdb.exports.mq.commands import is_export
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
    return any(_holds_objects(file) and not is_partial(file) for file in files)


def is_complete(files: Sequence[MqscFile], objects: Mapping[ObjectKey, MqObject], platform: Platform | None) -> bool:
    """Whether files hold every object of the queue manager."""
    return not find_gap(files, objects, platform)


def holds_every_queue(
    files: Sequence[MqscFile], objects: Mapping[ObjectKey, MqObject], platform: Platform | None
) -> bool:
    """Whether files hold every queue of the queue manager, and maybe no other object."""
    gap = find_gap(files, objects, platform)
    return not gap or gap.endswith(MANAGER_GAP)


def find_gap(files: Sequence[MqscFile], objects: Mapping[ObjectKey, MqObject], platform: Platform | None) -> str:
    """Why files may not hold every object of the queue manager, as a clause; blank where they do."""
    partial = next((file for file in files if is_partial(file)), None)
    if partial is not None:
        return _about(partial, files, partial.gap or ("it is cut off" if partial.truncated else _UNREAD))
    if any(map(_holds_objects, files)) or lists_all_of(listings_of(files), (*QUEUE_TYPES, "CHANNEL", "TOPIC")):
        return ""
    lossy = next((file for file in files if file.lost_commands), None)
    deck = find_deck(files, platform)
    if platform == "zos" and lossy is None and _holds_default_queue(objects):
        return "" if _shows_manager(files) else _about(deck or files[0], files, MANAGER_GAP)
    if deck is not None:
        return _about(lossy or deck, files, _UNREAD if lossy is not None else DECK_GAP)
    told = next((file for file in files if file.dump is not None or file.observed), None)
    if told is None:
        return SCRIPT_GAP
    if told.observed:
        return _about(told, files, _UNLISTED)
    return _about(told, files, told.gap if told.lacks_objects else _FILTERED)


SCRIPT_GAP = "what it does not define may exist elsewhere"
"""Of scripts alone, which say nothing of what others define."""
DECK_GAP = "it lacks SYSTEM.DEFAULT.LOCAL.QUEUE, which the deck of a whole queue manager holds (DISPLAY QUEUE(*) ALL)"
MANAGER_GAP = "it lacks ALTER QMGR, with the attributes of the queue manager (DISPLAY QMGR ALL)"
"""Of the deck of every queue, or of more: nothing shows that it holds more."""
_UNREAD = "a part of it is not understood"
_UNLISTED = "it does not list every queue, channel and topic (DISPLAY QUEUE(*) ALL and the like)"
_FILTERED = "the options of the command left out objects"


def _about(file: MqscFile, files: Sequence[MqscFile], clause: str) -> str:
    return f"{file.path}: {clause}" if len({other.path for other in files}) > 1 else clause


def find_deck(files: Sequence[MqscFile], platform: Platform | None) -> MqscFile | None:
    """The first MAKEDEF deck, which has no header."""
    if platform != "zos":
        return None
    return next((file for file in files if file.dump is None and not file.observed and is_export(file)), None)


def _holds_default_queue(objects: Mapping[ObjectKey, MqObject]) -> bool:
    """Whether the default queue is there with its attributes, as in the deck of a whole queue manager."""
    default = objects.get(object_key("QLOCAL", DEFAULT_OBJECTS["QLOCAL"]))
    return default is not None and "BOTHRESH" in default.values


def _shows_manager(files: Iterable[MqscFile]) -> bool:
    """Whether files have attributes of the queue manager itself."""
    return any(command.noun == "QMGR" for file in files if not file.is_change for command in file.commands)


def lists_all_of(listings: Iterable[Listing], nouns: Iterable[str]) -> bool:
    """Whether answers of the queue manager show all objects of each of some kinds."""
    return {listing.noun for listing in listings if listing.pattern == "*"}.issuperset(nouns)


def listings_of(files: Sequence[MqscFile]) -> Sequence[Listing]:
    """What answers list in full. Where part of a file is not known, it may define anything."""
    if any(is_partial(file) for file in files):
        return ()
    return [listing for file in files for listing in file.listings]


def _holds_objects(file: MqscFile) -> bool:
    return file.dump in ("dmpmqcfg", "saveqmgr") and file.covers_objects and not file.lacks_objects
