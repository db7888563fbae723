"""A rule explained: what it checks, why it matters, what happens to the message, how to fix it.

The terminal and the pages in ``docs/rules`` draw the same sections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, cast

from lintmdb.delivery.outcome import Fate, Outcome
from lintmdb.delivery.values import Values
from lintmdb.delivery.wording import HEADLINES, Line, tell, titled
from lintmdb.delivery.workload import WORKLOADS, Workload
from lintmdb.engine.fix_text import fix_lines
from lintmdb.engine.lacking_rights import NO_VALUE
from lintmdb.engine.repairs import apply_repairs
from lintmdb.engine.shown import fill_from
from lintmdb.model.columns import Value
from lintmdb.report.terminal import wrap
from lintmdb.rules.conditions import Condition
from lintmdb.rules.examples import VERDICT_WORDS
from lintmdb.rules.predictions import run_named
from lintmdb.rules.rule import Example, Rule
from lintmdb.rules.verdicts import judge_example
from lintmdb.settings.owners import Read

ORDINARY: Mapping[str, object] = MappingProxyType(
    {
        "endpoint.provider": "wmq",
        "endpoint.destination_type": "queue",
        "endpoint.queue_resolution": "resolved",
        "endpoint.queue": "ORDERS.IN",
        "endpoint.queue_manager": "QM1",
        "endpoint.stop_on_failure": False,
        "endpoint.failure_threshold": 10,
        "endpoint.sequential_failure_threshold": 0,
        "endpoint.max_sessions": 1,
        "endpoint.max_batch": 1,
        "endpoint.non_asf_timeout_ms": 0,
        "endpoint.non_asf_rollback_enabled": True,
        "endpoint.non_asf_bmt_rollback_enabled": True,
        "server.platform": "distributed",
        "server.effective_timeout_ms": 120_000,
        "bean.transaction": "required",
        "bean.transaction_timeout_ms": 120_000,
        "bean.on_message_ms": 1000,
        "queue_name.get_enabled": True,
        "queue_name.queue_behind": "ORDERS.BASE",
        "queue.name": "ORDERS.IN",
        "queue.backout_threshold": 3,
        "queue.backout_queue": "ORDERS.BO",
        "queue.backout_resolution": "resolved",
        "queue.backout_loops": False,
        "queue.default_persistence": True,
        "queue.harden_backout": True,
        "queue.shared_disposition": False,
        "queue.max_message_bytes": 4_194_304,
        "queue_manager.name": "QM1",
        "queue_manager.platform": "distributed",
        "queue_manager.dead_letter_queue": "QM1.DLQ",
        "queue_manager.dead_letter_resolution": "resolved",
        "backout.name": "ORDERS.BO",
        "backout.put_enabled": True,
        "backout.reachable": True,
        "backout.takes_puts": True,
        "backout.max_message_bytes": 4_194_304,
        "backout.transmission_max_bytes": 104_857_600,
        "backout.small_structure": "APP1",
        "dead_letter.name": "QM1.DLQ",
        "dead_letter.put_enabled": True,
        "dead_letter.takes_puts": True,
        "queue_manager.max_message_bytes": 104_857_600,
        "dead_letter.max_message_bytes": 104_857_600,
        "endpoint.channel": "WAS.SVRCONN",
        "authority.put": True,
        "authority.passall": True,
        "authority.user": "wasuser",
        "destination.name": "OrdersDest",
        "destination.max_failed_deliveries": 5,
        "destination.exception_destination": "system",
        "destination.exception_resolution": "resolved",
        "destination.strict_order": False,
        "destination.persist_redelivery_count": False,
        "destination.effective_blocked_retry_ms": 5000,
        "destination.reliability": "assured_persistent",
        "destination.discards_poison": False,
    }
)
"""What an example does not say: a flow on which a poison message ends on the backout queue after three failures."""


_SPECIFICATIONS = {
    "wmq": "/Node:node1/J2CResourceAdapter:WebSphere MQ Resource Adapter/J2CActivationSpec:OrdersAS/",
    "sib": "/Node:node1/J2CResourceAdapter:SIB JMS Resource Adapter/J2CActivationSpec:OrdersAS/",
}
"""The path of an activation specification by its provider."""
_NAMES: Mapping[str, Value] = MappingProxyType(
    {
        "endpoint.cell": "cell1",
        "endpoint.destination_jndi": "jms/Orders",
        "endpoint.factory_path": "/Node:node1/JMSProvider:WebSphere MQ JMS Provider/MQQueueConnectionFactory:OrdersCF/",
        "endpoint.failing_message_delay_ms": 0,
        "server.config_paths": "/Node:node1/Server:server1/",
        "server.total_timeout_ms": 120_000,
        "server.maximum_timeout_ms": 300_000,
        "server.oldest_was_level": 90_000,
        "server.name": "server1",
        "queue.noun": "QLOCAL",
        "queue.free_backout_name": "ORDERS.IN.BACKOUT",
        "queue.max_depth": 5000,
        "queue.longest_message_bytes": 4_194_304,
        "queue_name.name": "ORDERS.IN",
        "queue_name.type": "local",
        "queue_name.get_disabled_by": "ORDERS.IN",
        "queue_name.get_disabled_type": "QLOCAL",
        "backout.local_queue": "ORDERS.BO",
        "backout.transmission_queue": "QM2.XQ",
        "backout.leads_to": "ORDERS.BO",
        "backout.near_name": "ORDERS.BO",
        "backout.in_small_structure": False,
        "backout.expiry_capped_by": "ORDERS.BO",
        "backout.expiry_capped_type": "QLOCAL",
        "backout.put_disabled_by": "ORDERS.BO",
        "backout.put_disabled_type": "QLOCAL",
        "dead_letter.local_queue": "QM1.DLQ",
        "dead_letter.put_disabled_by": "QM1.DLQ",
        "dead_letter.put_disabled_type": "QLOCAL",
        "queue_manager.free_dead_letter_name": "QM1.DEAD",
        "channel.name": "WAS.SVRCONN",
        "bean.name": "OrderBean",
        "binding.application": "Orders",
        "destination.cell": "cell1",
        "destination.bus": "OrdersBus",
        "destination.target_bus": "OrdersBus",
        "destination.target_name": "OrdersDest",
        "destination.exception_destination_name": "OrdersPoison",
    }
)
"""Names for the objects that an example does not name, so that its repairs can be shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The story of a rule's example."""

    example: Example
    workload: Workload
    outcome: Outcome


class Section(NamedTuple):
    """A part of an explanation. Each block is a paragraph, a list of text lines to print as they are, or a story."""

    title: str
    blocks: tuple[str | tuple[str, ...] | Shown, ...]


def sections(rule: Rule) -> Iterator[Section]:
    """The parts of the explanation of a rule, in the order in which a reader needs them."""
    yield Section(
        "What it checks", (rule.message, (*_condition("when", rule.when), *_condition("hazard", rule.hazard)))
    )
    yield Section("Why", tuple(" ".join(part.split()) for part in rule.why.split("\n\n")))
    shown = find_story(rule)
    if shown is not None:
        yield Section("What happens", (shown,))
    yield Section("Fix", (tuple(_fix(rule)),))
    if rule.exceptions:
        yield Section("Known exceptions", (" ".join(rule.exceptions.split()),))
    if rule.predicts is not None and rule.predicts.because:
        yield Section("Where rule and model differ", (rule.predicts.because,))
    yield Section("Examples", (tuple(_examples(rule)),))
    if rule.references:
        yield Section("References", (tuple(map(_reference, rule.references)),))


def short_sections(rule: Rule) -> Iterator[Section]:
    """What somebody with a finding needs: what it says on an example, why, what happens, and what to do."""
    shown = find_story(rule)
    example = shown.example if shown is not None else rule.examples["hazard"][0]
    said = fill_from(rule.message, _reader(example))
    yield Section("For example", (f"{said.rstrip('.')}.",))
    yield Section("Why", tuple(" ".join(part.split()) for part in rule.why.split("\n\n")))
    if shown is not None:
        yield Section("What happens", (shown,))
    yield Section("Fix", (tuple([line for line in _fix(rule) if not line.startswith("wsadmin: ")]),))
    if rule.exceptions:
        yield Section("Known exceptions", (" ".join(rule.exceptions.split()),))


def find_story(rule: Rule) -> Shown | None:
    """The first hazard example for which the model shows what the rule predicts; None where there is none, and for a
    rule that predicts nothing.
    """
    if rule.predicts is None:
        return None
    for example in rule.examples["hazard"]:
        values = Values(_look_up(example))

        def run(workload: str, values: Values = values) -> Outcome:
            return run_named(values, workload)

        if all(showing.holds(run) for showing in rule.predicts.shows):
            name = rule.predicts.shows[0].workload
            return Shown(example, WORKLOADS[name](values), run(name))
    return None


def _look_up(example: Example) -> Callable[[str], object]:
    given = {f"{alias}.{name}": value for alias, row in example.rows.items() for name, value in row.items()}
    known: dict[str, object] = {**ORDINARY, **given}
    if known["queue.backout_queue"] == "" and "queue.backout_resolution" not in given:
        known["queue.backout_resolution"] = "not_set"
    if "endpoint.kind" not in known:
        known["endpoint.kind"] = "activation_spec"
    known.setdefault("endpoint.name", "OrdersLP" if known["endpoint.kind"] == "listener_port" else "OrdersAS")
    return known.get


def story_title(shown: Shown) -> str:
    """Which example, what is put on the queue, and what comes of it."""
    outcome = shown.outcome
    target = f" {outcome.target}" if outcome.target and outcome.fate not in (Fate.LOOPS, Fate.STOPPED) else ""
    return f"{shown.example.name}: {titled(shown.workload)} -> {HEADLINES[outcome.fate]}{target}"


def story_lines(shown: Shown) -> list[Line]:
    """The story in words."""
    return tell(shown.outcome.steps)


def _fix(rule: Rule) -> list[str]:
    """The repairs, as they are on the first example that has any, and the advice of the rule."""
    examples = [_reader(example) for example in rule.examples["hazard"]]
    found = (apply_repairs(rule.repairs, read, _nowhere) for read in examples)
    alternatives = next((changes for changes in found if changes), ())
    # A rule file breaks the lines of a paragraph.
    paragraphs = (fill_from(" ".join(paragraph.split()), examples[0]) for paragraph in rule.advice.split("\n\n"))
    # Some advice is for flows that are unlike the example, which has no value for it.
    return fix_lines(alternatives, (), "\n".join(text for text in paragraphs if NO_VALUE not in text))


def _reader(example: Example) -> Read:
    """Reads an example, with names for the objects that it does not name."""
    look_up = _look_up(example)

    def read(name: str) -> Value:
        value = look_up(name)
        if value is None and name == "endpoint.config_path":
            if look_up("endpoint.runtime") == "liberty":
                return "properties.wmqJms"
            return _SPECIFICATIONS.get(str(look_up("endpoint.provider") or "wmq"))
        if value is None and name == "backout.leads_to" and look_up("queue.backout_resolution") == "not_defined":
            return cast("Value", look_up("queue.backout_queue"))
        return cast("Value", value if value is not None else _NAMES.get(name))

    return read


def _nowhere(_: str) -> None:
    return None


def _condition(label: str, condition: Condition) -> Iterator[str]:
    yield f"{label}:"
    yield from (f"  {line}" for line in wrap(condition.text, 92))


def _examples(rule: Rule) -> Iterator[str]:
    for examples in rule.examples.values():
        for example in examples:
            yield f"{VERDICT_WORDS[judge_example(rule, example)]}: {example.name}"
            for alias, row in example.rows.items():
                values = ", ".join(f"{name} = {_literal(value)}" for name, value in row.items())
                yield f"  {alias}: {values}" if values else f"  {alias}: nothing known"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _reference(reference: Mapping[str, str]) -> str:
    return reference["title"] + (f" <{reference['url']}>" if reference.get("url") else "")
