"""Ansible: what tasks feed to runmqsc and write, with positions in the playbook."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.linked_files import linked_files
from lintmdb.exports.mq.ansible import has_mqsc, looks_like_ansible, read_ansible
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.scenario import expected, run_scenario
from tests.support.scenario_folders import scenario_folder

PLAY = """\
---
- name: Queue manager
  hosts: mq
  become: true
  tasks:
    - name: Queues
      ansible.builtin.shell: |
        runmqsc QM1 <<'EOF'
        DEFINE QLOCAL(A) BOTHRESH(3)
        EOF
    - name: From standard input
      command: runmqsc QM1
      args:
        stdin: |
          DEFINE QLOCAL(B)
    - name: Same
      ansible.builtin.command:
        cmd: runmqsc QM2
        stdin: "DEFINE QLOCAL(C)\\nDEFINE QLOCAL(D) BOTHRESH({{ n }})"
    - copy:
        dest: /tmp/x.mqsc
        content: |
          DEFINE QLOCAL(E)
    - shell: runmqsc QM1 < /tmp/x.mqsc
    - shell: setmqaut -m QM1 -t qmgr -p app +connect
    - shell: echo 'ALTER QLOCAL(A) BOTHRESH(9)' | runmqsc QM1
      when: production
"""


def test_tasks() -> None:
    """Every form, in the order of the tasks, with lines and columns of the playbook."""
    data = PLAY.encode()
    assert looks_like_ansible(data)
    assert has_mqsc(data)
    assert recognise(data)[0] == "ansible"
    files = read_ansible(data, "site.yml")
    lines = PLAY.split("\n")
    found = [
        (file.queue_manager, command.name or command.noun, command.line) for file in files for command in file.commands
    ]
    assert found == [
        ("QM1", "A", 9), ("QM1", "B", 15), ("QM2", "C", 19), ("QM2", "D", 19), ("QM1", "E", 23), ("QM1", "AUTHREC", 25),
        ("QM1", "A", 26),
    ]  # fmt: skip
    for file in files:
        for command in file.commands:
            if command.noun == "QLOCAL":
                assert lines[command.line - 1][command.column - 1 :].startswith(command.verb[:3])
    alter = files[-1].commands[0]
    assert [p.template for p, _ in alter.parameters] == [True]
    assert {(p.kind, p.line) for file in files for p in file.problems} == {("template", 19)}


def test_console_commands_of_zos() -> None:
    """The prefix of the queue manager is no part of the command; quotes doubled in YAML are single ones."""
    line = "      cmd: '{{ cpf }} DEF QLOCAL(A) DESCR(''x y'') BOTHRESH(2)'"
    (file,) = read_ansible(f"- hosts: z\n  tasks:\n  - zos_operator:\n{line}\n".encode(), "x.yml")
    assert [(c.name, c.line, c.column) for c in file.commands] == [("A", 4, line.index("DEF") + 1)]
    assert file.platform == "MVS"
    assert [(p.text, p.column) for p, _ in file.commands[0].parameters] == [("BOTHRESH(2)", line.index("BOTH") + 1)]


def test_scripts_in_variables() -> None:
    """A variable that holds MQSC counts with the queue manager beside it, if one is."""
    (file,) = read_ansible(b"- hosts: z\n  vars:\n    qmname: QM5\n    mqsc: |\n      DEFINE QLOCAL(A)\n", "x.yml")
    assert (file.queue_manager, [c.name for c in file.commands]) == ("QM5", ["A"])


def test_a_broken_playbook_is_one_problem() -> None:
    """It says where."""
    with pytest.raises(UnreadableError) as raised:
        read_ansible(b"- hosts: z\n  tasks:\n  - shell: 'runmqsc\n", "x.yml")
    assert (raised.value.path, raised.value.line) == ("x.yml", 3)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet="- shell: |\ncopy{}[]*&'\"<DEF QL(A)", max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused; nothing else happens."""
    looks_like_ansible(data)
    has_mqsc(data)
    with contextlib.suppress(UnreadableError):
        read_ansible(data, "x")
        read_ansible(b"- hosts: x\n  tasks:\n  - shell: |\n      " + data, "x")


@pytest.mark.parametrize("name", ["clean", "backout-inert", "authority-missing"])
def test_the_same_facts_give_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """The law: a script in a task is judged as in a file of its own."""
    folder = scenario_folder(name)
    target = tmp_path / name
    shutil.copytree(folder, target)
    for script in sorted((target / "mq").glob("*.mqsc")):
        body = "".join(f"        {line}\n" for line in script.read_text("utf-8").split("\n"))
        task = f"- hosts: mq\n  tasks:\n  - command: runmqsc {script.stem}\n    args:\n      stdin: |\n{body}"
        script.with_suffix(".yml").write_text(task, "utf-8")
        script.unlink()
    options = expected(folder).get("options")
    one, other = run_scenario(folder, options), run_scenario(target, options)
    assert (one.hazard, one.undecided, one.clear) == (other.hazard, other.undecided, other.clear)


def test_corpus(corpus: Path) -> None:
    """Real playbooks fill in every name: nothing is known of any queue, and each says so."""
    found = [file for file in sorted((corpus / "mq").glob("*.yml")) if looks_like_ansible(file.read_bytes()[:8192])]
    assert len(found) == 4
    about = [read_ansible(file.read_bytes(), file.name) for file in found if has_mqsc(file.read_bytes())]
    assert [(file.lost_commands, [p.kind for p in file.problems]) for (file,) in about] == [
        (1, ["undecided_command", "template"])
    ] * 3


_COPIES = (
    "- hosts: mq\n  tasks:\n"
    "    - {module}:\n        src: {source}\n        dest: /var/mqm/{dest}\n"
    "    - shell: runmqsc QM1 < /var/mqm/in.mqsc\n"
)


@pytest.mark.parametrize(
    ("play", "module", "source", "dest", "file"),
    [
        ("site.yml", "copy", "in.mqsc", "in.mqsc", "files/in.mqsc"),
        ("site.yml", "ansible.builtin.copy", "in.mqsc", "", "in.mqsc"),
        ("site.yml", "copy", "files/new.mqsc", "in.mqsc", "files/new.mqsc"),
        ("site.yml", "template", "in.mqsc.j2", "in.mqsc", "templates/in.mqsc.j2"),
        ("site.yml", "copy", '"{{ playbook_dir }}/mq/in.mqsc"', "in.mqsc", "mq/in.mqsc"),
        ("roles/mq/tasks/main.yml", "copy", "in.mqsc", "in.mqsc", "roles/mq/files/in.mqsc"),
        ("roles/mq/tasks/more/main.yml", "template", "in.mqsc", "in.mqsc", "roles/mq/templates/in.mqsc"),
        ("roles/mq/handlers/main.yml", "copy", "in.mqsc", "in.mqsc", "files/in.mqsc"),
    ],
)
def test_a_file_that_a_task_copies_is_run(
    tmp_path: Path, play: str, module: str, source: str, dest: str, file: str
) -> None:
    """Where Ansible looks for it: in the role or beside the play, first in the folder of the module."""
    texts = {
        play: _COPIES.format(module=module, source=source, dest=dest),
        file: "DEFINE QLOCAL(A) BOTHRESH(7)\n",
        "other/files/in.mqsc": "DEFINE QLOCAL(OTHER)\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    queues = read_estate([tmp_path], Observations()).facts.rows["queue"]
    assert {(row.queue_manager, row.name) for row in queues} == {("QM1", "A"), ("in", "OTHER")}
    together = linked_files(texts)
    assert play in together
    assert (file in together) == ("files/" in file or "templates/" in file)


def test_a_copied_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """The queue manager runs something that nobody read."""
    (tmp_path / "site.yml").write_text(_COPIES.format(module="copy", source="in.mqsc", dest="in.mqsc"))
    (problem,) = read_estate([tmp_path], Observations()).facts.rows["problem"]
    assert (problem.kind, problem.line) == ("not_read", 4)
    assert problem.text.startswith("in.mqsc, which queue manager QM1 runs, was not read: no file has it")
    assert problem.next_step == "Provide the folder that has it"


@pytest.mark.parametrize("on_copy", [True, False])
def test_of_a_copied_file_that_a_condition_runs_nothing_is_known(tmp_path: Path, on_copy: bool) -> None:
    """Its queue manager is known, and the values are not: as of what the task itself holds."""
    copies = _COPIES.format(module="copy", source="in.mqsc", dest="in.mqsc")
    condition = "      when: primary\n"
    copy, runs = copies.split("    - shell")
    (tmp_path / "site.yml").write_text(
        f"{copy}{condition}    - shell{runs}" if on_copy else f"{copies}{condition}", encoding="utf-8"
    )
    (tmp_path / "QM1.mqsc").write_text("* Queue manager name: QM1\nDEFINE QLOCAL(A) BOTHRESH(3)\n")
    (tmp_path / "files").mkdir()
    (tmp_path / "files/in.mqsc").write_text("ALTER QLOCAL(A) BOTHRESH(0)\n")
    queues = read_estate([tmp_path], Observations()).facts.rows["queue"]
    assert [(row.queue_manager, row.name, row.backout_threshold) for row in queues] == [("QM1", "A", None)]
