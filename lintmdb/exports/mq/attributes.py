"""The attributes that commands of MQSC take, as far as IBM's command reference names them, up to command level 942."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lintmdb.exports.mq.commands import Command
from lintmdb.exports.mq.joined import join_lines
from lintmdb.exports.mq.lines import MARKS, PARAMETER, record_text
from lintmdb.exports.mq.vocabulary import NOUNS

KNOWN_LEVEL = 942
"""The highest command level whose attributes are all here."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUEUE = _words(
    """
    ACCTQ AUTHREC BOQNAME BOTHRESH CAPEXPRY CFSTRUCT CLCHNAME CLUSNL CLUSTER CLWLPRTY CLWLRANK CLWLUSEQ CMDSCOPE
    CUSTOM DEFBIND DEFPRESP DEFPRTY DEFPSIST DEFREADA DEFSOPT DEFTYPE DESCR DISTL FORCE GET HARDENBO IMGRCOVQ
    INDXTYPE INITQ LIKE MAXDEPTH MAXFSIZE MAXMSGL MONQ MSGDLVSQ NODISTL NOHARDENBO NOPURGE NOREPLACE NOSHARE
    NOTRIGGER NPMCLASS OTELPCTL OTELTRAC PROCESS PROPCTL PURGE PUT QDEPTHHI QDEPTHLO QDPHIEV QDPLOEV QDPMAXEV
    QSGDISP QSVCIEV QSVCINT REPLACE RETINTVL RNAME RQMNAME SCOPE SHARE STATQ STGCLASS STREAMQ STRMQOS TARGET
    TARGQ TARGTYPE TRIGDATA TRIGDPTH TRIGGER TRIGMPRI TRIGTYPE USAGE XMITQ
    """
)
_CHANNEL = _words(
    """
    AFFINITY AMQPKA BACKLOG BATCHHB BATCHINT BATCHLIM BATCHSZ CERTLABL CHLTABLE CHLTYPE CLNTWGHT CLUSNL CLUSTER
    CLWLPRTY CLWLRANK CLWLWGHT CMDSCOPE COMPHDR COMPMSG CONNAME CONVERT DEFCDISP DEFRECON DESCR DISCINT HBINT
    JAASCFG KAINT LIKE LOCLADDR LONGRTY LONGTMR MAXINST MAXINSTC MAXMSGL MCANAME MCATYPE MCAUSER MODENAME MONCHL
    MRDATA MREXIT MRRTY MRTMR MSGDATA MSGEXIT NETPRTY NOREPLACE NPMSPEED PASSWORD PORT PROPCTL PROTOCOL PUTAUT
    QMNAME QSGDISP RCVDATA RCVEXIT REPLACE SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SHARECNV SHORTRTY SHORTTMR
    SPLPROT SSLCAUTH SSLCIPH SSLKEYP SSLKEYR SSLPEER STATCHL TMPMODEL TMPQPRFX TPNAME TPROOT TRPTYPE USECLTID
    USEDLQ USERID XMITQ
    """
)
_MANAGER = _words(
    """
    ACCTCONO ACCTINT ACCTMQI ACCTQ ACTCHL ACTIVREC ACTVCONO ACTVTRC ADOPTCHK ADOPTMCA AUTHOREV BRIDGEEV CCSID
    CERTLABL CERTQSGL CERTVPOL CFCONLOS CHAD CHADEV CHADEXIT CHIADAPS CHIDISPS CHISERVP CHLAUTH CHLEV CLWLDATA
    CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ CMDEV CMDSCOPE CONFIGEV CONNAUTH CUSTOM DEADQ DEFCLXQ DEFXMITQ DESCR
    DNSGROUP DNSWLM EXPRYINT FORCE GROUPUR IGQ IGQAUT IGQUSER IMGINTVL IMGLOGLN IMGRCOVO IMGRCOVQ IMGSCHED
    INHIBTEV INITKEY IPADDRV KEYRPWD LOCALEV LOGGEREV LSTRTMR LU62ARM LU62CHL LUGROUP LUNAME MARKINT MAXCHL
    MAXHANDS MAXMSGL MAXPROPL MAXUMSGS MONACLS MONCHL MONQ OPORTMAX OPORTMIN OTELPCTL OTELTRAC PARENT PERFMEV
    PSCLUS PSMODE PSNPMSG PSNPRES PSRTYCNT PSSYNCPT RCVTIME RCVTMIN RCVTTYPE REMOTEEV REPOS REPOSNL REVDNS
    ROUTEREC SCHINIT SCMDSERV SCYCASE SPLCAP SQQMNAME SSLCRLNL SSLCRYP SSLEV SSLFIPS SSLKEYR SSLRKEYC SSLTASKS
    STATACLS STATCHL STATINT STATMQI STATQ STRSTPEV SUITEB TCPCHL TCPKEEP TCPNAME TCPSTACK TRAXSTR TRAXTBL
    TREELIFE TRIGINT
    """
)
ATTRIBUTES = {
    **dict.fromkeys(("QLOCAL", "QALIAS", "QREMOTE", "QMODEL"), _QUEUE),
    "CHANNEL": _CHANNEL,
    "QMGR": _MANAGER,
}
"""What ALTER, DEFINE and DELETE take, by noun: for queues, whatever the type."""


class UnknownAttribute(NamedTuple):
    """A keyword of a command that no attribute has."""

    command: Command
    keyword: str
    line: int
    column: int
    nearest: str
    """The attribute that is spelled most like it; blank where none is like it."""


def unknown_attributes(text: str, commands: Iterable[Command]) -> Iterator[UnknownAttribute]:
    """The unknown keywords of the commands of a script, whose text has line feeds at the end of its lines."""
    lines = text.split("\n")
    for command in commands:
        known = ATTRIBUTES.get(command.noun)
        if known is None:
            continue
        joined = join_lines(_command_lines(lines[command.line - 1 :]), command.line)
        verb = PARAMETER.match(joined.text, command.column - 1)
        position = verb.end() if verb is not None else len(joined.text)
        while match := PARAMETER.match(joined.text, position):
            position, keyword = match.end(), match.group(1).upper()
            if keyword not in known and NOUNS.get(keyword) != command.noun:
                nearest = difflib.get_close_matches(keyword, sorted(known), 1, 0.75)
                yield UnknownAttribute(command, keyword, *joined.place(match.start(1)), (nearest or [""])[0])


def _command_lines(lines: list[str]) -> list[str]:
    """The physical lines of the command that begins on the first of some lines."""
    for number, line in enumerate(lines):
        body = record_text(line)
        comment = line[:1] == "*" or (number and not body)
        if not comment and body[-1:] not in MARKS:
            return lines[: number + 1]
    return lines
