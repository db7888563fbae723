"""Queue managers and cells among those of all environments: the same names exist in dev, test and prod."""

from __future__ import annotations


def key_of(environment: str | None, name: str) -> str:
    """A queue manager or a cell as a key; its name alone where no environment is named."""
    return f"{environment}\x1f{name}" if environment else name


def name_in(environment: str | None, name: str) -> str:
    """A queue manager or a cell as people call it: ``QM1 in prod``; ``QM1`` where no environment is named."""
    return f"{name} in {environment}" if environment and name else name
