"""Archives read member by member, never unpacked to disk: zip (and .car), tar, tar.gz, and a single gzip file.

Only members that a reader wants are inflated. What a header says of a size is not believed: reading stops at the
limit of the bytes that really come out.
"""

from __future__ import annotations

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from lintmdb.errors import UnreadableError

MAX_MEMBERS = 2_000_000
MAX_MEMBER_BYTES = 1 << 30
MAX_RATIO = 1000
_RATIO_FROM = 1 << 24  # below 16 MiB no ratio is suspicious
_BLOCK = 1 << 20

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
            yield Member(name, path.stat().st_size, lambda limit: _read_gzip(path, shown, limit))
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, lzma.LZMAError) as error:
        raise _damaged(shown, error) from None


def _damaged(shown: str, error: Exception) -> UnreadableError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return UnreadableError(f"is a damaged archive: {reason}", path=shown, next_step="Make or copy it again")


def _check_name(name: str, shown: str) -> None:
    normal = name.replace("\\", "/")
    if normal.startswith("/") or ".." in normal.split("/") or (len(normal) > 1 and normal[1] == ":"):
        raise UnreadableError(
            f"names a member outside itself ({name!r}); nothing of it is read", path=shown, next_step="Make it again"
        )


def _zip_members(path: Path, shown: str) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MAX_MEMBERS:
        raise UnreadableError(f"has {len(entries)} members, more than {MAX_MEMBERS}", path=shown)
    for entry in entries:
        _check_name(entry.filename, shown)
    opened = _OpenZip(path)
    for entry in sorted(entries, key=lambda entry: entry.filename):
        mode = entry.external_attr >> 16
        if mode and (mode & 0o170000) not in (0, 0o100000):
            continue  # links and devices

        def read(limit: int | None, entry: zipfile.ZipInfo = entry) -> bytes:
            place = f"{shown}!/{entry.filename}"
            if entry.flag_bits & 1:
                raise UnreadableError("is encrypted", path=place, next_step="Export without a password")
            try:
                with opened.archive().open(entry) as stream:
                    return _bounded(stream, place, limit, entry.compress_size)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, lzma.LZMAError) as error:
                raise _damaged(place, error) from None

        yield Member(entry.filename.replace("\\", "/"), entry.file_size, read)


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _OpenZip:
    """One open handle for all members of a zip, opened at the first read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._archive: zipfile.ZipFile | None = None

    def archive(self) -> zipfile.ZipFile:
        if self._archive is None:
            self._archive = zipfile.ZipFile(self._path)
        return self._archive

    def __del__(self) -> None:
        if self._archive is not None:
            self._archive.close()


def _is_tar(path: Path) -> bool:
    with gzip.open(path) as stream:
        return stream.read(512)[257:262] == b"ustar"


def _tar_members(path: Path, shown: str) -> Iterator[Member]:
    entries: list[tarfile.TarInfo] = []
    read_bytes = 0
    with tarfile.open(path, "r:*") as archive:
        for entry in archive:
            if entry.isreg():
                _check_name(entry.name, shown)
                entries.append(entry)
            read_bytes += entry.size
            if len(entries) > MAX_MEMBERS:
                raise UnreadableError(f"has more than {MAX_MEMBERS} members", path=shown)
            if read_bytes > MAX_RATIO * max(path.stat().st_size, _RATIO_FROM):
                raise _bomb(shown)
    opened = _OpenTar(path)
    # In the order of the archive, so that a compressed stream is read forwards; sorted is what is found.
    for entry in entries:

        def read(limit: int | None, entry: tarfile.TarInfo = entry) -> bytes:
            place = f"{shown}!/{entry.name.removeprefix('./')}"
            try:
                stream = opened.archive().extractfile(entry)
                if stream is None:
                    raise UnreadableError("is no regular file", path=place)
                with stream:
                    return _bounded(stream, place, limit, max(path.stat().st_size, 1))
            except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
                raise _damaged(place, error) from None

        yield Member(entry.name.removeprefix("./"), entry.size, read)


class _OpenTar:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._archive: tarfile.TarFile | None = None

    def archive(self) -> tarfile.TarFile:
        if self._archive is None:
            self._archive = tarfile.open(self._path, "r:*")  # noqa: SIM115  lives as long as its members
        return self._archive

    def __del__(self) -> None:
        if self._archive is not None:
            self._archive.close()


def _read_gzip(path: Path, shown: str, limit: int | None) -> bytes:
    try:
        with gzip.open(path) as stream:
            return _bounded(stream, shown, limit, max(path.stat().st_size, 1))
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(shown, error) from None


def _bounded(stream: _Readable, place: str, limit: int | None, compressed: int) -> bytes:
    if limit is not None:
        return stream.read(limit)
    blocks: list[bytes] = []
    total = 0
    while block := stream.read(_BLOCK):
        total += len(block)
        if total > MAX_MEMBER_BYTES or (total > _RATIO_FROM and total > MAX_RATIO * max(compressed, 1)):
            raise _bomb(place)
        blocks.append(block)
    return b"".join(blocks)


def _bomb(place: str) -> UnreadableError:
    return UnreadableError(
        f"inflates to more than {MAX_RATIO} times its size, or to more than {MAX_MEMBER_BYTES} bytes; it is not read",
        path=place,
        next_step="Give the export itself",
    )
