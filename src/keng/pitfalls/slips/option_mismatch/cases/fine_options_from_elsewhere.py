# options that another function adds or reads, that are set later, or that are asked for by name
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset


def add_options(parser):
    parser.add_argument("--hidden", default=3, type=int)


def added():
    parser = argparse.ArgumentParser()
    add_options(parser)
    args = parser.parse_args([])
    return torch.nn.Linear(2, args.hidden)


added()
loader = DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=2)
