"""Takes down what a queue manager answered: each command with its outcome, and each object that an answer shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lintmdb.exports.mq.collector import Collector
from lintmdb.exports.mq.commands import Command, MqscFile, Parameter
from lintmdb.exports.mq.display.objects import (
    CLUSTER_QUEUE,
    Shown,
    is_authority_record,
    lacks_kind,
    note_queue_manager,
    note_queue_status,
    object_command,
)
from lintmdb.exports.mq.display.questions import Question, note_listing, read_question
from lintmdb.exports.mq.joined import Joined, read_commands

Outcome = Literal["done", "failed", "not_found"]
_AGAIN = "Take the transcript again"


class Recorder:
    """Adds what one transcript holds to its files: one for each queue manager that answers in it."""

    def __init__(self, path: str, platform: str) -> None:
        self.files: list[MqscFile] = []
        self._path = path
        self._platform = platform
        self._collector = self._begin()
        self._by_prefix: dict[str, Collector] = {}
        self._question: Question | None = None
        self._changes: Sequence[Command] = ()
        self._namelists: Sequence[Command] = ()
        self._line = 1
        self._outcomes: set[Outcome] = set()
        self._answered = False
        self._incomplete = False
        """Part of the answer could not be read."""
        self.lines: list[tuple[Sequence[Parameter], int]] = []
        """The attributes of the object that is being shown, by line; the reader of most lines adds them itself."""
        self._shows: bool | None = None
        """An object is being shown: one that lintmdb may need, or not."""

    def _begin(self) -> Collector:
        file = MqscFile(self._path, observed=True, platform=self._platform)
        self.files.append(file)
        return Collector(file)

    @property
    def file(self) -> MqscFile:
        """The queue manager that answers."""
        return self._collector.file

    def queue_manager(self, name: str) -> None:
        """Another queue manager, or the same in another session, answers from here on."""
        self.end()
        if self.file.queue_manager not in (None, name):
            self._collector = self._begin()
        self.file.queue_manager = name

    def answers(self, prefix: str) -> None:
        """The queue manager with a command prefix answers from here on (z/OS)."""
        if not self._by_prefix and prefix:
            self._by_prefix[prefix] = self._collector
            self.file.queue_manager = self.file.queue_manager or prefix
        known = self._by_prefix.get(prefix or next(iter(self._by_prefix), ""))
        if known is None and prefix:
            known = self._by_prefix[prefix] = self._begin()
            known.file.queue_manager = prefix
        self._collector = known or self._collector

    def ask(self, command: Joined) -> None:
        """Begin the answer to a command."""
        self.end()
        self._question = read_question(command)
        self._line = command.places[0][0] if command.places else 1
        if self._question is not None and self._question.changes:
            noted = Collector(MqscFile(self._path))
            read_commands(command, noted)
            self._changes, self._namelists = noted.file.commands, noted.file.namelists

    def begin_object(self, *, needed: bool) -> None:
        """Begin an object; ``needed`` is false for the state of one, which has the same attributes."""
        self._end_object()
        self._answered = True
        self._shows = needed

    @property
    def in_object(self) -> bool:
        """Whether attributes may follow."""
        return self._shows is not None

    def show(self, parameters: Sequence[Parameter], line: int) -> None:
        """Add attributes to the object that is being shown."""
        if self._shows:
            self.lines.append((parameters, line))

    def show_at(self, shown: Shown) -> None:
        """The same for attributes of several lines."""
        if self._shows:
            self.lines += (((parameter,), line) for parameter, line in shown)

    def lose(self, line: int, column: int) -> None:
        """Note a line of an object that means nothing: it may hold any attribute."""
        if self._shows:
            text = "this line of an answer to DISPLAY is not understood, so the object is not used"
            self._collector.problem(line, column, text, "not_understood", _AGAIN)
            self._drop()

    def _drop(self) -> None:
        self.file.lost_commands += 1
        self._incomplete = True
        self._shows = False
        self.lines.clear()

    def outcome(self, outcome: Outcome) -> None:
        """Note how a command ended."""
        self._end_object()
        self._answered = True
        self._outcomes.add(outcome)

    def end_object(self) -> None:
        """End the object that is being shown."""
        self._end_object()

    def end(self) -> None:
        """End the answer to the last command; what comes next belongs to another."""
        self._conclude(ended=True)

    def end_if_answered(self) -> None:
        """The same behind text that is no answer."""
        if self._answered:
            self.end()

    def stop(self, line: int, *, inside: bool) -> None:
        """End the text; ``inside`` a line that does not end, the last answer is cut off."""
        if inside and self._shows is not None:
            self.file.truncated = True
            self._collector.problem(
                line, 1, "the last answer ends in the middle: the file is cut off", "unreadable", _AGAIN
            )
            self._shows = None
            self.lines.clear()
        self._conclude(ended=False)

    def _end_object(self) -> None:
        wanted, self._shows = self._shows, None
        shown = [(parameter, line) for found, line in self.lines for parameter in found] if wanted else []
        self.lines.clear()
        if not shown:
            return
        noun = self._question.queue_noun if self._question is not None else ""
        repeated = _repeated(shown)
        if repeated is not None or lacks_kind(shown, noun):
            parameter, line = repeated or shown[0]
            text = (
                f"an answer shows {parameter.keyword} twice"
                if repeated
                else "an answer shows an object without its type"
            )
            self._collector.problem(line, parameter.column, f"{text}, so it is not used", "not_understood", _AGAIN)
            self._drop()
            self._shows = None
            return
        note_queue_status(self.file, shown)
        command = object_command(shown, noun)
        if command is None:
            self.file.other_commands += 1
            self._incomplete = self._incomplete or is_authority_record(shown)
            return
        if command.noun == CLUSTER_QUEUE:
            self.file.other_commands += 1
            self.file.cluster_queues.append(command)
            return
        self.file.commands.append(command)
        if command.noun == "QMGR":
            note_queue_manager(self.file, shown)

    def _conclude(self, *, ended: bool) -> None:
        """End the last command: what it did if it succeeded, and what its answer lists if that is all there."""
        self._end_object()
        question, changes, outcomes = self._question, self._changes, self._outcomes
        namelists, self._namelists = self._namelists, ()
        self._question, self._changes, self._outcomes = None, (), set()
        incomplete, self._incomplete, self._answered = self._incomplete, False, False
        if question is None:
            return
        if outcomes == {"done"}:
            self.file.namelists += namelists
        if changes and not outcomes:
            text = f"no answer shows whether {question.verb} {question.noun} took effect, so it is not used"
            self._collector.problem(self._line, 1, text, "not_understood", _AGAIN)
            self.file.lost_commands += 1
        elif changes and outcomes == {"done"}:
            self.file.commands += changes
        elif not question.changes:
            self.file.other_commands += question.verb != "DISPLAY"
            if ended and not incomplete and "failed" not in outcomes:
                note_listing(self.file, question)


def _repeated(shown: Shown) -> tuple[Parameter, int] | None:
    if len({parameter.keyword for parameter, _ in shown}) == len(shown):
        return None
    seen: set[str] = set()
    for parameter, line in shown:
        if parameter.keyword in seen:
            return parameter, line
        seen.add(parameter.keyword)
    return None
