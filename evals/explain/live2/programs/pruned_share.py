import argparse

import torch
from torch import nn
from torch.nn.utils import prune

parser = argparse.ArgumentParser()
parser.add_argument("--percent", type=float, default=30.0)
args = parser.parse_args()

model = nn.Sequential(nn.Linear(20, 40), nn.ReLU(), nn.Linear(40, 5))
for layer in model:
    if isinstance(layer, nn.Linear):
        prune.l1_unstructured(layer, name="weight", amount=args.percent)
print(model(torch.randn(2, 20)).shape)
