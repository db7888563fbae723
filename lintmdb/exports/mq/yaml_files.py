"""Whether a file that contains YAML is YAML itself, or quotes it: READMEs, shell scripts, Terraform and programs do."""

from __future__ import annotations

import re

_SUFFIXES = (".yaml", ".yml", ".json")
_OTHERS = frozenset({
    "adoc", "asciidoc", "bash", "bat", "c", "cmd", "cs", "css", "go", "gradle", "groovy", "hcl", "htm", "html", "ipynb",
    "java", "jcl", "js", "jsx", "jy", "kt", "ksh", "lua", "md", "markdown", "mdx", "php", "pl", "ps1", "py", "rb", "rs",
    "rst", "scala", "sh", "swift", "tf", "ts", "tsx", "vue", "xml", "zsh",
})  # fmt: skip
"""Suffixes of files that are in another language."""
_NOT_CONTENT = re.compile(r"[ \t]*(?:#.*|\{\{.*|\{%.*|<%.*|%.*|---.*|\.\.\.[ \t]*)?\r?\Z")
"""Lines that YAML, or a template of it, may have above its first key."""
_CONTENT = re.compile(
    r"""[ \t]*(?:[\w./$-]+[ \t]*:(?:[ \t\r]|\Z)|"[^"\n]*"[ \t]*:|'[^'\n]*'[ \t]*:|-[ \t\r]|[{\[]|[?!&])"""
)


def may_be_yaml(head: bytes, path: str = "") -> bool:
    """Whether a file that starts like this may be YAML or JSON: by its name, where that tells, and else by its first
    line that is no comment. A file with such a name that cannot be read is broken; another one is something else.
    """
    name = path.lower().rpartition("/")[2]
    if name.endswith(_SUFFIXES):
        return True
    if "." in name and name.rpartition(".")[2] in _OTHERS:
        return False
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    first = next((line for line in text.split("\n") if _NOT_CONTENT.match(line) is None), "")
    return not first or _CONTENT.match(first) is not None
