"""The numbers of an audit as OpenMetrics text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lintmdb.errors import LintmdbError
from tests.support.spark import no_fleet

if REASON := no_fleet():
    pytest.skip(REASON, allow_module_level=True)

from lintmdb.cli.app import app
from lintmdb.fleet.metrics import metrics_text
from tests.support.fleet_history import History
from tests.support.synthetic_audit import finding, write_audit

Sample = tuple[str, frozenset[tuple[str, str]]]

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_META = re.compile(rf"# (TYPE|UNIT|HELP) ({_NAME}) (.+)")
_SAMPLE = re.compile(rf"({_NAME})(?:\{{(.*)\}})? (-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=.)|$)')
_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}


def parse(text: str) -> dict[Sample, float]:
    """The samples of OpenMetrics text that has gauges only; fails on what the format does not allow."""
    assert text.endswith("# EOF\n")
    found: dict[Sample, float] = {}
    families: set[str] = set()
    described: list[str] = []
    family = ""
    for line in text.removesuffix("# EOF\n").splitlines():
        if meta := _META.fullmatch(line):
            kind, name, value = meta.groups()
            if name != family:
                assert name not in families, f"{name} is in two places"
                families.add(name)
                family, described = name, []
            assert kind not in described
            described.append(kind)
            assert kind != "TYPE" or value == "gauge"
            assert kind != "UNIT" or name.endswith(f"_{value}")
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample is not None, line
        assert sample[1] == family
        labels = sample[2] or ""
        pairs = _LABEL.findall(labels)
        assert _LABEL.sub("", labels) == "", labels
        assert len({name for name, _ in pairs}) == len(pairs)
        key = (
            family,
            frozenset((name, re.sub(r"\\.", lambda match: _ESCAPES[match[0]], value)) for name, value in pairs),
        )
        assert key not in found, f"{key} is there twice"
        found[key] = float(sample[3])
    return found


def _of(**labels: str) -> frozenset[tuple[str, str]]:
    return frozenset(labels.items())


@pytest.mark.parametrize(
    "text",
    [
        "# TYPE a gauge\na 1\n",
        "# TYPE a gauge\nb 1\n# EOF\n",
        '# TYPE a gauge\na{x="1" 1\n# EOF\n',
        '# TYPE a gauge\na{x="1"y="2"} 1\n# EOF\n',
        "# TYPE a gauge\na 1\na 2\n# EOF\n",
        "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n# EOF\n",
    ],
)
def test_the_parser_refuses_what_the_format_does(text: str) -> None:
    """Otherwise it would prove nothing."""
    with pytest.raises(AssertionError):
        parse(text)


def test_the_numbers_are_those_of_the_audit(history: History) -> None:
    """By severity, by rule, and the totals of the summary."""
    found, summary = parse(metrics_text(history.new.folder)), history.new.summary
    assert found["lintmdb_fleet_findings", _of(severity="error")] == summary["hazards"]["error"] == 2
    assert found["lintmdb_fleet_findings", _of(severity="info")] == 0
    by_rule = {labels: count for (name, labels), count in found.items() if name == "lintmdb_fleet_rule_findings"}
    assert by_rule == {_of(rule="MDB104", severity="error"): 1, _of(rule="MDB901", severity="error"): 1}
    for name in ("undecided", "clear", "flows", "endpoints"):
        assert found[f"lintmdb_fleet_{name}", _of()] == summary[name]
    assert found["lintmdb_fleet_quarantined", _of()] == 1
    assert found["lintmdb_fleet_cells", _of()] == 3
    began = datetime.fromtimestamp(found["lintmdb_fleet_audit_start_seconds", _of()], UTC)
    assert f"{began:%Y-%m-%dT%H:%M:%SZ}" == summary["started"]


def test_names_of_rules_are_escaped(tmp_path: Path) -> None:
    """Whatever is in a label comes out again, and time is in seconds."""
    row = finding(rule='A"\\\nB')
    moments = {"started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:01:30Z"}
    found = parse(metrics_text(write_audit(tmp_path / "a", {"findings": [row]}, **moments)))
    assert found["lintmdb_fleet_rule_findings", _of(rule='A"\\\nB', severity="error")] == 1
    assert found["lintmdb_fleet_audit_duration_seconds", _of()] == 90
    assert found["lintmdb_fleet_audit_start_seconds", _of()] == 1_767_225_600
    (tmp_path / "a" / "summary.json").write_text("{")
    with pytest.raises(LintmdbError, match="the summary of the audit cannot be read"):
        metrics_text(tmp_path / "a")


def test_the_metrics_command(history: History, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed, or written as a whole."""
    command = ["fleet", "metrics", str(history.out)]
    app(command, standalone_mode=False)
    printed = capsys.readouterr().out
    assert printed == metrics_text(history.new.folder)
    file = tmp_path / "lintmdb.prom"
    app([*command, "--audit", "previous", "--out", str(file)], standalone_mode=False)
    assert capsys.readouterr().out == ""
    assert file.read_text() == metrics_text(history.old.folder)
    assert [path.name for path in tmp_path.iterdir()] == ["lintmdb.prom"]
    with pytest.raises(LintmdbError, match="cannot be written: No such file"):
        app([*command, "--out", str(tmp_path / "nowhere" / "x.prom")], standalone_mode=False)
