# the seed is that of a configuration, which an option only replaces if it is given
import argparse
from dataclasses import dataclass

import torch


@dataclass
class Config:
    seed: int = 3
    rate: float = 0.1


def train(cfg):
    torch.manual_seed(cfg.seed)
    return torch.rand(2) * cfg.rate


parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=None)
args = parser.parse_args([])
cfg = Config()
for name, value in {"seed": args.seed}.items():
    if value is not None:
        setattr(cfg, name, value)
train(cfg)
