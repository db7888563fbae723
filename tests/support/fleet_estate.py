"""Estates for the fleet's tests: fixtures under names of their own, and what ``check`` and an audit say of them."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lintmdb.engine.findings import Subject
from lintmdb.engine.judge import judge
from lintmdb.fleet import session
from lintmdb.fleet.arrow import read_rows
from lintmdb.fleet.audit import Audit, Request, run_audit
from lintmdb.fleet.judging.deciding_values import deciding_words
from lintmdb.fleet.judging.findings import Shown
from lintmdb.fleet.stored_values import plain_value
from lintmdb.model.facts import Facts
from lintmdb.model.origins import Origin
from lintmdb.report.json_report import hazard_json, undecided_json
from lintmdb.resolve.observations import Observations
from lintmdb.rules.rule import Rule
from lintmdb.run.all_queues import judge_all_queues
from lintmdb.run.environments import Environments, build_environments
from lintmdb.run.estate import read_estate
from tests.support.dumps import ENDED, WHOLE
from tests.support.hostile_names import CONTROL, PAYLOADS, hostile_estate
from tests.support.project import FIXTURES
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES
from tests.support.scenario_folders import scenario_folder, scenario_names
from tests.support.sharing_groups import private_backout_at_one

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PASSED = ("expected.yaml", "observations.yaml", "README.md")


def inputs_of(fixture: Path) -> list[Path]:
    """The exports of a scenario."""
    return [path for path in sorted(fixture.iterdir()) if path.name not in _PASSED]


def write_all_fixtures(folder: Path, copies: int = 1) -> None:
    """Every scenario in a folder of its own, its cells and queue managers under names that no other scenario has."""
    number = 0
    for _ in range(copies):
        for name in scenario_names():
            number += 1
            copy_renamed(scenario_folder(name), folder / f"{number:04}-{name}", f"_{number}")


def copy_renamed(fixture: Path, target: Path, suffix: str, managers: str | None = None) -> None:
    """A scenario with a suffix behind the names of its cells and queue managers, in files and in their names.

    ``managers`` is the suffix of queue managers where theirs is another one.
    """
    cells, pattern = _names(fixture)

    def renamed(text: str) -> str:
        return pattern.sub(lambda match: match[1] + (suffix if match[1] in cells else managers or suffix), text)

    for source in inputs_of(fixture):
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if file.is_file():
                place = target / renamed(file.relative_to(fixture).as_posix())
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(renamed(file.read_bytes().decode("latin-1")).encode("latin-1"))


@cache
def _names(fixture: Path) -> tuple[set[str | None], re.Pattern[str]]:
    """The cells of a scenario, and what finds their names and those of queue managers."""
    facts = read_estate(inputs_of(fixture), Observations()).facts.rows
    cells: set[str | None] = {row.name for row in facts["export"] if row.kind == "cell"}
    names: set[str | None] = {row.queue_manager for row in facts["endpoint"]} | cells
    names |= {row.name for row in facts["queue_manager"]}
    known = "|".join(sorted(re.escape(name) for name in names if name))
    return cells, re.compile(rf"(?<![\w.-])({known})(?![\w-])(?!\.[A-Z])")


def write_variants(folder: Path, names: Iterable[str]) -> None:
    """Scenarios four times: as trees, as archives with dumps in two files, as one archive, and a second cell at
    the queue managers of the first, whose dumps mostly lie there again.
    """
    for number, name in enumerate(names):
        fixture = scenario_folder(name)
        for shape in range(4):
            place = folder / f"{shape}-{number:03}-{name}"
            copy_renamed(fixture, place, f"_{shape}_{number}", f"_0_{number}" if shape == 3 else None)
            if name == "zos-slow-message":
                _replace_in(place, b"OrderBean", b"SlowBean")
            dumps = [file for file in sorted((place / "mq").glob("*")) if file.is_file()]
            if shape == 1:
                _pack_zip(place / "was")
                for dump in dumps:
                    _split(dump)
            elif shape == 2:
                _pack_tar(place)
            elif shape == 3 and number % 3 == 0:
                shutil.rmtree(place / "mq", ignore_errors=True)


COLLIDING = (("QM6D4B", "Q29810.IN"), ("QM559A1", "Q90912.IN"))
"""Queue managers and queues that Spark's ``hash`` cannot tell apart."""


def write_colliding(folder: Path) -> None:
    """Two scenarios alike but for what their queues do, whose join the fleet looks for under the same numbers."""
    for number, (manager, queue) in enumerate(COLLIDING):
        place = folder / manager
        copy_renamed(FIXTURES / "stop-3-sessions-5-bothresh-5", place, f"_{manager}")
        _replace_in(place, b"ORDERS.IN", queue.encode())
        dump = next(place.rglob("*.mqsc"))
        text = dump.read_text().replace("ORDERS.IN", queue).replace("BOTHRESH(5)", f"BOTHRESH({number + 1})")
        dump.write_text(text)
        for file in [*place.rglob("*.mqsc"), *place.rglob("*.xml")]:
            file.write_text(file.read_text().replace(f"QM1_{manager}", manager))


def write_sharing(folder: Path) -> None:
    """Two scenarios in which two beans share an endpoint: alike, and with other transactions."""
    for attribute in ("Required", "NotSupported"):
        place = folder / attribute
        copy_renamed(FIXTURES / "stop-3-sessions-5-bothresh-5", place, f"_{attribute}")
        for name in ("ibm-ejb-jar-bnd.xml", "ejb-jar.xml"):
            file = next(place.rglob(name))
            file.write_text(_BEAN.sub(partial(_with_second, attribute), file.read_text()))


_BEAN = re.compile(r"<(message-driven|container-transaction)\b.*?</\1>", re.DOTALL)


def _with_second(attribute: str, match: re.Match[str]) -> str:
    return match[0] + match[0].replace("OrderBean", "ReturnBean").replace(">Required<", f">{attribute}<")


_ALONE = """\
* Queue manager name: LONE
DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('NOPE') REPLACE
DEFINE QLOCAL('B.IN') BOTHRESH(0) BOQNAME('A.IN') REPLACE
DEFINE QLOCAL('C.IN') BOTHRESH(3) BOQNAME('FAR.BO') REPLACE
DEFINE QREMOTE('FAR.BO') RNAME('GONE') RQMNAME('WHOLE') XMITQ('XQ') REPLACE
NO COMMAND
NOR THIS
"""
_HEAD = "* Queue manager name: {0}\n* Queue manager platform: UNIX\n* Command issued: dmpmqcfg -m {0} -a\n"
_THERE = "DEFINE QLOCAL('THERE') REPLACE\n"
_FAR = """\
DEFINE QLOCAL('WHOLE') USAGE(XMITQ) REPLACE
DEFINE QLOCAL('QM1_P') USAGE(XMITQ) REPLACE
DEFINE QREMOTE('SHUT.BO') RNAME('SHUT') RQMNAME('WHOLE') REPLACE
DEFINE QREMOTE('READ.BO') RNAME('ORDERS.IN') RQMNAME('QM1_P') REPLACE
DEFINE QREMOTE('LOOP.BO') RNAME('BACK') RQMNAME('GATE') XMITQ('WHOLE') REPLACE
DEFINE QLOCAL('SHUT.IN') BOTHRESH(3) BOQNAME('SHUT.BO') REPLACE
DEFINE QLOCAL('READ.IN') BOTHRESH(3) BOQNAME('READ.BO') REPLACE
DEFINE QLOCAL('LOOP.IN') BOTHRESH(3) BOQNAME('LOOP.BO') REPLACE
"""
_WHOLE = """\
DEFINE QLOCAL('THERE') PUT(DISABLED) REPLACE
DEFINE QALIAS('SHUT') TARGET('THERE') REPLACE
DEFINE QLOCAL('FAR') USAGE(XMITQ) REPLACE
DEFINE QREMOTE('GATE') RQMNAME('WHOLE') REPLACE
DEFINE QREMOTE('BACK') RNAME('LOOP.IN') RQMNAME('FAR') REPLACE
"""
_DECK = "DEFINE NOREPLACE -\n QLOCAL('Z.IN') -\n QSGDISP(QMGR) -\n BOTHRESH(3) -\n BOQNAME('Z.BO')\n"
_ENDPOINT_OF_A_TOPIC = 16
"""The seed of an estate with an endpoint that names a queue and reads none."""


def write_unread(folder: Path) -> Environments:
    """Queues and queue managers that no endpoint leads to, beside those with endpoints, in two environments; and what
    each notice about reading tells of.
    """
    for seed in (_ENDPOINT_OF_A_TOPIC, 5):
        build_estate(seed).write(folder)
    (folder / "alone").mkdir()
    (folder / "alone" / "LONE.mqsc").write_text(_ALONE)
    (folder / "alone" / "WHOLE.mqsc").write_text(_HEAD.format("WHOLE") + WHOLE + _WHOLE)
    (folder / "alone" / "FAR.mqsc").write_text(_HEAD.format("FAR") + WHOLE + _FAR)
    (folder / "alone" / "CUT.mqsc").write_text(_HEAD.format("CUT") + WHOLE.removeprefix(ENDED) + _THERE)
    (folder / "alone" / "HEADER.mqsc").write_text(_HEAD.format("HEADER"))
    (folder / "alone" / "FAILED.mqsc").write_text(f"{_HEAD.format('FAILED')}{WHOLE}AMQ8145E: Connection broken.\n")
    (folder / "alone" / "GUESSED.mqsc").write_text("DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('NOPE') REPLACE\n")
    for place in ("decks", "decks-again"):  # one queue manager, although only the names of its files say so
        (folder / place).mkdir()
        (folder / place / "CSQ9.mqsc").write_text(_DECK)
    # Two environments, of which one reads from the other's queue manager.
    copy_renamed(scenario_folder("clean"), folder / "prod", "_P")
    copy_renamed(scenario_folder("clean"), folder / "test", "_T", "_P")
    for dump in (folder / "test").rglob("*.mqsc"):
        dump.unlink()
    copy_renamed(scenario_folder("backout-inert"), folder / "test" / "own", "_T2")
    # An environment that is named has the same names, and reads from none of these.
    build_estate(5).write(folder / "named")
    (folder / "named" / "LONE.mqsc").write_text(_ALONE.replace("BOTHRESH(0)", "BOTHRESH(2)"))
    private_backout_at_one().write(folder / "shared")
    return build_environments([("named", str(folder / "named"))])


def write_hostile(folder: Path, scratch: Path) -> None:
    """A scenario once for each name that somebody gives who means harm."""
    for label, name in (PAYLOADS | CONTROL).items():
        hostile_estate(scratch / label, name)
        copy_renamed(scratch / label, folder / label, f"_{label}")


OBSERVED = Observations(15_000, beans={"SlowBean": (90_000, Origin("observed.yaml", 3, 0, "SlowBean: on_message 90s"))})
"""Under these, every rule has a hazard among the variants."""


def _replace_in(folder: Path, old: bytes, new: bytes) -> None:
    for file in folder.rglob("*.xml"):
        file.write_bytes(file.read_bytes().replace(old, new))


def _pack_zip(was: Path) -> None:
    if not was.is_dir():
        return
    with zipfile.ZipFile(was.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in was.rglob("*") if path.is_file()):
            archive.write(file, file.relative_to(was))
    shutil.rmtree(was)


def _pack_tar(place: Path) -> None:
    with tarfile.open(place.with_name(f"{place.name}.tar.gz"), "w:gz") as archive:
        archive.add(place, ".")
    shutil.rmtree(place)


def _split(dump: Path) -> None:
    """The second half of a dump's commands into a script beside it, which runs after it."""
    lines = dump.read_text("latin-1").splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if re.match("(DEFINE|ALTER|SET) ", line)]
    name = re.search(r"Queue manager name: (\S+)", "".join(lines))
    if name is None or len(starts) < 2:
        return
    half = starts[len(starts) // 2]
    dump.write_text("".join(lines[:half]), "latin-1")
    rest = [f"* Queue manager name: {name[1]}\n", *lines[half:]]
    dump.with_name(f"{dump.stem}-more.mqsc").write_text("".join(rest), "latin-1")


@dataclass(frozen=True)
class Told:
    """Findings and undecided verdicts in comparable form, sorted."""

    findings: list[dict[str, Any]]
    undecided: list[dict[str, Any]]
    clear: dict[str, int]
    """By rule."""


def told_by_check(inputs: Sequence[Path | str], observed: Observations, rules: Sequence[Rule] = RULES) -> Told:
    """What ``check`` says."""
    return told_of(read_estate(inputs, observed).facts, rules)


def told_of(facts: Facts, rules: Sequence[Rule] = RULES, *, all_queues: bool = False) -> Told:
    """What ``check`` says of facts."""
    judgement = judge(facts, rules)
    if all_queues:
        judge_all_queues(judgement, facts, rules)
    findings: list[dict[str, Any]] = []
    for finding in judgement.findings:
        row: dict[str, Any] = {**hazard_json(finding)}
        del row["verdict"]
        row["subject"] = _subject(finding.subject)
        row["related"] = [{"default": False, **place} for place in row["related"]]
        shown = Shown(finding.rows)
        row.update(flows=finding.flows or 1, cell=shown.cell, queue_manager=shown.queue_manager)
        row.update(headline=shown.headline(finding), environment=shown.environment, owner=None)
        row["cause"] = deciding_words(finding.values, finding.rule.hazard.columns)
        findings.append(row)
    undecided: list[dict[str, Any]] = []
    for entry in judgement.undecided:
        row = {**undecided_json(entry)}
        row.update(
            subject=_subject(entry.subject),
            severity=entry.rule.severity,
            need_kind=entry.need.kind,
            need_target=entry.need.target,
            need_command=entry.need.command,
            environment=entry.subject.environment,
            owner=None,
        )
        undecided.append(row)
    clear: dict[str, int] = {}
    for rule, _ in judgement.clear_subjects:
        clear[rule] = clear.get(rule, 0) + 1
    return Told(_sorted(findings), _sorted(undecided), clear)


def _subject(subject: Subject) -> dict[str, str | None]:
    return {name: getattr(subject, name) for name in Subject._fields}


def assert_same(audit: Told, check: Told) -> None:
    """Every field of every row is the same, and none is missing on either side."""
    for ours, theirs in ((audit.findings, check.findings), (audit.undecided, check.undecided)):
        one, two = ([json.dumps(row, sort_keys=True) for row in rows] for rows in (ours, theirs))
        assert sorted((Counter(one) - Counter(two)).elements()) == []
        assert sorted((Counter(two) - Counter(one)).elements()) == []
    assert audit.clear == check.clear


def assert_same_files(audit: Path, other: Path) -> None:
    """Two audits have the same tables, to the byte, but those that tell of time."""
    files, others = (
        {
            file.relative_to(folder): file.read_bytes()
            for file in folder.rglob("*.parquet")
            if file.parent.name not in ("history", "audits") or file.parent.parent != folder
        }
        for folder in (audit, other)
    )
    assert set(files) == set(others)
    assert [file for file in files if files[file] != others[file]] == []


SMALL = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.autoBroadcastJoinThreshold": "10MB",
    "spark.sql.shuffle.partitions": "1",
}
"""For a few rows: each query is planned once, compiled never, and shuffles little."""


def _leave(*_: object) -> None:
    """Set nothing by the number of rows."""


def small_session(spark: SparkSession) -> SparkSession:
    """A session for a few rows in the application of a session."""
    own = session.audit_session(spark)
    for name, value in SMALL.items():
        own.conf.set(name, value)
    return own


def audit_by_spark(spark: SparkSession, request: Request, *, compiled: bool = False) -> Audit:
    """An audit that Spark judges however small it is, by default without code that takes longer to compile than to run.

    ``compiled`` is how Spark judges outside tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lintmdb.fleet.spark_engine.MOST_ROWS", -1)
        if not compiled:
            patch.setattr("lintmdb.fleet.session._SETTINGS", {**session._SETTINGS, **SMALL})  # pyright: ignore[reportPrivateUsage]
            patch.setattr("lintmdb.fleet.spark_engine.size_queries", _leave)
        return run_audit(spark, request)


def told_by_audit(folder: Path) -> Told:
    """What the tables of an audit say."""
    findings = table(folder, "findings")
    for row in findings:
        row["values"] = {name: plain_value(value) for name, value in row["values"]}
        row["trace"] = [{**step, "state": dict(step["state"])} for step in row["trace"]]
    undecided = table(folder, "undecided")
    for row in undecided:
        del row["cell"], row["queue_manager"]
    clear: dict[str, int] = {}
    for row in table(folder, "summary"):
        if row["clear"]:
            clear[row["rule"]] = clear.get(row["rule"], 0) + row["clear"]
    return Told(_sorted(findings), _sorted(undecided), clear)


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table of an audit."""
    return read_rows(folder / name, dict[str, Any])


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
