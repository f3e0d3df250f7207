"""Write results and figures as one self-contained web page, and as tables for a paper."""
