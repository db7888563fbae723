"""Errors of Spark, the JVM and executors in one line."""

from __future__ import annotations

import pytest

from lintmdb.fleet.errors import short_reason

JOB = "Job aborted due to stage failure: Task 0 in stage 3.0 failed 4 times\n"
PYTHON = 'Traceback (most recent call last):\n  File "reader.py", line 3, in read\n    rows = read()\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{JOB}{PYTHON}ValueError: no such row\n\n\tat org.apache.spark.X\n", "no such row"),
        (
            f"{JOB}: {PYTHON}lintmdb.errors.LintmdbError: /a matches nothing. Name exports\n",
            "/a matches nothing. Name exports",
        ),
        (f"{JOB}Caused by: java.io.IOException: No space left on device\n", "No space left on device"),
        (
            f"{JOB}Caused by: java.lang.X\nCaused by: java.io.IOException: File too large\n\tat java.base\n",
            "java.io.IOException: File too large",
        ),
        (
            "An error occurred while calling o1.load.\n: java.net.UnknownHostException: h\n\tat x",
            "java.net.UnknownHostException: h",
        ),
        ("\n[PATH_NOT_FOUND] Path does not exist\nmore", "[PATH_NOT_FOUND] Path does not exist"),
        ("", "RuntimeError"),
        ("x" * 1000, "x" * 300),
    ],
)
def test_the_reason_is_one_line(text: str, reason: str) -> None:
    """It is what happened first or last, whichever says why, and never a stack trace."""
    assert short_reason(RuntimeError(text)) == reason
