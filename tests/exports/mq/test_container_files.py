"""Dockerfiles and compose files: which scripts run for which queue manager."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq.container_files import read_compose
from lintmdb.exports.mq.dockerfile import read_dockerfile
from lintmdb.model.relations import Queue
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_estate

DOCKERFILE = """\
# An image
FROM icr.io/ibm-messaging/mq:9.4.0.0-r1
ENV LICENSE=accept MQ_QMGR_NAME=QM1
COPY --chown=1001:0 mq/b.mqsc mq/a.mqsc /etc/mqm/
COPY web.xml /etc/mqm/web
"""
COMPOSE = """\
services:
  app: {image: app}
  mq:
    image: icr.io/ibm-messaging/mq
    environment:
      - LICENSE=accept
      - MQ_QMGR_NAME=QM1
    volumes:
      - ./mq/a.mqsc:/etc/mqm/20-a.mqsc:ro
      - type: bind
        source: ./mq/b.mqsc
        target: /etc/mqm/10-b.mqsc
"""
SCRIPTS = {
    "mq/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\nALTER QLOCAL(B) BOTHRESH(5)\n",
    "mq/b.mqsc": "DEFINE QLOCAL(B) BOTHRESH(2)\nALTER QLOCAL(A) BOTHRESH(6)\n",
}


def thresholds(folder: Path, files: dict[str, str]) -> dict[tuple[str, str], int | None]:
    """The thresholds of all queues, by queue manager and name."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    rows = read_estate([folder], Observations()).facts.rows["queue"]
    return {(row.queue_manager, row.name): row.backout_threshold for row in rows if isinstance(row, Queue)}


def test_an_image(tmp_path: Path) -> None:
    """By the names of the scripts in the image."""
    found = thresholds(tmp_path, {"Dockerfile": DOCKERFILE, **SCRIPTS})
    assert found == {("QM1", "A"): 6, ("QM1", "B"): 2}
    assert thresholds(tmp_path, {"Dockerfile": DOCKERFILE.replace("mq/b.mqsc mq/a.mqsc", "mq/*.mqsc")}) == found
    assert thresholds(tmp_path, {"Dockerfile": DOCKERFILE.replace("mq/b.mqsc mq/a.mqsc", "mq/")}) == found


BASE = "FROM icr.io/ibm-messaging/mq\n"
NAMED = f"{BASE}ENV MQ_QMGR_NAME=QM1\n"


@pytest.mark.parametrize(
    "instruction",
    [
        "RUN echo 'DEFINE QLOCAL(A) BOTHRESH(3)' > /etc/mqm/a.mqsc",
        'RUN printf "DEFINE QLOCAL(B)\\nDEFINE QLOCAL(A) BOTHRESH(3)\\n" > /etc/mqm/a.mqsc',
        'RUN echo -e "\\\nDEF QL(B)\\n\\\n# one\nDEF QL(A) BOTHRESH(3)" >/etc/mqm/a.mqsc\nRUN cat /etc/mqm/*',
        "RUN echo '* First \\n\\\nDEFINE QLOCAL(A) BOTHRESH(3)' >> /etc/mqm/a.mqsc",
        "RUN cat <<END > /etc/mqm/a.mqsc\nDEFINE QLOCAL(A) BOTHRESH(3)\nEND",
        "RUN <<END\nset -e\necho 'DEFINE QLOCAL(A) BOTHRESH(3)' > /etc/mqm/a.mqsc\nEND",
        "COPY <<END /etc/mqm/a.mqsc\nDEFINE QLOCAL(A) BOTHRESH(3)\nEND",
        "COPY --chmod=444 <<-'a.mqsc' <<b.mqsc /etc/mqm/\nDEFINE QLOCAL(A) BOTHRESH(3)\na.mqsc\nDEF QL(B)\nb.mqsc",
    ],
)
def test_a_script_that_a_dockerfile_holds(tmp_path: Path, instruction: str) -> None:
    """It is read as a file would be, with the positions of the Dockerfile; the Dockerfile itself is no MQSC."""
    text = f"{NAMED}{instruction}\nUSER 1001\n"
    found = thresholds(tmp_path, {"mq/Dockerfile": text})
    assert found[("QM1", "A")] == 3
    queue = next(
        row
        for row in read_estate([tmp_path], Observations()).facts.rows["queue"]
        if isinstance(row, Queue) and row.name == "A"
    )
    place = queue.origins["backout_threshold"]
    assert text.split("\n")[place.line - 1][place.column - 1 :].startswith("BOTHRESH(3)")
    assert {manager for manager, _ in thresholds(tmp_path, {"mq/Dockerfile": f"{BASE}{instruction}\n"})} == {"mq"}


def test_files_and_scripts_of_a_dockerfile_run_by_their_names(tmp_path: Path) -> None:
    """One that it holds runs between files that it copies."""
    text = (
        f"{NAMED}COPY a.mqsc /etc/mqm/10-a.mqsc\nCOPY c.mqsc /etc/mqm/30-c.mqsc\n"
        "RUN echo 'ALTER QLOCAL(A) BOTHRESH(2) MAXDEPTH(2)' > /etc/mqm/20-b.mqsc\n"
    )
    scripts = {"a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\n", "c.mqsc": "ALTER QLOCAL(A) BOTHRESH(3)\n"}
    assert thresholds(tmp_path, {"Dockerfile": text, **scripts}) == {("QM1", "A"): 3}
    assert thresholds(tmp_path, {"Dockerfile": text.replace("30-c", "15-c")}) == {("QM1", "A"): 2}


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("envsubst < /tmp/a.tpl > /etc/mqm/a.mqsc", True),
        ("sed -i s/X/Y/ /etc/mqm/a.mqsc", True),
        ("cp /tmp/a.mqsc /etc/mqm/a.mqsc", True),
        ("cat /etc/mqm/a.mqsc && chmod 444 /etc/mqm/*.mqsc", False),
        ("echo 'DEFINE QLOCAL(A)' > /etc/mqm/a.mqsc && cp /tmp/a.ini /etc/mqm/", False),
        ("microdnf install less && rm /tmp/a.mqsc", False),
    ],
)
def test_what_only_a_build_shows_is_told(commands: str, told: bool) -> None:
    """A script that another command makes is not read, and a notice says so."""
    files = read_dockerfile(f"{NAMED}RUN {commands}\n".encode(), "Dockerfile")
    problems = [(problem.kind, problem.line, problem.text) for file in files for problem in file.problems]
    text = "/etc/mqm/a.mqsc is not read: only a build of the image shows what RUN makes it of"
    assert problems == ([("not_read", 3, text)] if told else [])


FIRST = "FROM registry.example/tools AS first\nWORKDIR /out\nRUN echo 'DEF QL(A) BOTHRESH(3)' > a.mqsc\n"
FILE = "FROM registry.example/tools AS first\n"


@pytest.mark.parametrize(
    ("first", "instruction"),
    [
        (FIRST, "COPY --from=first /out/a.mqsc /etc/mqm/20-a.mqsc"),
        (FIRST, "COPY --from=0 --chown=1001:0 /out /etc/mqm"),
        (FIRST, "WORKDIR /etc\nWORKDIR mqm\nCOPY --from=First out/*.mqsc ."),
        (f"{FIRST}FROM first AS second\n", "COPY --from=second /out/a.mqsc /etc/mqm/"),
        (f"{FILE}COPY mq/a.mqsc /out/\n", "COPY --from=first /out/a.mqsc /etc/mqm/"),
        (f"{FILE}COPY mq/a.mqsc /out/30-a.mqsc\n", "COPY --from=first /out/30-a.mqsc /etc/mqm/"),
        (f"{FILE}COPY mq /out\n", "COPY --from=first /out/a.mqsc /etc/mqm/"),
        (f"{FILE}COPY mq/*.mqsc /out/\n", "COPY --from=first /out/a*.mqsc /etc/mqm/"),
        (f"{FILE}COPY mq/ /out/\n", "COPY --from=first /out/ /etc/mqm/"),
        ("", "WORKDIR /etc/mqm\nRUN echo 'DEF QL(A) BOTHRESH(3)' > a.mqsc"),
        ("", "RUN cd /etc/mqm && echo 'DEF QL(A) BOTHRESH(3)' > a.mqsc"),
        ("", "RUN --network=none echo 'DEF QL(A) BOTHRESH(3)' > /etc/mqm/a.mqsc"),
        ("", "WORKDIR /etc/mqm/\nCOPY mq/a.mqsc ./"),
    ],
)
def test_what_is_in_the_image_runs(tmp_path: Path, first: str, instruction: str) -> None:
    """A file of another stage is what that stage has it from; a path that is not absolute begins in WORKDIR."""
    scripts = {"mq/a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(3)\n"} if "COPY mq" in f"{first}{instruction}" else {}
    text = f"{first}{NAMED}{instruction}\n"
    assert thresholds(tmp_path, {"Dockerfile": text, **scripts}) == {("QM1", "A"): 3}
    assert [problem for file in read_dockerfile(text.encode(), "Dockerfile") for problem in file.problems] == []


def test_what_is_not_in_the_image_does_not_run(tmp_path: Path) -> None:
    """The image has another file of the stage, or begins with none of it; a stage that it begins with is its own."""
    early = f"FROM icr.io/ibm-messaging/mq AS early\nENV MQ_QMGR_NAME=QM2\n{FIRST.partition('AS first')[2]}"
    early = early.replace("/out", "/etc/mqm")
    other = "RUN echo 'DEF QL(B) BOTHRESH(1)' > /etc/mqm/b.mqsc\n"
    found = thresholds(tmp_path, {"Dockerfile": f"{early}{NAMED}COPY --from=early /etc/x.ini /etc/x.ini\n{other}"})
    assert found == {("QM1", "B"): 1}
    found = thresholds(tmp_path, {"Dockerfile": f"{early}FROM early\n{other}"})
    assert found == {("QM2", "A"): 3, ("QM2", "B"): 1}
    found = thresholds(tmp_path, {"Dockerfile": f"{early}FROM registry.example/app\nRUN echo Hello > /srv/index\n"})
    assert found == {("QM2", "A"): 3}


@pytest.mark.parametrize(("count", "files"), [(1, 1), (40, 1), (1_000, 1)])
def test_a_file_that_is_copied_again_is_one(count: int, files: int) -> None:
    """Each stage copies it over itself; of a thousand stages the last ones are followed, and a notice is left."""
    copies = "COPY --from=s{0} /out /out\nCOPY --from=s{0} /out /out\n"
    stages = "".join(f"FROM s{number} AS s{number + 1}\n{copies.format(number)}" for number in range(count))
    text = (
        f"FROM tools AS s0\nRUN echo 'DEF QL(A)' > /out/a.mqsc\n{stages}FROM mq\nCOPY --from=s{count} /out /etc/mqm\n"
    )
    assert len(read_dockerfile(text.encode(), "Dockerfile")) == files


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{NAMED}COPY --from=registry.example/mqsc:1 /a.mqsc /etc/mqm/",
         [(3, "/a.mqsc of registry.example/mqsc:1 is not read: only a build of the image shows what it has")]),
        (f"{FILE}RUN make\n{NAMED}COPY --from=first /out /etc/mqm",
         [(5, "/out of first is not read: only a build of the image shows what it has")]),
        (f"{FILE}RUN envsubst < /a.tpl > /out/a.mqsc\n{NAMED}COPY --from=first /out /etc/mqm",
         [(2, "/out/a.mqsc is not read: only a build of the image shows what RUN makes it of")]),
        (f"{NAMED}WORKDIR /etc/mqm\nRUN curl -o a.mqsc https://example.net/a",
         [(4, "/etc/mqm/a.mqsc is not read: only a build of the image shows what RUN makes it of")]),
        (f"{NAMED}COPY --from=registry.example/web /mq.ini /etc/mqm/", []),
        (f"{NAMED}COPY --from=registry.example/web /web /etc/mqm/web", []),
        (f"{FILE}RUN envsubst < /a.tpl > /out/a.mqsc\n{NAMED}COPY --from=first /out/b.ini /etc/mqm/", []),
        (f"{BASE[:-1]} AS dev\nCOPY dev/*.mqsc /etc/mqm/\n{NAMED}COPY prod/*.mqsc /etc/mqm/",
         [(1, "the scripts of stage dev are not read: the image has nothing of this stage")]),
    ],
)  # fmt: skip
def test_what_other_stages_have_is_told(text: str, told: list[tuple[int, str]]) -> None:
    """What comes from elsewhere, and stages that a build has to name."""
    files = read_dockerfile(f"{text}\n".encode(), "Dockerfile")
    assert [(problem.line, problem.text) for file in files for problem in file.problems] == told


def test_a_compose_file_that_holds_a_script(tmp_path: Path) -> None:
    """``configs`` with ``content`` is a script, where a service gets it into the folder."""
    text = (
        "services:\n  mq:\n    environment: {MQ_QMGR_NAME: QM1}\n    configs:\n"
        "      - {source: queues, target: /etc/mqm/20-queues.mqsc}\n      - {source: web, target: /etc/web.xml}\n"
        "    volumes: ['./a.mqsc:/etc/mqm/10-a.mqsc']\n"
        "configs:\n  queues:\n    content: |\n      ALTER QLOCAL(A) BOTHRESH(4)\n  web: {file: web.xml}\n"
    )
    found = thresholds(tmp_path, {"compose.yaml": text, "a.mqsc": "DEFINE QLOCAL(A) BOTHRESH(1)\n"})
    assert found == {("QM1", "A"): 4}
    assert thresholds(tmp_path, {"compose.yaml": text.replace("/etc/mqm/20", "/srv/20")}) == {("QM1", "A"): 1}


def test_a_compose_file(tmp_path: Path) -> None:
    """Volumes of both forms; an image that asks for the same scripts does not run them again."""
    found = thresholds(tmp_path, {"compose.yaml": COMPOSE, **SCRIPTS})
    assert found == {("QM1", "A"): 1, ("QM1", "B"): 5}
    both = thresholds(tmp_path, {"Dockerfile": DOCKERFILE})
    assert {manager for manager, _ in both} == {"QM1"}
    mapped = COMPOSE.replace("      - LICENSE=accept\n      - MQ_QMGR_NAME=QM1\n", "      MQ_QMGR_NAME: QM1\n")
    (tmp_path / "Dockerfile").unlink()
    assert thresholds(tmp_path, {"compose.yaml": mapped}) == found


@pytest.mark.parametrize("name", ["", "$NAME", "{{ name }}"])
def test_without_a_name_nothing_is_said(name: str) -> None:
    """The scripts are read on their own."""
    assert read_dockerfile(DOCKERFILE.replace("QM1", name).encode(), "Dockerfile") == []
    assert read_compose(COMPOSE.replace("QM1", name).encode(), "compose.yaml") == []


def test_recognition() -> None:
    """By their first lines; files that have nothing to do with MQ are passed over later."""
    assert recognise(DOCKERFILE.encode())[0] == "dockerfile"
    assert recognise(COMPOSE.encode())[0] == "compose"


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200) | st.text(alphabet="services:\n -{}[]FROM COPY a /etc/mqm", max_size=200).map(str.encode)
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Bytes are read, or refused; nothing else happens."""
    recognise(data)
    with contextlib.suppress(UnreadableError):
        read_dockerfile(DOCKERFILE.encode() + data, "x")
        read_compose(COMPOSE.encode() + data, "x")


_LINES = [
    "RUN cat <<-'A' > /etc/mqm/a.mqsc", "COPY <<A <<B.mqsc /etc/mqm/", "A", "B.mqsc", "\tA", "\\", "RUN a \\",
    "", "RUN <<A",
    "# a", "DEFINE QLOCAL(A)", "echo 'DEF QL(B)' > /etc/mqm/b.mqsc", "RUN echo 'DEF QL(C)' >> /etc/mqm/c.mqsc",
]  # fmt: skip


@given(st.lists(st.sampled_from(_LINES)))
def test_any_instructions(lines: list[str]) -> None:
    """Here-documents without an end, and lines that go on nowhere: commands are where the Dockerfile has them."""
    text = "\n".join(["FROM mq", "ENV MQ_QMGR_NAME=QM1", *lines])
    for file in read_dockerfile(text.encode(), "Dockerfile"):
        for command in file.commands:
            line = text.split("\n")[command.line - 1]
            assert line[command.column - 1 :].startswith("DEF")
