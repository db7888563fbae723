"""Shell scripts: what they feed to runmqsc, write, and grant; with positions in the script."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq import MqscFile, read_mqsc
from lintmdb.exports.mq.authority_listing import looks_like_authority_listing, read_authority_listing
from lintmdb.exports.mq.shell.scripts import is_about_administration, looks_like_shell, read_shell
from lintmdb.model.relations import Problem, Queue
from lintmdb.resolve.mq.authorities import AuthorityRecords
from lintmdb.resolve.mq.authority_commands import set_authority
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate
from tests.support.growth import assert_in_proportion
from tests.support.scenario import expected, run_scenario
from tests.support.scenario_folders import scenario_folder


@pytest.mark.parametrize(
    ("text", "is_script"),
    [
        ("setmqaut -m QM1 -t q -n A -p x +put\n", True),
        ("#!/bin/sh\n  /opt/mqm/bin/setmqaut -m $QM -t queue -n '**' -g READERS +dsp\n", True),
        ('@echo off\n"C:\\Program Files\\bin\\setmqaut.exe" -m QM1 -t qmgr -g R +connect\n', True),
        ("for t in queue topic; do setmqaut -m QM1 -t $t -n '**' -g R +dsp; done\n", True),
        ("runmqsc QM1 <<EOF\nDEF QL(A)\nDEF QL(B)\nDEF QL(C)\nEOF\n", True),
        ("#!/bin/bash\nset -e\necho \"DEFINE QLOCAL(A)\" >> /etc/mqm/a.mqsc\n", True),
        ("#!/bin/sh\nsu - mqm -c \"runmqsc QM1 < x\"\n", True),
        ("Grant the rights with setmqaut -m QM1, or ask an administrator.\n", False),
        ("# setmqaut -m QM1 is in another script\necho done\n", False),
        ("# How to\n\nDefine the queues:\n\n```sh\nrunmqsc QM1 < queues.mqsc\n```\n", False),
        ("DEFINE QLOCAL(A)\n", False),
        ('"""Calls\nrunmqsc QM1 <<EOF\n"""\nimport os\n', False),
        ("#!/bin/sh\necho hello\n", False),
        ("* runmqsc QM1 < this\nDEFINE QLOCAL(A)\n", False),
        ("* A change\nALTER QLOCAL(A) BOTHRESH(3)\nsetmqaut -m QM1 -t q -n A -p x +put\n", False),
        ("setmqaut -m QM1 -t q -n A -p x +put\nALTER QLOCAL(A) BOTHRESH(3)\n", False),
        ("ALTER QLOCAL(A) BOTHRESH(3)\nrunmqsc QM1 <<EOF\nALTER QLOCAL(B) BOTHRESH(3)\nEOF\n", False),
    ],
)  # fmt: skip
def test_recognition(text: str, is_script: bool) -> None:
    """Commands at the start of a statement, with or without a folder; words about them are none."""
    data = text.encode()
    assert (looks_like_shell(data) and is_about_administration(data)) is is_script


def found(text: str) -> list[tuple[str | None, list[tuple[str, str, int]]]]:
    """The queue managers of a script, each with verb, name and line of its commands."""
    files = read_shell(text.encode(), "x.sh")
    return [(file.queue_manager, [(c.verb, c.name, c.line) for c in file.commands]) for file in files]


@pytest.mark.parametrize(
    ("text", "expected_commands"),
    [
        ("runmqsc QM1 <<EOF\nDEF QL(A)\nEOF\nDEF QL(B)\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("runmqsc -e QM1 <<-'E O'\n\t\tDEF QL(A)\n\tE O\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("runmqsc 'QM1' <<EOF | grep AMQ > log\nDEF QL(A)\nEOF\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("cat <<EOF | runmqsc QM1\nDEF QL(A)\nEOF\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("cat <<EOF > /tmp/x\nDEF QL(A)\nEOF\nrunmqsc QM1 < /tmp/x\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("cat > /tmp/x <<EOF\nDEF QL(A)\nEOF\ncat /tmp/x | runmqsc QM1\n", [("QM1", [("DEFINE", "A", 2)])]),
        ("tee x.mqsc <<EOF\nDEF QL(A)\nEOF\nrunmqsc QM1 < x.mqsc\n", [("QM1", [("DEFINE", "A", 2)])]),
        ('echo "DEFINE QL(A)" | sudo -u mqm runmqsc QM1\n', [("QM1", [("DEFINE", "A", 1)])]),
        ("echo 'DEF QL(A)' |\\\n  docker exec -i mq runmqsc QM1", [("QM1", [("DEFINE", "A", 1)])]),
        ('echo -e "DEF QL(A)\\nDEF QL(B)" | runmqsc QM1',
         [("QM1", [("DEFINE", "A", 1), ("DEFINE", "B", 1)])]),
        ("printf '%s\\n' 'DEF QL(A)' \\\n 'DEF QL(B)' | runmqsc QM1",
         [("QM1", [("DEFINE", "A", 1), ("DEFINE", "B", 2)])]),
        ('{\n echo "DEF QL(A)"\n echo "DEF QL(B)"\n} | runmqsc QM1',
         [("QM1", [("DEFINE", "A", 2), ("DEFINE", "B", 3)])]),
        ('(echo "DEF QL(A)"; cat <<X\nDEF QL(B)\nX\n) | runmqsc QM1',
         [("QM1", [("DEFINE", "A", 1), ("DEFINE", "B", 2)])]),
        ("runmqsc QM1 <<< 'DEF QL(A)'", [("QM1", [("DEFINE", "A", 1)])]),
        ('su - mqm -c "echo \'DEF QL(A)\' | runmqsc QM1"', [("QM1", [("DEFINE", "A", 1)])]),
        ("Q=QM1\nsetup() {\nrunmqsc ${Q} <<X\nDEF QL(A)\nX\n}\n", [("QM1", [("DEFINE", "A", 4)])]),
        ("runmqsc $1 <<X\nDEF QL(A)\nX\n", [(None, [("DEFINE", "A", 2)])]),
        ("echo 'DEF QL(A) -' > x.mqsc\necho ' BOTHRESH(1)' >> x.mqsc\n", [(None, [("DEFINE", "A", 1)])]),
        ("runmqsc QM1 <<A\nDEF QL(A)\nEND\nA\nrunmqsc QM2 <<B\nDEF QL(B)\nB\nrunmqsc QM1 <<C\nALT QL(A)\nC\n",
         [("QM1", [("DEFINE", "A", 2)]), ("QM2", [("DEFINE", "B", 6)]), ("QM1", [("ALTER", "A", 9)])]),
        ('for q in A B; do echo "DEF QL($q)" | runmqsc QM1; done\n',
         [("QM1", [("DEFINE", "A", 1)]), ("QM1", [("DEFINE", "B", 1)])]),
        ('L="A B"\nfor q in $L C\ndo\n echo "DEF QL(${q}.BO)"\ndone | runmqsc QM1\n',
         [("QM1", [("DEFINE", "A.BO", 4), ("DEFINE", "B.BO", 4), ("DEFINE", "C.BO", 4)])]),
        ("for m in QM1 QM2; do for q in A B; do\nrunmqsc $m <<E\nDEF QL($q)\nE\ndone; done\n",
         [(m, [("DEFINE", q, 3)]) for m in ("QM1", "QM2") for q in "AB"]),
        ('for q in "A B"; do echo "DEF QL(\'$q\')"; done > x.mqsc\nrunmqsc QM1 < x.mqsc\n',
         [("QM1", [("DEFINE", "A B", 1)])]),
        ("crtmqm -q -u DLQ QM1\n", [("QM1", [("ALTER", "", 1)])]),
        ("crtmqm QM1\n", []),
    ],
)  # fmt: skip
def test_what_is_fed(text: str, expected_commands: list[tuple[str | None, list[tuple[str, str, int]]]]) -> None:
    """Each way to give commands to a queue manager."""
    assert found(text) == expected_commands


def test_variables_and_conditions_are_unknown() -> None:
    """What a variable stands for, and what only a condition runs, is unknown, and one problem says so."""
    script = """\
N=3
M=1
M=2
runmqsc QM1 <<EOF
DEF QL(A) BOTHRESH($N) BOQNAME(X.$ENV)
DEF QL($Q)
DEF QL(B) BOTHRESH($M)
EOF
"""
    (file,) = read_shell(script.encode(), "x.sh")
    values = [[(p.keyword, p.value, p.template) for p, _ in command.parameters] for command in file.commands]
    assert values == [
        [("BOTHRESH", "3", False), ("BOQNAME", "X.${ENV}", True)],
        [("BOTHRESH", "${M}", True)],
    ]
    assert (file.commands[1].name, file.lost_commands) == ("B", 1)
    assert [(problem.kind, problem.line) for problem in file.problems] == [("template", 5), ("undecided_command", 6)]
    (file,) = read_shell(b"if [ $1 ]; then\n echo 'DEF QL(A) BOTHRESH(2)' | runmqsc QM1\nfi\n", "x.sh")
    assert [p.template for p, _ in file.commands[0].parameters] == [True]
    assert [(problem.kind, problem.line) for problem in file.problems] == [("template", 2)]


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('for q in $(cat l); do echo "DEF QL($q)" | runmqsc QM1; done\n', (1, 29), "DEFINE QLOCAL(${Q}) is not read"),
        ('for q in A B; do q=$q.X; echo "DEF QL($q)" | runmqsc QM1; done\n', (1, 32), "DEFINE QLOCAL(${Q}) is"),
        ('for q in A B; do\n echo "DEF QL($q)"; break; done | runmqsc QM1\n', (2, 8), "DEFINE QLOCAL(${Q}) is"),
        ('while read q; do echo "DEF QL($q)"; done < l | runmqsc QM1\n', (1, 24), "DEFINE QLOCAL(${Q}) is not read"),
        ("for f in *.mqsc; do runmqsc QM1 < $f; done\n", (1, 35), "a variable names the file ${f} of runmqsc"),
        ("if x; then\nrunmqsc QM1 < a.mqsc; fi\n", (2, 15), "a condition decides whether runmqsc reads a.mqsc"),
        ("sed s/A/B/ x.mqsc |\n runmqsc QM1\n", (2, 2), "another command writes what runmqsc reads"),
    ],
)  # fmt: skip
def test_what_only_a_run_decides_is_pointed_out_once(text: str, place: tuple[int, int], says: str) -> None:
    """With its line, whatever else the script holds; no object comes of it."""
    files = read_shell((text * 2).encode(), "x.sh")
    assert [command.name for file in files for command in file.commands] == []
    assert {file.queue_manager for file in files} == {"QM1"}
    (problem,) = [problem for file in files for problem in file.problems if problem.kind == "undecided_command"]
    assert (problem.line, problem.column) == place
    assert says in problem.text
    assert problem.next_step


@pytest.mark.parametrize("text", ["ps -ef | grep runmqsc\n", "which runmqsc\n", "runmqsc QM1 <<X\nDEF QL(A)\nX\n"])
def test_what_a_script_says_in_full_is_not_pointed_out(text: str) -> None:
    """Nor is a command that only has the name of another one."""
    assert [problem for file in read_shell(text.encode(), "x.sh") for problem in file.problems] == []


def test_a_loop_under_a_condition_stays_unknown() -> None:
    """Its objects are known, and their values are not."""
    script = b'if x; then\nfor q in A B; do echo "DEF QL($q) BOTHRESH(2)" | runmqsc QM1; done\nfi\n'
    files = read_shell(script, "x.sh")
    found = [(command.name, p.template) for file in files for command in file.commands for p, _ in command.parameters]
    assert found == [("A", True), ("B", True)]


@pytest.mark.slow
def test_loops_in_loops_are_followed_up_to_a_limit() -> None:
    """A loop that would be too much stays unknown: 10 words twelve levels deep would be a million million commands."""
    words = " ".join(f"Q{number}" for number in range(10))
    head = "".join(f"for v{depth} in {words}; do " for depth in range(12))
    body = "echo 'DEF QL(A)' | runmqsc QM1"
    files = read_shell(f"{head}{body}{'; done' * 12}\n".encode(), "x.sh")
    assert 1 < sum(len(file.commands) for file in files) < (1 << 20) / len(body)


def test_quoted_documents_are_taken_as_they_are() -> None:
    """Nothing is special inside a here-document with a quoted end."""
    (file,) = read_shell(b"runmqsc QM1 <<\\EOF\nDEF QL('A$B') BOQNAME('\\x')\nEOF\n", "x.sh")
    assert (file.commands[0].name, file.problems) == ("A$B", [])


def records(files: list[MqscFile]) -> AuthorityRecords:
    """The authority records that scripts leave."""
    left = AuthorityRecords()
    for file in files:
        for command in file.commands:
            set_authority(left, file, command)
    return left


SETMQAUT = """\
setmqaut -m QM1 -t qmgr -p app -g staff +connect +inq
setmqaut -m QM1 -t q -n 'ORDERS.**' -p app -all +get +browse
setmqaut -m QM1 -n ORDERS.IN -t queue -g "staff" +allmqi -put
setmqaut -m QM1 -t queue -n OLD -p app -remove
setmqaut -m QM1 -t topic -n T -p app +sub
"""
AUTHREC = """\
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') GROUP('staff') AUTHADD(CONNECT,INQ)
SET AUTHREC OBJTYPE(QUEUE) PROFILE('ORDERS.**') PRINCIPAL('app') AUTHRMV(ALL)
SET AUTHREC OBJTYPE(QUEUE) PROFILE('ORDERS.**') PRINCIPAL('app') AUTHADD(GET,BROWSE)
SET AUTHREC OBJTYPE(QUEUE) PROFILE('ORDERS.IN') GROUP('staff') AUTHADD(ALLMQI)
SET AUTHREC OBJTYPE(QUEUE) PROFILE('ORDERS.IN') GROUP('staff') AUTHRMV(PUT)
DELETE AUTHREC OBJTYPE(QUEUE) PROFILE('OLD') PRINCIPAL('app')
"""


def test_setmqaut_is_set_authrec() -> None:
    """The law: both forms leave the same records."""
    old = "setmqaut -m QM1 -t queue -n OLD -p app +get\n"
    shell = records(list(read_shell((old + SETMQAUT).encode(), "x.sh")))
    script = records(
        [read_mqsc(f"SET AUTHREC OBJTYPE(QUEUE) PROFILE(OLD) PRINCIPAL('app') AUTHADD(GET)\n{AUTHREC}".encode(), "x")]
    )
    for queue in ("ORDERS.IN", "ORDERS.X", "OLD", "OTHER"):
        assert shell.queues.rights_on(queue) == script.queues.rights_on(queue), queue
    assert shell.manager.rights_on("self", complete=False) == script.manager.rights_on("self", complete=False)
    (file,) = read_shell(SETMQAUT.encode(), "x.sh")
    assert (file.queue_manager, file.other_commands) == ("QM1", 1)
    assert [(p.text, line, p.column) for p, line in file.commands[1].parameters] == [
        ("-t q", 2, 20), ("-n ORDERS.**", 2, 26), ("-p app", 2, 40), ("-all", 2, 44),
    ]  # fmt: skip


def test_dmpmqaut_is_set_authrec() -> None:
    """A listing holds the same records, and may leave others out."""
    listing = b"""\
profile:     ORDERS.**
object type: queue
entity:      app
entity type: principal
authority:   browse get
- - - - - - - -
profile:     self
object type: qmgr
entity:      staff
entity type: group
authority:   connect, inq
- - - - - - - -
profile:     @class
object type: topic
entity:      staff
entity type: group
authority:   crt
"""
    assert looks_like_authority_listing(listing)
    (file,) = read_authority_listing(listing, "x")
    left = records([file])
    assert left.queues.rights_on("ORDERS.IN") == {("principal", "app"): frozenset({"browse", "get"})}
    assert (len(file.commands), file.other_commands, file.covers_queue_authorities) == (2, 1, False)
    assert (file.commands[0].line, file.commands[0].parameters[2][1]) == (1, 5)
    broken = read_authority_listing(listing[:120], "x")[0]
    assert (len(broken.commands), broken.lost_commands) == (1, 0)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(alphabet="echo runmqsc<<EOF\n|>'\"\\$`(){};&# DEF QL(A)", max_size=200).map(str.encode)
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused as no text; nothing else happens."""
    recognise(data)
    with contextlib.suppress(UnreadableError):
        read_shell(data, "x")
        read_shell(b"runmqsc QM1 <<EOF\n" + data, "x")
        read_authority_listing(data, "x")


@pytest.mark.slow
@pytest.mark.parametrize(
    "junk",
    [
        "(" * 50_000,
        "{ " * 50_000,
        "if " * 50_000,
        "'" + "x" * 500_000,
        "$(" * 50_000,
        "<<A\n" * 2_000,
        "echo x | " * 20_000,
        "`" * 50_001,
        "\\\n" * 50_000,
    ],
)
def test_junk_costs_little(junk: str) -> None:
    """Deep, long and unended input is read in a moment."""
    read_shell(f"{junk}\nrunmqsc QM1 <<EOF\nDEF QL(A)\nEOF\n".encode(), "x")


@pytest.mark.slow
@pytest.mark.parametrize("word", [b"sudo ", b"cat ", b"echo DEFINE QLOCAL ", b"x/", b"runmqsc/"])
def test_a_long_line_takes_a_time_in_proportion(word: bytes) -> None:
    """Also where it is no script, or one that was made to take long."""
    assert_in_proportion(lambda words: is_about_administration(word * words), 20_000)


@pytest.mark.slow
def test_many_commands_take_a_time_in_proportion() -> None:
    """What stands above a line costs nothing."""
    line, end = b"a=b #" + b"x" * 500 + b"\n", b"runmqsc QM1 <<EOF\nDEF QL(A)\nEOF\n"
    assert_in_proportion(lambda lines: read_shell(line * lines + end, "x"), 2_500)


SCENARIOS = [
    "clean",
    "authority-missing",
    "backout-inert",
    "backout-circle-read",
    "zos-not-hardened",
    "template-values",
]


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("quoted", [True, False])
def test_the_same_facts_give_the_same_verdicts(name: str, quoted: bool, tmp_path: Path) -> None:
    """The law: what a here-document holds is judged as in a file of its own."""
    folder = scenario_folder(name)
    target = tmp_path / name
    shutil.copytree(folder, target)
    for script in sorted((target / "mq").glob("*.mqsc")):
        manager, text = script.stem, script.read_text("utf-8")
        assert "\\" not in text
        assert "$" not in text or quoted
        end = "'EOF'" if quoted else "EOF"
        script.with_suffix(".sh").write_text(f"#!/bin/sh\nrunmqsc {manager} <<{end}\n{text}EOF\n", "utf-8")
        script.unlink()
    options = expected(folder).get("options")
    one, other = run_scenario(folder, options), run_scenario(target, options)
    for ours, theirs in ((one.hazard, other.hazard), (one.undecided, other.undecided), (one.clear, other.clear)):
        assert ours == {rule: [subject.replace(".sh", ".mqsc") for subject in names] for rule, names in theirs.items()}


_INPUTS = """#!/bin/sh
runmqsc QM1 <<EOF
DEFINE QLOCAL(ORDERS.IN) BOTHRESH(1)
EOF
{how}
echo "ALTER QLOCAL(ORDERS.IN) BOQNAME(LAST)" | runmqsc QM1
"""


@pytest.mark.parametrize(
    ("how", "is_given"),
    [
        ("runmqsc QM1 < orders.mqsc", True),
        ("cat ./orders.mqsc | sudo -u mqm runmqsc QM1", True),
        ("runmqsc -f orders.mqsc QM1", True),
        ("runmqsc QM1 < /srv/mq/scripts/orders.mqsc", True),
        ("runmqsc $QMGR < orders.mqsc", False),
        ("runmqsc QM1 < $SCRIPT", False),
        ("runmqsc QM1 < other.mqsc", False),
    ],
)
def test_a_file_that_a_script_gives_to_a_queue_manager(how: str, is_given: bool, tmp_path: Path) -> None:
    """It is a script of that queue manager and runs where the shell script has it; else it is one by itself."""
    (tmp_path / "setup.sh").write_text(_INPUTS.format(how=how), "utf-8")
    (tmp_path / "orders.mqsc").write_text(
        "ALTER QLOCAL(ORDERS.IN) BOTHRESH(7) BOQNAME(FIRST)\nDEFINE QLOCAL(X)\n", "utf-8"
    )
    facts = read_estate([tmp_path], Observations()).facts
    (row,) = [row for row in facts.rows["queue"] if (row.queue_manager, row.name) == ("QM1", "ORDERS.IN")]
    assert row.backout_threshold == (7 if is_given else 1)
    assert row.backout_queue == "LAST"
    named = {manager.name for manager in facts.rows["queue_manager"]}
    assert named == ({"QM1"} if is_given else {"QM1", "orders"})


def test_a_file_of_two_folders_is_given_to_none(tmp_path: Path) -> None:
    """Which of two files of a name an absolute path means is not known."""
    (tmp_path / "setup.sh").write_text("#!/bin/sh\nrunmqsc QM1 < /srv/orders.mqsc\n", "utf-8")
    for folder in ("a", "b"):
        (tmp_path / folder / "srv").mkdir(parents=True)
        (tmp_path / folder / "srv/orders.mqsc").write_text("DEFINE QLOCAL(X)\n", "utf-8")
    facts = read_estate([tmp_path], Observations()).facts
    assert "QM1" not in {manager.name for manager in facts.rows["queue_manager"]}


MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: stock-scripts
data:
  stock.mqsc: |
    DEFINE QLOCAL(STOCK.IN) BOTHRESH(4)
"""
HERE_DOCUMENTS = [
    "cat <<'END' | kubectl apply -f -\n" + MANIFEST + "END\n",
    "cat > stock.yaml <<END\n" + MANIFEST + "END\noc apply -f stock.yaml\n",
    "#!/bin/bash\noc create -f - <<END\n---\n" + MANIFEST + "END\n",
]


@pytest.mark.parametrize("text", HERE_DOCUMENTS)
def test_a_manifest_in_a_here_document(tmp_path: Path, text: str) -> None:
    """It is read as the file would be, with the positions of the script."""
    (tmp_path / "deploy.sh").write_text(text)
    estate = read_estate([tmp_path], Observations())
    (queue,) = estate.facts.rows["queue"]
    assert isinstance(queue, Queue)
    assert (queue.queue_manager, queue.name, queue.backout_threshold) == ("stock-scripts", "STOCK.IN", 4)
    line = text[: text.index("DEFINE")].count("\n") + 1
    (script,) = read_shell(text.encode(), "deploy.sh")
    (command,) = script.commands
    assert (command.line, command.column) == (line, 5)
    assert [(parameter.keyword, at, parameter.column) for parameter, at in command.parameters][-1] == (
        "BOTHRESH",
        line,
        text.split("\n")[line - 1].index("BOTHRESH") + 1,
    )


@pytest.mark.parametrize(
    "text",
    [
        "if ! oc get cm stock-scripts; then\n  cat <<END | oc create -f -\n" + MANIFEST + "END\nfi\n",
        "ALL+=$(cat <<END\n" + MANIFEST + 'END\n)\necho "$ALL" | oc apply -f -\n',
    ],
)
def test_a_manifest_that_may_not_run(text: str) -> None:
    """Under a condition, or in a variable: the queue may be there, and its values are unknown."""
    (script,) = read_shell(b"#!/bin/sh\n" + text.encode(), "deploy.sh")
    (command,) = script.commands
    assert (command.name, command.doubtful) == ("STOCK.IN", True)
    assert [problem.kind for problem in script.problems] == ["template"]


def test_a_manifest_that_is_broken_is_told(tmp_path: Path) -> None:
    """In a here-document it breaks no export: what else the script has is read."""
    broken = MANIFEST.replace("kind: ConfigMap", "kind: ConfigMap\n  : [")
    text = f"cat <<END | oc apply -f -\n{broken}END\necho 'DEFINE QLOCAL(A)' | runmqsc QM1\n"
    (tmp_path / "deploy.sh").write_text(text)
    facts = read_estate([tmp_path], Observations()).facts
    assert [(row.queue_manager, row.name) for row in facts.rows["queue"] if isinstance(row, Queue)] == [("QM1", "A")]
    (problem,) = (row for row in facts.rows["problem"] if isinstance(row, Problem))
    assert (problem.kind, problem.line) == ("not_read", 4)
    assert problem.text.startswith("the manifest in a here-document is not read: it is not valid YAML")


@pytest.mark.parametrize(
    "text",
    [
        'empty() { echo "CLEAR QLOCAL($1)" | runmqsc -e $2; }\n',
        'echo "DELETE QLOCAL(OLD)" | runmqsc $1\n',
    ],
)
def test_a_script_that_defines_nothing_for_nobody_knows_whom(tmp_path: Path, text: str) -> None:
    """It makes no queue manager that is called as its file is."""
    (tmp_path / "tidy.sh").write_text(text)
    assert read_estate([tmp_path], Observations()).facts.rows["queue_manager"] == []
    named = read_estate([tmp_path], Observations(), queue_managers={str(tmp_path / "tidy.sh"): "QM7"})
    assert [row.name for row in named.facts.rows["queue_manager"]] == (["QM7"] if "DELETE" in text else [])
    (tmp_path / "tidy.sh").write_text(f"{text}echo 'DEFINE QLOCAL(A)' | runmqsc QM1\n")
    assert [row.name for row in read_estate([tmp_path], Observations()).facts.rows["queue_manager"]] == ["QM1"]


NOTES = "crtmqm QM1\nstrmqm QM1\nrunmqsc QM1\n# in the same window\n\nDEFINE LISTENER(L) TRPTYPE(TCP)\nEND\n"


@pytest.mark.parametrize("name", ["notes.txt", "setup.sh", "notes"])
@pytest.mark.parametrize("above", ["", "#!/bin/sh\n", "How it was set up:\n"])
def test_commands_that_nothing_gives_to_runmqsc(tmp_path: Path, name: str, above: str) -> None:
    """Notes of what somebody typed, and scripts that a here-document is missing in: one notice for each file."""
    (tmp_path / name).write_text(f"{above}{NOTES}runmqsc QM2\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(A)\nEND\n")
    (tmp_path / "mq.mqsc").write_text("DEFINE QLOCAL(B)\n")
    rows = read_estate([tmp_path], Observations()).facts.rows["problem"]
    (told,) = (row for row in rows if isinstance(row, Problem) and row.kind == "not_read")
    assert (told.line, told.column) == (3 + above.count("\n"), 1)
    assert told.text == "the commands below runmqsc QM1 are not read, as nothing gives them to it (and at 1 more place)"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", f"# Set up\n\n```sh\n{NOTES}```\n"),
        ("run.sh", "#!/bin/sh\nrunmqsc QM1 <<END\nDEFINE QLOCAL(A)\nEND\n"),
        ("run.sh", "#!/bin/sh\nrunmqsc QM1\necho 'DEFINE QLOCAL(A)'\n"),
        ("run.sh", "#!/bin/sh\nrunmqsc QM1 < a.mqsc\nSET -e\n"),
    ],
)
def test_nothing_is_told_of_documentation_and_of_what_is_read(tmp_path: Path, name: str, text: str) -> None:
    """Documentation shows what people type; a script may do something else behind runmqsc."""
    (tmp_path / name).write_text(text)
    (tmp_path / "mq.mqsc").write_text("DEFINE QLOCAL(B)\n")
    rows = read_estate([tmp_path], Observations()).facts.rows["problem"]
    assert [row for row in rows if isinstance(row, Problem) and row.kind == "not_read"] == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        "@echo off\n(\necho DEFINE QLOCAL^(A^) BOTHRESH^(3^)\necho DEFINE QLOCAL^('b'^)\n) | runmqsc QM1\n",
        "@echo off\n(echo DEFINE QLOCAL^(A^) BOTHRESH^(3^)& echo DEFINE QLOCAL^('b'^)) | runmqsc QM1\n",
        "@ECHO DEFINE QLOCAL(A) BOTHRESH(3) > q.mqsc\n@echo DEFINE QLOCAL('b') >> q.mqsc\nrunmqsc QM1 < q.mqsc\n",
        "@setlocal\nrem | runmqsc X\n@echo DEFINE QLOCAL(A) BOTHRESH(3)|runmqsc QM1\necho DEF QL('b')|runmqsc QM1\n",
    ],
)
def test_windows_commands(text: str, end: str) -> None:
    """Parentheses and quotation marks behind echo are text; a circumflex hides what is special."""
    files = read_shell(text.replace("\n", end).encode(), "x.bat")
    assert {file.queue_manager for file in files} == {"QM1"}
    commands = [command for file in files for command in file.commands]
    assert [(command.verb, command.name) for command in commands] == [("DEFINE", "A"), ("DEFINE", "b")]
    assert commands[0].value("BOTHRESH") == "3"
    assert all(problem.kind == "template" for file in files for problem in file.problems)
    for command in commands:
        assert text.split("\n")[command.line - 1][command.column - 1 :].startswith("DEF")


def test_variables_of_windows_are_unknown() -> None:
    """They are neither values nor names of queue managers."""
    (file,) = read_shell(b"@echo off\necho DEFINE QLOCAL(A) BOTHRESH(%COUNT%) | runmqsc %QMGR%\n", "x.cmd")
    assert file.queue_manager is None
    assert {p.keyword: p.template for p, _ in file.commands[0].parameters}["BOTHRESH"]
    assert [problem.kind for problem in file.problems] == ["template"]


def test_a_name_that_is_asked_for_is_told_once(tmp_path: Path) -> None:
    """Nothing has values that depend on it."""
    (tmp_path / "ask.sh").write_text('read qm\nread q\necho "DEFINE QLOCAL($q)" | runmqsc $qm\n')
    rows = read_estate([tmp_path], Observations()).facts.rows["problem"]
    assert [row.kind for row in rows if isinstance(row, Problem)] == ["undecided_command"]


def test_of_a_file_that_a_condition_feeds_nothing_is_known(tmp_path: Path) -> None:
    """A file that is there is read, and its queue manager is not lost; nothing says that it was not read."""
    (tmp_path / "run.sh").write_text("#!/bin/sh\nif primary; then\nrunmqsc QM1 < a.mqsc; fi\n")
    (tmp_path / "QM1.mqsc").write_text("* Queue manager name: QM1\nDEFINE QLOCAL(A) BOTHRESH(3)\n")
    (tmp_path / "a.mqsc").write_text("ALTER QLOCAL(A) BOTHRESH(0)\n")
    facts = read_estate([tmp_path], Observations()).facts
    queues = [(row.queue_manager, row.name, row.backout_threshold) for row in facts.rows["queue"]]
    assert queues == [("QM1", "A", None)]
    assert "undecided_command" not in {problem.kind for problem in facts.rows["problem"]}
