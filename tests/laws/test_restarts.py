"""A plan says what may have to be started again, whichever findings it is made for."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lintmdb.delivery.fate import Fate
from lintmdb.engine.findings import FlowHead
from lintmdb.engine.traces import trace_flow
from lintmdb.plan.document import plan_document
from lintmdb.plan.evaluation import Evaluator, flow_key, worst_later
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy
from lintmdb.plan.script_order import place_of
from lintmdb.plan.scripts import plan_scripts
from lintmdb.plan.things import changed_things, things
from lintmdb.report.html.plan_page import render_plan_html
from lintmdb.report.plan_markdown import render_plan_markdown
from lintmdb.report.plan_text import render_plan
from lintmdb.report.terminal import Style
from lintmdb.run.estate import read_exports
from lintmdb.settings.changes import Assignment, Definition
from lintmdb.settings.kinds import restarted_servers, servers_in
from tests.laws.laws import OBSERVED, seeds
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES

pytestmark = pytest.mark.slow

_POLICIES = (
    Policy(most_states=20),
    Policy(only="mq", most_states=20),
    Policy(only="was", most_states=20),
    Policy(severity="error", most_states=20),
)
_SERVERS = (
    "then restart ",
    "Restart the servers that use channel ",
    "Restart the endpoints that subscribe",
    "it resumes with the restart of ",
)


def _stalled(head: FlowHead) -> Iterator[tuple[str, str]]:
    """The queue and the endpoint of a flow that stops or is blocked; a bus delivers again by itself after a time."""
    fates = {told.outcome.fate for told in trace_flow(head, None) if told.workload.poison}
    rows = head.rows
    if Fate.STOPPED in fates or (Fate.BLOCKED in fates and rows.endpoint.provider == "wmq"):
        yield (rows.queue.name if rows.queue is not None else rows.endpoint.queue) or "", rows.endpoint.name


def _fates(head: FlowHead) -> list[Fate]:
    return [told.outcome.fate for told in trace_flow(head, None) if told.workload.poison]


def _says(text: str, queue: str, endpoint: str) -> bool:
    """Whether a text says to start the reader of a queue again; long lists of names may be cut."""
    sentences = [f"{sentence} " for sentence in re.split(r"\.\s+", " ".join(text.split()))]
    names = re.compile(rf"[ (]({re.escape(queue)}|{re.escape(endpoint)}|\d+ more)[ ,.<]")
    own = ("estart what reads ", "has already stopped, start it again", "delivery has already stopped, restart ")
    return any(
        any(words in sentence for words in _SERVERS)
        or (any(words in sentence for words in own) and names.search(sentence) is not None)
        for sentence in sentences
    )


def _texts(plan: Plan) -> Iterator[tuple[str, str]]:
    yield "text", "\n".join(render_plan(plan, Style(200), None))
    yield "plan.md", html.unescape(render_plan_markdown(plan).replace("\\", ""))
    yield "plan.html", html.unescape(render_plan_html(plan))


def _unsaid(plan: Plan, asked: list[str]) -> Iterator[str]:
    former = {flow_key(head): head for head in plan.before.judgement.flows}
    later = worst_later(plan.before, plan.after)
    entries = dict(zip(plan.changes, plan_document(plan)["changes"], strict=True))
    scripts = {
        script.owner: re.sub(r"\n[*#] *", " ", script.text)
        for script in plan_scripts(plan.changes)
        if script.purpose == "make"
    }
    texts: Sequence[tuple[str, str]] = ()
    for key, head in former.items():
        if key in later and _fates(later[key]) == _fates(head):
            continue  # what is not mended stops again
        for queue, endpoint in _stalled(head):
            own = {*things(head.rows), *things(later.get(key, head).rows)}
            for change in plan.changes:
                if own.isdisjoint(changed_things(change)):
                    continue
                asked.append(queue)
                texts = texts or tuple(_texts(plan))
                told = [("plan.json", entries[change]["acts"]), ("script", scripts[place_of(change)]), *texts]
                yield from (
                    f"{name}: {change.target.name}" for name, text in told if not _says(f"{text}. ", queue, endpoint)
                )


def test_each_change_on_a_flow_that_stalls_names_the_restart(tmp_path: Path) -> None:
    """A consumer that is blocked, or that has stopped, takes no notice of a change that mends its flow."""
    asked, unsaid = list[str](), list[str]()
    for seed in seeds(12):
        build_estate(seed).write(tmp_path / str(seed))
        exports = read_exports([tmp_path / str(seed)])
        for policy in _POLICIES:
            plan = make_plan(Evaluator(exports, OBSERVED, RULES), policy)
            unsaid += [f"{seed} {text}" for text in _unsaid(plan, asked)]
    assert len(asked) > 90
    assert unsaid == []


def _missing(plan: Plan, asked: list[str]) -> Iterator[str]:
    """The servers that a change anywhere asks to restart, and that the script for their cell neither restarts, be it as
    those whose beans use an object, nor names.
    """
    heads = {
        script.owner[1]: " ".join(re.sub(r"\n# *", " ", script.text.partition("\nCELL =")[0]).split())
        for script in plan_scripts(plan.changes)
        if script.path.startswith("was/") and script.path.endswith(".py")
    }
    restarted = {(change.target.place_key, name) for change in plan.changes for name in restarted_servers(change)}
    for change in plan.changes:
        waiting = [] if isinstance(change, Definition) else [*change.revives]
        waiting += change.readers if isinstance(change, Assignment) else ()
        for stalled in waiting:
            for name in servers_in(stalled.servers) or [stalled.endpoint]:
                if stalled.cell in heads and (stalled.cell, name) not in restarted:
                    asked.append(name)
                    either = "|".join(map(re.escape, (name, stalled.endpoint) if stalled.stops else (name,)))
                    if not re.search(rf"[ (]({either})[ ,.)]", f"{heads[stalled.cell]} "):
                        yield f"{stalled.cell}: {name}"


def test_who_runs_the_script_for_a_cell_reads_every_restart_in_it(tmp_path: Path) -> None:
    """Also those that only a change of a queue manager asks for."""
    asked, missing = list[str](), list[str]()
    for seed in seeds(20):
        build_estate(seed).write(tmp_path / str(seed))
        plan = make_plan(Evaluator(read_exports([tmp_path / str(seed)]), OBSERVED, RULES), _POLICIES[0])
        missing += [f"{seed} {text}" for text in _missing(plan, asked)]
    assert len(asked) > 3
    assert missing == []
