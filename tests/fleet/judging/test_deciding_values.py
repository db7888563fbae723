"""The words of causes say what a script says, and nothing that the exports do not."""

from __future__ import annotations

import pytest

from lintmdb.fleet.judging.deciding_values import deciding_words
from lintmdb.model.columns import Value


@pytest.mark.parametrize(
    ("values", "words"),
    [
        pytest.param({"queue.shared_disposition": False}, "QSGDISP(QMGR or COPY)", id="a copy is private as well"),
        pytest.param({"queue.shared_disposition": True}, "QSGDISP(SHARED)", id="a shared queue"),
        pytest.param({"backout.reachable": True}, "backout reachable: yes", id="what follows from XMITQ and more"),
        pytest.param({"backout.stream_closed": False}, "backout stream closed: no", id="what follows from STREAMQ"),
        pytest.param({"backout.fails_elsewhere": True}, "lost at another queue manager: yes", id="with a label"),
        pytest.param({"queue.harden_backout": False}, "NOHARDENBO", id="a setting"),
    ],
)
def test_what_follows_from_settings_is_not_called_a_setting(values: dict[str, Value], words: str) -> None:
    """There is no keyword for it."""
    assert deciding_words(values) == words
