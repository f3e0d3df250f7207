"""The results browser: a page on this machine alone, on which one looks through a store.

Nothing is imported here, so that the command line starts at once.
"""
