"""What every live page shares: a server for this machine alone, and how a page asks it.

Nothing is imported here, so that the command line starts at once.
"""
