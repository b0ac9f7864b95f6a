# an extension cannot be built, as a compiler, a header or a library is missing or too old
# needs: a compiler
import torch


def twice(n):
    return 2 * n


print(twice(2))
