"""Plans: what they promise is what judging says, and their scripts make the same estate."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from lintmdb.engine.repairs import find_alternatives, is_left_to_owners
from lintmdb.exports.mq import read_mqsc
from lintmdb.model.facts import Facts
from lintmdb.plan.evaluation import Evaluator, State, flow_key, weighed_fate, worse
from lintmdb.plan.planned import Plan
from lintmdb.plan.planner import make_plan
from lintmdb.plan.policy import Policy, parse_keep
from lintmdb.plan.scripts import mqsc_check_script, mqsc_delete_script, mqsc_script, mqsc_undo_script, plan_scripts
from lintmdb.report.plan_text import proof_lines
from lintmdb.resolve.observations import Observations
from lintmdb.run.estate import read_exports, resolve_exports
from lintmdb.run.overlay import Overlay, overlay_of
from lintmdb.settings.changes import Assignment, Change, Definition, Grant, Namer, Target, merge
from tests.laws.laws import OBSERVED, seeds
from tests.support.command import Run, run_here
from tests.support.random_estates.estates import build_estate
from tests.support.scenario import RULES, scenario_evaluator, scenario_folder
from tests.support.scenario_folders import scenario_names
from tests.support.variant import Variant

_RANDOM = [pytest.param(seed, marks=pytest.mark.slow) for seed in seeds(12)]


@pytest.fixture(params=[*scenario_names(), *_RANDOM])
def judging(request: pytest.FixtureRequest, tmp_path: Path) -> Evaluator:
    """Judges a scenario, or a random estate."""
    return _evaluator(request.param, tmp_path)


def _evaluator(name: str | int, folder: Path) -> Evaluator:
    if isinstance(name, str):
        return scenario_evaluator(name)
    build_estate(name).write(folder)
    return Evaluator(read_exports([folder]), OBSERVED if name % 2 else Observations(), RULES, all_queues=name % 3 == 0)


def _hazards(state: State) -> set[tuple[str, tuple[str, ...]]]:
    return {(finding.rule.id, finding.subject.identity()) for finding in state.judgement.findings}


def test_a_plan_keeps_its_promises(judging: Evaluator) -> None:
    """Judged with the plan, nothing is worse on any flow, and no finding that a setting could repair is left where the
    search ended; planning again finds nothing.
    """
    policy = Policy(most_states=60)
    plan = make_plan(judging, policy)
    flows = {flow_key(head): weighed_fate(head) for head in plan.before.judgement.flows}
    assert worse(plan.before, plan.after, flows, set(flows)).nothing
    new = [f for f in plan.after.judgement.findings if (f.rule.id, f.subject.identity()) not in _hazards(plan.before)]
    assert [finding.rule.id for finding in new if finding.rule.severity != "info"] == []
    defined = {change.target for change in plan.changes if isinstance(change, Definition)}
    assert not [change for change in plan.changes if isinstance(change, Assignment) and change.target in defined]
    if all(solution.complete for _, solution in plan.components):
        repairable = [
            f for f in plan.left if find_alternatives(f.rule, f.rows) and not is_left_to_owners(f.rule, f.rows)
        ]
        assert [finding.rule.id for finding in repairable] == []
        again = make_plan(_Changed(judging, plan), policy)
        assert again.changes == ()


class _Changed(Evaluator):
    """Judges an estate in which a plan was carried out."""

    def __init__(self, judging: Evaluator, plan: Plan) -> None:
        super().__init__(judging.exports, judging.observed, judging.rules, judging.all_queues)
        self._made = plan.changes

    def judge(self, changes: Iterable[Change]) -> State:
        return super().judge(merge(self._made, tuple(changes)) or ())


def _rows(facts: Facts) -> dict[str, list[str]]:
    """All rows without where they were read."""
    return {name: sorted(map(repr, rows)) for name, rows in facts.rows.items() if name not in ("problem", "export")}


def test_scripts_of_mq_make_the_estate_that_was_judged(judging: Evaluator) -> None:
    """The MQSC text, read back by the reader of exports, leaves what the overlay leaves; its undo script restores the
    verdicts.
    """
    plan = make_plan(judging, Policy(only="mq", most_states=20))
    by_manager: dict[str, list[Change]] = {}
    for change in plan.changes:
        by_manager.setdefault(change.target.place, []).append(change)
    scripts = {name: read_mqsc(mqsc_script(name, made, "check").encode(), "plan") for name, made in by_manager.items()}
    assert [problem for script in scripts.values() for problem in script.problems] == []
    changed = resolve_exports(judging.exports, judging.observed, Overlay({n: [s] for n, s in scripts.items()}))
    assert [problem for problem in changed.facts.rows["problem"] if problem.kind == "refused_change"] == []
    planned = resolve_exports(judging.exports, judging.observed, overlay_of(plan.changes))
    assert _rows(changed.facts) == _rows(planned.facts)
    both = {
        name: [scripts[name], read_mqsc(mqsc_undo_script(name, made).encode(), "undo")]
        for name, made in by_manager.items()
    }
    undone = Evaluator(judging.exports, judging.observed, judging.rules, judging.all_queues)
    state = undone.judge_overlay(Overlay(both))
    assert _hazards(state) == _hazards(plan.before)


def test_the_order_of_inputs_changes_nothing(tmp_path: Path) -> None:
    """Cells and scripts named in another order give the same plan."""
    build_estate(3).write(tmp_path)
    folders = [path for top in sorted(tmp_path.iterdir()) for path in sorted(top.iterdir())]
    plans = [
        make_plan(Evaluator(read_exports(order), Observations(), RULES), Policy(most_states=20))
        for order in (folders, folders[::-1])
    ]
    assert set(plans[0].changes) == set(plans[1].changes)
    assert plans[0].changes


@pytest.mark.parametrize("only", ["mq", "was"])
def test_only_one_product_changes(only: str) -> None:
    """With --only the other product's settings stay."""
    plan = make_plan(scenario_evaluator("all-families"), Policy(only="mq" if only == "mq" else "was"))
    assert {change.target.product for change in plan.changes} == {only}


def _left(plan: Plan) -> set[tuple[str, tuple[str, ...]]]:
    return {(finding.rule.id, finding.subject.identity()) for finding in plan.left}


def test_what_is_kept_stays() -> None:
    """No change touches an object that --keep names, and what needed one is left."""
    everything = make_plan(scenario_evaluator("all-families"), Policy())
    kept = parse_keep("queue LETTERS.* at QM1")
    plan = make_plan(scenario_evaluator("all-families"), Policy(keep=(kept,)))
    assert any(kept.covers(change) for change in everything.changes)
    assert not any(kept.covers(change) for change in plan.changes)
    held_back = _left(plan) - _left(everything)
    assert {rule for rule, identity in held_back if "LETTERS.IN" in identity} == {"MDB101"}


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        (True, "AUTHLIST(GET,INQ)"),
        (False, "no record of this very profile"),
        (None, "the export does not show it"),
    ],
)
def test_scripts_show_the_records_that_grants_change(recorded: bool | None, expected: str) -> None:
    """Before anything is changed, and with what the export has."""
    target = Target("mq", "QM1", "QUEUE", "A.BO")
    had = ("GET", "INQ") if recorded else ()
    script = mqsc_check_script("QM1", [Grant(target, "app", ("PUT",), had, recorded, group=True)], "mq/QM1.mqsc")
    shown = "DISPLAY AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) GROUP('app') +\n  MATCH(EXACT)\n"
    assert script.endswith(f"{shown}*   expected: {expected}\n")


def test_a_record_that_grants_nothing_is_expected_in_either_form() -> None:
    """AUTHADD(NONE) makes one."""
    grant = Grant(Target("mq", "QM1", "QUEUE", "A.BO"), "app", ("PUT",), (), recorded=True)
    script = mqsc_check_script("QM1", [grant], "mq/QM1.mqsc")
    assert script.endswith("*   expected: AUTHLIST() or AUTHLIST(NONE)\n")


def test_a_user_without_a_record_on_the_queue_manager_has_none_to_show() -> None:
    """The queue manager has no wider profile: what no record grants is not granted."""
    target = Target("mq", "QM1", "QMGR", "QM1")
    script = mqsc_check_script("QM1", [Grant(target, "app", ("CONNECT", "INQ"), recorded=True)], "mq/QM1.mqsc")
    assert script.endswith("DISPLAY AUTHREC OBJTYPE(QMGR) PRINCIPAL('app')\n*   expected: no record\n")


def test_what_is_set_back_acts_when_its_readers_are_restarted() -> None:
    """A client caches the threshold that is undone, too, whether or not a queue is to be deleted."""
    target = Target("mq", "QM1", "QLOCAL", "A.IN")
    raised = Assignment(target, "queue.backout_threshold", "BOTHRESH", "3", "0")
    opened = Assignment(target._replace(name="B"), "backout.put_enabled", "PUT", "ENABLED", "DISABLED")
    for changes in ([raised], [raised, opened]):
        text = mqsc_undo_script("QM1", changes)
        assert "* Restart what reads A.IN. A client caches BOTHRESH and BOQNAME of a" in text
    assert "immediately" not in mqsc_undo_script("QM1", [opened])


def test_what_shows_the_old_values_changes_nothing_and_is_run_by_itself() -> None:
    """Whoever gives a script to runmqsc runs all of it, so what to look at first is in a script of its own."""
    plan = make_plan(scenario_evaluator("estate"), Policy())
    scripts = {script.path: script for script in plan_scripts(plan.changes)}
    shown, made = scripts["check/mq/QM1.mqsc"], scripts["mq/QM1.mqsc"]
    assert {command.verb for command in read_mqsc(made.text.encode(), made.path).commands} == {
        "ALTER",
        "DEFINE",
        "SET",
    }
    assert read_mqsc(shown.text.encode(), shown.path).commands == []
    assert "DISPLAY QUEUE('LETTERS.IN') BOQNAME BOTHRESH\n*   expected: BOQNAME(' ')\n" in shown.text
    assert f"First run {shown.path}," in made.text
    assert f"Run this before {made.path}." in shown.text
    assert "DISPLAY" not in made.text


@pytest.mark.parametrize("cached", ["BOQNAME", "BOTHRESH"])
def test_queues_and_rights_are_taken_back_when_readers_have_been_restarted(cached: str) -> None:
    """A client remembers BOQNAME and BOTHRESH, so what deletes queues and takes rights back is in a script of its own:
    first the old values are set, then the readers are restarted, then queues and rights go.
    """
    queue, other = Target("mq", "QM1", "QLOCAL", "A"), Target("mq", "QM1", "QUEUE", "OLD.BO")
    new = queue._replace(name="A.BACKOUT")
    changes = [
        Definition(new, (("MAXDEPTH", "5000"),)),
        Assignment(queue, "queue.backout_queue", cached, "3", "0"),
        Grant(new._replace(kind="QUEUE"), "app", ("PUT",), recorded=False),
        Grant(other, "app", ("PUT",), recorded=False),
    ]
    scripts = {script.path: script for script in plan_scripts(changes)}
    undo, delete = scripts["undo/mq/QM1.mqsc"], scripts["undo/delete/mq/QM1.mqsc"]
    ends = [text.splitlines() for text in (undo.text, delete.text)]
    assert [line for line in ends[0] if line[0] not in "* "] == [
        "ALTER QLOCAL('A') BOQNAME(0)" if cached == "BOQNAME" else "ALTER QLOCAL('A') BOTHRESH(0)"
    ]
    assert [line for line in ends[1] if line[0] not in "* "] == [
        "DELETE AUTHREC PROFILE('OLD.BO') OBJTYPE(QUEUE) PRINCIPAL('app')",
        "DELETE AUTHREC PROFILE('A.BACKOUT') OBJTYPE(QUEUE) PRINCIPAL('app')",
        "DELETE QLOCAL('A.BACKOUT')",
    ]
    assert "Restart what reads A." in undo.text
    assert "Then run undo/delete/mq/QM1.mqsc." in undo.text
    assert "DELETE fails if the queue has messages" in delete.text
    assert delete.text.startswith("* Undoes the rest of the changes planned by lintmdb.\n")


def test_what_clients_may_look_up_is_taken_back_first() -> None:
    """Without inq they read no threshold after a restart. Until then they move messages: the dead-letter queue, and
    what the backout queue takes, stay as planned, though a threshold of the backout queue itself changes.
    """
    queue = Target("mq", "QM1", "QUEUE", "A")
    changes = [
        Grant(queue, "app", ("INQ",), recorded=False, to_look_up=True),
        Grant(queue._replace(name="A.BO"), "app", ("PUT",), recorded=False),
        Assignment(Target("mq", "QM1", "QLOCAL", "A.BO"), "backout.max_message_bytes", "MAXMSGL", "9", "8"),
        Assignment(Target("mq", "QM1", "QLOCAL", "A.BO"), "queue.backout_threshold", "BOTHRESH", "3", "0"),
        Assignment(Target("mq", "QM1", "QMGR", ""), "queue_manager.dead_letter_queue", "DEADQ", "DEAD", ""),
    ]
    scripts = {script.path: script.text for script in plan_scripts(changes)}
    ends = [scripts[path].splitlines() for path in ("undo/mq/QM1.mqsc", "undo/delete/mq/QM1.mqsc")]
    assert [[line for line in lines if line[0] not in "* "] for lines in ends] == [
        ["ALTER QLOCAL('A.BO') BOTHRESH(0)", "DELETE AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('app')"],
        [
            "ALTER QMGR DEADQ(' ')",
            "ALTER QLOCAL('A.BO') MAXMSGL(8)",
            "DELETE AUTHREC PROFILE('A.BO') OBJTYPE(QUEUE) PRINCIPAL('app')",
        ],
    ]
    assert "restart what reads A and A.BO: until then" in " ".join(
        scripts["undo/delete/mq/QM1.mqsc"].replace("\n* ", " ").split()
    )


def test_readers_are_restarted_where_they_may_look_up_the_threshold(lintmdb: Run, tmp_path: Path) -> None:
    """They do so once while they have the queue open, and one that loops has it open."""
    told = (
        "Restart what reads HELD.ORDERS. A client looks up BOTHRESH and BOQNAME only once while it has the queue open."
    )
    run = lintmdb("plan", scenario_folder("inquiry-behind-alias-refused"), "--out", tmp_path)
    assert f"Then: {told}" in " ".join(run.stdout.split())
    assert told in " ".join((tmp_path / "mq/QM1.mqsc").read_text("utf-8").replace("\n* ", " ").split())
    assert json.loads((tmp_path / "plan.json").read_text("utf-8"))["changes"][0]["acts"].startswith(told)


def test_rights_alone_are_taken_back_at_once() -> None:
    """Clients open a backout queue for each message that they move."""
    queue = Target("mq", "QM1", "QLOCAL", "A")
    grant = Grant(queue._replace(kind="QUEUE", name="A.BO"), "app", ("PUT",), recorded=False)
    longer = Assignment(queue, "queue.max_message_bytes", "MAXMSGL", "9", "8")
    scripts = {script.path: script.text for script in plan_scripts([grant, longer])}
    assert list(scripts) == ["check/mq/QM1.mqsc", "mq/QM1.mqsc", "undo/mq/QM1.mqsc"]
    assert "DELETE AUTHREC PROFILE('A.BO')" in scripts["undo/mq/QM1.mqsc"]


def test_who_reads_a_queue_whose_boqname_led_to_a_new_one_before_has_to_stop(lintmdb: Run, tmp_path: Path) -> None:
    """BOQNAME names the queue that was missing after the undo, too, so no restart ends that messages are moved there;
    the comment precedes what takes rights away. Of a queue that the plan named a restart is enough.
    """
    variant = Variant(tmp_path, "stop-3-sessions-5-bothresh-5")
    variant.edit("mq/QM1.mqsc", "BOQNAME('ORDERS.BACKOUT')", "BOQNAME('ORDERS.MISSING')")
    lintmdb("plan", variant.folder, "--out", tmp_path / "plan")
    undo = (tmp_path / "plan/undo/mq/QM1.mqsc").read_text()
    assert not (tmp_path / "plan/undo/delete").exists()
    told = "BOQNAME of ORDERS.IN led to ORDERS.MISSING before the plan, too"
    assert told in undo
    missing, new = (Target("mq", "QM1", "QLOCAL", name) for name in ("ORDERS.MISSING", "A.BACKOUT"))
    changes = [
        Definition(missing, (), named_by=(Namer("ORDERS.IN", "OrdersAS"), Namer("ORDERS.IN", ""))),
        Grant(missing._replace(kind="QUEUE"), "app", ("PUT",), recorded=False),
        Definition(new, ()),
        Assignment(Target("mq", "QM1", "QLOCAL", "A"), "queue.backout_queue", "BOQNAME", "A.BACKOUT", ""),
    ]
    delete = " ".join(mqsc_delete_script("QM1", changes, "undo/mq/QM1.mqsc", ["A"]).replace("\n* ", " ").split())
    assert "restart what reads A: until then clients move messages as planned." in delete
    stop = "First stop what reads ORDERS.IN (OrdersAS)."
    assert delete.index(told) < delete.index(stop) < delete.index("DELETE AUTHREC")


def test_a_script_says_where_a_command_may_need_force() -> None:
    """A queue that a program reads is made exclusive only by force; to share it takes none."""
    shared = Assignment(Target("mq", "QM1", "QLOCAL", "A"), "queue.shareable", "SHARE", "SHARE", "NOSHARE")
    scripts = {script.path: script.text.splitlines() for script in plan_scripts([shared])}
    undo = scripts["undo/mq/QM1.mqsc"]
    place = undo.index("ALTER QLOCAL('A') NOSHARE")
    assert "First stop what reads it, or add FORCE to the command." in " ".join(undo[place - 2 : place]).replace(
        "* ", ""
    )
    assert "FORCE" not in " ".join(scripts["mq/QM1.mqsc"])


def test_a_new_queue_that_was_named_before_is_deleted_at_once() -> None:
    """BOQNAME names it without the plan, too, so restarting its readers changes nothing."""
    definition = Definition(Target("mq", "QM1", "QLOCAL", "A.BACKOUT"), (("MAXDEPTH", "5000"),))
    scripts = {script.path: script.text for script in plan_scripts([definition])}
    assert list(scripts) == ["check/mq/QM1.mqsc", "mq/QM1.mqsc", "undo/mq/QM1.mqsc"]
    assert "DELETE QLOCAL('A.BACKOUT')\n" in scripts["undo/mq/QM1.mqsc"]


def test_every_script_of_a_queue_manager_names_it() -> None:
    """Readers of scripts know it, whatever the file is called."""
    queue = Target("mq", "QM1", "QLOCAL", "A")
    named = Assignment(queue, "queue.backout_queue", "BOQNAME", "A.BACKOUT", "")
    scripts = plan_scripts([Definition(queue._replace(name="A.BACKOUT"), (("MAXDEPTH", "5000"),)), named])
    assert {script.purpose for script in scripts} == {"make", "undo", "check", "delete"}
    assert {read_mqsc(script.text.encode(), "deploy.mqsc").queue_manager for script in scripts} == {"QM1"}
    assert all("lintmdb" in script.text.partition("\n")[0] for script in scripts)  # by which it is no export


def test_a_script_names_everything() -> None:
    """Its reader has nothing else: no list of names ends with "and 6 more"."""
    queues = [Target("mq", "QM1", "QLOCAL", f"Q{number}") for number in range(9)]
    changes = [Assignment(queue, "queue.backout_threshold", "BOTHRESH", "3", "0") for queue in queues]
    servers = [Target("was", "C1", "thread_pool", "P", f"/Node:n/Server:s{number}/") for number in range(9)]
    changes += [Assignment(pool, "server.bus_threads_max", "maximumSize", "60", "50") for pool in servers]
    texts = {script.path: script.text for script in plan_scripts(changes)}
    for path in ("mq/QM1.mqsc", "was/C1.py"):
        assert " more" not in texts[path].partition("CELL = ")[0]
    assert "Q7 and Q8" in " ".join(texts["mq/QM1.mqsc"].split("\n* "))
    assert "n/s7 and n/s8" in " ".join(texts["was/C1.py"].split("\n#   "))


def test_a_repair_that_does_harm_is_not_made_and_the_harm_is_named(tmp_path: Path) -> None:
    """With BOTHRESH(3) the queue that BOQNAME names would matter, and no export has it."""
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(A.IN) REPLACE BOTHRESH(0) BOQNAME(A.BO)\n")
    printed = run_here("plan", "--all-queues", "--queue-manager", f"QM1={tmp_path / 'QM1.mqsc'}").stdout
    assert "option  QM1  A.IN  BOTHRESH 0 -> 3" in printed
    said = " ".join(printed.split())
    harm = (
        "With the options of what stays: undecided: error MDB106 queue A.IN at QM1 without the definition of A.BO at "
        "QM1, which BOQNAME of A.IN names"
    )
    remain = "no set of changes was found that ends them without a new finding, a newly undecided one or a worse fate."
    assert f"Some findings that a setting could repair remain: {remain} {harm}" in said


def test_the_harm_is_named_where_the_search_reaches_its_limit(tmp_path: Path) -> None:
    """It is why the repair is no part of the plan, however many sets of changes were tried."""
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(A.IN) REPLACE BOTHRESH(0) BOQNAME(A.BO)\n")
    plan = make_plan(Evaluator(read_exports([tmp_path]), Observations(), RULES, True), Policy(most_states=1))
    said = " ".join(" ".join(proof_lines(plan)).split())
    assert (
        "None of the sets of changes tried (1) repairs everything that a setting can repair. With the options of what "
        "stays: undecided: error MDB106 queue A.IN at QM1"
    ) in said
