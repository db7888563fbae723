"""The terminal report: findings grouped by flow, each with the lines that cause it, and a footer of what is left
open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lintmdb.engine.findings import Finding, FlowHead, Judgement, Undecided
from lintmdb.engine.need_groups import group_by_need
from lintmdb.model.origins import Origin
from lintmdb.report.flow_repairs import UNPLANNED, FlowRepair, Repairs, Teller
from lintmdb.report.repair_text import advice_lines, closing_line, repair_lines
from lintmdb.report.setting_value import value_span
from lintmdb.report.subjects import headline, subject_text
from lintmdb.report.terminal import Style, plural, safe, wrap
from lintmdb.report.timeline import timeline
from lintmdb.rules.rule import SEVERITIES, severity_rank

_COMMAND = re.compile(r"(?:ALTER|DEFINE|DELETE|SET) [A-Z]|wsadmin: ")
_INDENT = " " * 10


def render_text(
    judgement: Judgement, files: int, style: Style, repairs: Repairs = UNPLANNED, *, traces: bool = False
) -> Iterator[str]:
    """The lines of the report, without line ends; with ``traces`` each finding about delivery tells its story, and
    each change has its commands.
    """
    by_flow: dict[int | None, list[Finding]] = {}
    for finding in judgement.findings:
        by_flow.setdefault(finding.flow, []).append(finding)
    order = sorted((number for number in by_flow if number is not None), key=lambda n: _worst_first(by_flow[n]))
    teller = Teller()
    names = {number: judgement.flows[number].subject.name or "" for number in order}
    told: list[FlowRepair] = []
    for number in order:
        yield from _flow(judgement.flows[number], by_flow[number], style, traces)
        told.append(repairs.of(number, by_flow[number]))
        yield from repair_lines(told[-1], number, names, teller, style, commands=traces)
        if traces:
            yield from advice_lines(told[-1].answered(by_flow[number]), style)
        yield ""
    for place, finding in enumerate(by_flow.get(None, ()), len(judgement.flows)):
        names[place] = finding.subject.name or ""
        told.append(repairs.of(None, [finding]))
        yield style.paint("bold", safe(subject_text(finding.subject)))
        yield from finding_lines(finding, style, traces)
        yield from repair_lines(told[-1], place, names, teller, style, commands=traces)
        if traces:
            yield from advice_lines(told[-1].answered([finding]), style)
        yield ""
    yield from _footer(judgement, files, style)
    if closing := closing_line(told, planned=repairs.planned):
        yield closing


def _worst_first(findings: Sequence[Finding]) -> tuple[int, int]:
    worst = min(severity_rank(finding.rule.severity) for finding in findings)
    return worst, findings[0].flow or 0


def _flow(head: FlowHead, findings: Sequence[Finding], style: Style, traces: bool) -> Iterator[str]:
    yield style.paint("bold", safe(headline(head)))
    for finding in sorted(findings, key=lambda f: (severity_rank(f.rule.severity), f.rule.id)):
        yield from finding_lines(finding, style, traces)


def finding_lines(finding: Finding, style: Style, traces: bool = False, *, fix: bool = False) -> list[str]:
    """A finding below the line that names its subject: message, places, and with ``fix`` what to do."""
    severity = finding.rule.severity
    label = style.paint(severity, f"{severity:<7}")
    lines = [f"  {label} {style.paint('bold', finding.rule.id)} {finding.rule.name}"]
    message = safe(finding.message) + ("" if finding.message.endswith(".") else ".")
    shared = f" ({finding.flows} flows share this.)" if finding.flows > 1 else ""
    lines += [_INDENT + line for line in wrap(message + shared, style.width - 10)]
    for place in (finding.location, *finding.related):
        if place is not None:
            lines += _place(place, style)
    if traces:
        lines += timeline(finding.trace, style, _INDENT)
    return [*lines, *_fix(finding, style)] if fix else lines


def _fix(finding: Finding, style: Style) -> Iterator[str]:
    lead, following = f"{_INDENT}{style.paint('dim', 'fix: ')}", f"{_INDENT}{style.paint('dim', '     ')}"
    for text in finding.fix.split("\n"):
        for line in _fix_lines(safe(text), style.width - 15):
            yield lead + line
            lead = following


def _fix_lines(text: str, width: int) -> list[str]:
    """A line of a fix in lines of that width; a command, which is there to be copied, stays whole."""
    return [text] if _COMMAND.match(text) else wrap(text, width)


def _place(place: Origin, style: Style) -> list[str]:
    """The place, the setting as written, and its value underlined; on two lines where one would be too long."""
    where = safe(f"{place.path}:{place.line}:{place.column}" if place.line else place.path)
    text = safe(place.text)
    lines: list[str] = []
    if where and len(where) + len(text) + 12 > style.width:
        lines.append(_INDENT + where)
        prefix = _INDENT + "  "
    else:
        prefix = f"{_INDENT}{where}  " if where else _INDENT
    span = value_span(place, text)
    if span is None:
        return [*lines, prefix + text]
    start, end = span
    if style.colour:
        return [*lines, prefix + text[:start] + style.paint("underline", text[start:end]) + text[end:]]
    return [*lines, prefix + text, " " * (len(prefix) + start) + "^" * max(end - start, 1)]


def _footer(judgement: Judgement, files: int, style: Style) -> Iterator[str]:
    counts = dict.fromkeys(SEVERITIES, 0)
    for finding in judgement.findings:
        counts[finding.rule.severity] += 1
    flows, total = len(judgement.flows), sum(counts.values())
    basis = f"{plural(judgement.clear, 'check')} clear in {plural(flows, 'flow')}, {plural(files, 'file')} read"
    if judgement.unread_queues:
        basis += f"; {plural(judgement.unread_queues, 'queue')} and queue managers without an endpoint"
    open_count = len(judgement.undecided)
    if not total and not open_count and not judgement.endpoints and not judgement.unread_queues:
        yield f"nothing judged: {basis}"
    elif not total:
        rest = f", {open_count} undecided" if open_count else ""
        yield f"{style.paint('green', 'no findings')}: {basis}{rest}"
    else:
        parts = [style.paint(s, plural(counts[s], s)) for s in SEVERITIES if counts[s]]
        yield f"{', '.join(parts)}; {open_count} undecided; {basis}"
    unread = [notice for notice in judgement.notices if notice.kind == "not_read"]
    if unread:
        yield style.paint("warning", f"{plural(len(unread), 'named file')} not read:")
        yield from (f"  {safe(notice.path)} {safe(notice.text)}" for notice in unread)
    if left_out := suppressed_text(judgement):
        yield left_out
    yield from _missing_sources(judgement.undecided, style)


def suppressed_text(judgement: Judgement) -> str:
    """How many findings do not count, in one line; blank where all do."""
    in_baseline = sum(1 for entry in judgement.suppressed if entry.kind == "baseline")
    suppressed = len(judgement.suppressed) - in_baseline
    parts = [f"{suppressed} suppressed"] if suppressed else []
    if in_baseline:
        parts.append(f"{in_baseline} in the baseline")
    return f"{plural(len(judgement.suppressed), 'finding')} left out: {', '.join(parts)}" if parts else ""


def _missing_sources(undecided: Iterable[Undecided], style: Style) -> Iterator[str]:
    ends = group_by_need(undecided)
    for end in ends[:20]:
        yield from _indented(" " * (5 - len(str(len(end.entries)))) + end.sentence, style)
    if len(ends) > 20:
        yield f"      and {len(ends) - 20} more sources (--format json lists every one)"


def _indented(line: str, style: Style) -> Iterator[str]:
    for number, part in enumerate(wrap(safe(line.lstrip()), style.width - 6)):
        lead = line[: len(line) - len(line.lstrip())] if number == 0 else "      "
        yield lead + part
