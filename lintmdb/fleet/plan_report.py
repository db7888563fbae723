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


def plan_lines(plan: PlanRecord, folder: Path, *, all_queues: bool = False) -> Iterator[str]:
    """The lines at the end of an audit, without line ends; ``all_queues`` says whether it has queues without a flow."""
    ended = plan["findings"] - plan["left"]
    ends = "ends" if plan["changes"] == 1 else "end"
    which = "flows and queues" if all_queues else "flows"
    flows = f"{which} on which a poison message does no harm: {plan['safe_before']} now, {plan['safe_after']} then"
    yield f"plan: {plural(plan['changes'], 'change')} {ends} {ended} of {plural(plan['findings'], 'finding')}; {flows}"
    for wave in plan["waves"][:WAVES_PRINTED]:
        yield f"  wave {wave['wave']}  {wave_words(wave)}: {gain_words(wave, all_queues=all_queues)}"
    if plan["changes"]:
        yield f"scripts: {folder / FOLDER}"


def wave_words(wave: WaveRecord) -> str:
    """Who changes what, and how much: ``payments: queue BOTHRESH, 12 changes at 4 queue managers``."""
    changes = plural(wave["changes"], "change")
    return f"{who_words(wave)}: {safe(wave['action'])}, {changes} at {places_words(wave)}"


def places_words(wave: WaveRecord) -> str:
    """How many queue managers or cells it changes: ``4 queue managers``."""
    return plural(wave["places"], _PLACES[wave["product"]])


def who_words(wave: WaveRecord) -> str:
    """The owner that the configuration names, else whose product it is."""
    return safe(wave["owner"]) if wave["owner"] else _PRODUCTS[wave["product"]]


def gain_words(wave: WaveRecord, *, all_queues: bool = False) -> str:
    """What it is good for: ``31 flows safe, 14 findings end``; and what it does harm to until later waves."""
    nouns = ("flow or queue", "flows and queues") if all_queues else ("flow", "flows")
    findings = f"{plural(wave['findings'], 'finding')} {'ends' if wave['findings'] == 1 else 'end'}"
    gains = [f"{plural(wave['flows'], *nouns)} safe" * bool(wave["flows"]), findings * bool(wave["findings"])]
    good = ", ".join(filter(None, gains)) or "no finding ends by it alone"
    worse = wave.get("worse") or 0
    return f"{good}; {plural(worse, *nouns)} worse off until later waves" if worse else good
