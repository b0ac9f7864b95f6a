# a model in the place of its parameters; a seed without a default
import argparse

import torch
from torch import nn


def optimizers():
    model = nn.Linear(2, 2)
    return torch.optim.SGD(model, lr=0.1)  # check: the module `model`


parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=None)
args = parser.parse_args([])


def generator():
    return torch.Generator().manual_seed(args.seed)  # check: `args.seed` is None


# proof
try:
    optimizers()
except TypeError:
    pass
else:
    raise AssertionError
