"""The server that live pages share: it answers this machine only, and pages send it JSON requests.

Nothing is imported here, so that the command line starts at once.
"""
