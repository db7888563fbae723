"""Queue managers of Kubernetes: the resource, what it names, and where every value is."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq import MqscFile
from lintmdb.exports.mq.kubernetes import is_about_queue_managers, looks_like_kubernetes, read_kubernetes
from lintmdb.model.relations import Problem, Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import Estate, read_estate
from lintmdb.run.script_groups import group_scripts
from tests.support.scenario import expected, run_scenario
from tests.support.scenario_folders import scenario_folder, scenario_names

MANAGER = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata:
  name: qm-one
  namespace: shop
spec:
  queueManager:
    name: QM1
    mqsc:
    - configMap:
        name: cm
        items: [b.mqsc, a.mqsc]
"""
CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: shop}
data:
  a.mqsc: |
    ALTER QLOCAL(A) BOTHRESH(9)
  b.mqsc: |-

    DEFINE QLOCAL(A) BOTHRESH(1) +
      BOQNAME(B)
"""


def estate_of(folder: Path, files: dict[str, str]) -> Estate:
    """The estate of some files."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return read_estate([folder], Observations())


def queues(estate: Estate) -> dict[str, dict[str, int | None]]:
    """The thresholds of the queues of each queue manager."""
    found: dict[str, dict[str, int | None]] = {}
    for row in estate.facts.rows["queue"]:
        assert isinstance(row, Queue)
        found.setdefault(row.queue_manager, {})[row.name] = row.backout_threshold
    return found


def problems(estate: Estate) -> list[Problem]:
    """Everything that is told."""
    return [row for row in estate.facts.rows["problem"] if isinstance(row, Problem)]


@pytest.mark.parametrize(
    "files",
    [
        {"all.yaml": MANAGER + "---\n" + CONFIG},
        {"all.yaml": CONFIG + "---\n" + MANAGER},
        {"qm.yaml": MANAGER, "cm.yaml": CONFIG},
        {"base/cm.yaml": CONFIG, "prod/qm.yaml": MANAGER},
        {"list.yaml": "apiVersion: v1\nkind: List\nitems:\n" + "".join(
            "- " + text.replace("\n", "\n  ").rstrip() + "\n" for text in (MANAGER, CONFIG))},
        {"chart.yaml": "---\n# Source: q/templates/qm.yaml\n" + MANAGER + "---\n# Source: q/cm.yaml\n" + CONFIG},
    ],
)  # fmt: skip
def test_scripts_run_in_the_order_of_items(tmp_path: Path, files: dict[str, str]) -> None:
    """The resource decides what runs and in which order, wherever the ConfigMap is."""
    estate = estate_of(tmp_path, files)
    assert queues(estate) == {"QM1": {"A": 9}}
    assert [problem.kind for problem in problems(estate)] == []


def test_positions_are_those_of_the_manifest(tmp_path: Path) -> None:
    """A value is found by the line and column of the YAML file."""
    estate = estate_of(tmp_path, {"all.yaml": MANAGER + "---\n" + CONFIG})
    (queue,) = estate.facts.rows["queue"]
    assert isinstance(queue, Queue)
    lines = (tmp_path / "all.yaml").read_text("utf-8").split("\n")
    for column, text in (("backout_threshold", "BOTHRESH(9)"), ("backout_queue", "BOQNAME(B)")):
        origin = queue.origins[column]
        assert origin.text == text
        assert lines[origin.line - 1][origin.column - 1 :].startswith(text)


def test_keys_run_in_order_without_a_resource(tmp_path: Path) -> None:
    """A ConfigMap alone is a queue manager with a guessed name."""
    estate = estate_of(tmp_path, {"cm.yaml": CONFIG.replace("a.mqsc", "c.mqsc")})
    assert queues(estate) == {"cm": {"A": 9}}
    assert [(problem.kind, "ConfigMap's name" in problem.text) for problem in problems(estate)] == [
        ("guessed_name", True)
    ]


def test_secrets_are_decoded(tmp_path: Path) -> None:
    """``data`` is base64 and ``stringData`` is not; what is no text is left alone."""
    encoded = base64.b64encode(b"DEFINE QLOCAL(A) BOTHRESH(4)\n").decode()
    secret = f"""\
kind: Secret
apiVersion: v1
metadata: {{name: s}}
data: {{x.mqsc: {encoded}, tls.key: AAECAw==, broken.mqsc: '!!'}}
stringData:
  y.mqsc: 'ALTER QLOCAL(A) BOQNAME(''B'')'
"""
    manager = MANAGER.replace("configMap", "secret").replace("name: cm", "name: s").replace("[b.mqsc, a", "[x.mqsc, y")
    estate = estate_of(tmp_path, {"qm.yaml": manager, "s.yaml": secret})
    (queue,) = estate.facts.rows["queue"]
    assert isinstance(queue, Queue)
    assert (queue.backout_threshold, queue.backout_queue) == (4, "B")
    assert queue.origins["backout_threshold"].line == 4


def test_what_is_asked_for_and_not_there_is_told(tmp_path: Path) -> None:
    """A missing key, ConfigMap or choice between equals is a notice at the item, and nothing is taken instead."""
    for files in (
        {"qm.yaml": MANAGER},
        {"qm.yaml": MANAGER, "cm.yaml": CONFIG.replace("shop", "other")},
        {"x/qm.yaml": MANAGER, "y/cm.yaml": CONFIG, "z/cm.yaml": CONFIG},
    ):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        estate = estate_of(folder, files)
        told = [problem for problem in problems(estate) if problem.kind == "not_read"]
        assert [(problem.line, problem.column) for problem in told] == [(12, 17), (12, 25)], files
        assert "QM1" not in queues(estate)


def test_a_name_with_the_hash_of_kustomize_is_told_once_and_its_scripts_run(tmp_path: Path) -> None:
    """kubectl kustomize leaves the reference of a QueueManager as it is; what is no hash is another name."""
    for name, told in (("cm-bkg9ctkbkh", True), ("cm-bkg9ctkbk1", False), ("cm-g9ctkbkh", False)):
        config = CONFIG.replace("name: cm", f"name: {name}")
        estate = estate_of(tmp_path / name, {"all.yaml": config + "---\n" + MANAGER})
        assert ("QM1" in queues(estate)) is told, name
        found = [problem for problem in problems(estate) if problem.kind == "unresolved_name"]
        if not told:
            assert not found, name
            continue
        assert queues(estate) == {"QM1": {"A": 9}}
        (problem,) = found
        assert problems(estate) == found
        assert "QM1 runs ConfigMap cm, which is cm-bkg9ctkbkh here: kustomize adds a hash" in problem.text
        assert "disableNameSuffixHash" in problem.next_step


def test_a_kustomization_makes_configmaps_of_files(tmp_path: Path) -> None:
    """``configMapGenerator`` names files of its folder, with or without a key."""
    kustomization = "resources: [qm.yaml]\nconfigMapGenerator:\n- name: cm\n  files: [b.mqsc, a.mqsc=mq/ten.mqsc]\n"
    estate = estate_of(
        tmp_path,
        {
            "kustomization.yaml": kustomization,
            "qm.yaml": MANAGER,
            "b.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\n",
            "mq/ten.mqsc": "ALTER QLOCAL(A) BOTHRESH(7)\n",
        },
    )
    assert queues(estate) == {"QM1": {"A": 7}}
    assert problems(estate) == []


def test_a_rendered_chart_mounts_scripts(tmp_path: Path) -> None:
    """A StatefulSet of IBM's image runs what is mounted into /etc/mqm, by name."""
    workload = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: x}
spec:
  template:
    spec:
      containers:
      - name: qmgr
        env: [{name: MQ_QMGR_NAME, value: QM7}]
        volumeMounts:
        - {name: v, mountPath: /etc/mqm/20.mqsc, subPath: a.mqsc}
        - {name: v, mountPath: /etc/mqm/10.mqsc, subPath: b.mqsc}
        - {name: v, mountPath: /elsewhere}
      volumes:
      - name: v
        configMap: {name: cm}
"""
    assert queues(estate_of(tmp_path, {"all.yaml": workload + "---\n" + CONFIG})) == {"QM7": {"A": 9}}


def test_templates_are_told_once_and_unknown(tmp_path: Path) -> None:
    """Values that a chart fills in, and commands that it may leave out, are unknown."""
    config = CONFIG.replace("BOTHRESH(1)", "BOTHRESH({{ .Values.n }})").replace(
        "ALTER QLOCAL(A) BOTHRESH(9)",
        "DEFINE QLOCAL(C) BOTHRESH(1)\n    {{- if .Values.more }}\n    ALTER QLOCAL(C) BOTHRESH(0)\n    {{- end }}\n"
        "    DEFINE QLOCAL({{ .Values.q }})\n    DEFINE QLOCAL(D) BOTHRESH(2)",
    )
    estate = estate_of(tmp_path, {"qm.yaml": MANAGER, "cm.yaml": "{{- if .Values.on }}\n" + config + "{{- end }}\n"})
    assert queues(estate) == {"QM1": {"A": None, "C": None, "D": None}}
    told = [problem for problem in problems(estate) if problem.kind == "template"]
    assert [(problem.line, "helm template" in problem.next_step) for problem in told] == [(1, True)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n  a: [\n", 4, 7),
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n  a: 1\n  a: 2\n", 5, 3),
        ("apiVersion: v1\nkind: ConfigMap\na: " + "[" * 5000, 3, 103),
        ("apiVersion: v1\nkind: ConfigMap\ndata:\n\ta: DEFINE QLOCAL(A)", 4, 1),
    ],
)
def test_a_broken_manifest_is_one_problem(text: str, line: int, column: int) -> None:
    """The problem says where, and a document behind it is read."""
    with pytest.raises(UnreadableError) as raised:
        read_kubernetes(text.encode(), "x.yaml")
    assert (raised.value.line, raised.value.column, raised.value.path) == (line, column, "x.yaml")
    scripts = read_kubernetes(f"{text}\n---\n{CONFIG}".encode(), "x.yaml")
    assert [problem.line for problem in scripts[0].problems] == [line]
    assert [script.kept.key for script in scripts if script.kept] == ["a.mqsc", "b.mqsc"]


WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["kind", "metadata", "name", "spec", "queueManager", "mqsc", "configMap", "secret", "items", "template",
         "containers", "volumes", "volumeMounts", "env", "files", "mountPath"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["QueueManager", "ConfigMap", "Secret", "List", "Pod", "StatefulSet"]), st.data())
def test_values_of_the_wrong_kind(kind: str, data: st.DataObject) -> None:
    """Whatever stands where a value is expected, the manifest is read without it."""
    root: dict[str, object] = {"apiVersion": "mq.ibm.com/v1", "kind": kind}
    for key in ("metadata", "spec", "data", "stringData", "items", "configMapGenerator"):
        root[key] = data.draw(WRONG)
    group_scripts(read_kubernetes(json.dumps(root).encode(), "x.yaml"), {})


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet="kind: ConfigMap\n-|{}[]*&'\"", max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused; nothing else happens."""
    looks_like_kubernetes(data)
    is_about_queue_managers(data)
    with contextlib.suppress(UnreadableError):
        read_kubernetes(b"kind: ConfigMap\n" + data, "x")


def as_manifests(name: str, scripts: Sequence[Path]) -> Iterator[str]:
    """Scripts as ConfigMaps, each with a resource that runs it."""
    for number, script in enumerate(scripts):
        body = "".join(f"    {line}\n" for line in script.read_text("utf-8").split("\n"))
        yield f"kind: ConfigMap\napiVersion: v1\nmetadata: {{name: cm{number}}}\ndata:\n  x.mqsc: |\n{body}"
        yield (
            f"kind: QueueManager\napiVersion: mq.ibm.com/v1beta1\nmetadata: {{name: {name.lower()}}}\nspec:\n"
            f"  queueManager:\n    name: {name}\n    mqsc: [{{configMap: {{name: cm{number}, items: [x.mqsc]}}}}]\n"
        )


def scripts_by_manager(folder: Path) -> dict[str, list[Path]]:
    """The scripts in a scenario's ``mq`` folder, by the queue manager that their file name says."""
    found: dict[str, list[Path]] = {}
    for file in sorted(folder.glob("mq/*.mqsc")):
        found.setdefault(file.name.partition(".")[0], []).append(file)
    return found


LAW = [
    name
    for name in scenario_names()
    if name != "conflicting-queue-managers"  # whose file names are subjects
    and any(len(files) == 1 for files in scripts_by_manager(scenario_folder(name)).values())
]


@pytest.mark.parametrize("name", LAW[::6])
def test_the_same_facts_give_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """The law: a script in a ConfigMap is judged as in a file of its own."""
    folder = scenario_folder(name)
    target = tmp_path / name
    shutil.copytree(folder, target)
    for manager, scripts in scripts_by_manager(target).items():
        if len(scripts) == 1:
            text = "---\n".join(as_manifests(manager, scripts))
            scripts[0].unlink()
            (target / f"mq/{manager}.yaml").write_text(text, "utf-8")
    options = expected(folder).get("options")
    one, other = run_scenario(folder, options), run_scenario(target, options)
    for ours, theirs in ((one.hazard, other.hazard), (one.undecided, other.undecided), (one.clear, other.clear)):
        renamed = {rule: [name.replace(".yaml", ".mqsc") for name in names] for rule, names in theirs.items()}
        assert ours == renamed


def test_corpus(corpus: Path) -> None:
    """Every manifest of the corpus is read; what it cannot say is told."""
    found: list[MqscFile] = []
    for file in sorted((corpus / "mq").iterdir()):
        data = file.read_bytes()
        if looks_like_kubernetes(data[:8192]) and is_about_queue_managers(data):
            found += read_kubernetes(data, file.name)
    assert {script.queue_manager for script in found if script.queue_manager} == {"MYQMGR", "QM1", "QMDEMO"}
    assert sum(len(script.commands) for script in found) > 60
    assert [problem for script in found for problem in script.problems if problem.kind != "template"] == []


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("patches:\n- target: {kind: QueueManager}\n  path: patch.yaml\n", 5),
        ("patchesStrategicMerge: [patch.yaml]\n", 4),
        ("configMapGenerator:\n- name: cm\n  behavior: merge\n  files: [a.mqsc]\n", 6),
        ("configMapGenerator:\n- name: cm\n  files: [a.mqsc]\n", 0),
    ],
)
def test_changes_that_only_kustomize_knows_are_told(change: str, line: int, tmp_path: Path) -> None:
    """One notice says that only kustomize knows the outcome: of patches that are missing, and merges with nothing."""
    head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [qm.yaml]  # mq.ibm.com/\n"
    text = head + change
    files = {"kustomization.yaml": text, "qm.yaml": MANAGER, "a.mqsc": "DEFINE QLOCAL(A)\n"}
    estate = estate_of(tmp_path, files)
    told = [problem for problem in problems(estate) if "which lintmdb does not apply" in problem.text]
    assert [(Path(problem.path).name, problem.line) for problem in told] == [("kustomization.yaml", line)] * bool(line)
