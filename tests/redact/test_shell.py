"""Shell scripts: whatever lintmdb does not follow becomes text, wherever it stands."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lintmdb.exports.mq import read_scripts
from lintmdb.redact import Names, redact_exports

_FOLLOWED = (
    "runmqsc QM1 <<EOF\nDEFINE QLOCAL(A) BOTHRESH(3) +\n  BOQNAME(B)\nEOF\n",
    "echo 'ALTER QLOCAL(A) BOTHRESH(5)' | runmqsc QM1\n",
    'QM=QM1\nBO="A.BO"\nrunmqsc "$QM" <<EOF\nDEFINE QLOCAL($BO)\nEOF\n',
    'for q in C D; do echo "DEFINE QLOCAL($q)" | runmqsc QM1; done\n',
    "cat > /tmp/a.mqsc <<'X'\nDEFINE QLOCAL(E)\nX\nrunmqsc QM1 < /tmp/a.mqsc\n",
    'printf "%s\\n" "DEFINE QLOCAL(F)" "END" | sudo -u mqm runmqsc QM1\n',
    "setmqaut -m QM1 -t queue -n A -g app +get +put\n",
    "if test -f x; then\n  runmqsc QM1 <<-EOF\n\tDEFINE QLOCAL(G) REPLACE\n\tEOF\nfi\n",
)
_SECRETS = (
    "MQPW={}\n",
    "export DB_PASS='{}'\n",
    "x={}; echo $x | mail ops\n",
    'readonly note="{} and more"\n',
    "read -r answer <<X\n{}\nX\n",
    "runmqsc -u admin QM1 <<EOF\n{}\nDEFINE QLOCAL(H)\nEOF\n",
    'printf "%s\\n" {} "DEFINE QLOCAL(I)" | runmqsc -u admin QM1\n',
    '{{ echo {}; echo "DEFINE QLOCAL(J)"; }} | runmqsc -u admin QM1\n',
    "PW_OF_APP={}\nrunmqsc -u admin QM1 <<EOF\n$PW_OF_APP\nDEFINE QLOCAL(K)\nEOF\n",
    "curl -u admin:{} https://example.com/x\n",
    "mysql -p{} < /dev/null\n",
    "case $1 in\n  {}) echo yes ;;\nesac\n",
    "for word in {} other; do login $word; done\n",
    "while read line; do login $line; done <<X\n{}\nX\n",
    "token=$(curl -d {} https://example.com)\n",
    "echo ${{MQ_PASSWORD:-{}}}\n",
    "# {}\n",
    "login() {{ ssh admin@host {}; }}\n",
    "su - mqm -c 'login {}; runmqsc QM1 < /tmp/none.mqsc'\n",
    "tool --password={}\n",
    "cat $(get {})\n",
    "{} --run\n",
)


@pytest.mark.parametrize(("planted", "names"), [("Zq9secret", None), ("zq-9.Secret", None), ("ZQ9_SECRET", Names("a"))])
def test_a_secret_is_gone_wherever_it_stands(planted: str, names: Names | None, tmp_path: Path) -> None:
    """In random scripts; what is read of them is the same but for names, and the lines keep their numbers."""
    for number in range(120):
        draw = random.Random(number)
        pieces = [*draw.sample(_FOLLOWED, draw.randint(1, 4)), _SECRETS[number % len(_SECRETS)], draw.choice(_SECRETS)]
        draw.shuffle(pieces)
        before = "#!/bin/sh\n" + "".join(piece.format(planted) if "{}" in piece else piece for piece in pieces)
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.sh").write_text(before, "utf-8")
        copied = redact_exports([folder / "a.sh"], folder / "out", names)
        assert (copied.files, copied.refused) == (["a.sh"], []), before
        after = (folder / "out/a.sh").read_text("utf-8")
        assert planted.lower() not in after.lower(), (before, after)
        assert after.count("\n") == before.count("\n")
        assert _commands(after, names) == _commands(before, names), (before, after)


def _commands(text: str, names: Names | None) -> list[tuple[str, str, str, int]]:
    files = read_scripts("shell", text.encode(), "a.sh")
    return [(one.verb, one.noun, "" if names else one.name, one.line) for file in files for one in file.commands]


def test_the_password_of_runmqsc_is_no_command() -> None:
    """With a user, runmqsc reads a password in front of the commands."""
    files = read_scripts("shell", b"runmqsc -u admin QM1 <<EOF\nSecret6\nDEFINE QLOCAL(A)\nbad\nEOF\n", "a.sh")
    assert [problem.line for file in files for problem in file.problems] == [4]
    files = read_scripts("shell", b"runmqsc QM1 <<EOF\nSecret6\nDEFINE QLOCAL(A)\nEOF\n", "a.sh")
    assert [problem.line for file in files for problem in file.problems] == [2]


def test_a_script_of_mqsc_may_begin_with_a_password(tmp_path: Path) -> None:
    """As ``runmqsc -u admin QM1 < FILE`` reads it."""
    (tmp_path / "a.mqsc").write_text("Secret6\nDEFINE QLOCAL(A) +\n  BOTHRESH(3)\n", "utf-8")
    redact_exports([tmp_path / "a.mqsc"], tmp_path / "out")
    assert (tmp_path / "out/a.mqsc").read_text("utf-8") == "xxxxxxx\nDEFINE QLOCAL(A) +\n  BOTHRESH(3)\n"
