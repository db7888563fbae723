"""Cards that a browser makes when somebody opens them, compressed: as elements, ten thousand would fill its memory."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

MOST_PLAIN = 300
"""Up to so many cards, all are elements of the page, and can be read without its script."""
WORST_PLAIN = 60
"""Of more cards, so many are, the worst."""
SIZE = 50
"""So many cards are one pack."""
_SEPARATOR = "\x1e"
"""Stands in no card: text of exports has its control characters spelled out."""


def count_plain(cards: int) -> int:
    """How many of so many cards are elements of the page."""
    return cards if cards <= MOST_PLAIN else WORST_PLAIN


def pack_cards(cards: Iterable[Markup]) -> Iterator[Markup]:
    """The packs of cards in their order, each as base64 of a raw deflate stream of UTF-8."""
    pack: list[Markup] = []
    for card in cards:
        pack.append(card)
        if len(pack) == SIZE:
            yield _packed(pack)
            pack = []
    if pack:
        yield _packed(pack)


def _packed(cards: Sequence[Markup]) -> Markup:
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(_SEPARATOR.join(cards).encode()) + packer.flush()
    return Markup(base64.b64encode(data).decode())


def unpacked(pack: str) -> list[str]:
    """The cards of a pack, as the page's script reads them."""
    return zlib.decompress(base64.b64decode(pack), -zlib.MAX_WBITS).decode().split(_SEPARATOR)
