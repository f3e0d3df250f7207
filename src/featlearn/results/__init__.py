"""What a run leaves behind: labelled arrays, ledger rows, provenance, the store.

Nothing is imported here: the command line reads the version from this stage and must start at once.
"""
