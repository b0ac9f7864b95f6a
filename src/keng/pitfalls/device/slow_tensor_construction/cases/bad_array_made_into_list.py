# an array made into a list
import numpy as np
import torch


def load():
    values = np.arange(100_000.0)
    return torch.tensor(values.tolist())  # check: tolist makes an object of every number


x = load()

# proof
from timeit import repeat

array = np.arange(100_000.0)
one_go = repeat(lambda: torch.tensor(array), number=1, repeat=7)
assert min(repeat(load, number=1, repeat=7)) > 5 * min(one_go)
