"""What a program has that Jython 2.1 lacks: constructs, names and methods of later versions.

The program is parsed as Python 3, so it may have only what both understand. Where the type of a value decides, such as
behind ``in``, whatever is not plainly allowed counts as later.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping

_CONSTRUCTS: Mapping[type[ast.AST], str] = {
    ast.With: "with",
    ast.Yield: "a generator",
    ast.YieldFrom: "a generator",
    ast.IfExp: "a conditional expression",
    ast.GeneratorExp: "a generator expression",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.Set: "a set",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment expression",
    ast.Starred: "a starred expression",
    ast.AnnAssign: "an annotation",
    ast.Await: "await",
    ast.AsyncFunctionDef: "async",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.Nonlocal: "nonlocal",
    ast.Match: "match",
    ast.TryStar: "except*",
    ast.FloorDiv: "the operator //",
    ast.MatMult: "the operator @",
}
_NAMES = frozenset(
    [
        "all",
        "any",
        "ascii",
        "basestring",
        "bin",
        "bool",
        "bytearray",
        "bytes",
        "classmethod",
        "dict",
        "enumerate",
        "file",
        "format",
        "frozenset",
        "help",
        "iter",
        "memoryview",
        "next",
        "object",
        "open_text",
        "property",
        "reversed",
        "set",
        "sorted",
        "staticmethod",
        "sum",
        "super",
        "StopIteration",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "ReferenceError",
        "BaseException",
        "GeneratorExit",
    ]
)
_METHODS = frozenset(
    [
        "casefold",
        "decode",
        "format",
        "format_map",
        "fromkeys",
        "isdecimal",
        "isidentifier",
        "iteritems",
        "iterkeys",
        "itervalues",
        "partition",
        "removeprefix",
        "removesuffix",
        "rpartition",
        "rsplit",
        "viewitems",
        "viewkeys",
        "viewvalues",
        "zfill",
    ]
)
_MODULES = frozenset({"sys"})
_LARGEST = 2**31 - 1
_PREFIX = re.compile(r"""(?:u?r?)["']""", re.IGNORECASE)


def later_than_2_1(text: str) -> list[str]:
    """What Jython 2.1 lacks, as ``LINE: WHAT``; empty where it runs the program."""
    tree = ast.parse(text)
    found = [(node.lineno, what) for node, what in _checked(tree)]
    found += [(number, what) for number, what in _tokens(text)]
    return [f"{line}: {what}" for line, what in sorted(set(found))]


def _checked(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Each node of which something is later."""
    sequences = _sequences(tree)
    at: ast.expr | ast.stmt = tree.body[0]
    for node in ast.walk(tree):
        # Operators and slices have no place of their own: that of a node near by is good enough.
        at = node if isinstance(node, ast.expr | ast.stmt) else at
        if type(node) in _CONSTRUCTS:
            yield at, _CONSTRUCTS[type(node)]
        if isinstance(node, ast.Compare):
            yield from ((node, "in, on what may be no sequence") for _ in _memberships(node, sequences))
        check = _CHECKS.get(type(node))
        if check is not None:
            yield from ((at, what) for what in check(node))


def _sequences(tree: ast.Module) -> set[str]:
    """The names of lists and tuples that a module has."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Tuple)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _memberships(node: ast.Compare, sequences: set[str]) -> Iterator[ast.expr]:
    """What stands behind ``in`` and is not plainly a sequence of more than characters."""
    lefts = [node.left, *node.comparators]
    for left, operator, right in zip(lefts, node.ops, node.comparators, strict=False):
        if not isinstance(operator, ast.In | ast.NotIn) or isinstance(right, ast.List | ast.Tuple):
            continue
        letter = isinstance(left, ast.Constant) and isinstance(left.value, str) and len(left.value) == 1
        known = isinstance(right, ast.Name) and right.id in sequences
        if not known and not (letter and isinstance(right, ast.Constant)):
            yield right


def _function(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.FunctionDef)
    arguments = node.args
    if node.decorator_list:
        yield f"decorators of {node.name}"
    if node.returns or any(a.annotation for a in (*arguments.args, *arguments.posonlyargs, *arguments.kwonlyargs)):
        yield f"annotations of {node.name}"
    if arguments.kwonlyargs or arguments.posonlyargs:
        yield f"kinds of parameters of {node.name}"
    inner = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef) and n is not node]
    if inner:
        yield f"nested scopes in {node.name}"


def _class(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.ClassDef)
    if node.decorator_list or node.keywords:
        yield f"decorators or keywords of {node.name}"


def _try(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Try)
    if node.handlers and node.finalbody:
        yield "except and finally together"
    if any(handler.name for handler in node.handlers):
        yield "except with as"


def _raise(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Raise)
    if node.cause:
        yield "raise with from"


def _name(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Name)
    if node.id in _NAMES:
        yield f"the name {node.id}"


def _attribute(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Attribute)
    if node.attr in _METHODS:
        yield f"the method {node.attr}"


def _constant(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, bool | bytes):
        yield f"the constant {node.value!r}"
    elif isinstance(node.value, int) and node.value > _LARGEST:
        yield f"the number {node.value}"


def _slice(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Slice)
    if node.step:
        yield "a slice with steps"


def _import(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Import | ast.ImportFrom)
    names = [node.module or "."] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    yield from (f"the module {name}" for name in names if name not in _MODULES)


def _call(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.Call)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name == "print" and (len(node.args) != 1 or node.keywords):
        yield "print as a function"
    if name == "isinstance" and isinstance(node.args[-1], ast.Tuple):
        yield "isinstance with several types"
    if name in ("max", "min", "zip", "int", "str", "list", "range") and node.keywords:
        yield f"{name} with keywords"
    if method == "sort" and node.keywords:
        yield "sort with keywords"
    if method in ("strip", "lstrip", "rstrip") and node.args:
        yield f"{method} with characters"
    if method in ("startswith", "endswith") and isinstance(node.args[0], ast.Tuple):
        yield f"{method} with several texts"
    if method == "pop" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        yield "pop on a dict"


def _loop(node: ast.AST) -> Iterator[str]:
    assert isinstance(node, ast.For | ast.comprehension)
    if isinstance(node.iter, ast.Dict | ast.Set):
        yield "a loop over a dict"


_CHECKS: Mapping[type[ast.AST], Callable[[ast.AST], Iterator[str]]] = {
    ast.FunctionDef: _function,
    ast.ClassDef: _class,
    ast.Try: _try,
    ast.Raise: _raise,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.Slice: _slice,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Call: _call,
    ast.For: _loop,
    ast.comprehension: _loop,
}


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """What the tree does not show: how strings and numbers are written, and characters that are not ASCII."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.isascii():
            yield number, "a character that is not ASCII"
    previous = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and not _PREFIX.match(token.string):
            yield token.start[0], f"the prefix of {token.string[:9]}"
        if token.type == tokenize.NUMBER and re.match(r"0[ob]|.*_", token.string, re.IGNORECASE):
            yield token.start[0], f"the spelling of {token.string}"
        if token.string == "(" and previous == "import":
            yield token.start[0], "import with parentheses"
        previous = token.string
