"""The command line: exit codes, selection, outputs, start-up."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lintmdb.cli.app import run
from lintmdb.report.changes import object_words
from lintmdb.run.judging import Judged
from lintmdb.settings.change_entries import read_change
from lintmdb.version import __version__
from tests.support.command import Run, clean_environment
from tests.support.dumps import ENDED
from tests.support.project import FIXTURES, ROOT
from tests.support.scenario_folders import scenario_folder, scenario_names

SCHEMA = json.loads((ROOT / "lintmdb" / "report" / "report.schema.json").read_text())


def test_findings_at_or_above_fail_on_give_1(lintmdb: Run) -> None:
    """A finding at the --fail-on severity fails the run, one below it does not."""
    assert lintmdb("check", "fixtures/backout-inert").returncode == 1
    assert lintmdb("check", "fixtures/stop-5-bothresh-1").returncode == 0
    assert lintmdb("check", "fixtures/stop-5-bothresh-1", "--fail-on", "info").returncode == 1
    assert lintmdb("check", "fixtures/backout-inert", "--fail-on", "never").returncode == 0


def test_a_clean_run_is_its_summary(lintmdb: Run) -> None:
    """Nothing found and nothing undecided is the summary alone, and exit code 0."""
    result = lintmdb("check", "fixtures/clean", "--on-message", "15s")
    assert (result.returncode, result.stderr) == (0, "")
    gate, flows, findings, read = result.stdout.splitlines()
    assert (gate, flows) == ("Gate      passes", "Flows     1: a poison message is moved aside")
    assert re.fullmatch(r"Findings  none, \d+ checks clear", findings)
    assert re.fullmatch(r"Read      cell C1, queue manager QM1( \(as of [\d-]+\))?, \d+ files", read)


def test_the_summary_dates_only_exports_that_have_a_date(lintmdb: Run, tmp_path: Path) -> None:
    """A deck from z/OS tells no date, and that of a dump beside it is not its own."""
    queue = "DEFINE QLOCAL('A.IN') BOTHRESH(3) BOQNAME('A.BO')\nDEFINE QLOCAL('A.BO')\n"
    (tmp_path / "QM1.mqsc").write_text(
        f"* Script generated on 2026-03-06 at 10.00.00\n* Queue manager name: QM1\n{queue}"
    )
    (tmp_path / "QM2.mqsc").write_text(f"* Queue manager name: QM2\n{queue}")
    result = lintmdb("check", tmp_path, "--all-queues", "--fail-on", "never")
    assert "queue managers QM1 and QM2 (1 of 2 exported on 2026-03-06)" in result.stdout


def test_a_rule_about_endpoints_judges_no_queue_by_itself(lintmdb: Run) -> None:
    """With --all-queues it has nothing to judge where no endpoint was read, and the option is not advised again."""
    result = lintmdb("check", "fixtures/clean/mq", "--all-queues", "--select", "MDB301")
    assert result.returncode == 3
    assert "nothing to judge: MDB301 judges endpoints, and the inputs contain none" in result.stderr
    assert "--all-queues" not in result.stdout
    result = lintmdb("check", "fixtures/clean/mq", "--all-queues", "--select", "MDB113")
    assert result.returncode == 3
    needs = "MDB113 judges endpoints, or a user whom observations name, and the inputs contain none"
    assert f"nothing to judge: {needs}" in result.stderr
    assert "--all-queues" not in result.stdout


def test_nothing_recognised_gives_3(lintmdb: Run, tmp_path: Path) -> None:
    """A gate never passes because it understood nothing."""
    (tmp_path / "note.txt").write_text("hello\n")
    result = lintmdb("check", tmp_path)
    assert result.returncode == 3
    assert "no export was recognised" in result.stderr


def test_no_endpoint_gives_3(lintmdb: Run) -> None:
    """A queue manager alone has nothing to judge, and the message says what to add."""
    result = lintmdb("check", "fixtures/clean/mq")
    assert result.returncode == 3
    assert "Add the WebSphere configuration repository" in result.stderr


def test_strict_gives_4_for_undecided(lintmdb: Run) -> None:
    """Undecided verdicts fail only a strict run."""
    assert lintmdb("check", "fixtures/incomplete-mq").returncode == 0
    assert lintmdb("check", "fixtures/incomplete-mq", "--strict").returncode == 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check"], "no EXPORT is named"),
        (["check", "fixtures/absent"], "fixtures/absent does not exist"),
        (["check", "fixtures/clean", "--select", "MDB999"], "no rule is called 'MDB999'"),
        (["check", "fixtures/clean", "--format", "xml"], "The formats are text, json, sarif"),
        (["check", "fixtures/clean", "--format", "json", "--format", "text"], "both go to standard output"),
        (["check", "fixtures/clean", "--on-message", "soon"], "Write 15s, 1500ms or 2m"),
        (["check", "fixtures/clean", "--queue-manager", "QM1"], "NAME=PATH"),
        (["check", "fixtures/clean", "--observations", "absent.yaml"], "absent.yaml"),
        (["check", "fixtures/clean", "--rules", "absent"], "absent does not exist"),
    ],
)
def test_usage_errors_give_2(lintmdb: Run, arguments: list[str], says: str) -> None:
    """A usage error is one clear message and exit code 2, and nothing is judged."""
    result = lintmdb(*arguments)
    assert result.returncode == 2
    assert says in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_select_and_ignore(lintmdb: Run) -> None:
    """Rules are selected and ignored by id, name or prefix."""
    result = lintmdb("check", "fixtures/all-families", "--select", "MDB1", "--ignore", "no-backout-threshold")
    found = set(re.findall(r"MDB\d{3}", result.stdout))
    assert "MDB104" in found
    assert not found & {"MDB101", "MDB302"}


def test_changes_in_an_environment_satisfy_the_schema(lintmdb: Run) -> None:
    """Those of an object at cluster scope name the servers that see it."""
    result = lintmdb("check", "--environment", "prod=fixtures/estate", "fixtures/estate", "--format", "json")
    report = json.loads(result.stdout)
    validator: Any = jsonschema.Draft202012Validator(SCHEMA)
    assert list(validator.iter_errors(report)) == []
    changes = [change for entry in report["findings"] for found in entry.get("changes", ()) for change in found]
    assert {change["environment"] for change in changes} == {"prod"}
    assert any("/Node:node1/Server:shop1/" in change.get("servers", ()) for change in changes)


@pytest.mark.slow
def test_json_report_is_valid_and_stable(lintmdb: Run) -> None:
    """The JSON report satisfies its schema for every scenario, and the same input gives the same bytes."""
    validator: Any = jsonschema.Draft202012Validator(SCHEMA)
    for name in scenario_names():
        result = lintmdb("check", scenario_folder(name), "--format", "json")
        assert list(validator.iter_errors(json.loads(result.stdout))) == [], name
    assert lintmdb("check", "fixtures/all-families", "--format", "json").stdout == (
        lintmdb("check", "fixtures/all-families", "--format", "json").stdout
    )


def test_json_carries_the_contract(lintmdb: Run, tmp_path: Path) -> None:
    """A finding names values, location, related lines and defaults; its fingerprint survives moved lines."""
    file = tmp_path / "out" / "report.json"
    scenario = scenario_folder("stop-3-sessions-5-bothresh-5")
    result = lintmdb("check", scenario, "--format", "text", "--format", f"json={file}")
    assert "MDB302" in result.stdout
    document = json.loads(file.read_text())
    assert document["tool"] == {"name": "lintmdb", "version": __version__}
    by_rule = {finding["rule"]: finding for finding in document["findings"]}
    finding = by_rule["MDB302"]
    assert finding["values"]["endpoint.failure_threshold"] == 3
    assert finding["values"]["queue.backout_threshold"] == 5
    (threshold, stop) = finding["related"]
    resources = scenario.relative_to(ROOT) / "was/cells/C1/nodes/node1/servers/server1/resources.xml"
    assert finding["location"]["path"].endswith(resources.as_posix())
    assert (threshold["message"], "default" in stop) == ("BOTHRESH(5)", False)
    assert finding["subject"]["bean"] == "OrderBean"
    assert document["summary"]["endpoints"] == 1
    assert document["summary"]["hazards"] == {"error": 1, "warning": 0, "info": 0}
    moved = tmp_path / "moved" / "mq" / "QM1.mqsc"
    moved.parent.mkdir(parents=True)
    original = (scenario / "mq" / "QM1.mqsc").read_text()
    moved.write_text("* one more comment line\n" * 5 + original)
    again = lintmdb("check", scenario / "was", moved, "--format", "json")
    fingerprints = {f["rule"]: f["fingerprint"] for f in json.loads(again.stdout)["findings"]}
    assert fingerprints["MDB302"] == finding["fingerprint"]


def test_a_default_that_decides_is_marked(lintmdb: Run) -> None:
    """Nobody wrote it, so no file is to be blamed for it."""
    document = json.loads(lintmdb("check", scenario_folder("default-activation-spec"), "--format", "json").stdout)
    (finding,) = [finding for finding in document["findings"] if finding["rule"] == "MDB301"]
    assert all(entry.get("default") for entry in finding["related"] if "not set" in entry["message"])
    assert any(entry.get("default") for entry in (*finding["related"], finding["location"]))


def test_inputs_are_listed_with_digest_and_objects(lintmdb: Run) -> None:
    """Each file that was read is in the report with its SHA-256 and what it defines."""
    document = json.loads(lintmdb("check", "fixtures/clean", "--format", "json").stdout)
    by_path = {entry["path"]: entry for entry in document["inputs"]}
    dump = by_path["fixtures/clean/mq/QM1.mqsc"]
    assert dump["kind"] == "mqsc"
    assert dump["objects"]["queue"] == 3
    assert re.fullmatch("[0-9a-f]{64}", dump["sha256"])


def test_queue_manager_option_names_the_owner(lintmdb: Run, tmp_path: Path) -> None:
    """--queue-manager says whose script a file is where neither header nor name tells."""
    script = tmp_path / "export.txt"
    script.write_text("DEFINE QLOCAL(ORDERS.IN) BOTHRESH(0) BOQNAME(' ')\n")
    unnamed = lintmdb("check", "fixtures/incomplete-mq", script)
    named = lintmdb("check", "fixtures/incomplete-mq", "--queue-manager", f"QM1={script}")
    assert "MDB101" not in unnamed.stdout
    assert "MDB101" in named.stdout


def test_observations_settle_undecided_verdicts(lintmdb: Run, tmp_path: Path) -> None:
    """An observed onMessage time and user turn undecided into judged, from YAML and from CSV alike."""
    assert "undecided" in lintmdb("check", scenario_folder("late-message-unobserved")).stdout
    yaml = tmp_path / "seen.yaml"
    yaml.write_text("beans:\n  - bean: Orders/orders.jar/OrderBean\n    on_message: 9s\n")
    table = tmp_path / "seen.csv"
    table.write_text("bean,endpoint,on_message,user,groups\nOrderBean,,15s,,\n,OrdersLP,,wasuser,staff\n")
    quick = lintmdb("check", scenario_folder("late-message-unobserved"), "--observations", yaml)
    slow = lintmdb("check", scenario_folder("late-message-unobserved"), "--observations", table)
    assert "MDB403" in quick.stdout
    assert "MDB402" not in quick.stdout
    assert {"MDB402", "MDB405", "MDB406"} <= set(re.findall(r"MDB\d{3}", slow.stdout))
    assert "the MQ user" not in slow.stdout


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.yaml", "beans:\n  - bean: X\n", "'on_message' is a required property"),
        ("b.yaml", "beans: [\n", "is not valid YAML"),
        ("c.yaml", "beans: []\nbeans: []\n", "given twice"),
        ("d.csv", "bean,time\nX,1s\n", "unknown columns: time"),
        ("e.csv", "bean,on_message\nX,1s,extra\n", "another number of fields"),
        ("f.yaml", "colour: red\n", "colour"),
        ("g.yaml", "[" * 25_000, "nested deeper"),
    ],
)
def test_wrong_observations_give_one_clear_error(lintmdb: Run, tmp_path: Path, name: str, text: str, says: str) -> None:
    """An observations file that is not valid is a usage error that names the file."""
    file = tmp_path / name
    file.write_text(text)
    result = lintmdb("check", "fixtures/clean", "--observations", file)
    assert result.returncode == 2
    assert says in result.stderr
    assert str(file) in result.stderr


def test_undecided_are_summed_up_by_missing_export(lintmdb: Run) -> None:
    """One missing export is one entry at the end, with the command that makes it."""
    result = lintmdb("check", "fixtures/incomplete-mq", "--on-message", "15s")
    end = result.stdout[result.stdout.index("Undecided: ") :].splitlines()
    assert len(end) == 3
    assert end[1].endswith("  an export of queue manager QM1")
    assert end[2].endswith(" dmpmqcfg -m QM1 -a")


@pytest.mark.slow
def test_no_colour_without_a_terminal(lintmdb: Run) -> None:
    """Piped output has no escape sequences; --color and the variables of the environment say otherwise."""

    def coloured(*arguments: str, **environment: str) -> bool:
        return "\x1b[" in lintmdb("check", "fixtures/all-families", *arguments, env=environment).stdout

    assert not coloured()
    assert coloured("--color", "always")
    assert coloured(FORCE_COLOR="1")
    assert coloured(CLICOLOR_FORCE="1")
    assert not coloured(FORCE_COLOR="0")
    assert not coloured(FORCE_COLOR="1", NO_COLOR="1")
    assert not coloured("--color", "never", FORCE_COLOR="1")
    assert coloured("--color", "always", NO_COLOR="1")


def test_text_from_exports_cannot_steer_a_terminal(lintmdb: Run, tmp_path: Path) -> None:
    """Control characters in a name are shown, not sent."""
    script = tmp_path / "QM1.mqsc"
    script.write_text("DEFINE QLOCAL('ORDERS.IN') BOTHRESH(3) BOQNAME('\x1b[31mRED')\n")
    result = lintmdb("check", "fixtures/incomplete-mq", script)
    assert "\x1b" not in result.stdout


def test_inventory_says_what_was_read_and_what_not(lintmdb: Run, tmp_path: Path) -> None:
    """The inventory lists exports with counts, what was passed over and why, and lines that were not understood."""
    (tmp_path / "QM7.mqsc").write_text("DEFINE QLOCAL(A)\nNONSENSE HERE\nDEFINE QLOCAL(B)\n")
    (tmp_path / "note.txt").write_text("hello\n")
    result = lintmdb("inventory", "fixtures/all-families", tmp_path)
    assert result.returncode == 0
    assert "cell PRODCELL" in result.stdout
    assert re.search(r"\b7 activation specifications", result.stdout)
    assert re.search(r"queue manager QM7 .*\n +2 local queues", result.stdout)
    assert "QM7.mqsc:2:1: this line is not an MQSC command" in result.stdout
    assert "is not an export that lintmdb recognises" in result.stdout


def test_version_is_one_place(lintmdb: Run) -> None:
    """--version prints the package's version and that of its rules, alone and among other options."""
    first = lintmdb("--version").stdout
    assert re.fullmatch(rf"lintmdb {re.escape(__version__)} \(\d+ rules, [0-9a-f]{{8}}\)\n", first)
    assert lintmdb("--version", "check").stdout == first


@pytest.mark.slow
def test_check_does_not_import_what_it_does_not_need(tmp_path: Path) -> None:
    """A plain check with bundled rules loads neither rich, jsonschema, yaml, jinja2 nor pyspark."""
    program = (
        "import sys, lintmdb.rules.loading as rules, lintmdb.cli.app\n"
        "from lintmdb.yaml_input import parse_yaml\n"
        "import json, pathlib\n"
        "bundle = pathlib.Path(sys.argv[1])\n"
        "files = sorted(rules.SOURCE.glob('*/*.yaml'))\n"
        "bundle.write_text(json.dumps([parse_yaml(f.read_text(), '')[0] for f in files]))\n"
    )
    bundle = tmp_path / "rules.json"
    subprocess.run([sys.executable, "-c", program, bundle], check=True, cwd=ROOT)
    program = (
        "import sys, pathlib, lintmdb.rules.loading as rules\n"
        "rules.BUNDLE = pathlib.Path(sys.argv[1]); rules.SOURCE = pathlib.Path('absent')\n"
        "sys.argv = ['lintmdb', 'check', 'fixtures/clean']\n"
        "from lintmdb.cli.app import run\n"
        "code = run()\n"
        "print(code, sorted({'rich', 'jsonschema', 'yaml', 'jinja2', 'pyspark'} & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, bundle], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert result.stdout.splitlines()[-1] == "0 []"


def test_what_check_has_read_stays_until_the_process_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To free it first would only take time."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["lintmdb", "check", "fixtures/clean"])
    kept: list[object] = []
    assert run(kept) == 0
    assert "passes" in capsys.readouterr().out
    assert [type(entry) for entry in kept] == [Judged]


def test_a_dump_in_parts_is_one_queue_manager(lintmdb: Run, tmp_path: Path) -> None:
    """Dumps of objects, of authority records and of channel authentication records make up one queue manager."""
    scenario = scenario_folder("authority-missing")
    text = (scenario / "mq" / "QM1.mqsc").read_text()
    cut = text.index("SET AUTHREC")
    (tmp_path / "objects.mqsc").write_text(text[:cut].replace("-m QM1 -a", "-m QM1 -x object -a") + ENDED)
    header = text[: text.index("ALTER QMGR")].replace("-m QM1 -a", "-m QM1 -x authrec -a")
    (tmp_path / "authorities.mqsc").write_text(header + text[cut:])
    channels = "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
    (tmp_path / "channels.mqsc").write_text(header.replace("authrec", "chlauth") + channels + ENDED)
    whole = lintmdb("check", scenario)
    parts = lintmdb("check", scenario / "was", tmp_path)
    assert "MDB113" in whole.stdout
    assert "MDB113" in parts.stdout
    assert "MDB904" not in parts.stdout


def test_the_summary_says_that_a_threshold_is_hardly_ever_reached(lintmdb: Run) -> None:
    """No rule is broken, so nothing but the summary tells how long a message that is moved aside comes back first."""
    for threshold, after in ((3, ""), (999_999_999, ", at worst after 999999999 failed deliveries")):
        change = f"queue ORDERS.IN at QM1: BOTHRESH={threshold}"
        text = lintmdb("check", "fixtures/clean", "--set", change, "--summary").stdout
        assert f"Flows     1: a poison message is moved aside{after}\n" in text


def _environments(tmp_path: Path) -> Path:
    """The same estate twice; in prod one queue has no backout threshold."""
    for name in ("dev", "prod"):
        shutil.copytree(FIXTURES / "clean", tmp_path / "exports" / name, ignore=shutil.ignore_patterns("*.yaml"))
    dump = tmp_path / "exports" / "prod" / "mq" / "QM1.mqsc"
    dump.write_text(re.sub(r"BOTHRESH\(\d+\)", "BOTHRESH(0)", dump.read_text()))
    return tmp_path


def test_exports_of_one_name_that_differ_are_an_error_with_the_environments_to_name(
    lintmdb: Run, tmp_path: Path
) -> None:
    """Nothing is judged, and the words of the message make it two environments."""
    _environments(tmp_path)
    for command in (("check",), ("plan",), ("trace",), ("check", "--select", "MDB101")):
        refused = lintmdb(*command, "exports", cwd=tmp_path)
        assert refused.returncode == 2
        assert not refused.stdout
        assert "the exports of queue manager QM1 differ: exports/dev/mq/QM1.mqsc from exports/prod" in refused.stderr
    option, line = re.findall(r"name them: (.*), or in lintmdb.toml: (.*)", refused.stderr)[0]
    told = lintmdb("check", *shlex.split(option), "--format", "json", cwd=tmp_path)
    assert told.returncode == 1
    (tmp_path / "lintmdb.toml").write_text(line)
    assert lintmdb("check", "exports", "--format", "json", cwd=tmp_path).stdout == told.stdout
    assert lintmdb("inventory", "exports", "--config", "exports/../lintmdb.toml", cwd=tmp_path).returncode == 0


def test_environments_inside_environments_get_names_of_their_own(lintmdb: Run, tmp_path: Path) -> None:
    """Regions with dev and prod each: the second message keeps what the first one named, and there is no third."""
    for number, name in enumerate(("eu/dev", "eu/prod", "us/dev", "us/prod"), 3):
        folder = tmp_path / "mq" / name
        folder.mkdir(parents=True)
        dump = (FIXTURES / "clean/mq/QM1.mqsc").read_text()
        (folder / "QM1.mqsc").write_text(re.sub(r"BOTHRESH\(\d+\)", f"BOTHRESH({number})", dump))
    config = tmp_path / "lintmdb.toml"
    for _ in range(2):
        refused = lintmdb("check", "mq", "--all-queues", cwd=tmp_path)
        assert refused.returncode == 2
        config.write_text(refused.stderr.partition("or in lintmdb.toml: ")[2])
    read = lintmdb("check", "mq", "--all-queues", "--summary", cwd=tmp_path)
    assert "QM1 in eu-dev, QM1 in eu-prod, QM1 in us-dev" in " ".join(read.stdout.split())


def test_a_folder_around_environments_is_none(lintmdb: Run, tmp_path: Path) -> None:
    """Its name may be that of one of them, and other exports may lie in it."""
    folder = tmp_path / "prod"
    _environments(folder)
    (folder / "QM7.mqsc").write_text("* Queue manager name: QM7\nALTER QMGR DEADQ('QM7.DEAD')\n")
    refused = lintmdb("check", "prod", cwd=tmp_path)
    assert "name them: --environment dev=prod/exports/dev --environment prod=prod/exports/prod, or" in refused.stderr


def test_a_queue_manager_in_no_environment_is_told(lintmdb: Run, tmp_path: Path) -> None:
    """The dump lies beside the environments, so that nothing joins it with a cell in one of them."""
    for name in ("old", "new"):
        shutil.copytree(FIXTURES / "clean" / "was", tmp_path / name)
    shutil.copytree(FIXTURES / "clean" / "mq", tmp_path / "mq")
    named = [word for name in ("old", "new") for word in ("--environment", f"{name}={name}")]
    told = lintmdb("check", "mq", *named, cwd=tmp_path).stderr
    assert "queue manager QM1 is in no environment, and endpoints of environment old name it" in told
    assert "--environment new=mq/" in told
    both = lintmdb("check", *named, "--environment", "old=mq", cwd=tmp_path).stderr
    assert "no environment" not in both


def test_a_base_of_several_overlays_is_to_be_rendered(lintmdb: Run, tmp_path: Path) -> None:
    """It cannot be named in both environments, so nobody is asked to; an environment whose overlay has another base
    still is, and who names it twice is told what to do.
    """
    manager = (
        "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: qm1}\nspec:\n  queueManager:\n"
        "    name: QM1\n    mqsc: [{configMap: {name: cm, items: [a.mqsc]}}]\n"
    )
    files = {
        "base/kustomization.yaml": "resources: [qm.yaml]\nconfigMapGenerator:\n- {name: cm, files: [a.mqsc]}\n",
        "base/qm.yaml": manager,
        "base/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(3)\n",
    }
    merged = "configMapGenerator:\n- {name: cm, behavior: merge, literals: ['b.mqsc=DEFINE QLOCAL(B)']}\n"
    for name, base in (("test", "base"), ("prod", "base"), ("dev", "other")):
        files[f"overlays/{name}/kustomization.yaml"] = f"resources: [../../{base}]\n{merged}"
        shutil.copytree(FIXTURES / "clean" / "was", tmp_path / "was" / name)
    for name, text in files.items():
        (tmp_path / "mq" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mq" / name).write_text(text)
    entries = [f"{name}={folder}/{name}" for name in ("dev", "prod", "test") for folder in ("was", "mq/overlays")]
    named = [word for entry in entries for word in ("--environment", entry)]
    told = lintmdb("check", "mq", *named, cwd=tmp_path).stderr
    assert "which was not read in the same environment: provide what kubectl kustomize mq/overlays/prod prints" in told
    assert "If they use this one: --environment dev=mq/base/qm.yaml" in told
    assert "--environment prod=" not in told
    assert "--environment test=" not in told
    for path in ("mq/base", "mq/base/qm.yaml"):
        both = [word for name in ("prod", "test") for word in ("--environment", f"{name}={path}")]
        refused = lintmdb("check", "mq", *named, *both, cwd=tmp_path)
        assert refused.returncode == 2
        assert f"{path} is in several environments: prod, test. Render each overlay with kubectl" in refused.stderr


def test_environments_are_judged_apart(lintmdb: Run, tmp_path: Path) -> None:
    """The findings of prod name it, and dev has none; suppressions, baselines and fingerprints know environments."""
    _environments(tmp_path)
    named = ("--environment", "dev=exports/dev", "--environment", "prod=exports/prod")
    report = json.loads(lintmdb("check", *named, "--format", "json", cwd=tmp_path).stdout)
    alone = json.loads(lintmdb("check", "exports/prod", "--format", "json", cwd=tmp_path).stdout)
    assert {finding["subject"]["environment"] for finding in report["findings"]} == {"prod"}
    assert [finding["message"] for finding in report["findings"]] == [f["message"] for f in alone["findings"]]
    assert {f["subject"]["environment"] for f in alone["findings"]} == {None}
    assert not {f["fingerprint"] for f in report["findings"]} & {f["fingerprint"] for f in alone["findings"]}
    text = lintmdb("check", *named, cwd=tmp_path).stdout
    assert "node1/server1 in prod" in text
    assert "queue managers QM1 in dev and QM1 in prod" in text
    assert lintmdb("baseline", "write", "base.jsonl", *named, cwd=tmp_path).returncode == 0
    assert lintmdb("check", *named, "--baseline", "base.jsonl", cwd=tmp_path).returncode == 0
    assert lintmdb("check", "exports/prod", "--baseline", "base.jsonl", cwd=tmp_path).returncode == 1
    (tmp_path / "lintmdb.toml").write_text(
        "[[suppressions]]\nrule = 'MDB'\nsubject = { environment = 'prod' }\nreason = 'r'\n"
    )
    assert lintmdb("check", *named, cwd=tmp_path).returncode == 0
    assert lintmdb("check", "exports/prod", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("prod", "is not NAME=PATH"),
        ("a b=exports", "is no name of an environment"),
        ("prod=absent", "absent does not exist"),
        ("prod=absent*", "matches nothing"),
    ],
)
def test_an_environment_that_cannot_be(lintmdb: Run, tmp_path: Path, option: str, message: str) -> None:
    """A misspelt environment is a usage error, not one without exports."""
    (tmp_path / "exports").mkdir()
    run = lintmdb("check", "exports", "--environment", option, cwd=tmp_path)
    assert run.returncode == 2
    assert message in run.stderr


def test_a_flow_ends_with_its_changes(lintmdb: Run) -> None:
    """Each change of the plan is one line below the first flow that needs it; -v adds its commands, which are whole."""
    arguments = ("check", "fixtures/all-families", "--select", "MDB101,MDB125")
    text, told = lintmdb(*arguments).stdout, lintmdb(*arguments, "-v").stdout
    defined = "  QM1  LETTERS.IN.BACKOUT  new queue\n"
    assert f"  change{defined}" in text
    define = "DEFINE QLOCAL('LETTERS.IN.BACKOUT') USAGE(NORMAL) PUT(ENABLED) GET(ENABLED) SHARE DEFSOPT(SHARED) "
    assert f"{defined}{' ' * 12}{define}" in told
    assert define not in text
    assert "fix:" not in told
    for report in (text, told):
        changes = re.findall(r"^  (?:change|      )  QM\d  .*(?: -> .*|new queue)$", report, re.MULTILINE)
        assert len(changes) == len(set(changes)) > 2
        assert report.endswith("\n  lintmdb plan fixtures/all-families --select MDB101,MDB125 --out plan\n")


def test_the_changes_are_those_of_the_plan(lintmdb: Run) -> None:
    """Text and `lintmdb plan` say the same changes; a repair that flows share is shown at the first one."""
    planned = json.loads(lintmdb("plan", "fixtures/estate", "--format", "json").stdout)["changes"]
    text = re.sub(r"\n {12}(?=\S)", "  ", lintmdb("check", "fixtures/estate").stdout)
    assert planned
    for change in planned:
        words = f"-> {change['new'] or '(none)'}\n" if change["change"] == "set" else "new queue\n"
        if change["change"] != "grant":
            thing = object_words(read_change(change).target)
            assert any(thing in line and line.endswith(words) for line in text.splitlines(keepends=True))


def test_a_clean_estate_has_no_changes(lintmdb: Run) -> None:
    """Where nothing is found, nothing is planned and nothing is said of plans."""
    text = lintmdb("check", "fixtures/clean", "--on-message", "15s").stdout
    assert "change" not in text
    assert "lintmdb plan" not in text


def test_what_if_shows_options(lintmdb: Run) -> None:
    """On top of changes there is no plan, and no command that would plan without them: each finding has the alternative
    that its rule prefers.
    """
    text = lintmdb("check", "fixtures/backout-inert", "--set", "queue ORDERS.IN at QM1: DEFPSIST=NO").stdout
    assert re.search(r"\n  error   MDB104 .*\n(?:  error .*\n)?  option  QM1  ORDERS.IN +BOTHRESH 0 -> 3\n", text)
    assert "\n  change" not in text
    assert "lintmdb plan" not in text


def test_a_terminal_is_told_where_more_stands() -> None:
    """On a terminal the report ends with what tells more; in a pipe it does not."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "lintmdb", "check", "fixtures/backout-inert", "--select", "MDB104"]
    shown = b""
    with subprocess.Popen(command, cwd=ROOT, stdout=follower, stderr=follower, env=clean_environment()):
        os.close(follower)
        with suppress(OSError):  # Linux gives EIO where others give an empty read
            while part := os.read(leader, 4096):
                shown += part
    os.close(leader)
    assert b"lintmdb explain MDB104 says more about a rule; check -v shows what happens" in shown


def test_stories_that_differ_in_names_alone_are_told_once(lintmdb: Run, tmp_path: Path) -> None:
    """With -v, the second of two flows with other findings on which the same happens refers to the first one."""
    shutil.copytree(scenario_folder("estate"), tmp_path / "estate")
    manager = tmp_path / "estate/mq/QM1.mqsc"
    head, start, rest = manager.read_text().partition("DEFINE QLOCAL('INVOICES.IN')")
    manager.write_text(head + start + re.sub(r"BOTHRESH\(\d+\)", "BOTHRESH(0)", rest, count=1))
    report = lintmdb("check", str(tmp_path / "estate"), "--select", "MDB101,MDB104", "-v").stdout
    assert report.count("with BackoutCount 1") == 1
    assert re.search(r"The same happens as at [A-Z]+\.IN above, with the names of this flow\.", report)
