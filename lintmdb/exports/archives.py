"""Archives read member by member, never unpacked to disk: zip (and .car), tar, tar.gz, and a single gzip file.

Only members that a reader wants are inflated. What a header says of a size is not believed: reading stops at the
limit of the bytes that really come out.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, Protocol, cast

from lintmdb.errors import UnreadableError
from lintmdb.exports.gzip_stream import GzipStream

MAX_MEMBERS = 2_000_000
MAX_MEMBER_BYTES = 1 << 30
MAX_RATIO = 1000
_RATIO_FROM = 1 << 24  # below 16 MiB no ratio is suspicious
_BLOCK = 1 << 16
# zipfile inflates these without a bound on what comes out of one call; no tool that exports WebSphere writes them.
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# What the two modules raise for damaged bytes, beyond their own errors: sizes that fit no integer, names without
# characters, versions of the far future, headers that follow one another thousands of times.
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    LookupError,
    ArithmeticError,
    RuntimeError,
)

Kind = Literal["zip", "tar", "gzip"]


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file in an archive."""

    name: str
    size: int
    """As the archive's header says; the real size is checked when it is read."""
    read: Callable[[int | None], bytes]
    """Reads the whole member (None), or at most that many bytes of its start."""


def archive_kind(head: bytes) -> Kind | None:
    """What kind of archive starts like this."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "tar" if head[257:262] == b"ustar" else None


def members(path: Path, shown: str, kind: Kind) -> Iterator[Member]:
    """The regular members of an archive, sorted by name.

    Raises UnreadableError for an archive that is damaged, too large, or that names members outside itself. A gzip
    file that is no tar has one member, named after the file.
    """
    try:
        if kind == "zip":
            yield from _zip_members(path, shown)
        elif kind == "tar" or _is_tar(path):
            yield from _tar_members(path, shown)
        else:
            name = path.name.removesuffix(".gz")
            yield Member(printable(name), path.stat().st_size, lambda limit: _read_gzip(path, shown, limit))
    except _DAMAGE as error:
        raise _damaged(shown, error) from None


def _damaged(shown: str, error: Exception) -> UnreadableError:
    return UnreadableError(f"is a damaged archive: {reason_of(error)}", path=shown, next_step="Make or copy it again")


def reason_of(error: Exception) -> str:
    """What an error says of an archive. A ZIP file has its table of contents at its end."""
    said = " ".join(str(error).split()) or type(error).__name__
    return "it is cut off, because the end of the ZIP file is missing" if said == "File is not a zip file" else said


def printable(name: str) -> str:
    """A name whose bytes are no text shows them as ``\\xff``: it is printed and written in UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _check_name(name: str, shown: str) -> None:
    normal = name.replace("\\", "/")
    if normal.startswith("/") or ".." in normal.split("/") or (len(normal) > 1 and normal[1] == ":"):
        raise UnreadableError(
            f"names a member outside itself ({name!r}), so nothing in it is read", path=shown, next_step="Make it again"
        )


def _zip_members(path: Path, shown: str) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith(("/", "\\"))]
    if len(entries) > MAX_MEMBERS:
        raise UnreadableError(f"has {len(entries)} members, more than {MAX_MEMBERS}", path=shown)
    for entry in entries:
        _check_name(entry.filename, shown)
    if entries and all(entry.flag_bits & 1 for entry in entries):
        raise UnreadableError("is encrypted", path=shown, next_step="Export without a password")
    opened = _OpenZip(path)
    for entry in sorted(entries, key=lambda entry: entry.filename):
        mode = entry.external_attr >> 16
        if mode and (mode & 0o170000) not in (0, 0o100000):
            continue  # links and devices
        name = entry.filename.replace("\\", "/")

        def read(limit: int | None, entry: zipfile.ZipInfo = entry, place: str = f"{shown}!/{name}") -> bytes:
            if entry.flag_bits & 1:
                raise UnreadableError("is encrypted", path=place, next_step="Export without a password")
            if entry.compress_type not in _METHODS:
                raise UnreadableError(
                    "uses a compression method other than deflate, so it is not read",
                    path=place,
                    next_step="Make the archive again with deflate",
                )
            try:
                with opened.archive().open(entry) as stream:
                    return opened.count(_bounded(stream, place, limit, min(entry.compress_size, opened.size)), shown)
            except _DAMAGE as error:
                raise _damaged(place, error) from None

        yield Member(name, entry.file_size, read)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _OpenZip:
    """One open handle for all members of a zip, opened at the first read; it counts what comes out of all of them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._archive: zipfile.ZipFile | None = None
        self._inflated = 0
        self.size = path.stat().st_size

    def archive(self) -> zipfile.ZipFile:
        if self._archive is None:
            self._archive = zipfile.ZipFile(self._path)
        return self._archive

    def count(self, data: bytes, shown: str) -> bytes:
        """The data; raises once all members together, which may share their bytes, are too much for the archive."""
        self._inflated += len(data)
        if _too_much(self._inflated, self.size):
            raise _bomb(shown)
        return data

    def __del__(self) -> None:
        if self._archive is not None:
            self._archive.close()


def _is_tar(path: Path) -> bool:
    stream = GzipStream(path)
    try:
        return stream.read(512)[257:262] == b"ustar"
    finally:
        stream.close()


def _tar_members(path: Path, shown: str) -> Iterator[Member]:
    with path.open("rb") as file:
        compressed = archive_kind(file.read(512)) == "gzip"
    opened = _OpenTar(path, shown, compressed=compressed)
    names: dict[str, tarfile.TarInfo] = {}
    for entry in opened.archive:
        if entry.size < 0:
            raise tarfile.ReadError("a member has a negative size")
        if entry.isreg():
            _check_name(entry.name, shown)
            name = printable(entry.name.removeprefix("./"))
            names[name] = entry  # of two with one name the later one counts, as in tar
        if len(names) > MAX_MEMBERS:
            raise UnreadableError(f"has more than {MAX_MEMBERS} members", path=shown)
    # In the order of the archive, so that what decides about members by their first bytes goes through it once.
    for name, entry in names.items():

        def read(limit: int | None, entry: tarfile.TarInfo = entry, place: str = f"{shown}!/{name}") -> bytes:
            try:
                stream = opened.archive.extractfile(entry)
                if stream is None:
                    raise UnreadableError("is not a regular file", path=place)
                with stream:
                    return _bounded(stream, place, limit, opened.size)
            except _DAMAGE as error:
                raise _damaged(place, error) from None

        yield Member(name, entry.size, read)


class _OpenTar:
    """One open handle for all members of a tar, compressed or not.

    It is a file for tarfile, which takes headers into memory whole: one read gives no more than a header may need.
    """

    def __init__(self, path: Path, shown: str, *, compressed: bool) -> None:
        self.size = path.stat().st_size
        self._shown = shown
        self._inflated = GzipStream(path) if compressed else None
        self._stream = self._inflated or path.open("rb")
        source = cast("IO[bytes]", self)  # tarfile reads, seeks and tells, and needs no more
        try:
            self.archive = tarfile.open(fileobj=source, mode="r:")  # noqa: SIM115  lives as long as its members
        except BaseException:
            self._stream.close()
            raise

    def read(self, size: int) -> bytes:
        """For tarfile."""
        if not 0 <= size <= _BLOCK:
            raise tarfile.ReadError(f"a header claims {size} bytes")
        data = self._stream.read(size)
        self._check()
        return data

    def seek(self, position: int) -> int:
        """For tarfile. Goes in steps, so that what a header claims to skip is inflated within the limits."""
        where = self._stream.tell()
        if self._inflated is not None:
            while where + _RATIO_FROM < position:
                before = where
                where = self._stream.seek(where + _RATIO_FROM)
                self._check()
                if where < before + _RATIO_FROM:
                    return where
        where = self._stream.seek(position)
        self._check()
        return where

    def tell(self) -> int:
        """For tarfile."""
        return self._stream.tell()

    def _check(self) -> None:
        if self._inflated is not None and _too_much(self._inflated.size, self.size):
            raise _bomb(self._shown)

    def __del__(self) -> None:
        stream = getattr(self, "_stream", None)
        if stream is not None:
            stream.close()


def _read_gzip(path: Path, shown: str, limit: int | None) -> bytes:
    try:
        stream = GzipStream(path)
        try:
            return _bounded(stream, shown, limit, path.stat().st_size)
        finally:
            stream.close()
    except _DAMAGE as error:
        raise _damaged(shown, error) from None


def _bounded(stream: _Readable, place: str, limit: int | None, compressed: int) -> bytes:
    if limit is not None:
        return stream.read(limit)
    blocks: list[bytes] = []
    total = 0
    while block := stream.read(_BLOCK):
        total += len(block)
        if total > MAX_MEMBER_BYTES or _too_much(total, compressed):
            raise _bomb(place)
        blocks.append(block)
    return b"".join(blocks)


def _too_much(inflated: int, compressed: int) -> bool:
    return inflated > _RATIO_FROM and inflated > MAX_RATIO * max(compressed, 1)


def _bomb(place: str) -> UnreadableError:
    return UnreadableError(
        f"inflates to more than {MAX_RATIO} times its size, or to more than {MAX_MEMBER_BYTES} bytes; it is not read",
        path=place,
        next_step="Provide the export itself",
    )
