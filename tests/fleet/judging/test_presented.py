"""What Spark hands to the presenter of verdicts."""

from __future__ import annotations

import pytest

from lintmdb.fleet.arrow import pa
from lintmdb.fleet.judging.findings import texts_by_flow


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_rows_of_a_flow_may_lie_in_several_batches(size: int) -> None:
    """Batches end anywhere, also between two rows of one flow."""
    rows = [
        {"id": flow, "alias": alias, "text": f"{alias} of {flow}", "origins": ""}
        for flow, aliases in ((7, ("", "endpoint", "queue")), (9, ("",)), (3, ("", "endpoint")))
        for alias in aliases
    ]
    batches = pa.Table.from_pylist(rows).to_batches(max_chunksize=size)
    flows = list(texts_by_flow(iter(batches)))
    assert [list(texts) for texts in flows] == [["", "endpoint", "queue"], [""], ["", "endpoint"]]
    assert [text for texts in flows for text in texts.values()] == rows
