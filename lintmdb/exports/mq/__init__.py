"""Reading IBM MQ script commands (MQSC)."""

from lintmdb.exports.mq.commands import ANY_DISTRIBUTED, Asked, Command, Kept, Listing, MqscFile, Parameter
from lintmdb.exports.mq.concatenated import read_parts
from lintmdb.exports.mq.formats import ANSWERS, EMBEDDING, FormatName, format_of, is_about_mq, quotes_yaml, read_scripts
from lintmdb.exports.mq.reader import read_mqsc
from lintmdb.exports.mq.sniff import looks_like_ebcdic_mqsc

__all__ = [
    "ANSWERS",
    "ANY_DISTRIBUTED",
    "EMBEDDING",
    "Asked",
    "Command",
    "FormatName",
    "Kept",
    "Listing",
    "MqscFile",
    "Parameter",
    "format_of",
    "is_about_mq",
    "looks_like_ebcdic_mqsc",
    "quotes_yaml",
    "read_mqsc",
    "read_parts",
    "read_scripts",
]
