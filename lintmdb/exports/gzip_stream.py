"""A gzip file that can be read at any place, forwards and backwards, without inflating it from its start each time.

A backup's members lie in the order in which a folder was listed, and are read in the order of their names. The
inflater's state is kept every few megabytes (about 45 KB each), so that a step back inflates a few megabytes at most.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zlib import _Decompress  # pyright: ignore[reportPrivateUsage]  the only name of this type

_COMPRESSED_BLOCK = 1 << 16
_MAX_CHECKPOINTS = 256
_GZIP = 16 + zlib.MAX_WBITS


class _Checkpoint(NamedTuple):
    position: int
    """How many bytes came out so far."""
    compressed: int
    """How many bytes of the file went in; ``pending`` is read but not yet in."""
    pending: bytes
    inflater: _Decompress


class GzipStream:
    """Reads the inflated bytes of a gzip file, or of several in a row, as one seekable stream.

    Raises EOFError where the file ends too early, zlib.error where it is damaged.
    """

    def __init__(self, path: Path, *, spacing: int = 1 << 20) -> None:
        self._file = path.open("rb")
        self._spacing = spacing
        self._checkpoints = [_Checkpoint(0, 0, b"", zlib.decompressobj(_GZIP))]
        self._ended = False
        self._go_to(self._checkpoints[0])

    @property
    def size(self) -> int:
        """How many bytes came out at the farthest checkpoint: real bytes, not what a header says."""
        return max(self._checkpoints[-1].position, self._position)

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes; fewer only at the end."""
        parts: list[bytes] = []
        while size > 0 and (part := self._inflate(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def tell(self) -> int:
        """The position in the inflated bytes."""
        return self._position

    def seek(self, position: int, whence: int = 0) -> int:
        """Go to a position counted from the start, or to the end if that comes first."""
        if whence != 0 or position < 0:
            raise ValueError("a gzip stream is positioned from its start")
        best = max((c for c in self._checkpoints if c.position <= position), key=lambda c: c.position)
        if position < self._position or best.position > self._position:
            self._go_to(best)
        while self._position < position and self._inflate(min(_COMPRESSED_BLOCK, position - self._position)):
            pass
        return self._position

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _go_to(self, checkpoint: _Checkpoint) -> None:
        self._position = checkpoint.position
        self._pending = checkpoint.pending
        self._inflater = checkpoint.inflater.copy()
        self._ended = False
        self._file.seek(checkpoint.compressed)

    def _inflate(self, size: int) -> bytes:
        while not self._ended:
            if self._inflater.eof:
                self._next_file()
                continue
            source = self._pending or self._file.read(_COMPRESSED_BLOCK)
            data = self._inflater.decompress(source, size)
            self._pending = self._inflater.unused_data if self._inflater.eof else self._inflater.unconsumed_tail
            if data:
                self._position += len(data)
                self._remember()
                return data
            if not source and not self._inflater.eof:
                raise EOFError("it ends before its end-of-stream marker")
        return b""

    def _next_file(self) -> None:
        """gzip files may follow one another; zeros after the last are padding."""
        rest = self._pending
        while not rest.strip(b"\0"):
            rest = self._file.read(_COMPRESSED_BLOCK)
            if not rest:
                self._ended = True
                return
        self._pending = rest.lstrip(b"\0")
        self._inflater = zlib.decompressobj(_GZIP)

    def _remember(self) -> None:
        if self._inflater.eof or self._position < self._checkpoints[-1].position + self._spacing:
            return
        if len(self._checkpoints) >= _MAX_CHECKPOINTS:
            del self._checkpoints[1::2]
            self._spacing *= 2
        else:
            state = self._inflater.copy()
            self._checkpoints.append(_Checkpoint(self._position, self._file.tell(), self._pending, state))
