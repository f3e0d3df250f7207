"""Turn results into figures; this package computes nothing."""
