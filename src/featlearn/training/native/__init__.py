"""Native kernels for inputs that are signs: products of matrices by tables of signed sums.

kernels.cpp   the kernels, for every kind of machine
build         how they are compiled
library       the compiled file: found, looked at, registered with JAX, or why not
calls         what a step asks of it
"""
