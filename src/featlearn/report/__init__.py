"""results + figures -> one self-contained page, and tables for a paper."""
