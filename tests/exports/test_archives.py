"""Archives: what is damaged, hostile or merely unsorted is read within limits, or refused in one sentence."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import random
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lintmdb.errors import UnreadableError
from lintmdb.exports.archives import archive_kind, members
from lintmdb.exports.discovery import Discovery, discover
from lintmdb.exports.gzip_stream import GzipStream

MIB = 1 << 20
SCRIPT = b"DEFINE QLOCAL(A) BOTHRESH(3)\n"


def _problem(file: Path) -> str:
    """The one problem that an archive without any readable member is."""
    found = discover([file])
    assert found.files == []
    assert len(found.problems) == 1
    return found.problems[0].text


def _peak_bytes(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _tar(file: Path, entries: list[tuple[str, bytes]], mode: Literal["w:", "w:gz"] = "w:gz") -> Path:
    with tarfile.open(file, mode) as archive:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file


def test_a_cut_zip_file_says_that_it_is_cut_off(tmp_path: Path) -> None:
    """Python calls it no ZIP file; its beginning is that of one."""
    file = tmp_path / "cell.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("cells/C1/cell.xml", "<x/>" * 100)
    file.write_bytes(file.read_bytes()[:200])
    text = _problem(file)
    assert "is a damaged archive: it is cut off, because the end of the ZIP file is missing" in text
    assert "not a zip" not in text


@pytest.mark.slow
@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_methods_without_a_bound_are_not_inflated(tmp_path: Path, method: int) -> None:
    """A member whose inflater has no bound on its output is refused before one byte of it is inflated."""
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("QM1.mqsc", SCRIPT + b" " * (64 * MIB))
    assert _peak_bytes(lambda: discover([file])) < 8 * MIB
    assert "method other than deflate" in _problem(file)


def test_a_header_does_not_fill_the_memory(tmp_path: Path) -> None:
    """An extended tar header of 64 MB is refused, not taken into memory whole."""
    info = tarfile.TarInfo("pax")
    info.type = tarfile.XHDTYPE
    info.size = 64 * MIB
    file = tmp_path / "a.tar.gz"
    with gzip.open(file, "wb") as stream:
        stream.write(info.tobuf(tarfile.USTAR_FORMAT))
        for _ in range(64):
            stream.write(bytes(MIB))
    assert _peak_bytes(lambda: discover([file])) < 8 * MIB
    assert "is a damaged archive" in _problem(file)


@pytest.mark.slow
def test_a_bomb_that_nobody_wants_is_not_skipped_through_either(tmp_path: Path) -> None:
    """Passing an unwanted member of a tar.gz inflates it, so it counts against the limit."""
    file = tmp_path / "a.tar.gz"
    info = tarfile.TarInfo("zeros.bin")
    info.size = 100 * MIB
    inflater = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [inflater.compress(info.tobuf())]
    parts += [inflater.compress(bytes(MIB)) for _ in range(100)]
    file.write_bytes(b"".join([*parts, inflater.flush()]))
    assert "times its size" in _problem(file)


def test_a_member_that_claims_to_be_endless_ends_the_archive(tmp_path: Path) -> None:
    """A size that is far beyond the file, or negative, is damage: no loop and no traceback."""
    for size in (b"77777777777\0", b"\xff" * 12, b"\x80" + b"\x7f" * 11):
        block = bytearray(tarfile.TarInfo("cells/C/cell.xml").tobuf(tarfile.USTAR_FORMAT))
        block[124:136] = size
        block[148:156] = b"%06o\0 " % (256 + sum(block[:148]) + sum(block[156:]))
        file = tmp_path / "a.tar"
        file.write_bytes(bytes(block) + bytes(1024))
        assert "is a damaged archive" in _problem(file)


def test_an_encrypted_backup_is_one_problem(tmp_path: Path) -> None:
    """A zip with a password is one clear problem, not one for each of its members."""
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(20):
            archive.writestr(f"cells/C/nodes/n{number}/serverindex.xml", "<a/>")
    data = bytearray(file.read_bytes())
    for mark, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = -1
        while (place := data.find(mark, place + 1)) >= 0:
            data[place + flags] |= 1
    file.write_bytes(data)
    assert _problem(file) == "is encrypted"


def test_members_that_share_their_bytes_count_each_time(tmp_path: Path) -> None:
    """Many members just below the limit of one are too much together."""
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"cells/C/nodes/n{number}/serverindex.xml", bytes(15 * MIB))
    found = discover([file])
    assert len(found.files) == 4
    found.files[0].read()
    with pytest.raises(UnreadableError, match="times its size"):
        b"".join(entry.read() for entry in found.files)


def test_a_tar_in_any_order_is_inflated_about_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Members of a tar.gz are read in the order of names without inflating it from its start for each."""
    names = [f"cells/C/nodes/n{number}/serverindex.xml" for number in range(300)]
    random.Random(1).shuffle(names)
    data = os.urandom(40_000)
    file = _tar(tmp_path / "a.tar.gz", [(name, name.encode() + data) for name in names])
    found = discover([file])
    inflated = 0
    original = GzipStream._inflate  # pyright: ignore[reportPrivateUsage]

    def counting(self: GzipStream, size: int) -> bytes:
        nonlocal inflated
        part = original(self, size)
        inflated += len(part)
        return part

    monkeypatch.setattr(GzipStream, "_inflate", counting)
    assert [entry.read() for entry in found.files] == [name.encode() + data for name in sorted(names)]
    # From the start each time it would be 300 halves of 12 MB; from a checkpoint it is a megabyte at most.
    assert 300 * len(data) < inflated < 300 * 1.5 * MIB


@given(
    files=st.lists(st.binary(max_size=5000), min_size=1, max_size=4),
    places=st.lists(st.tuples(st.integers(0, 21_000), st.integers(0, 3000)), max_size=20),
    padding=st.integers(0, 600),
)
@settings(max_examples=60, deadline=None)
def test_a_gzip_stream_reads_like_the_bytes_in_it(
    tmp_path_factory: pytest.TempPathFactory, files: list[bytes], places: list[tuple[int, int]], padding: int
) -> None:
    """Wherever it is read, a gzip stream of one or more files gives what inflating it whole gives."""
    path = tmp_path_factory.mktemp("gzip") / "a.gz"
    path.write_bytes(b"".join(gzip.compress(data) for data in files) + bytes(padding))
    whole = b"".join(files)
    stream = GzipStream(path, spacing=100)
    for place, size in places:
        assert stream.seek(place) == min(place, len(whole))
        assert stream.read(size) == whole[place : place + size]
    stream.close()


def test_checkpoints_stay_few_however_long_the_stream(tmp_path: Path) -> None:
    """The states kept for stepping back have a bound, and every place is still found after they were thinned out."""
    path = tmp_path / "a.gz"
    data = os.urandom(1000) * 3000
    path.write_bytes(gzip.compress(data, 1))
    stream = GzipStream(path, spacing=64)
    while stream.read(997):
        pass
    for place in (2_999_000, 5, 1_500_001, 0):
        stream.seek(place)
        assert stream.read(50) == data[place : place + 50]
    stream.close()


def test_a_cut_gzip_is_damaged(tmp_path: Path) -> None:
    """A compressed dump that ends early is a problem, not a shorter dump."""
    file = tmp_path / "QM1.mqsc.gz"
    file.write_bytes(gzip.compress(SCRIPT + os.urandom(100_000).hex().encode())[:-20])
    (found,) = discover([file]).files
    with pytest.raises(UnreadableError, match="is a damaged archive: it ends before"):
        found.read()


def test_a_name_that_is_no_text_is_shown(tmp_path: Path) -> None:
    """Bytes in names that are no UTF-8, in a folder or in a tar, are shown as escapes, which any output can hold."""
    (tmp_path / os.fsdecode(b"Q\xff.mqsc")).write_bytes(SCRIPT)
    _tar(tmp_path / "a.tar", [(os.fsdecode(b"Q\xfe.mqsc"), SCRIPT)], "w:")
    found = discover([tmp_path])
    assert [entry.path.rpartition("/")[2] for entry in found.files] == ["Q\\xff.mqsc", "Q\\xfe.mqsc"]
    assert [entry.read() for entry in found.files] == [SCRIPT, SCRIPT]
    "".join(entry.path for entry in found.files).encode()


def test_links_to_files_are_not_followed(tmp_path: Path) -> None:
    """A link below a folder leads outside or to what is found anyway; one that is named itself is followed."""
    folder = tmp_path / "export"
    folder.mkdir()
    (tmp_path / "outside.mqsc").write_bytes(SCRIPT)
    (folder / "QM1.mqsc").write_bytes(SCRIPT)
    (folder / "again.mqsc").symlink_to("QM1.mqsc")
    (folder / "out.mqsc").symlink_to(tmp_path / "outside.mqsc")
    found = discover([folder])
    assert [entry.path for entry in found.files] == [str(folder / "QM1.mqsc")]
    assert {entry.reason for entry in found.passed_over} == {"is a symbolic link, which is not followed"}
    assert len(discover([folder / "out.mqsc"]).files) == 1


def test_what_is_given_twice_is_counted_once(tmp_path: Path) -> None:
    """A folder or archive that is named twice, or lies in another one, changes no count."""
    (tmp_path / "notes.txt").write_text("Ask the MQ team.\n")
    (tmp_path / "cut").symlink_to("nowhere")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("notes.txt", "Ask the MQ team.\n")
        archive.writestr("QM1.mqsc", SCRIPT)

    def plain(found: Discovery) -> object:
        return [entry.path for entry in found.files], found.passed_over, found.problems

    once = plain(discover([tmp_path]))
    assert plain(discover([tmp_path, tmp_path, tmp_path / "a.zip"])) == once


def _healthy_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cells/C/cell.xml", "<a/>" * 50)
        archive.writestr("QM1.mqsc", SCRIPT * 20)
    return buffer.getvalue()


def _healthy_tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("cells/C/cell.xml", "QM1.mqsc", "x" * 150 + "/é.mqsc"):
            info = tarfile.TarInfo(name)
            info.size = len(SCRIPT)
            info.mtime = 1.5
            archive.addfile(info, io.BytesIO(SCRIPT))
    return buffer.getvalue()


def _with_checksums(data: bytearray) -> bytes:
    """Headers of a tar made valid again, so that damage gets past the first check."""
    for start in range(0, len(data) - 511, 512):
        block = bytes(data[start : start + 512])
        if block[257:262] == b"ustar":
            data[start + 148 : start + 156] = b"%06o\0 " % (256 + sum(block[:148]) + sum(block[156:]))
    return bytes(data)


@pytest.mark.parametrize("change", ["version", "no name", "name of two kinds"])
def test_a_damaged_directory_of_a_zip_is_told(tmp_path: Path, change: str) -> None:
    """A zip directory that asks for an unknown version, or holds a name that is none, costs no traceback."""
    data = bytearray(_healthy_zip())
    entry = data.find(b"PK\x01\x02")
    if change == "version":
        data[entry + 6] = 255
    elif change == "no name":
        data[entry + 46] = 0
    else:
        data[entry + 9] |= 8  # says UTF-8
        data[entry + 46] = 0xB3
    file = tmp_path / "a.zip"
    file.write_bytes(data)
    found = discover([file])
    assert len(found.problems) == 1
    assert [entry.path for entry in found.files] == ([f"{file}!/QM1.mqsc"] if change == "no name" else [])


@pytest.mark.slow
@given(
    healthy=st.sampled_from([_healthy_zip(), _healthy_tar()]),
    edits=st.lists(st.tuples(st.integers(0, 6000), st.binary(min_size=1, max_size=4)), min_size=1, max_size=5),
    wrap=st.booleans(),
    cut=st.integers(0, 400),
)
@settings(max_examples=300, deadline=None)
def test_damage_is_told_and_never_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, healthy: bytes, edits: list[tuple[int, bytes]], wrap: bool, cut: int
) -> None:
    """Whatever bytes of an archive are changed, reading it ends with members or with UnreadableError."""
    data = bytearray(healthy)
    for place, new in edits:
        place %= len(data)
        data[place : place + len(new)] = new
    raw = _with_checksums(data[: len(data) - cut])
    file = tmp_path_factory.mktemp("damaged") / "a"
    file.write_bytes(gzip.compress(raw) if wrap else raw)
    kind = archive_kind(file.read_bytes()[:8192])
    if kind is None:
        return
    with contextlib.suppress(UnreadableError):
        for member in members(file, "a", kind):
            member.read(100)
            member.read(None)
