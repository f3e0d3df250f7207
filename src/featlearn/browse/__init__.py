"""The results browser: a page, served to this machine only, that shows the results in a store.

Nothing is imported here, so that the command line starts at once.
"""
