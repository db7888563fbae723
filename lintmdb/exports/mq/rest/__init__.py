"""Reading answers of the administrative REST API that were kept as JSON."""

from lintmdb.exports.mq.rest.answers import looks_like_rest, read_rest

__all__ = ["looks_like_rest", "read_rest"]
