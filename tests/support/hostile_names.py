"""An estate in which names and descriptions are written by somebody who means harm."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tests.support.project import FIXTURES

PAYLOADS = {
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1+1",
    "minus": "-2+3",
    "at": "@SUM(A1)",
    "wide": "＝1+1",
    "script": "<script>alert(1)</script>",
    "entity": "&lt;b&gt;&amp;",
    "cdata": "a]]>b<![CDATA[c",
    "comment": "--><!-- x -->",
    "encoded_command": "%0A::error file=x::pwned",
    "command": "::add-mask::x",
    "old_command": "x ##[error]pwned",
    "property": "x,line=1::y",
    "quotes": "quote\"and'single",
    "table": "a|b|c",
    "link": "[link](http://evil.example) [1](1)",
    "image": "![i](http://evil.example/i.png)",
    "address": "https://evil.example www.evil.example",
    "mention": "x@octocat",
    "code": "`x` ```y",
    "backslash": "a\\b\\",
    "emphasis": "*a* _b_ ~~c~~ # d",
    "braces": "{0} {name} ${{ github.token }} $x$",
    "direction": "\u202eevil\u2066 \u200b\u061c",
    "astral": "\U0001f600 \u2028",
    "long": "x" * 3000,
}
"""What the activation specification, its bean and the queue's description are called."""

CONTROL = {
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "separators": "a\x1fb\x0bc\x0cd",
    "c1": "a\x9bb",
    "return": "a\r::error::pwned",
}
"""What only MQ can hold, in a queue's description and in a backout queue's name."""


def hostile_estate(folder: Path, name: str) -> None:
    """A copy of a scenario with findings about ``name``; control characters go where XML has no part."""
    shutil.copytree(FIXTURES / "stop-3-sessions-5-bothresh-5", folder, dirs_exist_ok=True)
    (folder / "expected.yaml").unlink()
    script = next(folder.glob("mq/*"))
    quoted = name.replace("'", "''")
    text = script.read_text().replace("DESCR(' ')", f"DESCR('{quoted}')")
    text = text.replace("BOQNAME('ORDERS.BACKOUT')", f"BOQNAME('{quoted}')")
    script.write_text(text, "utf-8", newline="")
    if name in CONTROL.values():
        return
    attribute = quoteattr(name, {"\n": "&#10;"})
    content = attribute[1:-1].replace("&quot;", '"')
    for file in folder.rglob("*.xml"):
        text = file.read_text()
        text = text.replace('name="OrdersAS"', f"name={attribute}").replace('name="OrderBean"', f"name={attribute}")
        text = text.replace("<ejb-name>OrderBean</ejb-name>", f"<ejb-name>{content}</ejb-name>")
        file.write_text(text, "utf-8")
