"""The playground: a page on this machine alone, on which an experiment trains as one watches.

Nothing is imported here, so that the command line starts at once.
"""
