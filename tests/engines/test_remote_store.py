"""Exports in a remote store. Spark's own jars can read FTP; for other stores it needs connectors from elsewhere.

(They hold a client of WebHDFS, too, but Spark 4.3 leaves out a library that it needs.)
"""

from __future__ import annotations

import json
import re
import shlex
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lintmdb.fleet.facts.store import Store
from tests.engines.conftest import FEW, HOST, OBSERVED, Audit
from tests.support.fleet_estate import Told, assert_same, told_by_audit, told_by_check
from tests.support.project import FIXTURES

_EXPORTS = FIXTURES / "stop-3-sessions-5-bothresh-5"


class _Session(socketserver.StreamRequestHandler):
    """The commands of RFC 959 with which Hadoop's client looks at folders and reads files."""

    root: Path

    def handle(self) -> None:
        """Answer one command after the other; the client says where it wants to have lists and files."""
        self._folder = "/"
        self._to = (HOST, 0)
        self._say("220 ready")
        for line in self.rfile:
            command, _, argument = line.decode().strip().partition(" ")
            if not self._answer(command.upper(), argument):
                return

    def _answer(self, command: str, argument: str) -> bool:
        target = self.root / self._path(argument).lstrip("/")
        if command == "PORT":
            *address, high, low = argument.split(",")
            self._to = (".".join(address), int(high) * 256 + int(low))
        elif command == "EPRT":
            _, _, address, port, _ = argument.split("|")
            self._to = (address, int(port))
        elif command == "LIST":
            names = [name for name in shlex.split(argument) if not name.startswith("-")]
            folder = self.root / self._path(names[0] if names else "").lstrip("/")
            self._send("".join(map(_listed, sorted(folder.iterdir()) if folder.is_dir() else [folder])).encode())
            return True
        elif command == "RETR" and target.is_file():
            self._send(target.read_bytes())
            return True
        elif command == "CWD" and target.is_dir():
            self._folder = self._path(argument)
        elif command in ("RETR", "CWD"):
            self._say("550 there is no such file or folder")
            return True
        elif command == "PWD":
            self._say(f'257 "{self._folder}"')
            return True
        elif command == "USER":
            self._say("331 a password, please")
            return True
        self._say(
            {"SYST": "215 UNIX Type: L8", "PASS": "230 welcome", "QUIT": "221 goodbye"}.get(command, "200 so be it")
        )
        return command != "QUIT"

    def _path(self, argument: str) -> str:
        path = argument if argument.startswith("/") else f"{self._folder}/{argument}"
        return re.sub("/+", "/", path).rstrip("/") or "/"

    def _send(self, body: bytes) -> None:
        self._say("150 here it comes")
        with socket.create_connection(self._to, timeout=10) as connection:
            connection.sendall(body)
        self._say("226 that was all")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


def _listed(file: Path) -> str:
    seen = file.stat()
    kind, size = ("drwxr-xr-x", 0) if file.is_dir() else ("-rw-r--r--", seen.st_size)
    return f"{kind} 1 user users {size} {time.strftime('%b %d %H:%M', time.gmtime(seen.st_mtime))} {file.name}\r\n"


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a store that holds the exports."""
    handler = type("_Exports", (_Session,), {"root": _EXPORTS.parent})
    with socketserver.ThreadingTCPServer((HOST, 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{HOST}:{server.server_address[1]}"
        server.shutdown()


def test_an_audit_says_what_check_says(address: str, audit: Audit, tmp_path: Path) -> None:
    """With URIs where ``check`` has paths, and without the password."""
    out = tmp_path / "out"
    result = audit(f"ftp://reader:secret@{address}/{_EXPORTS.name}", out, "--master", "local[2]")
    assert result.returncode == 0, result.stderr
    folder = Store(out).complete_audits()[-1]
    told, shown = told_by_audit(folder), f"ftp://reader@{address}/{_EXPORTS.name}"
    assert shown in json.dumps(told.findings)
    check = told_by_check([_EXPORTS], OBSERVED, FEW)
    path = re.search(r'"path": "(.*?)/(?:mq|was)/', json.dumps(check.findings))
    assert path is not None
    findings, undecided = json.loads(json.dumps([told.findings, told.undecided]).replace(shown, path[1]))
    assert_same(Told(findings, undecided, told.clear), check)
    assert [file for file in folder.rglob("*") if file.is_file() and b"secret" in file.read_bytes()] == []
