"""The examples at the end of each command's help. A test runs them."""

from __future__ import annotations

_EXAMPLES = {
    "check": (
        "lintmdb check was/ mq/QM1.mqsc --on-message 15s",
        "lintmdb check backup.zip mq/ --format text --format sarif=lintmdb.sarif",
        "cat mq/QM1.mqsc | lintmdb check was/ - --stdin-name mq/QM1.mqsc",
        "lintmdb check @exports.txt --baseline known.jsonl --fail-on warning",
    ),
    "inventory": ("lintmdb inventory was/ mq/",),
    "explain": ("lintmdb explain MDB302", "lintmdb explain dead-letter header"),
    "diff": (
        "lintmdb diff before/ after/",
        "lintmdb diff was/ was/ --before mq/ --after mq-new/ --fail-on warning",
        "lintmdb diff was/ --before mq/ --change deploy.mqsc",
    ),
    "trace": (
        "lintmdb trace was/ mq/",
        "lintmdb trace was/ mq/ --endpoint OrdersAS --poison 2 --healthy-between 1",
        "lintmdb trace was/ mq/ --on-message 15s --arrives-after 110s",
    ),
    "plan": (
        "lintmdb plan was/ mq/ --out plan",
        "lintmdb plan was/ mq/ --only mq --keep 'queue ORDERS.* at QM1'",
        "lintmdb plan was/ mq/ --diff",
    ),
    "redact": ("lintmdb redact was/ mq/ --out shared",),
    "collect": ("lintmdb collect mq --out exports", "lintmdb collect was", "lintmdb collect zos --out YOUR.QM1.MQSC"),
    "completion": ("lintmdb completion bash",),
    "rules list": ("lintmdb rules list", "lintmdb rules list --rules my-rules/"),
    "rules show": ("lintmdb rules show backout-queue-inert",),
    "rules check": ("lintmdb rules check my-rules/",),
    "rules new": ("lintmdb rules new orders-queue-without-descr --dir more-rules/",),
    "config check": ("lintmdb config check",),
    "config schema": ("lintmdb config schema config",),
    "config show": ("lintmdb config show --profile strict --fail-on warning",),
    "baseline write": ("lintmdb baseline write new.jsonl was/ mq/",),
    "baseline update": ("lintmdb baseline update known.jsonl was/ mq/",),
    "baseline show": ("lintmdb baseline show known.jsonl",),
    "fleet audit": (
        "lintmdb fleet audit exports/ --out audit",
        "lintmdb fleet audit exports/ --out audit --plan --fail-on new",
        "lintmdb fleet audit --config fleet.toml --out audit --incremental",
    ),
    "fleet report": ("lintmdb fleet report audit",),
    "fleet diff": ("lintmdb fleet diff audit", "lintmdb fleet diff audit previous latest --format json"),
    "fleet history": ("lintmdb fleet history audit", "lintmdb fleet history audit --format json"),
    "fleet metrics": ("lintmdb fleet metrics audit --out lintmdb.prom",),
    "fleet plan verify": ("lintmdb fleet plan verify audit exports/",),
    "fleet sql": ('lintmdb fleet sql audit "select rule, count(*) from findings group by rule"',),
    "fleet watch": (
        "lintmdb fleet watch exports/ --out audit --once",
        "lintmdb fleet watch exports/ --out audit --keep 30d --on-audit ./alert.sh",
    ),
}


def examples(command: str) -> str:
    """The end of a command's help."""
    lines = _EXAMPLES[command]
    return "\b\n" + "\n".join(["Example:" if len(lines) == 1 else "Examples:", *(f"  {line}" for line in lines)])
