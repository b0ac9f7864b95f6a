# a function that another object holds adds options to what was parsed
import argparse
from types import SimpleNamespace

distributed = SimpleNamespace(init=lambda args: args.__dict__.update(distributed=False, gpu=0))


def train():
    return 2 if args.distributed else 1


parser = argparse.ArgumentParser()
parser.add_argument("--world-size", type=int, default=1)
args = parser.parse_args([])
distributed.init(args)
print(train(), args.distributed, args.gpu)
