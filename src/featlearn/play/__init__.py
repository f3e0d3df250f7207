"""The playground: a page, served to this machine alone, on which you watch an experiment train.

This file imports nothing, so that the command line starts quickly.
"""
