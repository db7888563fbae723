"""What a file of MQSC holds: its commands in order, and what its header says of the queue manager."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from lintmdb.model.origins import ChangeOrigin, InlineSuppression, Origin
from lintmdb.model.relations import Problem


class Parameter(NamedTuple):
    """One parameter: keyword in upper case, its value (None without parentheses), how it is written, its column."""

    keyword: str
    value: str | None
    text: str
    column: int
    template: bool = False


class Written(NamedTuple):
    """One parameter of a command as a script writes it, also one that the reader drops."""

    keyword: str
    """In upper case."""
    value: str | None
    """As the queue manager takes it; None without parentheses."""
    line: int
    column: int
    template: bool = False
    """A deployment tool fills in part of the value."""
    unquoted: str = ""
    """Why the queue manager does not take the value without quotation marks; blank where it does, or may."""


class PassedOver(NamedTuple):
    """A command that changes something and that lintmdb does not read."""

    verb: str
    line: int
    column: int
    written: tuple[Written, ...] | None = None
    """As in Command."""


class StructureCommand(NamedTuple):
    """A command about an application structure of the coupling facility (CFSTRUCT), which holds shared queues."""

    verb: str
    name: str
    level: Parameter | None
    """CFLEVEL; None where the command does not set it."""
    line: int
    """That of CFLEVEL, or of the command."""
    column: int


class Command(NamedTuple):
    """One command that lintmdb acts on; ``parameters`` are pairs of a parameter and its line.

    The verb DISPLAY stands for an object as an answer of the queue manager shows it: what the answer leaves out is not
    known.
    """

    verb: str
    noun: str
    name: str
    parameters: tuple[tuple[Parameter, int], ...]
    line: int
    column: int
    inline_suppressions: tuple[InlineSuppression, ...] = ()
    """Rules that comments directly above the command allow for its object."""
    shows_all: bool = False
    """Of DISPLAY: the answer to ALL, so that an attribute which is not shown is one that the queue manager lacks."""
    doubtful: bool = False
    """Nobody knows whether it runs."""
    cut: bool = False
    """It may set more: the file ends inside it, or a line of it in an export is not understood."""
    rest_at: int = 0
    """The line below it that is no command and may be the rest of it; 0 where there is none."""
    control: str = ""
    """The control command that it stands for, as written: ``setmqaut -t q -n A -p app +get``; blank for MQSC."""
    written: tuple[Written, ...] | None = None
    """Its parameters as they are written, where another file contains the script; None where the script is the file."""

    def value(self, keyword: str) -> str:
        """The value of its first parameter of a keyword that has one; blank where none has."""
        for parameter, _ in self.parameters:
            if parameter.keyword == keyword and parameter.value:
                return parameter.value
        return ""


SERVER_CONNECTION = "SVRCONN"
"""The noun of a list of server connection channels, which a list of all channels contains."""


class Listing(NamedTuple):
    """An answer that shows all objects of some kind whose names match: another such object does not exist."""

    noun: str
    pattern: str
    """A name, or the beginning of one with ``*`` behind it."""


ANY_DISTRIBUTED = "distributed"
"""The platform of a file that shows only that it is not from z/OS."""


class Kept(NamedTuple):
    """What keeps a script for queue managers that ask for it: a key of a ConfigMap or Secret of Kubernetes."""

    kind: str
    namespace: str
    """Blank where it is not said."""
    name: str
    key: str


class Asked(NamedTuple):
    """A script that a queue manager asks for, and where it does so."""

    kind: str
    """As in Kept, or ``file``: then the name is a path."""
    namespace: str
    name: str
    key: str | None
    """None for all scripts that are kept under the name, in the order of their keys."""
    line: int
    column: int
    conditional: bool = False
    """A condition decides whether it runs."""
    renamed: str = ""
    """The name that kustomize gives the object that is meant, where the reference does not follow."""


ClusterQueueAccess = Literal["Xmitq", "RQMName"]
"""The profile on which the right to put on a cluster queue is checked where the queue is at another queue manager: that
of SYSTEM.CLUSTER.TRANSMIT.QUEUE, or the one of its name (IBM MQ "Security stanza of the qm.ini file").
"""


class ClusterQueueAccessControl(NamedTuple):
    """What the configuration file of a queue manager says of rights on cluster queues."""

    value: ClusterQueueAccess
    path: str
    line: int
    column: int
    default: bool = False
    """The file does not set it."""


class QueueStatus(NamedTuple):
    """What was going on at a queue when it was exported; None for what the export does not show."""

    line: int
    messages: int | None = None
    """CURDEPTH."""
    readers: int | None = None
    """How many handles had it open for input (IPPROCS)."""
    oldest_seconds: int | None = None
    """The age of its oldest message (MSGAGE)."""
    uncommitted: bool | None = None
    """Whether gets or puts were not committed (UNCOM)."""

    def updated(self, later: QueueStatus) -> QueueStatus:
        """What is known after a later answer of the same moment."""
        shown = {each: value for each, value in later._asdict().items() if value is not None}
        return self._replace(**shown)


Dump = Literal["dmpmqcfg", "saveqmgr", "makedef"]


@dataclass(slots=True)
class MqscFile:
    """One file of MQSC, as commands in order."""

    path: str
    commands: list[Command] = field(default_factory=list[Command])
    other_commands: int = 0
    """Commands that lintmdb recognises and does not need."""
    passed_over: list[PassedOver] = field(default_factory=list[PassedOver])
    """Those among them that change something."""
    structures: list[StructureCommand] = field(default_factory=list[StructureCommand])
    """Those among them that are about structures of the coupling facility."""
    queue_manager: str | None = None
    platform: str | None = None
    platform_line: int = 1
    """Where the platform is written."""
    command_level: int | None = None
    sharing_group: str | None = None
    """QSGNAME of the queue manager, which a comment of a dump says; '' where it is in no queue-sharing group."""
    dump: Dump | None = None
    exported_on: str | None = None
    """The date that dmpmqcfg writes into its header: ``2026-03-06``."""
    covers_objects: bool = False
    """The dump says that it holds every object of the queue manager."""
    all_attributes: bool = False
    covers_queue_authorities: bool = False
    """The dump says that it holds every authority record of queues."""
    covers_manager_authorities: bool = False
    """The dump says that it holds every authority record of the queue manager itself."""
    covers_channel_records: bool = False
    """The dump says that it holds every channel authentication record."""
    covers_subscriptions: bool = False
    """The dump says that it holds every durable subscription."""
    observed: bool = False
    """It holds what a queue manager answered: the commands that took effect, and objects as DISPLAY shows them."""
    listings: list[Listing] = field(default_factory=list[Listing])
    cluster_queues: list[Command] = field(default_factory=list[Command])
    """Queues of a cluster as answers show them, each at one queue manager that defines it."""
    namelists: list[Command] = field(default_factory=list[Command])
    """The commands about namelists, in order: CLUSNL and REPOSNL name clusters by them."""
    subscriptions: list[Command] = field(default_factory=list[Command])
    """The commands about subscriptions, in order: dmpmqcfg writes the durable ones of applications, too."""
    truncated: bool = False
    ended: bool = False
    """The lines are there with which dmpmqcfg ends a dump."""
    has_late_command: bool = False
    """It holds something that dmpmqcfg and saveqmgr write behind all queues, channels and topics."""
    has_namelist: bool = False
    """It holds something that saveqmgr writes behind all queues and channels. Topics are behind it."""
    failed_at: int = 0
    """The line on which saveqmgr says that something is missing; 0 for none."""
    lacks_objects: bool = False
    """Objects may be missing that the dump says it holds."""
    lacks_records: bool = False
    """Records of authorities or channels may be missing that the dump says it holds."""
    gap: str = ""
    """Why something may be missing, as a clause about the dump; blank where it is whole."""
    lost_commands: int = 0
    """Commands that define or change something and that could not be read."""
    problems: list[Problem] = field(default_factory=list[Problem])
    lost_inline_suppressions: list[InlineSuppression] = field(default_factory=list[InlineSuppression])
    """Comments that allow a rule, but are not above a command that lintmdb reads."""
    embedded: bool = False
    """The commands are part of a file of another form, or of one with several queue managers, which no edit of a script
    fits.
    """
    kept: Kept | None = None
    """What keeps the script, where queue managers ask for it by that; such a script does not run by itself."""
    home: str = ""
    """The kustomization that made the script of several files; blank where ``path`` is where it belongs."""
    elsewhere: str = ""
    """The path of the file that is the script, where only its name stands here."""
    configuration: bool = False
    """It is the configuration file of a queue manager."""
    cluster_queue_access: ClusterQueueAccessControl | None = None
    queue_status: dict[str, QueueStatus] = field(default_factory=dict[str, QueueStatus])
    """Of the queues that it shows with some, by their names."""
    asked: tuple[Asked, ...] | None = None
    """The scripts that a queue manager asks for, in the order in which they run; None where nothing can ask."""
    turn: tuple[str, int] | None = None
    """Where the script runs among those of its queue manager: the path of what asks for it, and its place there. None
    for a script that runs in the order of its path.
    """
    told_elsewhere: bool = False
    """The changes are those of another queue manager of a queue-sharing group, which says what would be refused."""
    is_change: bool = False
    """It is a change on top of the exports."""

    def origin(self, parameter: Parameter, line: int) -> Origin:
        """The position of a parameter."""
        return self.place(line, parameter.column, parameter.text)

    def place(self, line: int, column: int, text: str, *, default: bool = False) -> Origin:
        """A position in the file."""
        return _new_origin(ChangeOrigin if self.is_change else Origin, (self.path, line, column, text, default))


# A dump has hundreds of thousands of places, and Origin(...) takes twice as long.
_new_origin = cast("Callable[[type[Origin], tuple[str, int, int, str, bool]], Origin]", tuple[object, ...].__new__)


def is_export(file: MqscFile) -> bool:
    """Whether a file was taken from a queue manager, so that it holds what was there; a script says what is wanted.

    A MAKEDEF deck has no header: each of its definitions says NOREPLACE.
    """
    if file.dump is not None or file.observed:
        return True
    defined = [command for command in file.commands if command.verb == "DEFINE"]
    return bool(defined) and all(_says(command, "NOREPLACE") for command in defined)


def _says(command: Command, keyword: str) -> bool:
    return any(parameter.keyword == keyword for parameter, _ in command.parameters)
