"""Write results and figures as one self-contained page, and as tables for a paper."""
