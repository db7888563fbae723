"""Ansible playbooks and tasks: what they feed to runmqsc, the files of MQSC that they write, and commands for consoles
of z/OS.

Tasks with a condition or a loop may not run as they stand, so that what they set is unknown; so is what a template
fills in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename, normpath

from lintmdb.errors import UnreadableError
from lintmdb.exports.mq.commands import MqscFile
from lintmdb.exports.mq.decoding import decode
from lintmdb.exports.mq.embedded import EmbeddedText, TextBuilder, one_template_problem
from lintmdb.exports.mq.shell.scripts import Output, ShellRun
from lintmdb.exports.mq.sniff import looks_like_mqsc
from lintmdb.exports.mq.yaml_nodes import Mapped, Node, Scalar, Sequenced, YamlError, documents
from lintmdb.model.relations import Problem

_TASKS = re.compile(
    r"^[ \t]*(?:-[ \t]+)?"
    r"(?:hosts|tasks|handlers|block|(?:\w+\.\w+\.)?(?:shell|command|copy|template|zos_operator))[ \t]*:",
    re.M,
)
_ITEM = re.compile(r"^[ \t]*-[ \t]+[\w.]+[ \t]*:", re.M)
_MQSC = re.compile(
    r"\b(?:runmqsc|setmqaut|crtmqm)\b|"
    r"\b(?:DEF(?:INE)?|ALT(?:ER)?|SET|DELETE)[ \t]+(?:(?:NO)?REPLACE[ \t]+)?"
    r"(?:Q(?:LOCAL|ALIAS|REMOTE|MODEL|MGR|[LARM])|CHANNEL|CHL|CHLAUTH|AUTHREC|AUTHINFO|TOPIC)\b",
    re.I,
)
_SHELLS = frozenset({"shell", "command", "raw"})
_SOURCES = {"copy": "files", "template": "templates"}
"""The modules that copy a file, with the folder where Ansible looks for it."""
_OWN_FOLDER = re.compile(r"\{\{[ \t]*(?:role_path|playbook_dir)[ \t]*\}\}/")
_TASKS_FOLDER = re.compile(r"(?:\A|/)(?:tasks|handlers)(?:/[^/]+)*\Z")
_ROLES_FOLDER = re.compile(r"(?:\A|/)roles/[^/]+\Z")
_CONDITIONS = ("when", "loop", "with_items", "with_list", "with_dict", "with_fileglob", "until")
_MANAGERS = ("qmname", "qmgr_name", "queue_manager", "queue_manager_name", "qmgr", "qm_name")
_PREFIX = re.compile(r"[ \t]*(?:\{\{.*?\}\}|[^\w\s]\w{1,8})[ \t]+")
"""The command prefix of a queue manager on z/OS, in front of a command for the console."""
_RENDER = "Provide the commands as they run, or the output of dmpmqcfg -a"


def looks_like_ansible(head: bytes) -> bool:
    """Whether a file that starts like this holds plays or tasks; most of them are not about MQ."""
    text = head.decode("utf-8", "replace")
    return (
        not text.startswith("#!")
        and "\0" not in text
        and _ITEM.search(text) is not None
        and _TASKS.search(text) is not None
    )


def has_mqsc(data: bytes) -> bool:
    """Whether there are commands of MQ in it: a quick test that parses nothing."""
    return _MQSC.search(data.decode("utf-8", "replace")) is not None


def read_ansible(data: bytes, path: str) -> Sequence[MqscFile]:
    """The scripts that tasks run or write, in the order of the file.

    Raises UnreadableError for a file of which nothing can be read.
    """
    run = ShellRun(path, {})
    problems: list[Problem] = []
    for document in documents(decode(data, path)):
        try:
            root = document.root()
        except YamlError as error:
            step = "Correct it. The other documents are read"
            problems.append(
                Problem(
                    kind="unreadable", path=path, line=error.line, column=error.column, text=error.text, next_step=step
                )
            )
            continue
        for task, conditional in _tasks(root):
            _follow(task, run, conditional=conditional)
    files = run.result()
    if not files and problems:
        first = problems[0]
        raise UnreadableError(first.text, path=path, line=first.line, column=first.column, next_step=first.next_step)
    one_template_problem(files, [], _RENDER)
    for file in files[:1]:
        file.problems += problems
    return files


def _tasks(root: Node | None) -> Iterator[tuple[Mapped, bool]]:
    """All mappings that may be tasks, in order, and whether a condition around them decides."""
    pending: list[tuple[Node | None, bool]] = [(root, False)]
    seen: set[int] = set()
    while pending:
        node, conditional = pending.pop()
        if node is None or isinstance(node, Scalar) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Sequenced):
            pending += ((item, conditional) for item in reversed(node.items))
            continue
        conditional = conditional or any(node.get(key) is not None for key in _CONDITIONS)
        yield node, conditional
        pending += ((value, conditional) for _, value in reversed(node.entries))


def _follow(task: Mapped, run: ShellRun, *, conditional: bool) -> None:
    """What one task does with MQSC."""
    for name, value in task.entries:
        module = name.rpartition(".")[2]
        if module in _SHELLS:
            _shell(task, value, run, conditional=conditional)
        elif module in _SOURCES and isinstance(value, Mapped):
            _copy(value, run, _SOURCES[module], conditional=conditional)
        elif module == "zos_operator" and isinstance(value, Mapped):
            _console(value, run, conditional=conditional)
        elif isinstance(value, Scalar) and name not in ("cmd", "content", "stdin", "_raw_params"):
            text = value.text()
            if looks_like_mqsc(text.text[:8192].encode("utf-8", "replace")):
                run.run(text, _manager(task), conditional=conditional)


def _manager(task: Mapped) -> str | None:
    """The queue manager that a variable beside a script names."""
    names = [task.text(key) for key in _MANAGERS]
    return next((name for name in names if name and "{" not in name), None)


def _shell(task: Mapped, value: Node, run: ShellRun, *, conditional: bool) -> None:
    """``shell: runmqsc QM1 <<EOF``, and ``command: runmqsc QM1`` with ``stdin``."""
    stdin = task.get("args", "stdin")
    command: Node | None = value
    if isinstance(value, Mapped):
        stdin = stdin or value.get("stdin")
        command = value.get("cmd") or value.get("_raw_params")
    given = [Output(stdin.text(), conditional=False)] if isinstance(stdin, Scalar) else []
    if isinstance(command, Scalar):
        run.follow(command.text(), given, conditional=conditional)


def _copy(value: Mapped, run: ShellRun, folder: str, *, conditional: bool) -> None:
    """``copy`` with ``content`` that is MQSC, or with a file of MQSC: a later task may give it to a queue manager."""
    content, source, name = value.get("content"), value.get("src"), value.text("dest")
    if isinstance(content, Scalar) and name:
        run.write(name, Output(content.text(), conditional))
    elif isinstance(source, Scalar) and name and value.text("remote_src").lower() not in ("yes", "true"):
        text, own = source.text(), basename(source.value).removesuffix(".j2")
        if beginning := _OWN_FOLDER.match(text.text):
            text = _behind(text, beginning.end())
        for place in (name, f"{name.rstrip('/')}/{own}"):  # dest may be a folder
            run.copy(place, text, folder, conditional=conditional)


def source_places(path: str, name: str, folder: str) -> Iterator[str]:
    """Where Ansible looks for the source of a task of the file ``path``, in its order ("Search paths in Ansible"): in
    the role or beside the play, there first in ``folder``.
    """
    here = path.rpartition("/")[0]
    role = _TASKS_FOLDER.sub("", here)
    play = _ROLES_FOLDER.sub("", role)
    for place in dict.fromkeys((role, here, play)):
        for inside in (folder, ""):
            yield normpath("/".join(part for part in (place, inside, name) if part)) if name[:1] != "/" else name


def _console(value: Mapped, run: ShellRun, *, conditional: bool) -> None:
    """A command for the console of z/OS, behind the prefix of the queue manager."""
    command = value.get("cmd")
    if not isinstance(command, Scalar):
        return
    text = command.text()
    prefix = _PREFIX.match(text.text)
    behind = _behind(text, prefix.end()) if prefix is not None else text
    if _MQSC.match(behind.text):
        run.run(behind, None, conditional=conditional).platform = "MVS"


def _behind(text: EmbeddedText, offset: int) -> EmbeddedText:
    builder = TextBuilder(text)
    builder.copy(offset, len(text.text))
    return builder.build(offset)
