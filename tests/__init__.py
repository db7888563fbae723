"""The tests of lintmdb, in folders that mirror its packages; what they share is in ``tests.support``."""
