"""Catalogue, items, ledger, reproduce: the machine that turns a paper into outcomes."""
