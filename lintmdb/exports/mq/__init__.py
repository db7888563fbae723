"""Reading IBM MQ script commands (MQSC)."""

from lintmdb.exports.mq.commands import Command, Listing, MqscFile, Parameter
from lintmdb.exports.mq.formats import ANSWERS, FormatName, format_of, read_scripts
from lintmdb.exports.mq.reader import read_mqsc
from lintmdb.exports.mq.sniff import looks_like_ebcdic_mqsc, looks_like_setmqaut

__all__ = [
    "ANSWERS",
    "Command",
    "FormatName",
    "Listing",
    "MqscFile",
    "Parameter",
    "format_of",
    "looks_like_ebcdic_mqsc",
    "looks_like_setmqaut",
    "read_mqsc",
    "read_scripts",
]
