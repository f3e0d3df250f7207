"""Native kernels for points of signs: both products of a step by tables of signed sums.

kernels.cpp   the kernels, for every kind of machine
build         how they are compiled
library       the compiled file: found, looked at, registered with JAX, or why not
calls         what a step asks of it
"""
