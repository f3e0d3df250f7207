"""The playground: a page, served to this machine only, on which one can watch an experiment train.

This file imports nothing, so that the command line starts quickly.
"""
