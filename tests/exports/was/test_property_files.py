"""Properties files of WebSphere: their form, their places, and files that are none."""

from __future__ import annotations

import pytest

from lintmdb.errors import UnreadableError
from lintmdb.exports.was.property_files import read_property_file

_TEXT = """#
# Header
#
ResourceType=ListenerPort
ImplementingResourceType=Server
ResourceId=Cell=!{cellName}:Node=n1:Server=a b:MessageListenerService=:ListenerPort=LP:1
#Properties
  maxRetries=4 #integer,required,default(0)
maxSessions=null
destinationJNDIName="jms/a #1"  #required
description=a#b
name=!{port} #readonly
empty= #default(x)

AttributeInfo=stateManagement(x)
initialState=STOP #ENUM(START|STOP)
ResourceType=TransactionService
SKIP=true

EnvironmentVariablesSection
#Environment Variables
cellName=C1
port=LP:1
"""


@pytest.mark.parametrize("data", [_TEXT.encode(), _TEXT.replace("\n", "\r\n").encode(), _TEXT.encode("utf-16")])
def test_sections_have_values_and_places(data: bytes) -> None:
    """Types behind a value go, quoted text keeps its marks, null says nothing, variables are filled in."""
    port, service = read_property_file(data, "x")
    assert (port.type, port.line, service.type, service.line) == ("ListenerPort", 4, "TransactionService", 17)
    assert [step for step in port.steps if step[1]] == [
        ("Cell", "C1"), ("Node", "n1"), ("Server", "a b"), ("ListenerPort", "LP:1"),
    ]  # fmt: skip
    assert [(p.name, p.value, p.line, p.column, p.group) for p in port.properties] == [
        ("maxRetries", "4", 8, 3, ""),
        ("destinationJNDIName", "jms/a #1", 10, 1, ""),
        ("description", "a#b", 11, 1, ""),
        ("name", "LP:1", 12, 1, ""),
        ("empty", "", 13, 1, ""),
        ("initialState", "STOP", 16, 1, "stateManagement"),
    ]
    assert service.switches == {"SKIP": "true"}


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"", 0, "it has no ResourceType"),
        (b"# nothing\n", 0, "it has no ResourceType"),
        (b"a=b\n", 1, "before the first ResourceType"),
        (b"ResourceId=Cell=C\n", 1, "ResourceId comes before"),
        (b"ResourceType=ListenerPort\nmaxRet", 2, "is not name=value"),
        (b"<xml/>\n", 1, "is not name=value"),
        (b"\x00\x01\x02", 0, "it contains NUL bytes"),
        (b"DEFINE QLOCAL(A)\n", 1, "is not name=value"),
        (b"ResourceType=A\nx=!{y}\n", 2, "!{y} is not in the EnvironmentVariablesSection"),
        (b"ResourceType=A\n" + b"x=y\n" * (1 << 24), 0, "is larger than"),
    ],
)
def test_what_is_no_properties_file_is_one_error(data: bytes, line: int, says: str) -> None:
    """With the line that shows it, and what to give instead."""
    with pytest.raises(UnreadableError) as caught:
        read_property_file(data, "x.props")
    assert says in caught.value.text
    assert (caught.value.path, caught.value.line) == ("x.props", line)
    assert caught.value.next_step
