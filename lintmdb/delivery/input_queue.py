"""The MQ side: messages with their backout counts, when one counts as poison, and where it is moved to.

Sources: IBM MQ "Handling poison messages in IBM MQ classes for JMS", "BackoutCount" and "HardenGetBackout".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lintmdb.delivery.fate import Fate
from lintmdb.delivery.interpretations import Interpretation
from lintmdb.delivery.message import Message, build_messages
from lintmdb.delivery.outcome import Story
from lintmdb.delivery.values import UnknownValueError, Values
from lintmdb.delivery.workload import Workload
from lintmdb.model.word_lists import listed

_NO_WAY = "no transmission queue takes it"
DEAD_LETTER_HEADER_BYTES = 172
"""What a dead-letter header adds to a message (MQDLH)."""
_TRANSMISSION_HEADER_BYTES = 428
_SMALL_STRUCTURE_BYTES = 63 * 1024
"""The longest message of a shared queue whose structure is below CFLEVEL(4)."""
MAX_ZOS_COUNT = 255
"""On z/OS a backout count is one byte."""
_REFUSED: Mapping[str, str] = {
    "not_defined": "it is not defined",
    "dangling": "it is an alias whose target is not defined",
    "wrong_base": "it is an alias of an alias or of a model queue",
    "model": "it is a model queue, which keeps no messages",
}
"""Why nothing can be put on what a name leads to."""
_ALIASES: Mapping[Fate, str] = {Fate.BACKOUT_QUEUE: "backout", Fate.DEAD_LETTER_QUEUE: "dead_letter"}
"""The rows of the queues that messages are moved to."""


class InputQueue:
    """The queue that the endpoint reads."""

    def __init__(self, values: Values, workload: Workload, interpretation: Interpretation, story: Story) -> None:
        self._values = values
        self._story = story
        # Messages of a subscription stand on a queue that the queue manager makes from a model queue.
        topic = values.maybe("endpoint.destination_type") == "topic"
        self._workload = workload
        self._interpretation = interpretation
        self._restarts = list(workload.restarts_after)
        persistent = workload.persistent
        if persistent is None:
            persistent = values.boolean("queue.default_persistence")
        self.messages = build_messages(workload, persistent=persistent)
        self._persistent = persistent
        self._arrived = len(self.messages) - 1
        self.touched: dict[int, Message] = {}
        """Messages that have been delivered or moved since one left the queue for good, by their order."""
        self.watched = self.messages[0]
        self.name = (
            "the subscription's queue"
            if topic
            else values.shown("queue.name", values.shown("endpoint.queue", "the queue"))
        )
        self.failures = 0
        self.moved = 0
        self._told_of_inquiry = False
        self.persistence_matters = False
        """Something depended on whether a message is persistent."""

    def state(self, horizon: int) -> object:
        """What the future depends on, as far as it has changed since a message left the queue: counts beyond the
        horizon make no more difference.
        """
        messages = tuple((m.order, min(m.count, horizon), m.failures_left) for m in self.touched.values())
        return messages, tuple(self._restarts)

    def position(self) -> tuple[object, ...]:
        """What else than the counts of its messages may change."""
        return tuple(self._restarts), self._arrived, self.moved

    def is_persistent(self, message: Message) -> bool:
        """Whether a message is persistent. Who asks makes the outcome depend on the answer."""
        self.persistence_matters = True
        return message.persistent

    def arrive(self) -> Message:
        """One more healthy message comes."""
        self._arrived += 1
        message = Message("a healthy message", self._arrived, 0, self._persistent, healthy=True)
        self.messages.append(message)
        return message

    def threshold(self) -> int:
        """BOTHRESH of the queue; 0 where the client may not look it up. Raises UnknownValueError.

        IBM does not say what the client does then. Without a value it knows no threshold.
        """
        threshold = self._values.integer("queue.backout_threshold")
        return 0 if threshold and self._may_not_inquire() else threshold

    def _may_not_inquire(self) -> bool:
        """Whether the queue is behind an alias, and the user lacks inq authority on it (APAR IT24453)."""
        return self._values.maybe("authority.behind_inq") is False

    def is_poison(self, message: Message) -> bool:
        """The MQ client compares the count with BOTHRESH when it meets a message that was backed out before."""
        if message.count == 0:
            return False
        threshold = self.threshold()
        if not self._told_of_inquiry and not threshold and self._may_not_inquire():
            self._told_of_inquiry = True
            user = self._values.shown("authority.user", "of the endpoint")
            count = {"backout_count": message.count}
            self._story.add("MQ client", "inquiry_refused", count, queue=self.name, user=user)
        if threshold and self._interpretation.backout == "exceeded":
            threshold += 1
        return 0 < threshold <= message.count

    def roll_back(self, message: Message) -> None:
        """The message is back on the queue and its count one higher."""
        self.touched[message.order] = message
        message.count += 1
        # On z/OS the count is one byte. The platform matters only there.
        if message.count > MAX_ZOS_COUNT and self._values.text("queue_manager.platform") == "zos":
            message.count = MAX_ZOS_COUNT
        self._story.add(
            "queue manager",
            "returned",
            {"backout_count": message.count},
            message=message.name,
            queue=self.name,
            count=message.count,
        )

    def take_back(self, message: Message) -> None:
        """Undo a move: the message is where it was."""
        self.messages.append(message)
        self.messages.sort(key=lambda m: m.order)
        self.moved -= 1
        message.fate, message.target = None, ""

    def undo(self, moved: Sequence[Message]) -> None:
        """The transaction that held the moves is rolled back: each message is back, its count one higher."""
        for message in moved:
            self.take_back(message)
            self.roll_back(message)

    def count_failure(self) -> bool:
        """Count one more failed delivery, and restart the queue manager where the workload says so; whether it was."""
        self.failures += 1
        if not self._restarts:
            return False
        self._restarts[0] -= 1
        if self._restarts[0] > 0:
            return False
        del self._restarts[0]
        self._restart()
        return True

    def _restart(self) -> None:
        values = self._values
        zos = values.text("queue_manager.platform") == "zos"
        if zos and values.boolean("queue.shared_disposition"):
            self._story.add("queue manager", "restarted_shared", self._counts())
            return
        for message in [m for m in self.messages if not self.is_persistent(m)]:
            self.messages.remove(message)
            message.fate = Fate.LOST
            self._story.add("queue manager", "restart_drops", {"backout_count": message.count}, message=message.name)
        if zos and not values.boolean("queue.harden_backout"):
            for message in self.messages:
                message.count = 0
            self._story.add("queue manager", "restarted_forgets", self._counts())
            return
        self._story.add("queue manager", "restarted_keeps", self._counts())

    def _counts(self) -> dict[str, int]:
        return {"backout_count": self.messages[0].count} if self.messages else {}

    def dispose(self, message: Message) -> Fate:
        """Move a poison message aside: backout queue, else dead-letter queue, else by its persistence.

        The message leaves the queue, except where delivery is blocked and where the backout queue leads back here.
        """
        fate, target = self._disposal(message)
        count = {"backout_count": message.count}
        names = {"message": message.name, "queue": self.name, "target": target}
        if fate is Fate.BLOCKED:
            self._story.add("MQ client", "blocked", count, **names)
        elif fate is Fate.LOOPS:
            self._story.add("MQ client", "moved_in_a_circle", count, **names)
        else:
            self.messages.remove(message)
            self.moved += 1
            why = (
                "carries MQRO_DISCARD_MSG" if self._workload.discardable else "is not persistent and no queue takes it"
            )
            otherwise = self._without_rights(message) if fate is Fate.BACKOUT_QUEUE else ""
            rights = self._unproven_rights(fate)
            if otherwise:
                instead = f"or to the dead-letter queue {otherwise} if its user lacks put or passall on {target}"
                rights = f" ({instead}; no export shows whether it may)"
            told = {"onwards": self._onwards(fate), "rights": rights, "otherwise": otherwise, "why": why}
            transmission = int(self._is_transmission_queue(fate))
            self._story.add("MQ client", fate.value, count, **told, transmission=transmission, **names)
        message.fate, message.target = fate, target
        return fate

    def _disposal(self, message: Message) -> tuple[Fate, str]:
        values, threshold = self._values, self.threshold()
        self._story.add(
            "MQ client",
            "is_poison",
            {"backout_count": message.count},
            message=message.name,
            count=message.count,
            threshold=threshold,
            queue=self.name,
        )
        name = values.shown("queue.backout_queue", "")
        resolution = self._resolution("queue.backout_resolution")
        if resolution == "not_set":
            self._story.add("MQ client", "no_backout_queue", queue=self.name)
            return self._dead_letter(message)
        why = self._refusal("backout", "queue.backout_resolution", _REFUSED, 0)
        if why is None and resolution == "topic":
            # Subscribers get copies, if there are any: no export shows those that come and go.
            raise UnknownValueError("backout.local_queue")
        if why is None:
            if self._comes_back():
                return Fate.LOOPS, name
            astray = self._goes_astray("backout") or self._too_long_there()
            return (Fate.ASTRAY if astray else Fate.BACKOUT_QUEUE), name
        self._story.add("MQ client", "put_fails", message=message.name, target=name, why=why)
        return self._dead_letter(message)

    def _resolution(self, column: str) -> str | None:
        """What a name leads to; None where that is not known, or differs between the exports of a queue manager."""
        resolution = self._values.maybe(column)
        return resolution if isinstance(resolution, str) and resolution != "ambiguous" else None

    def _goes_astray(self, alias: str) -> bool:
        """Whether the message leaves for another queue manager, where it is not put on a queue that keeps it."""
        return self._values.maybe(f"{alias}.fails_elsewhere") is True

    def _too_long_there(self) -> bool:
        """Whether the longest message leaves for another queue manager, where a queue takes only shorter ones."""
        values = self._values
        leaves = values.maybe("queue.backout_resolution") == "remote"
        if not (self._workload.longest and leaves) or values.maybe("backout.end_takes_less") is not True:
            return False
        room = values.integer("backout.end_max_bytes")
        if room >= values.integer("queue.max_message_bytes"):
            return False
        return room < values.integer("queue_manager.max_message_bytes")

    def _comes_back(self) -> bool:
        """Whether a message that is put on the backout queue arrives here again, at once or by the readers of all
        queues on the way.
        """
        values = self._values
        return values.maybe("queue.backout_loops") is True and values.maybe("endpoint.backout_circle_read") is True

    def _onwards(self, fate: Fate) -> str:
        """What the reader has to know of the queue: one of the wrong type takes the message all the same."""
        if self._is_transmission_queue(fate):
            return ", a transmission queue, which only a channel reads"
        alias = _ALIASES.get(fate)
        if alias is not None and self._values.maybe(f"{alias}.model") is True:
            return ", a model queue, so it is on a dynamic queue of another name"
        return self._sent_on() if fate is Fate.BACKOUT_QUEUE else ""

    def _is_transmission_queue(self, fate: Fate) -> bool:
        alias = _ALIASES.get(fate)
        return alias is not None and self._values.maybe(f"{alias}.transmission") is True

    def _unproven_rights(self, fate: Fate) -> str:
        """What the move takes for granted: the rights of a user are seldom exported."""
        rights = {Fate.BACKOUT_QUEUE: "authority.", Fate.DEAD_LETTER_QUEUE: "authority.dead_letter_"}.get(fate)
        if rights is None or None not in (self._values.maybe(f"{rights}put"), self._values.maybe(f"{rights}passall")):
            return ""
        return " (no export shows whether its user has put and passall there)"

    def _without_rights(self, message: Message) -> str:
        """The dead-letter queue that takes a message that the user may not put on the backout queue, where no export
        shows whether it may; blank where the user may, or where nothing proves that the message gets there.
        """
        if not self._unproven_rights(Fate.BACKOUT_QUEUE) or self._unproven_rights(Fate.DEAD_LETTER_QUEUE):
            return ""
        story, persistence_matters = self._story, self.persistence_matters
        self._story = Story()
        try:
            fate, target = self._dead_letter(message)
        except UnknownValueError:
            return ""
        finally:
            self._story, self.persistence_matters = story, persistence_matters
        return target if fate is Fate.DEAD_LETTER_QUEUE else ""

    def _sent_on(self) -> str:
        """Where a message goes from a remote backout queue (IBM MQ "Dead-letter queues": the receiving channel)."""
        if there := self._values.shown("backout.in_cluster_elsewhere", ""):
            otherwise = "or to the dead-letter queue there (if there is one) if it cannot be put on it"
            return f", a cluster queue at {there}, {otherwise}"
        queue = self._values.shown("backout.remote_queue", "")
        manager = self._values.shown("backout.remote_queue_manager", "")
        if not (queue and manager):
            return ""
        otherwise = f"or to the dead-letter queue of {manager} (if there is one) if it cannot be put there"
        if self._values.maybe("backout.leads_to_kind") == "cluster queue":
            return f", a cluster queue at {manager}, {otherwise}"
        return f", which sends it on to {queue} at {manager}, {otherwise}"

    def _dead_letter(self, message: Message) -> tuple[Fate, str]:
        values = self._values
        if self._workload.discardable:
            return Fate.DISCARDED, ""
        resolution = self._resolution("queue_manager.dead_letter_resolution")
        name = values.shown("queue_manager.dead_letter_queue", "")
        if resolution == "not_set" and self._interpretation.dead_letter == "system":
            return Fate.DEAD_LETTER_QUEUE, "SYSTEM.DEAD.LETTER.QUEUE"
        if resolution == "not_set":
            self._story.add("MQ client", "no_dead_letter_queue")
        else:
            refused = {**_REFUSED, "topic": "it is an alias of a topic"}
            why = self._refusal(
                "dead_letter", "queue_manager.dead_letter_resolution", refused, DEAD_LETTER_HEADER_BYTES
            )
            if why is None:
                if self._goes_astray("dead_letter"):
                    return Fate.ASTRAY, name
                return (Fate.LOOPS if self._is_dead_letter_queue() else Fate.DEAD_LETTER_QUEUE), name
            self._story.add("MQ client", "put_fails", message=message.name, target=name, why=why)
        return (Fate.BLOCKED if self.is_persistent(message) else Fate.DISCARDED), ""

    def _is_dead_letter_queue(self) -> bool:
        """Whether the endpoint reads the dead-letter queue: what is moved there comes back."""
        return self._values.are_equal("dead_letter.local_queue", "queue.name")

    def _refusal(self, alias: str, resolution: str, refused: Mapping[str, str], header: int) -> str | None:
        """Why a put to a queue fails; None where it succeeds. ``resolution`` is the column that says what its name
        leads to, and ``refused`` has the reasons to which that leads. Raises UnknownValueError where it is not known
        whether it fails. One reason is enough, whatever else is not known.
        """
        values = self._values
        found = self._resolution(resolution)
        if found is not None and found in refused:
            return refused[found]
        if why := self._closed(alias) or self._lacking(alias, there=found is not None):
            return why
        if found is None:
            raise UnknownValueError(resolution)
        measured = self._workload.longest and not (alias == "backout" and found == "topic")
        why = self._too_long(alias, header) if measured else None
        if why is None:
            values.boolean(f"{alias}.takes_puts")
        return why

    def _closed(self, alias: str) -> str:
        """Why a queue is known to take no message from anybody; blank where that is not known."""
        values = self._values
        if values.maybe(f"{alias}.takes_puts") is False:
            if values.maybe(f"{alias}.name_clash") is True:
                return "both a private and a shared queue have that name"
            if values.maybe(f"{alias}.reachable") is False:
                return _NO_WAY
            if values.maybe(f"{alias}.stream_closed") is True:
                return "its STRMQOS is MUSTDUP, and the stream queue takes no copy"
            return "its MAXDEPTH is 0" if values.maybe(f"{alias}.no_room") is True else "its PUT is disabled"
        if alias == "backout" and values.maybe("backout.reachable") is False:
            return _NO_WAY
        return "it is full" if self._is_full(alias) else ""

    def _is_full(self, alias: str) -> bool:
        """Whether the workload has a queue full. The same queue may have both purposes."""
        full = self._workload.backout_full and not self.sends_on()
        if full == self._workload.dead_letter_full:
            return full
        local = self._values.maybe(f"{alias}.local_queue")
        other = "dead_letter" if alias == "backout" else "backout"
        same = local is not None and local == self._values.maybe(f"{other}.local_queue")
        return same or (full if alias == "backout" else self._workload.dead_letter_full)

    def sends_on(self) -> bool:
        """Whether the backout queue is at another queue manager: full or not, a message leaves for it."""
        kind = self._values.maybe("backout.leads_to_kind")
        return kind in ("cluster queue", "remote queue") or self._resolution("queue.backout_resolution") == "remote"

    def _lacking(self, alias: str, *, there: bool) -> str:
        """Which rights the user is known to lack; blank where it has them, or may have them."""
        rights = "authority." if alias == "backout" else "authority.dead_letter_"
        lacking = [right for right in ("put", "passall") if self._values.maybe(f"{rights}{right}") is False]
        if not lacking:
            return ""
        condition = "" if there else ", if it is defined at all"
        return f"the endpoint's user lacks {listed(lacking)} authority there{condition}"

    def _too_long(self, alias: str, header: int) -> str | None:
        """Why the longest message that the input queue holds, with a header, does not fit on another queue. The queue
        manager's own MAXMSGL limits every queue: without a header a message that came in goes on.
        """
        values = self._values
        if alias == "backout" and values.text("queue.backout_resolution") == "remote":
            return self._too_long_to_leave()
        room, length = values.integer(f"{alias}.max_message_bytes"), values.integer("queue.max_message_bytes")
        if room == _SMALL_STRUCTURE_BYTES < length + header and values.maybe(f"{alias}.in_small_structure") is True:
            return f"the message is longer than the {room} bytes that the CFLEVEL of its structure allows"
        if header and room < length + header:
            return f"the message is longer than its MAXMSGL({room})"
        if not header and room >= length:
            return None
        limit = values.integer("queue_manager.max_message_bytes")
        if header and limit < length + header:
            return f"the message and its header are longer than the queue manager's MAXMSGL({limit})"
        return f"the message is longer than its MAXMSGL({room})" if not header and room < limit else None

    def _too_long_to_leave(self) -> str | None:
        """Why the longest message, behind a transmission header, does not fit on the transmission queue."""
        values = self._values
        room, length = values.integer("backout.transmission_max_bytes"), values.integer("queue.max_message_bytes")
        if room >= length + _TRANSMISSION_HEADER_BYTES:
            return None
        if room >= values.integer("queue_manager.max_message_bytes") + _TRANSMISSION_HEADER_BYTES:
            return None
        return f"the message and its header are longer than MAXMSGL({room}) of the transmission queue"
