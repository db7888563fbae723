"""The order in which the scripts of one queue manager run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lintmdb.exports.mq import MqscFile
from lintmdb.exports.mq.commands import is_export


class ScriptKinds(NamedTuple):
    """The scripts of one queue manager by kind, each in order of path."""

    dumps: Sequence[MqscFile]
    """Of the whole queue manager."""
    exports: Sequence[MqscFile]
    """Dumps of authority records or of some objects, and answers: parts of what the queue manager has."""
    scripts: Sequence[MqscFile]
    """Scripts that people keep."""


def by_kind(files: Sequence[MqscFile]) -> ScriptKinds:
    """Tell dumps, other exports and scripts apart."""
    dumps = [file for file in files if file.dump is not None and file.covers_objects]
    rest = [file for file in files if file.dump is None or not file.covers_objects]
    exports = [file for file in rest if is_export(file)]
    return ScriptKinds(dumps, exports, [file for file in rest if not is_export(file)])


def running_order(files: Sequence[MqscFile]) -> list[list[MqscFile]]:
    """The scripts of a queue manager in the order in which they run, once for each whole dump: scripts run after the
    dump, in order of path.
    """
    dumps, exports, scripts = by_kind(files)
    return [[dump, *exports, *scripts] for dump in dumps] or [[*exports, *scripts]]
