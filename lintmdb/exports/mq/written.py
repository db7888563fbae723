"""The parameters of a command as a script writes them, those among them that the reader drops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintmdb.exports.mq.commands import Written
from lintmdb.exports.mq.joined import join_lines
from lintmdb.exports.mq.lines import BLANKS, MARKS, PARAMETER, holds_template, record_text, unquote
from lintmdb.exports.mq.quotation_marks import unquoted_fault


def written_parameters(lines: Sequence[str], line: int, column: int) -> Iterator[Written]:
    """The parameters behind the verb of the command that begins at a line and a column, both from 1."""
    joined = join_lines(_command_lines(lines, line - 1), line)
    verb = PARAMETER.match(joined.text, column - 1)
    position = verb.end() if verb is not None else len(joined.text)
    while match := PARAMETER.match(joined.text, position):
        position, raw = match.end(), match.group(3)
        keyword, value, template, unquoted = match.group(1).upper(), None, False, ""
        if raw is not None:
            raw = raw.strip(BLANKS)
            value, template, unquoted = unquote(raw), holds_template(raw), unquoted_fault(keyword, raw)
        yield Written(keyword, value, *joined.place(match.start(1)), template, unquoted)


def _command_lines(lines: Sequence[str], first: int) -> Sequence[str]:
    """The physical lines of the command that begins on one of some lines, counted from 0."""
    for number in range(first, len(lines)):
        body = record_text(lines[number])
        comment = lines[number][:1] == "*" or (number > first and not body)
        if not comment and body[-1:] not in MARKS:
            return lines[first : number + 1]
    return lines[first:]
