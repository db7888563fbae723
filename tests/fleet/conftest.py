"""The fixtures that several tests of the fleet use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.fleet_history import History


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Made once; no test changes it."""
    from tests.support.fleet_history import History

    return History(tmp_path_factory.mktemp("history"))
