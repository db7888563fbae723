"""What verdicts are about, in words."""

from __future__ import annotations

from lintmdb.engine.findings import Subject
from lintmdb.report.subjects import subjects_text


def test_beans_of_one_endpoint_are_told_apart() -> None:
    """Each has the verdict; the endpoint alone would stand there twice."""
    one = Subject("activation_spec", "RatesAS", "C1", "RefCluster", bean="RatesBean")
    text = subjects_text([one, one._replace(bean="NewRatesBean")])
    assert text.endswith(": RatesAS on cluster RefCluster (RatesBean), RatesAS on cluster RefCluster (NewRatesBean)")
    assert subjects_text([one]).endswith(": RatesAS on cluster RefCluster")
