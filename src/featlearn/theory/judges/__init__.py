"""The judges: one function for each kind of claim. Their verdicts are never stored, only their
arguments.
"""
