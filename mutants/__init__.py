"""make mutants: would the tests notice a slip? One small change at a time, to a copy of the tree.

operators the slips that people make, as changes of a syntax tree
slips     which slips exist: generated from the syntax tree, or written by hand in slips.toml
choice    which of them are tried: a quota per module, chosen by a seed
coverage  which tests run which lines, and how long they take
tree      the copy in which a slip stands
jury      the tests that judge one slip, the likeliest first
swap      a slip in a process that has the package imported already
forks     pytest in a forked process that has JAX imported already
outcomes  what is known, resumable, in build/mutants
summary   shares caught, survivors, and the survivors that explained.toml explains
"""
