"""Scenarios with a few texts changed, for tests of one setting."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.support.scenario import Outcome, run_scenario
from tests.support.scenario_folders import scenario_folder


class Variant:
    """A copy of a scenario in which some texts are replaced."""

    def __init__(self, folder: Path, scenario: str) -> None:
        self.folder = folder / scenario
        shutil.copytree(scenario_folder(scenario), self.folder)

    def edit(self, file: str, old: str, new: str) -> Variant:
        """Replace a text that stands in a file once."""
        path = self.folder / file
        text = path.read_text("utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), "utf-8")
        return self

    def write(self, file: str, text: str) -> Variant:
        """Add a file."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return self

    def run(self) -> Outcome:
        """Judge it, with 15 s for onMessage."""
        return run_scenario(self.folder, {"on_message": "15s"})

    def row(self, table: str) -> Any:
        """The only row of a relation."""
        (row,) = self.run().estate.facts.rows[table]
        return row
