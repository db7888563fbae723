"""Messages and stories name the rights that a user lacks, and none that it has or that is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintmdb.engine.lacking_rights import lacking_words
from tests.support.command import Run
from tests.support.scenario_folders import scenario_folder

_ALL = "BROWSE,GET,INQ,PUT,PASSALL,SETALL"


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        ("BROWSE,GET,INQ,PASSALL,SETALL", "lacks put authority on ORDERS.BACKOUT,"),
        ("BROWSE,GET,INQ", "lacks put and passall authority on ORDERS.BACKOUT,"),
        ("BROWSE,GET,INQ,PUT,PASSALL", "lacks setall authority on ORDERS.BACKOUT,"),
        ("PUT,PASSALL,SETALL", "lacks get, inq and browse authority on ORDERS.IN,"),
    ],
)
def test_a_message_names_the_lacking_rights_alone(lintmdb: Run, tmp_path: Path, rights: str, said: str) -> None:
    """The rights that the record of the user grants are not among them."""
    clean = scenario_folder("clean")
    text = (clean / "mq" / "QM1.mqsc").read_text()
    assert text.count(_ALL) == 1
    (tmp_path / "QM1.mqsc").write_text(text.replace(_ALL, rights))
    found = lintmdb("check", clean / "was", tmp_path / "QM1.mqsc", "-v").stdout
    assert said in " ".join(found.split())


def test_objects_are_named_with_their_own_rights() -> None:
    """A right that is not known is not said to be lacking."""
    values = {
        "authority.connect": False,
        "authority.source_get": False,
        "authority.source_inq": True,
        "authority.source_browse": None,
        "endpoint.queue": "ORDERS.IN",
        "endpoint.queue_manager": "QM1",
    }
    names = [name for name in values if name.startswith("authority.")]
    assert lacking_words(names, values.get) == "connect authority on QM1 and get authority on ORDERS.IN"
    assert lacking_words(["authority.source_browse"], values.get) == ""


def test_the_story_names_the_right_too(lintmdb: Run) -> None:
    """Each put that fails says which right it fails for."""
    story = " ".join(lintmdb("check", scenario_folder("authority-missing"), "-v").stdout.split())
    assert "The put to ORDERS.BACKOUT fails: the endpoint's user lacks passall authority there" in story
    assert "The put to QM1.DEAD fails: the endpoint's user lacks put and passall authority there" in story
