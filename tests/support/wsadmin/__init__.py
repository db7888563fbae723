"""A stand-in for wsadmin that works on an exported configuration folder.

The modules here run under Jython 2.7 and under Python 3, so they have no annotations and no syntax of Python 3 alone.
"""
