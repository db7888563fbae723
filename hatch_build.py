"""Build hook: the wheel carries all rules as one JSON file, which loads without the YAML reader."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RuleBundleHook(BuildHookInterface[Any]):
    """Writes ``rules.json`` and ``rules.version`` from ``rules/*/*.yaml`` into a wheel; editable installs read YAML."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle the rules before a standard wheel is built."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        from lintmdb.rules.pack import describe
        from lintmdb.yaml_input import parse_yaml

        rules = [
            parse_yaml(file.read_text("utf-8"), str(file))[0] for file in sorted((root / "rules").glob("*/*.yaml"))
        ]
        bundle = Path(self.directory) / "rules.json"
        bundle.parent.mkdir(parents=True, exist_ok=True)
        bundle.write_text(json.dumps(rules, ensure_ascii=False, separators=(",", ":")), "utf-8")
        build_data["force_include"][str(bundle)] = "lintmdb/rules.json"
        line = bundle.with_name("rules.version")
        line.write_text(describe(root / "rules") + "\n", "ascii")
        build_data["force_include"][str(line)] = "lintmdb/rules.version"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing but the wheel in the folder of distributions."""
        if version != "editable":
            for name in ("rules.json", "rules.version"):
                (Path(self.directory) / name).unlink(missing_ok=True)
