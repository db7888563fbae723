"""Where the picture of the README is, and how large it may be."""

from __future__ import annotations

from tests.support.project import ROOT

PICTURE = ROOT / "docs" / "images" / "page.png"
MOST_BYTES = 200_000
