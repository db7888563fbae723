"""Values that a queue manager takes in quotation marks only (IBM MQ "MQSC command syntax")."""

from __future__ import annotations

import re
from itertools import pairwise

_LISTS = frozenset(
    {
        "ADDRESS", "ADDRLIST", "AUTHADD", "AUTHRMV", "COMPHDR", "COMPMSG", "CONNAME", "GROUP", "MSGDATA", "MSGEXIT",
        "NAMES", "PRINCIPAL", "RCVDATA", "RCVEXIT", "SENDDATA", "SENDEXIT", "SUITEB", "USERLIST",
    }
)  # fmt: skip
"""Attributes that may have several values, with blanks or commas between them."""
_ADDRESSES = frozenset({"ADDRESS", "ADDRLIST", "GRPADDR", "IPADDR", "LOCLADDR"})
"""Attributes that take ranges of addresses: ``10.1.1-9.*``, or ``::1``."""
_WORD = re.compile(r"""(?:'[^']*+')+|(?:"[^"]*+")+|[^\s,'"]++|['"]""")
# IBM's list has a period, a slash, an underscore and a percent sign; generic values and ranges (01:03) are exempt.
# An asterisk anywhere, $, # and @ (letters on z/OS), the + of +QMNAME+ and letters of all alphabets are left open.
_OTHER = re.compile(r"[^\w./%*$#@+]")
_BARE = re.compile(r"[+-]?\d+|\w+:\w+")


def unquoted_fault(keyword: str, raw: str) -> str:
    """Why a queue manager refuses the value of an attribute as a script writes it between the parentheses; blank where
    it takes it, or where IBM's rules leave that open.
    """
    words = list(_WORD.finditer(raw))
    if any(one.end() == other.start() for one, other in pairwise(words)):
        return f"an apostrophe inside the value of {keyword} ends it"
    if len(words) > 1 and keyword not in _LISTS:
        return f"the value of {keyword} has a blank or a comma outside quotation marks"
    for word in words:
        text = word.group()
        other = _OTHER.search(text)
        if other is None or text[0] in "'\"" or keyword in _ADDRESSES or _BARE.fullmatch(text):
            continue
        return f"the value of {keyword} has {other.group()} outside quotation marks"
    return ""
