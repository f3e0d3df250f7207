"""A lock that lets only one thread at a time parse Python code.

`ast.parse` of CPython 3.11 counts its recursion depth for the whole interpreter: two threads in it
at once end in "AST constructor recursion depth mismatch". `inspect.getsource` of a class parses
too.
"""

import threading

PARSING = threading.RLock()
"""Hold this lock while you parse Python source."""
