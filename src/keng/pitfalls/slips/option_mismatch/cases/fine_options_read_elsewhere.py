# the whole namespace goes to another function; an option is set later
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset


def loader(options):
    return DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=vars(options)["batch_size"])


parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", default=2, type=int)
args = parser.parse_args([])
args.device = "cpu"
x = torch.ones(1, device=args.device)
made = loader(args), DataLoader(TensorDataset(x), batch_size=1)
