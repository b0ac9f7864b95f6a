# another gradient; a number for eps; the handle of an asynchronous operation; a seed that is tested; a size of two
import argparse

import torch
import torch.distributed as dist
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=None)
args = parser.parse_args([])
w = torch.ones(3, requires_grad=True)
out, weights = w * 2, torch.ones(3)
out.backward(weights)
norm, eps, size = nn.BatchNorm1d(3, 1e-3), 1e-4, (2, 3)
other = nn.BatchNorm2d(3, eps)
x = torch.randint(0, 10, size=size) + torch.randint(0, 10, size=(3,))
if args.seed is not None:
    torch.manual_seed(args.seed)
optimizer = torch.optim.SGD(norm.parameters(), lr=0.1)
loss = nn.functional.mse_loss(x.float(), x.float(), reduction="none")


def gathered(parts, x):
    work = dist.all_gather(parts, x, async_op=True)
    work.wait()
    return parts

# a table is made of an iterator at once
table = dict({"group": map(str, [0, 1])})
print(list(table["group"]))
