"""Results: labelled arrays, ledger rows, provenance, and the store that keeps them.

This file imports nothing: the command line reads the version from this package and must start
quickly.
"""
