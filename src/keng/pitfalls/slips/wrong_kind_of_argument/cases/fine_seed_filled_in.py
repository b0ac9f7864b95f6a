# a seed that is drawn if none is given
import argparse
import random

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args([])
if args.seed is None:
    args.seed = random.randint(0, 10)
torch.manual_seed(args.seed)
