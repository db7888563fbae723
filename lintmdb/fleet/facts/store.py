"""The folder of a fleet: facts that stay from audit to audit, and one folder an audit.

    DIR/facts/state.json         which generations of facts count, and which manifest
    DIR/facts/g000001/relation=R/*.parquet
    DIR/facts/manifest-000001.parquet
    DIR/facts/judged-ID.parquet  which parts the audit ID judged
    DIR/audits/ID/_COMPLETE      there once the audit ID is complete

The folder is one that this process and every executor can write by the same path.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from lintmdb.atomic_write import write_atomically
from lintmdb.errors import LintmdbError
from lintmdb.exports.archives import printable
from lintmdb.fleet.arrow import pa, parquet, read_rows

STATE = "lintmdb-facts/2"
COMPLETE = "_COMPLETE"
_JUDGED = "judged-"


class InUseError(LintmdbError):
    """Another audit is writing into the folder."""


class PartInfo(NamedTuple):
    """One part of the facts, as the manifest keeps it."""

    part: int
    unit: int
    path: str
    """Of the unit that describes it, or of the group of units."""
    stamp: str
    grouped: bool
    """Read from all units that tell about one cell or queue manager."""
    export: str
    environment: str | None
    kind: str
    name: str
    root: str
    endpoints: int
    beans: int
    rows: int
    repeats: bool


class PartRow(TypedDict):
    """A row of the table of parts, as an executor writes it."""

    part: int
    unit: int
    export: str
    environment: str | None
    kind: str
    name: str
    root: str
    endpoints: int
    beans: int
    rows: int
    repeats: bool


class StateDocument(TypedDict):
    """``state.json``."""

    schema: str
    key: str
    generations: list[str]
    manifest: str
    next_unit: int
    next_generation: int
    stored_rows: int


_MANIFEST = pa.schema(
    [
        ("part", pa.int64()),
        ("unit", pa.int64()),
        ("path", pa.string()),
        ("stamp", pa.string()),
        ("grouped", pa.bool_()),
        ("export", pa.string()),
        ("environment", pa.string()),
        ("kind", pa.string()),
        ("name", pa.string()),
        ("root", pa.string()),
        ("endpoints", pa.int64()),
        ("beans", pa.int64()),
        ("rows", pa.int64()),
        ("repeats", pa.bool_()),
    ]
)


@dataclass(slots=True)
class State:
    """What the facts of a folder are: their generations, and every part in them that may still count."""

    key: str
    """A hash of what facts depend on beside the exports: version, observations, names."""
    generations: list[str] = field(default_factory=list[str])
    parts: list[PartInfo] = field(default_factory=list[PartInfo])
    next_unit: int = 1
    next_generation: int = 1
    stored_rows: int = 0
    """Rows in all generations, those that no longer count included."""


class Store:
    """Paths and state of one fleet folder. Raises LintmdbError for a name that Spark cannot write."""

    def __init__(self, folder: Path) -> None:
        if printable(str(folder)) != str(folder):
            raise LintmdbError(
                "has a name that is no text in UTF-8, as Spark wants it",
                path=printable(str(folder)),
                next_step="Name another folder",
            )
        self.folder = folder
        self.facts = folder / "facts"
        self.audits = folder / "audits"
        self._temporary = folder / "tmp"

    @contextmanager
    def locked(self) -> Generator[None]:
        """Keep other audits out of the folder. Raises InUseError where one is running."""
        try:
            self.facts.mkdir(parents=True, exist_ok=True)
            self.audits.mkdir(exist_ok=True)
            lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LintmdbError(f"cannot be written: {error.strerror}", path=str(self.folder)) from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InUseError(
                    "another audit is writing here",
                    path=str(self.folder),
                    next_step="Wait for it, or use another --out",
                ) from None
            shutil.rmtree(self._temporary, ignore_errors=True)
            try:
                yield
            finally:  # only the owner of the lock: for anyone else this is the work of a running audit
                shutil.rmtree(self._temporary, ignore_errors=True)
        finally:
            os.close(lock)

    # -- facts

    def load(self, key: str) -> State | None:
        """The state of the facts, None where there are none or they were made under other conditions."""
        state = self.current()
        return state if state is not None and state.key == key else None

    def current(self) -> State | None:
        """The state of the facts as the last audit left them, None where there are none that can be read."""
        file = self.facts / "state.json"
        if not file.exists():
            return None
        try:
            document: StateDocument = json.loads(file.read_text("utf-8"))
            if document["schema"] != STATE:
                return None
            parts = _read_manifest(self.facts / document["manifest"])
            return State(
                document["key"],
                document["generations"],
                parts,
                document["next_unit"],
                document["next_generation"],
                document["stored_rows"],
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None  # unreadable: everything is read again

    def new_state(self, key: str) -> State:
        """A state without facts, whose generations take no name that is in use."""
        numbers = [int(path.name[1:]) for path in self.facts.glob("g*") if path.name[1:].isdigit()]
        return State(key, next_generation=max(numbers, default=0) + 1)

    def add_generation(self, state: State) -> Path:
        """The folder of a new generation; it does not exist yet."""
        name = f"g{state.next_generation:06}"
        state.next_generation += 1
        state.generations.append(name)
        shutil.rmtree(self.facts / name, ignore_errors=True)
        return self.facts / name

    def parts_of(self, generation: Path) -> list[PartRow]:
        """The rows of the table of parts in a generation."""
        folder = generation / "relation=part"
        return read_rows(folder, PartRow) if folder.exists() else []

    def stored_parts(self, state: State) -> Iterator[int]:
        """The numbers of all parts that lie in the generations."""
        for folder in self.folders(state, "part"):
            yield from (row["part"] for row in read_rows(folder, PartRow, ["part"]))

    def save(self, state: State) -> None:
        """Make a state the one that counts, and remove what no longer does."""
        manifest = f"manifest-{state.next_generation:06}.parquet"
        _write_manifest(self.facts / manifest, state.parts)
        document: StateDocument = {
            "schema": STATE,
            "key": state.key,
            "generations": state.generations,
            "manifest": manifest,
            "next_unit": state.next_unit,
            "next_generation": state.next_generation,
            "stored_rows": state.stored_rows,
        }
        write_atomically(self.facts / "state.json", (json.dumps(document, indent=1) + "\n").encode())
        for path in self.facts.iterdir():
            if path.is_dir() and path.name not in state.generations:
                shutil.rmtree(path, ignore_errors=True)
            elif path.name.startswith("manifest-") and path.name != manifest:
                path.unlink(missing_ok=True)

    def folders(self, state: State, relation: str) -> list[str]:
        """Where the rows of a relation lie."""
        folders = (self.facts / generation / f"relation={relation}" for generation in state.generations)
        return [str(folder) for folder in folders if folder.is_dir()]

    # -- audits

    def remember(self, audit: str, judged: Sequence[PartInfo]) -> None:
        """Note which parts an audit has judged, before it is complete; only those of the last one before it stay."""
        kept = {audit, *(folder.name for folder in self.complete_audits()[-1:])}
        for file in self.facts.glob(f"{_JUDGED}*.parquet"):
            if file.stem.removeprefix(_JUDGED) not in kept:
                file.unlink(missing_ok=True)
        _write_manifest(self.facts / f"{_JUDGED}{audit}.parquet", judged)

    def judged(self, audit: str) -> list[PartInfo] | None:
        """The parts that an audit has judged, None where nobody knows."""
        try:
            return _read_manifest(self.facts / f"{_JUDGED}{audit}.parquet")
        except (OSError, ValueError, TypeError):
            return None

    def new_audit(self) -> tuple[str, Path]:
        """The id of a new audit, and the folder that it is written to until it is complete."""
        taken = [path.name for path in self.audits.iterdir()]
        numbers = [int(number) for name in taken if (number := name.rpartition("-")[2]).isdigit()]
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{max(numbers, default=0) + 1}"
        folder = self._temporary / name
        folder.mkdir(parents=True)
        return name, folder

    def finish(self, name: str, folder: Path) -> Path:
        """Mark an audit as complete and move it to its place, all at once for whoever reads there."""
        (folder / COMPLETE).write_text("", "utf-8")
        return folder.rename(self.audits / name)

    def complete_audits(self) -> list[Path]:
        """The complete audits, the oldest first."""
        return sorted((path.parent for path in self.audits.glob(f"*/{COMPLETE}")), key=_audit_order)


def _write_manifest(file: Path, parts: Sequence[PartInfo]) -> None:
    columns = [list(column) for column in zip(*parts, strict=True)] or [[] for _ in PartInfo._fields]
    parquet.write_table(pa.table(dict(zip(PartInfo._fields, columns, strict=True)), _MANIFEST), file)


def _read_manifest(file: Path) -> list[PartInfo]:
    table = parquet.ParquetFile(file).read()
    columns: list[list[Any]] = [table[name].to_pylist() for name in PartInfo._fields]
    return [PartInfo._make(row) for row in zip(*columns, strict=True)]


def _audit_order(path: Path) -> tuple[int, str]:
    number = path.name.rpartition("-")[2]
    return (int(number) if number.isdigit() else 0, path.name)


def build_infos(rows: Iterable[PartRow], about: dict[int, tuple[str, str, bool]]) -> list[PartInfo]:
    """Rows of the table of parts with what the driver knows of their units: path, stamp, and whether it is a group."""
    infos: list[PartInfo] = []
    for row in rows:
        path, stamp, grouped = about[row["unit"]]
        infos.append(
            PartInfo(
                part=row["part"],
                unit=row["unit"],
                path=path,
                stamp=stamp,
                grouped=grouped,
                export=row["export"],
                environment=row["environment"],
                kind=row["kind"],
                name=row["name"],
                root=row["root"],
                endpoints=row["endpoints"],
                beans=row["beans"],
                rows=row["rows"],
                repeats=row["repeats"],
            )
        )
    return sorted(infos)
