"""Turn results into figures; this package draws numbers and computes none."""
