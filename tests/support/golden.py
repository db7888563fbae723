"""The golden reports in tests/golden: what each format makes of a few rules on all-families, and what the demo prints.

``python -m tests.support.golden`` writes them anew; look at the difference before committing it.
"""

from __future__ import annotations

import os

from lintmdb.engine.judge import judge
from lintmdb.report.flow_repairs import find_repairs
from lintmdb.report.formats import FORMATS
from lintmdb.report.markdown import render_summary
from lintmdb.report.terminal import Style
from lintmdb.report.text import View, render_text
from lintmdb.resolve.observations import read_observations
from lintmdb.run.estate import read_estate, read_exports, resolve_exports
from lintmdb.run.gate import Gate
from lintmdb.run.judging import Judged
from lintmdb.version import __version__
from tests.support.project import FIXTURES, ROOT

FOLDER = ROOT / "tests" / "golden"
SUFFIXES = {
    "text": "txt",
    "json": "json",
    "sarif": "sarif",
    "junit": "xml",
    "github": "github.txt",
    "gitlab": "gitlab.json",
    "markdown": "md",
    "csv": "csv",
    "html": "html",
}
WIDTHS = (80, 100, 140)
"""Columns of the terminals for which there is a golden text of the demo."""
RULES = ("MDB101", "MDB302", "MDB402", "MDB113", "MDB501")


def reports() -> dict[str, str]:
    """File name to text, without lintmdb's version."""
    from tests.support.scenario import RULES as ALL

    os.chdir(ROOT)
    observations = read_observations(None, "15s")
    estate = read_estate([FIXTURES / "all-families"], observations)
    judgement = judge(estate.facts, [rule for rule in ALL if rule.id in RULES])
    texts = {f"all-families.{SUFFIXES[name]}": form.render(judgement, estate) for name, form in FORMATS.items()}
    texts["all-families.summary.md"] = render_summary(judgement, estate)
    exports = read_exports([FIXTURES / "estate"])
    demo = resolve_exports(exports, observations)
    judged = Judged(demo, judge(demo.facts, ALL), lambda: exports)
    repairs = find_repairs(judged, observations, ALL)
    view = View(plan="lintmdb plan fixtures/estate --on-message 15s --out plan")
    for width in WIDTHS:
        lines = render_text(judged.judgement, demo, Gate(), Style(width), repairs, view)
        texts[f"demo-{width}.txt"] = "\n".join(lines) + "\n"
    return {
        name: text.replace(f'"{__version__}"', '"VERSION"').replace(f"lintmdb {__version__}.", "lintmdb VERSION.")
        for name, text in texts.items()
    }


if __name__ == "__main__":
    for file_name, content in reports().items():
        (FOLDER / file_name).write_text(content, "utf-8", newline="")
