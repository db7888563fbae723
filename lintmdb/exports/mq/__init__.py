"""Reading IBM MQ script commands (MQSC)."""

from lintmdb.exports.mq.commands import Asked, Command, Kept, MqscFile, Parameter
from lintmdb.exports.mq.formats import FormatName, format_of, is_about_mq, read_scripts
from lintmdb.exports.mq.reader import read_mqsc
from lintmdb.exports.mq.sniff import looks_like_display, looks_like_ebcdic_mqsc

__all__ = [
    "Asked",
    "Command",
    "FormatName",
    "Kept",
    "MqscFile",
    "Parameter",
    "format_of",
    "is_about_mq",
    "looks_like_display",
    "looks_like_ebcdic_mqsc",
    "read_mqsc",
    "read_scripts",
]
