"""Every form that lintmdb reads loses its secrets, and says what it said."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from lintmdb.exports.discovery import recognise
from lintmdb.exports.mq import read_scripts
from lintmdb.redact import Names, redact_exports
from lintmdb.redact.container_files import redact_dockerfile
from lintmdb.redact.pseudonyms import Pseudonyms

SECRETS = ("carol", "dave", "bank", "10.20", "s3cret", "hunter2", "zq9")
_TRANSCRIPT = """5724-H72 (C) Copyright IBM Corp. 1994, 2025.
carol@mqhost.bank.example:~$ runmqsc QM1 # ask dave(555)
Starting MQSC for queue manager QM1.

     1 : display queue(ORDERS.*) all
AMQ8409I: Display Queue details.
   QUEUE(ORDERS.IN)                        TYPE(QLOCAL)
   DESCR(Dave's queue (call carol)         BOTHRESH(3)
   BOQNAME(ORDERS.BACKOUT)
     2 : * Dave says: s3cret
     3 : alter channel(A) chltype(SDR) conname('mq.bank.example(1414)') password('s3cret')
AMQ8016I: IBM MQ channel changed.
     4 : display chlauth(*) all
AMQ8878I: Display channel authentication record details.
   CHLAUTH(ORDERS.*)                       TYPE(USERMAP)
   DESCR( )                                CUSTOM( )
   CLNTUSER(carol)                         MCAUSER(dave)
   ADDRESS(10.20.30.40)
     5 : display authrec profile(ORDERS.IN)
AMQ8864I: Display authority record details.
   PROFILE(ORDERS.IN)                      ENTITY(carol)
   ENTTYPE(PRINCIPAL)                      OBJTYPE(QUEUE)
   AUTHLIST(GET)
"""
_ZOS = """//BANKJOB JOB (ACCT),'CAROL'
IEF695I START BANKJOB WITH JOBNAME CAROL IS ASSIGNED TO USER CAROL
CSQU055I Target queue manager is QM1
DISPLAY QUEUE(ORDERS.*) ALL
CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000
CSQM401I +QM1  QUEUE(ORDERS.IN                                        ) TYPE(QLOCAL  ) DESCR(ask Dave              )
 BOTHRESH(3) BOQNAME(ORDERS.BACKOUT) DEFSOPT(EXCL)
CSQ9022I +QM1 CSQMDRTS ' DISPLAY QUEUE' NORMAL COMPLETION
"""
_REST = """{"commandResponse": [{"completionCode": 0, "reasonCode": 0, "parameters":
 {"channel": "A", "chltype": "SDR", "conname": "mq.bank.example(1414)", "mcauser": "carol", "descr": "Dave\\u0027s"}}],
 "userlist": ["carol", "dave"], "overallCompletionCode": 0}
{"commandResponse": [{"completionCode": 0, "text":
 ["AMQ8414I: Display Channel details.", "   CHANNEL(B)   CHLTYPE(SDR) CONNAME(10.20.30.40)\\n   MCAUSER(carol)"]}]}
"""
_MANIFEST = f"""# Ask Dave
apiVersion: v1
kind: ConfigMap
metadata:
  name: orders
  annotations: {{owner: "carol \\"dave\\" \\x62ank", "kubectl/last": '{{"password":"s3cret"}}'}}
data:
  a.mqsc: |  # bank
    * Dave
    DEFINE QLOCAL(ORDERS.IN) DESCR('call {{{{ .Values.who }}}} or Dave')
    DEFINE CHANNEL(A) CHLTYPE(SDR) +
      CONNAME('mq.bank.example')
  b.mqsc: "DEFINE QLOCAL(B) DESCR('Dave')\\nALTER CHANNEL(A) CHLTYPE(SDR) MCAUSER('carol')"
  note: >-
    Password is
    s3cret.
---
kind: Secret
apiVersion: v1
metadata: {{name: access}}
data:
  access.mqsc: {base64.b64encode(b"SET AUTHREC PRINCIPAL('carol') OBJTYPE(QMGR) AUTHADD(CONNECT)").decode()}
  key.pem: "{base64.b64encode(b"s3cret of carol").decode()}"
stringData:
  other.mqsc: ALTER QMGR DEADQ(D) DESCR('Dave')
  password: s3cret
  app_pass: hunter2
"""
_PLAYBOOK = """- hosts: bank
  vars: {password: s3cret, mq_user: carol, mq_pw: hunter2}
  tasks:
    - name: Dave wants this
      shell: echo "DEFINE QLOCAL(A) DESCR('Dave')" | runmqsc QM1   # bank
      environment: {TOKEN: s3cret}
    - name: x
      ansible.builtin.shell: |
        # Dave
        curl -u carol:s3cret https://bank.example/x
        runmqsc QM1 <<EOF
        ALTER CHANNEL(A) CHLTYPE(SDR) CONNAME('10.20.30.40')
        EOF
    - command: setmqaut -m QM1 -t queue -n A -p carol +get
"""
_SHELL = """#!/bin/sh
# Dave
PASSWORD=s3cret
export MQ_PASSWORD='s3cret' QMGR=QM1
curl -u "carol:s3cret" https://bank.example/ && ssh carol@mq.bank.example uptime
echo "Dave was here"
runmqsc -u carol QM1 <<EOF
* bank
DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME('mq.bank.example') PASSWORD('s3cret')
EOF
echo "DEFINE QLOCAL(A) DESCR('Dave')" | sudo -u carol runmqsc QM1
setmqaut -m QM1 -t queue -n A -p carol -g dave +get
if test -f /home/carol; then echo "DEFINE QLOCAL(B)" | ssh carol@10.20.30.40 runmqsc QM1; fi
su - carol -c "setmqaut -m QM1 -t qmgr -p zq9 +connect" # s3cret
"""
_DOCKERFILE = """# Dave
FROM registry.bank.example/mq:9.4
ENV MQ_QMGR_NAME=QM1 MQ_APP_PASSWORD=s3cret DB_PASS=hunter2
COPY orders.mqsc /etc/mqm/
RUN curl -u carol:s3cret https://bank.example
"""
_STAGES = r"""# Dave
ARG TOKEN=s3cret
FROM registry.bank.example/tools:9 AS first
ENV DB_PASS=hunter2 USER=carol
WORKDIR /etc/mqm
COPY --chown=carol:0 <<EOF queues.mqsc
* Dave made it
DEFINE QLOCAL(A) DESCR('carol s3cret') BOTHRESH(3)
EOF
RUN --mount=type=secret,id=s3cret curl -u carol:s3cret https://bank.example/x > /tmp/x && \
  # Dave: s3cret
  echo "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('carol')" > b.mqsc
RUN <<EOF
# dave
export MQPW=hunter2
useradd -p s3cret carol
echo "ALTER QLOCAL(A) DESCR('s3cret')" >> /etc/mqm/c.mqsc
EOF
RUN printf "DEFINE QLOCAL(X)\n\
SET AUTHREC PROFILE(X) OBJTYPE(QUEUE) PRINCIPAL('carol') AUTHADD(GET)\n\
REFRESH SECURITY" > /etc/mqm/d.mqsc
FROM registry.bank.example/mq:9.4
LABEL maintainer="carol@bank.example"
ENV MQ_QMGR_NAME=QM1 \
    MQ_ADMIN_PASSWORD=s3cret
COPY --from=first --chown=carol:root /etc/mqm/*.mqsc /etc/mqm/
COPY --from=registry.bank.example/other /x/y.mqsc /etc/mqm/
RUN echo s3cret | passwd carol
CMD ["runmqserver", "s3cret"]
"""
_COMPOSE = """services:
  mq: # Dave
    image: registry.bank.example/mq
    environment: ["MQ_QMGR_NAME=QM1", "MQ_APP_PASSWORD=s3cret", "MQPW=hunter2"]
    volumes: ["./orders.mqsc:/etc/mqm/orders.mqsc"]
"""
_LISTING = """dave$ dmpmqaut -m QM1
profile:     ORDERS.IN
object type: queue
entity:      carol@bank
entity type: principal
authority:   get browse
- - - - - - - -
"""
_INI = """# Dave
ExitPath:
   ExitsDefaultPath=/home/carol
SSL:
   SSLKeyRepositoryPassword=s3cret
AutoConfig:
   MQSCConfig=/etc/mqm/orders.mqsc
Log:
   LogPath=/var/mqm/log/QM1/
"""
_JOB = """//DAVEJOB  JOB (BANK),'DAVE'
//DEFS     EXEC PGM=CSQUTIL,PARM='QM1'
//SYSIN    DD *
 COMMAND DDNAME(CMDS)
/*
//CMDS     DD *
* bank
DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME('mq.bank.example') PASSWORD('s3cret')
DEFINE QLOCAL(A) BOTHRESH(3) DESCR('Dave')
/*
"""
FORMS = {
    "transcript": _TRANSCRIPT,
    "zos.txt": _ZOS,
    "rest.json": _REST,
    "kubernetes.yaml": _MANIFEST,
    "ansible.yml": _PLAYBOOK,
    "shell.sh": _SHELL,
    "dockerfile": _DOCKERFILE,
    "stages.dockerfile": _STAGES,
    "compose.yaml": _COMPOSE,
    "dmpmqaut.txt": _LISTING,
    "qm.ini": _INI,
    "job.jcl": _JOB,
}


def _leaks(text: str) -> list[str]:
    return [word for word in SECRETS if word in text.lower()]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("name", FORMS)
def test_a_form_loses_its_secrets(name: str, ends: str, tmp_path: Path) -> None:
    """None is left, lines keep their numbers, and the same commands are read on the same lines."""
    before = FORMS[name].replace("\n", ends).encode()
    kind, _ = recognise(before)
    assert kind is not None
    (tmp_path / name).write_bytes(before)
    copied = redact_exports([tmp_path / name], tmp_path / "out")
    assert copied.files == [name]
    after = (tmp_path / "out" / name).read_bytes()
    assert not _leaks(after.decode())
    assert after.count(b"\n") == before.count(b"\n")
    assert recognise(after) == (kind, "")
    read, again = (read_scripts(kind, data, name) for data in (before, after))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert [[command[:3] for command in file.commands] for file in read] == [
        [command[:3] for command in file.commands] for file in again
    ]
    assert any(file.commands or file.asked for file in read)


def test_a_dockerfile_that_is_cut_anywhere_loses_its_secrets() -> None:
    """Here-documents without an end, and instructions that go on nowhere."""
    for end in range(len(_STAGES)):
        copy = redact_dockerfile(_STAGES[:end], Pseudonyms())
        assert not _leaks(copy)
        assert copy.count("\n") == _STAGES[:end].count("\n")


def test_scripts_in_base64_lose_their_secrets(tmp_path: Path) -> None:
    """What a Secret holds is decoded: a script is redacted, and anything else is gone."""
    (tmp_path / "a.yaml").write_text(_MANIFEST, "utf-8")
    redact_exports([tmp_path / "a.yaml"], tmp_path / "out")
    lines = (tmp_path / "out/a.yaml").read_text("utf-8").splitlines()
    script, key = (
        base64.b64decode(next(line for line in lines if name in line).partition(":")[2].strip(' "')).decode()
        for name in ("access.mqsc", "key.pem")
    )
    assert script.startswith("SET AUTHREC PRINCIPAL('")
    assert not _leaks(script)
    assert key == "redacted"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("broken.yaml", "kind: ConfigMap\napiVersion: v1\ndata: {a.mqsc: 'DEFINE QLOCAL(A)\n", "not valid YAML"),
        (
            "two.sh",
            "#!/bin/sh\nrunmqsc QM1 <<'carol'\nSET AUTHREC PRINCIPAL('carol') OBJTYPE(QMGR) AUTHADD(CONNECT)\ncarol\n",
            None,
        ),
        (
            "escaped.yaml",
            (
                'apiVersion: v1\nkind: ConfigMap\ndata: {a.mqsc: "'
                "SET AUTHREC PRINCIPAL('c\\x61rol') OBJTYPE(QMGR) AUTHADD(INQ)\"}\n"
            ),
            "would say something else",
        ),
        (
            "Dockerfile",
            "FROM mq AS first\nCOPY carol/ /out/\nFROM mq\nENV MQ_QMGR_NAME=QM1\nCOPY --from=first /out/ /etc/mqm/\n",
            "without its secrets: put its scripts into files that COPY names, and make the copy again",
        ),
    ],
)
def test_what_is_not_safe_is_refused(name: str, text: str, reason: str | None, tmp_path: Path) -> None:
    """A copy that says the same, or none: never one that says something else."""
    (tmp_path / name).write_text(text, "utf-8")
    copied = redact_exports([tmp_path / name], tmp_path / "out")
    if reason is None:
        assert copied.files == [name]
    else:
        assert not copied.files
        assert [reason in why for _, why in copied.refused] == [True]


_CREATES = {
    "jython": """# Dave
password = 's3cret'
print 'carol was here'
AdminTask.createWMQConnectionFactory(x, ['-name', 'CF', '-jndiName', 'jms/cf', '-qmgrHostname', 'mq.bank.example'])
AdminTask.createWMQConnectionFactory(x, '[-name CG -jndiName jms/cg -qmgrHostname 10.20.30.40 -description "ask Dave"]')
AdminConfig.create('MQQueueConnectionFactory', p, [['name', 'CH'], ['jndiName', 'jms/ch'], ['host', 'mq.bank.example'],
    ["XAEnabled", "true"], ['description', "Dave's"]])
""",
    "jacl": """# Dave
set password s3cret
$AdminTask createWMQConnectionFactory $x {-name CF -jndiName jms/cf -qmgrHostname mq.bank.example}
$AdminConfig create MQQueueConnectionFactory $p {{name CG} {jndiName jms/cg} {host mq.bank.example}}
""",
}


@pytest.mark.parametrize("names", [None, Names("a")])
@pytest.mark.parametrize("language", _CREATES)
def test_a_script_of_wsadmin_loses_its_secrets(language: str, names: Names | None, tmp_path: Path) -> None:
    """In parameters, in attributes and in variables; the objects that it creates are the same."""
    (tmp_path / "create.py").write_text(_CREATES[language], "utf-8")
    copied = redact_exports([tmp_path / "create.py"], tmp_path / "out", names)
    assert (copied.files, copied.refused) == (["create.py"], [])
    text = (tmp_path / "out/create.py").read_text("utf-8")
    assert not _leaks(text)
    assert ("jms/cf" in text) is (names is None)
