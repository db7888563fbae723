"""Progress of an audit on standard error: a bar on a terminal, a line a stage in a log."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import StatusTracker
    from pyspark.sql import SparkSession
    from rich.progress import Progress, TaskID

_INTERVAL = 0.5


class Stages:
    """Shows which stage runs and for how long; on a terminal also how many of Spark's tasks are done."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._tracker: StatusTracker | None = None
        self._text = ""
        self._start = time.monotonic()
        self._stopped = threading.Event()

    def __enter__(self) -> Stages:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            self._bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
            self._bar.start()
            threading.Thread(target=self._poll, args=(self._bar,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        if self._bar is not None:
            self._bar.stop()

    def watch(self, spark: SparkSession) -> None:
        """Count the tasks of a session, where it can be asked for them."""
        context = getattr(spark, "_sc", None)  # a session of Spark Connect has none
        self._tracker = context.statusTracker() if context is not None else None

    def begin(self, text: str) -> None:
        """A stage begins; the one before it is over."""
        self._text = text
        if self._bar is None:
            sys.stderr.write(f"lintmdb: {time.monotonic() - self._start:6.1f} s  {text}\n")
            sys.stderr.flush()
            return
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(text, total=None)

    def end(self) -> None:
        """Nothing runs any more."""
        self._tracker = None
        self._stopped.set()

    def _poll(self, bar: Progress) -> None:
        while not self._stopped.wait(_INTERVAL):
            tracker, task = self._tracker, self._task
            if tracker is None or task is None:
                continue
            try:
                stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
            except Exception:  # the session is going away
                return
            known = [stage for stage in stages if stage is not None]
            if known:
                total, done = sum(s.numTasks for s in known), sum(s.numCompletedTasks for s in known)
                bar.update(task, total=total, completed=done)
