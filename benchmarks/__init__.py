"""Timings as ratios inside one run; never an assertion in a test."""
