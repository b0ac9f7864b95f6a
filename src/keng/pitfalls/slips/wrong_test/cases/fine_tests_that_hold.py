# a sum in parentheses; other types that equal texts; a flag that says no; steps of two networks in turn
import argparse

import numpy as np
import torch
from torch import nn


class Finder(nn.Module):
    def __init__(self, threshold=0.5):
        super().__init__()
        self.threshold, self.layer = threshold, nn.Linear(2, 2)

    def forward(self, x, threshold=None):
        threshold = self.threshold if threshold is None else threshold
        return self.layer(x) > threshold


def filled(done, array, device, mode):
    ended = torch.zeros_like(done)
    ended[0] = True
    if ended.any() and array.dtype == "float32" and device == "cpu" and mode in ("train", "test"):
        ended[1] = True
    if done.shape == (2,) and done.device.type == "cpu" and torch.distributed.is_available():
        ended[1] = False
    if mode in "train":
        ended[0] = False
    return ended


parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_false", help="Disable CUDA")
parser.add_argument("--single", dest="several", action="store_false", help="Use one network")
options = parser.parse_args([])
nets = [nn.Linear(2, 1), nn.Linear(2, 1)]
optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
for step in range(4):
    nets[step % 2](torch.ones(1, 2)).sum().backward()
    if step % 2:
        optimizers[1].step()
        optimizers[1].zero_grad()
    else:
        optimizers[0].step()
        optimizers[0].zero_grad()
    if (step + 1) % 50 == 0:
        print("saved")
found = filled(torch.ones(2, dtype=torch.bool), np.ones(2, dtype="float32"), "cpu", "train")
