"""EAR, WAR and JAR files in memory, with the archives that lie in them.

Only the members that somebody asks for are inflated. All archives inside one file share a budget of bytes, so that
archives that inflate to more than any application holds are given up, at whatever depth they lie.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable

from lintmdb.errors import UnreadableError
from lintmdb.exports.was.unpacked import FOLDER

MAX_DEPTH = 3
"""An EAR, a WAR in it, and a JAR in that."""
MAX_MEMBERS = 500_000
_MAX_RATIO = 100
_RATIO_FROM = 1 << 26  # below 64 MiB no ratio is suspicious
_LOCAL_HEADER = b"PK\x03\x04"
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, LookupError, ArithmeticError, RuntimeError)
NEXT_STEP = "Export or build the application again"


class _Budget:
    """The bytes that may still come out of one file, at all depths."""

    def __init__(self, size: int) -> None:
        self.left = max(_RATIO_FROM, _MAX_RATIO * size)


class JavaArchive:
    """One EAR, WAR or JAR: its shown path and the names of its members.

    Raises UnreadableError where the bytes are no zip archive, or one with more members than any application has.
    """

    def __init__(self, data: bytes, path: str, budget: _Budget | None = None, depth: int = 1) -> None:
        self.path = path
        self._data = data
        self._budget = budget or _Budget(len(data))
        self._depth = depth
        self._nested: dict[str, JavaArchive] = {}
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = archive.infolist()
        except _DAMAGE as error:
            raise UnreadableError(f"is a damaged archive: {_reason(error)}", path=path, next_step=NEXT_STEP) from None
        if len(entries) > MAX_MEMBERS:
            raise UnreadableError(f"has {len(entries)} members, more than {MAX_MEMBERS}", path=path)
        self._entries = {entry.filename: entry for entry in entries if not entry.filename.endswith("/")}

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    @property
    def names(self) -> Iterable[str]:
        """The names of all members, in the order of the archive."""
        return self._entries

    def place(self, name: str) -> str:
        """The shown path of a member: ``X.ear!/orders.jar``, or ``X.ear/orders.jar`` where ``X.ear/`` is unpacked."""
        return f"{self.path}{name}" if self.path.endswith("/") else f"{self.path}!/{name}"

    def read(self, name: str) -> bytes:
        """All bytes of a member. Raises UnreadableError for a damaged one, and once the budget is spent."""
        entry = self._entries[name]
        if entry.flag_bits & 1:
            raise UnreadableError("is encrypted", path=self.place(name), next_step=NEXT_STEP)
        start = self._start(entry)
        packed = memoryview(self._data)[start : start + entry.compress_size]
        if entry.compress_type == zipfile.ZIP_STORED:
            data = bytes(packed)
        elif entry.compress_type == zipfile.ZIP_DEFLATED:
            data = self._inflated(packed, name)
        else:
            raise UnreadableError(
                "uses a compression method other than deflate", path=self.place(name), next_step=NEXT_STEP
            )
        self._budget.left -= len(data)
        if self._budget.left < 0:
            raise self._too_much()
        return data

    def _start(self, entry: zipfile.ZipInfo) -> int:
        at = entry.header_offset
        header = self._data[at : at + 30]
        if len(header) < 30 or not header.startswith(_LOCAL_HEADER):
            raise UnreadableError(
                "is a damaged member: its header is missing", path=self.place(entry.filename), next_step=NEXT_STEP
            )
        return at + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")

    def _inflated(self, packed: memoryview, name: str) -> bytes:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = stream.decompress(packed, self._budget.left + 1)
        except zlib.error as error:
            raise UnreadableError(
                f"is a damaged member: {_reason(error)}", path=self.place(name), next_step=NEXT_STEP
            ) from None
        if not stream.eof:
            if stream.unconsumed_tail or len(data) > self._budget.left:
                raise self._too_much()
            raise UnreadableError("is a damaged member: it ends early", path=self.place(name), next_step=NEXT_STEP)
        return data

    def _too_much(self) -> UnreadableError:
        outer = self.path.partition("!/")[0].removesuffix("/")
        return UnreadableError(
            f"inflates to more than {_MAX_RATIO} times its size, which no application does, so it is not read further",
            path=outer,
            next_step=NEXT_STEP,
        )

    def nested(self, name: str) -> JavaArchive:
        """The archive that a member is. Raises UnreadableError where it is none, or lies too deep."""
        found = self._nested.get(name)
        if found is None:
            if self._depth >= MAX_DEPTH:
                raise UnreadableError(f"is nested deeper than {MAX_DEPTH} archives", path=self.place(name))
            unpacked = self.path.endswith("/") and self._entries[name].external_attr & FOLDER
            path = self.place(name) + ("/" if unpacked else "")
            found = JavaArchive(self.read(name), path, self._budget, self._depth + 1)
            self._nested[name] = found
        return found


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
