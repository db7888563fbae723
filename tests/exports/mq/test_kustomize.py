"""Kustomizations: what patches, merges and prefixes make of manifests, and where each value is."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, Sequenced, documents
from lintmdb.exports.mq.yaml_patches import Undecided, matches, merged, patched
from lintmdb.model.origins import LazyOrigin
from lintmdb.model.relations import Queue
from lintmdb.run.estate import Estate
from tests.exports.mq.test_kubernetes import estate_of
from tests.support.command import Run

MANAGER = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata:
  name: qm-one
spec:
  queueManager:
    name: QM1
    mqsc:
    - configMap:
        name: cm
        items: [a.mqsc]
"""
CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data:
  a.mqsc: |
    DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B)
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
BASE = {
    "base/kustomization.yaml": "resources: [qm.yaml, cm.yaml, service.yaml]\n",
    "base/qm.yaml": MANAGER,
    "base/cm.yaml": CONFIG,
    "base/service.yaml": SERVICE,
}
MERGE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  a.mqsc: |
    DEFINE QLOCAL(A) BOTHRESH(7) BOQNAME(B)
"""
JSON = """\
- op: test
  path: /data/a.mqsc
  value: |
    DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B)
- op: replace
  path: /data/a.mqsc
  value: DEFINE QLOCAL(A) BOTHRESH(7)
"""
INLINE = '[{"op": "add", "path": "/data/a.mqsc", "value": "DEFINE QLOCAL(A) BOTHRESH(7)"}]'
MOVE = '[{"op": "move", "from": "/data/a.mqsc", "path": "/data/b.mqsc"}]'


def queue(estate: Estate) -> Queue:
    """The only queue."""
    (row,) = estate.facts.rows["queue"]
    return row


def place(estate: Estate, folder: Path) -> str:
    """Where the threshold is, below the folder."""
    located = queue(estate).origins["backout_threshold"]
    origin = located.resolve() if isinstance(located, LazyOrigin) else located
    return f"{Path(origin.path).relative_to(folder).as_posix()}:{origin.line}:{origin.column}"


def notices(estate: Estate) -> list[str]:
    """The places of what is told."""
    return [f"{Path(row.path).name}:{row.line}" for row in estate.facts.rows["problem"] if row.kind == "not_read"]


def overlaid(folder: Path, text: str, **more: str) -> Estate:
    """The base with an overlay that has other files."""
    overlay = {f"prod/{name.replace('_', '.')}": content for name, content in more.items()}
    return estate_of(folder, {**BASE, "prod/kustomization.yaml": f"resources: [../base]\n{text}", **overlay})


@pytest.mark.parametrize(
    ("text", "more", "expected"),
    [
        ("", {}, "base/cm.yaml:6:22"),
        ("patchesStrategicMerge: [p.yaml]\n", {"p_yaml": MERGE}, "prod/p.yaml:7:22"),
        ("patches:\n- path: p.yaml\n", {"p_yaml": MERGE}, "prod/p.yaml:7:22"),
        ("patches:\n- path: p.yaml\n  target: {kind: ConfigMap, name: c.*}\n", {"p_yaml": MERGE}, "prod/p.yaml:7:22"),
        ("patches:\n- patch: |-\n" + indent(MERGE, "    "), {}, "prod/kustomization.yaml:10:26"),
        ("patches:\n- path: p.yaml\n  target: {kind: ConfigMap}\n", {"p_yaml": JSON}, "prod/p.yaml:7:27"),
        ("patchesJson6902:\n- path: p.json\n  target: {version: v1, kind: ConfigMap, name: cm}\n",
         {"p_json": INLINE}, "prod/p.json:1:67"),
        (f"patches:\n- target: {{kind: ConfigMap}}\n  patch: '{INLINE}'\n", {}, "prod/kustomization.yaml:4:77"),
        ("configMapGenerator:\n- name: cm\n  behavior: merge\n  files: [a.mqsc]\n",
         {"a_mqsc": "DEFINE QLOCAL(A) BOTHRESH(7)\n"}, "prod/a.mqsc:1:18"),
        ("configMapGenerator:\n- name: cm\n  behavior: replace\n  files: [a.mqsc=x/y.mqsc]\n",
         {"x/y_mqsc": "DEFINE QLOCAL(A) BOTHRESH(7)\n"}, "prod/x/y.mqsc:1:18"),
        ("configMapGenerator:\n- name: cm\n  behavior: merge\n  literals:\n  - a.mqsc=DEFINE QLOCAL(A) BOTHRESH(7)\n",
         {}, "prod/kustomization.yaml:6:29"),
        ("configMapGenerator:\n- name: cm\n  behavior: replace\n  literals:\n  - a.mqsc='DEFINE QL(A) BOTHRESH(7)'\n",
         {}, "prod/kustomization.yaml:6:26"),
        ("namePrefix: p-\npatches:\n- path: p.yaml\n", {"p_yaml": MERGE}, "prod/p.yaml:7:22"),
    ],
)  # fmt: skip
def test_a_value_is_where_the_patch_has_it(text: str, more: dict[str, str], expected: str, tmp_path: Path) -> None:
    """Applied patches leave no notice, and no second version of the queue manager."""
    estate = overlaid(tmp_path, text, **more)
    assert (place(estate, tmp_path), notices(estate)) == (expected, [])
    assert queue(estate).backout_threshold == (7 if text else 1)
    assert queue(estate).queue_manager == "QM1"


@pytest.mark.parametrize(
    "change",
    [
        "components: [../c]\n",
        "replacements:\n- source: {kind: ConfigMap}\n",
        "vars:\n- name: X\n",
        "patches:\n- path: missing.yaml\n",
        "patches:\n- path: p.yaml\n  target: {labelSelector: app=mq}\n",
        "patches:\n- path: p.yaml\n  target: {name: (a+)+b}\n",
        f"patches:\n- patch: '{MOVE}'\n  target: {{kind: ConfigMap}}\n",
        "patches:\n- patch: '[{\"op\": \"remove\", \"path\": \"/data/b.mqsc\"}]'\n  target: {kind: ConfigMap}\n",
        "patches:\n- patch: '{a: '\n",
        "patches:\n- path: p.yaml\nbases: [https://example.net/base?ref=1]\n",
        "patchesStrategicMerge:\n- |-\n  kind: ConfigMap\n  metadata: {name: other}\n",
        "configMapGenerator:\n- name: other\n  behavior: merge\n  files: [a.mqsc]\n",
    ],
)  # fmt: skip
def test_what_only_kustomize_knows_is_unknown(change: str, tmp_path: Path) -> None:
    """One notice at the change, and no value of the base is taken for that of the overlay."""
    estate = overlaid(tmp_path, change, **({"p_yaml": MERGE} if "p.yaml" in change else {}))
    assert [name.partition(":")[0] for name in notices(estate)] == ["kustomization.yaml"]
    assert queue(estate).backout_threshold is None


_GENERATED = {
    "base/kustomization.yaml": "resources: [qm.yaml]\nconfigMapGenerator:\n- name: cm\n  files: [a.mqsc]\n",
    "base/qm.yaml": MANAGER,
    "base/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B)\n",
}
_LITERAL = "configMapGenerator:\n- name: cm\n  behavior: merge\n  literals:\n  "
_OVER = "configMapGenerator:\n- name: cm\n  behavior: replace\n  files: [a.mqsc]\n"


@pytest.mark.parametrize(
    ("overlay", "threshold"),
    [
        ("", 1),
        ("nameSuffix: -s\n", 1),
        (_OVER, 7),
        (_OVER.replace("replace", "merge"), 7),
        (f"{_LITERAL}- b.mqsc=DEFINE QLOCAL(C)\n", 1),
        (f"{_LITERAL}- a.mqsc=DEFINE QLOCAL(A) BOTHRESH(7)\n", 7),
        (f"{_LITERAL}- a.mqsc=DEFINE QLOCAL(A) BOTHRESH(3)\npatches:\n- patch: |-\n" + indent(MERGE, "    "), 7),
        (f"{_OVER}components: [../c]\n", None),
        ("patches:\n- patch: |-\n" + indent(MERGE, "    "), 7),
    ],
)
def test_a_script_that_is_replaced_is_no_queue_manager(overlay: str, threshold: int | None, tmp_path: Path) -> None:
    """The resource asks for the generator's name, without the hash that kustomize adds, and finds what the overlay
    makes of it; neither the script before nor the one of the overlay is another queue manager.
    """
    files = dict(_GENERATED)
    if overlay:
        files["prod/kustomization.yaml"] = f"resources: [../base]\n{overlay}"
    if "files:" in overlay:
        files["prod/a.mqsc"] = "DEFINE QLOCAL(A) BOTHRESH(7) BOQNAME(B)\n"
    estate = estate_of(tmp_path, files)
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["QM1"]
    assert queue(estate).backout_threshold == threshold


def test_a_script_that_one_of_two_overlays_replaces_is_still_read(tmp_path: Path) -> None:
    """The other overlay runs it, so the queue manager has two versions."""
    files = {
        **_GENERATED,
        "prod/kustomization.yaml": f"resources: [../base]\n{_OVER}",
        "prod/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(7) BOQNAME(B)\n",
        "test/kustomization.yaml": "resources: [../base]\n",
    }
    estate = estate_of(tmp_path, files)
    assert [(row.name, row.ambiguous) for row in estate.facts.rows["queue_manager"]] == [("QM1", True)]


def test_two_overlays_that_differ_are_not_one_queue_manager(tmp_path: Path) -> None:
    """Whose values count is not known, as with two exports."""
    prod = overlaid(tmp_path, "patches:\n- path: p.yaml\n", p_yaml=MERGE)
    assert queue(prod).backout_threshold == 7
    both = overlaid(
        tmp_path,
        "patches:\n- path: p.yaml\n",
        **{"p_yaml": MERGE, "../test/kustomization_yaml": "resources: [../base]\n"},
    )
    (manager,) = both.facts.rows["queue_manager"]
    assert manager.ambiguous
    assert both.facts.rows["queue"] == []


def test_a_queue_manager_asks_for_what_the_patch_says(tmp_path: Path) -> None:
    """A patch of the resource changes the list of scripts; it may name the ConfigMap with its prefix."""
    added = CONFIG.replace("name: cm", "name: more").replace("BOTHRESH(1)", "BOTHRESH(3)")
    patch = MANAGER.replace("name: cm", "name: p-more").replace("name: QM1", "name: QM2")
    estate = overlaid(
        tmp_path, "namePrefix: p-\npatches:\n- path: p.yaml\n", p_yaml=patch, **{"../base/more_yaml": added},
        **{"../base/kustomization_yaml": "resources: [qm.yaml, cm.yaml, more.yaml]\n"},
    )  # fmt: skip
    thresholds = {(row.queue_manager, row.backout_threshold) for row in estate.facts.rows["queue"]}
    assert ("QM2", 3) in thresholds
    assert "QM1" not in {row.name for row in estate.facts.rows["queue_manager"]}


@pytest.mark.parametrize("outer", ["resources: [../a]\n", "resources: []\n"])
def test_kustomizations_that_list_each_other_end(outer: str, tmp_path: Path) -> None:
    """A circle decides nothing and does not hang."""
    files = {
        "a/kustomization.yaml": "resources: [../b, qm.yaml]\npatches:\n- path: p.yaml\n",
        "b/kustomization.yaml": "resources: [../a]\n",
        "c/kustomization.yaml": outer,
        "a/qm.yaml": MANAGER + "---\n" + CONFIG, "a/p.yaml": MERGE,
    }  # fmt: skip
    estate = estate_of(tmp_path, files)
    assert queue(estate).backout_threshold is None


def root(text: str) -> Node:
    """The root of a document."""
    (document,) = documents(text)
    node = document.root()
    assert node is not None
    return node


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*)*x", ".*.*.*.*.*", "[", "a{1,9}", "x" * 300])
def test_patterns_that_may_take_for_ever_are_not_tried(pattern: str) -> None:
    """Python's regular expressions may take exponential time, kustomize's do not."""
    with pytest.raises(Undecided):
        matches(pattern, "a" * 200)


@pytest.mark.parametrize(("pattern", "value", "expected"), [("cm", "cm", True), ("c.*", "cm", True), ("c", "cm", False),
                                                            ("^cm$", "cm", True), ("a|cm", "cm", True)])  # fmt: skip
def test_patterns_match_all_of_a_name(pattern: str, value: str, expected: bool) -> None:
    """As kustomize anchors them."""
    assert matches(pattern, value) is expected


def test_lists_of_workloads_are_merged_by_name() -> None:
    """Containers, variables and volumes by name, mounts by path; null and ``$patch: delete`` remove."""
    base = root("containers: [{name: a, env: [{name: X, value: one}, {name: Y, value: two}], image: i}]\nargs: [a, b]")
    patch = root(
        "containers: [{name: a, env: [{name: X, value: new}, {name: Y, $patch: delete}], image: null}]\nargs: [c]"
    )
    node = merged(base, patch)
    expected = root("containers: [{name: a, env: [{name: X, value: new}]}]\nargs: [c]")
    assert plain(node) == plain(expected)


def test_operations_of_a_json_patch() -> None:
    """Escapes, positions in lists, and the end of a list."""
    base = root("a/b: {x: [one, two]}")
    patch = root(
        "- {op: add, path: /a~1b/x/1, value: mid}\n- {op: add, path: /a~1b/x/-, value: end}\n"
        "- {op: remove, path: /a~1b/x/0}"
    )
    assert isinstance(patch, Sequenced)
    assert plain(patched(base, patch)) == plain(root("a/b: {x: [mid, two, end]}"))


def plain(node: Node | None) -> object:
    """A node without its places."""
    if isinstance(node, Mapped):
        return {key: plain(value) for key, value in node.entries}
    if isinstance(node, Scalar):
        return node.value
    return [plain(item) for item in node.items] if node is not None else None


@pytest.mark.parametrize("about", ["a.mqsc", "a", "QueueManager", "settings.xml"])
def test_a_base_that_was_not_read_is_told(lintmdb: Run, tmp_path: Path, about: str) -> None:
    """Of an overlay about queue managers alone, also where the base is read in another environment."""
    overlay, base = tmp_path / "prod/overlay", tmp_path / "shared/base"
    for folder in (overlay, base):
        folder.mkdir(parents=True)
    for name, text in BASE.items():
        (tmp_path / "shared" / name).write_text(text)
    content = "<settings/>" if about == "settings.xml" else "DEFINE QLOCAL(A)"
    patch = indent(f"kind: ConfigMap\nmetadata: {{name: cm}}\ndata: {{{about}: {content}}}\n", "    ")
    (overlay / "kustomization.yaml").write_text(f"resources: [../../shared/base]\npatches:\n- patch: |\n{patch}")
    told = "overlay/kustomization.yaml is made of ../../shared/base, which was not read in the same environment: "
    alone = lintmdb("check", "--all-queues", tmp_path / "prod")
    assert (told in alone.stdout) is (about != "settings.xml")
    advised = lintmdb("inventory", tmp_path / "prod").stdout.count("what kubectl kustomize")
    assert advised == (about != "settings.xml"), "once in the line"
    apart = lintmdb(
        "check", "--all-queues", tmp_path / "shared", "--environment", f"prod={tmp_path / 'prod'}", "--strict"
    )
    assert (told in apart.stdout) is (about != "settings.xml")
    together = lintmdb("check", "--all-queues", tmp_path)
    assert "was not read in the same environment" not in together.stdout


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("components: [../c]\n", "has components, which lintmdb does not apply"),
        (
            'configMapGenerator:\n- name: other\n  behavior: merge\n  literals: ["b.mqsc=DEFINE QLOCAL(C)"]\n',
            "has a generator with behavior: merge for ConfigMap other, which no file here has, which",
        ),
        (
            "configMapGenerator:\n- name: other\n  behavior: merge\n  files: [a.mqsc]\n",
            "has a generator with behavior: merge for ConfigMap other, which no file here has, which",
        ),
    ],
)
def test_what_is_not_applied_is_named(change: str, named: str, tmp_path: Path) -> None:
    """Nobody has to look for it among all that a kustomization has; a literal makes no queue manager."""
    estate = overlaid(tmp_path, change)
    (notice,) = [problem for problem in estate.facts.rows["problem"] if problem.kind == "not_read"]
    assert named in notice.text
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["QM1"]


@pytest.mark.parametrize("merged", ["files: [b.mqsc]", "literals: [b=DEFINE QLOCAL(B)]"])
def test_a_base_that_is_missing_is_told_beside_other_exports(merged: str, tmp_path: Path) -> None:
    """An overlay that merges MQSC into what its base makes: it has no object by itself."""
    over = f"resources: [../base]\nconfigMapGenerator:\n- name: cm\n  behavior: merge\n  {merged}\n"
    files = {"over/kustomization.yaml": over, "over/b.mqsc": "DEFINE QLOCAL(B)\n", "QM2.mqsc": "DEFINE QLOCAL(C)\n"}
    estate = estate_of(tmp_path, files)
    told = [problem.text for problem in estate.facts.rows["problem"] if problem.kind == "not_read"]
    assert [text.partition(",")[0] for text in told] == ["is made of ../base"]


def test_a_literal_that_a_generator_makes_is_a_script(tmp_path: Path) -> None:
    """As a file is; its place is in the kustomization."""
    generator = 'configMapGenerator:\n- name: cm\n  literals:\n  - "a.mqsc=DEFINE QLOCAL(A) BOTHRESH(4)"\n'
    text = f"resources: [qm.yaml]\n{generator}"
    estate = estate_of(tmp_path, {"kustomization.yaml": text, "qm.yaml": MANAGER})
    found = queue(estate)
    assert (found.queue_manager, found.backout_threshold) == ("QM1", 4)
    assert place(estate, tmp_path) == "kustomization.yaml:5:30"


@pytest.mark.parametrize("as_files", [False, True])
def test_a_key_that_no_queue_manager_runs_is_no_queue_manager(as_files: bool, tmp_path: Path) -> None:
    """A notice says that it is not read; an object of which nothing runs may be that of one elsewhere."""
    unused = "DEFINE QLOCAL(Z)\n"
    if as_files:
        generator = "resources: [qm.yaml]\nconfigMapGenerator:\n- name: cm\n  files: [a.mqsc, unused.mqsc]\n"
        script = "DEFINE QLOCAL(A) BOTHRESH(1)\n"
        files = {"kustomization.yaml": generator, "qm.yaml": MANAGER, "a.mqsc": script, "unused.mqsc": unused}
    else:
        files = {"qm.yaml": f"{MANAGER}---\n{CONFIG}  unused.mqsc: |\n    {unused}"}
    estate = estate_of(tmp_path, files)
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["QM1"]
    assert queue(estate).backout_threshold == 1
    (notice,) = [problem for problem in estate.facts.rows["problem"] if problem.kind == "not_read"]
    assert notice.text == "unused.mqsc of ConfigMap cm is not read: queue managers run other keys of it"
    alone = estate_of(tmp_path / "alone", {"cm.yaml": CONFIG})
    assert [row.name for row in alone.facts.rows["queue_manager"]] == ["cm"]


_ENV = "# made by hand\nLICENSE=accept\n  a.mqsc=DEFINE QLOCAL(A) BOTHRESH(7)\nHOME\n"


@pytest.mark.parametrize("word", ["envs: [mq.env]", "env: mq.env"])
def test_the_lines_of_a_file_are_literals(word: str, tmp_path: Path) -> None:
    """A generator's object has a key of each line; the place of a value is in that file."""
    text = f"resources: [qm.yaml]\nconfigMapGenerator:\n- name: cm\n  {word}\n"
    estate = estate_of(tmp_path, {"kustomization.yaml": text, "qm.yaml": MANAGER, "mq.env": _ENV})
    assert (place(estate, tmp_path), notices(estate)) == ("mq.env:3:27", [])
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["QM1"]


@pytest.mark.parametrize("behavior", ["merge", "replace"])
@pytest.mark.parametrize("base", ["files", "envs"])
def test_lines_replace_what_a_base_makes(behavior: str, base: str, tmp_path: Path) -> None:
    """They merge with the object of a base, or replace it, whatever that is made of."""
    files = dict(_GENERATED)
    if base == "envs":
        files["base/kustomization.yaml"] = files["base/kustomization.yaml"].replace("files: [a.mqsc]", "envs: [x]")
        files["base/x"] = f"a.mqsc={files.pop('base/a.mqsc')}"
    over = f"configMapGenerator:\n- name: cm\n  behavior: {behavior}\n  envs: [cfg/mq.properties]\n"
    files |= {"prod/kustomization.yaml": f"resources: [../base]\n{over}", "prod/cfg/mq.properties": _ENV}
    estate = estate_of(tmp_path, files)
    assert (place(estate, tmp_path), notices(estate)) == ("prod/cfg/mq.properties:3:27", [])
    assert [row.name for row in estate.facts.rows["queue_manager"]] == ["QM1"]


@pytest.mark.parametrize(
    ("env", "asked", "notice"),
    [
        (
            None,
            "a.mqsc",
            "ConfigMap cm with a.mqsc, which queue manager QM1 runs, is made of mq.env, which was not read",
        ),
        (None, "b.mqsc", None),
        (None, "", "ConfigMap cm, which queue manager QM1 runs, is made of mq.env, which was not read"),
        ("a.mqsc\nB=1\n", "a.mqsc", "ConfigMap cm with a.mqsc, which queue manager QM1 runs, was not read"),
    ],
)
def test_a_file_of_lines_that_is_missing(env: str | None, asked: str, notice: str | None, tmp_path: Path) -> None:
    """One notice where a queue manager may run what it has; a value that the computer of kustomize has is unknown."""
    text = "resources: [qm.yaml]\nconfigMapGenerator:\n- name: cm\n  envs: [mq.env]\n  files: [b.mqsc]\n"
    manager = MANAGER.replace("a.mqsc", asked) if asked else MANAGER.replace("        items: [a.mqsc]\n", "")
    files = {"kustomization.yaml": text, "qm.yaml": manager, "b.mqsc": "DEFINE QLOCAL(B)\n"}
    estate = estate_of(tmp_path, files | ({"mq.env": env} if env else {}))
    told = [row for row in estate.facts.rows["problem"] if row.kind == "not_read" and row.path.endswith("qm.yaml")]
    assert [row.text.replace(f"{tmp_path}/", "").partition(":")[0] for row in told] == ([notice] if notice else [])
    assert all(row.line for row in told)


def test_a_missing_file_of_lines_that_may_replace_a_script(tmp_path: Path) -> None:
    """Its keys are unknown, and so is every value of the object: one notice, at its name."""
    over = "configMapGenerator:\n- name: cm\n  behavior: merge\n  envs:\n  - mq.env\n"
    estate = overlaid(tmp_path, over)
    (notice,) = [row for row in estate.facts.rows["problem"] if row.kind == "not_read"]
    assert (Path(notice.path).name, notice.line, notice.column) == ("kustomization.yaml", 6, 5)
    assert "a generator of ConfigMap cm with mq.env, which was not read, which lintmdb does not apply" in notice.text
    assert queue(estate).backout_threshold is None


@pytest.mark.parametrize(
    ("base", "prod", "renamed"),
    [
        ("", "namePrefix: p-\n", "p-cm"),
        ("nameSuffix: -v2\n", "", "cm-v2"),
        ("nameSuffix: -v2\n", "namePrefix: p-\n", "p-cm-v2"),
        ("", "namePrefix: p-\nconfigurations: [names.yaml]\n", ""),
        ("configurations: [names.yaml]\n", "namePrefix: p-\n", ""),
        ("", "nameSuffix: ''\n", ""),
    ],
)
def test_a_queue_manager_does_not_follow_a_new_name(base: str, prod: str, renamed: str, tmp_path: Path) -> None:
    """Only kustomize's own resources do, unless configurations have a nameReference."""
    files = {**BASE, "prod/kustomization.yaml": f"resources: [../base]\n{prod}"}
    files["base/kustomization.yaml"] += base
    estate = estate_of(tmp_path, files)
    assert queue(estate).backout_threshold == 1
    told = [problem for problem in estate.facts.rows["problem"] if problem.kind == "unresolved_name"]
    assert [f"runs ConfigMap cm, which is {renamed} here" in problem.text for problem in told] == [True] * bool(renamed)
    assert [(Path(problem.path).name, problem.line) for problem in told] == [("qm.yaml", 11)] * bool(renamed)


def test_a_queue_manager_that_names_what_kustomize_makes(tmp_path: Path) -> None:
    """Its reference is the name with the prefix, so the cluster finds it."""
    files = {**BASE, "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: p-\n"}
    files["base/qm.yaml"] = MANAGER.replace("name: cm", "name: p-cm")
    assert not [row for row in estate_of(tmp_path, files).facts.rows["problem"] if row.kind == "unresolved_name"]
