# a function that is called only if a seed was given
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)


def set_seed(options):
    torch.manual_seed(options.seed)


args = parser.parse_args([])
if args.seed is not None:
    set_seed(args)
