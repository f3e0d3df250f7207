"""Reproduce papers: find them in the catalogue, run their items and statements, compare with
recorded outcomes.
"""
