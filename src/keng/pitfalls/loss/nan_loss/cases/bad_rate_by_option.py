# a learning rate that is the default of an option
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--learning-rate", type=float, default=30.0)  # run: `learning rate 30`
args = parser.parse_args([])
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), args.learning_rate)
x, y = torch.randn(64, 8), torch.randn(64, 1)
for step in range(40):
    optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    optimizer.step()
# proof
assert not loss.isfinite()
