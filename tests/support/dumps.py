"""What every whole dump of dmpmqcfg has, for short ones in tests."""

from __future__ import annotations

ENDED = "* Script ended on 2026-03-06   at 09.14.05 \n"
"""Of the lines at the end of a dump, the first."""
WHOLE = f"{ENDED}ALTER QMGR FORCE\n"
"""What makes a dump whole, put behind its header: nothing asks in which order these lines and the rest come."""
