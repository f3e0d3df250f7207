"""Reproduce papers: their catalogue, their items and statements, ledger rows, recorded outcomes."""
