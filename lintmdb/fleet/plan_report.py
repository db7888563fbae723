"""What is said of an audit's plan: what it comes to, and its waves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lintmdb.fleet.summary import PlanRecord, WaveRecord
from lintmdb.report.terminal import plural, safe

FOLDER = "changes"
"""The folder of an audit with plan.json and the scripts."""
WAVES_PRINTED = 5
_PRODUCTS = {"mq": "IBM MQ", "was": "WebSphere"}
_PLACES = {"mq": "queue manager", "was": "cell"}


def plan_lines(plan: PlanRecord, folder: Path) -> Iterator[str]:
    """The lines at the end of an audit, without line ends."""
    ended = plan["findings"] - plan["left"]
    yield f"plan: {plural(plan['changes'], 'change')} {'ends' if plan['changes'] == 1 else 'end'} {ended} of " + plural(
        plan["findings"], "finding"
    )
    shown = [wave for wave in plan["waves"][:WAVES_PRINTED] if wave["flows"]]
    for wave in shown:
        yield f"  wave {wave['wave']}  {wave_words(wave)}: {flows_words(wave)}"
    if shown:
        yield f"  flows on which a poison message does no harm: {plan['safe_before']} now, {plan['safe_after']} then"
    if plan["changes"]:
        yield f"scripts: {folder / FOLDER}"


def wave_words(wave: WaveRecord) -> str:
    """Who changes what, and how much: ``payments: queue BOTHRESH, 12 changes at 4 queue managers``."""
    places = plural(wave["places"], _PLACES[wave["product"]])
    return f"{who_words(wave)}: {safe(wave['action'])}, {plural(wave['changes'], 'change')} at {places}"


def who_words(wave: WaveRecord) -> str:
    """The owner that the configuration names, else whose product it is."""
    return safe(wave["owner"]) if wave["owner"] else _PRODUCTS[wave["product"]]


def flows_words(wave: WaveRecord) -> str:
    """How many flows become safe by it, and how many have by then."""
    safe_then = f"{plural(wave['flows'], 'flow')} safe"
    return safe_then if wave["flows"] == wave["flows_so_far"] else f"{safe_then}, {wave['flows_so_far']} so far"
